"""Good inputs of every kind, changed by chance: each is used or refused in one sentence, soon and in little memory.

A hundred and twenty changes; with MEREO_THOROUGH=1 in the environment twenty thousand, in processes of their own. The
kind and the seed of a change that fails repeat it: `python tests/fuzz_trials.py --only KIND --seed SEED --count 1`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz_corpus import make_corpus
from fuzz_kinds import KINDS
from fuzz_trials import attempts, trial
from kit import THOROUGH

COUNT, PIECE = (20_000, 500) if THOROUGH else (120, 120)
PARTLY = ("imported", "imported-ptr", "world", "refer-ptr", "cric")
"""Of which some calls have nothing to do: imported scenes have no depth, a program is of one language only."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good input of every kind."""
    folder = tmp_path_factory.mktemp("good")
    make_corpus(folder)
    return folder


def use_unchanged(corpus: Path) -> None:
    """See that good inputs are used; else nobody would know whether a refusal is due to a change."""
    pairs = {(kind.folder, str(drive)): (kind, drive) for kind in KINDS for drive in kind.drives}
    for kind, drive in pairs.values():
        if kind.folder not in PARTLY:
            one = trial(kind._replace(drives=(drive,)), None, corpus)
            assert one.verdict == "accepted", str(one)


@pytest.mark.parametrize("first", range(0, COUNT, PIECE))
def test_what_is_changed_is_used_or_refused_in_a_sentence(corpus: Path, first: int) -> None:
    if THOROUGH:  # in a process of its own, which can be ended from outside
        command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("fuzz_trials.py"))]
        command += ["--corpus", str(corpus), "--count", str(PIECE), "--seed", str(first)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return
    use_unchanged(corpus)
    outcomes = [trial(kind, seed, corpus) for kind, seed in attempts(PIECE, seed=first)]
    failed = [str(one) for one in outcomes if one.verdict == "failed"]
    assert not failed, "\n\n".join(failed)
