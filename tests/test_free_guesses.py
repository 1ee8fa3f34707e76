"""A trained parser guesses at what nobody reads: its programs are said back, and never answered as if they were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import mereo
from free_wordings import wordings, worlds
from kit import CommandLine, complaint
from mereo.benchmarks.clevr import benchmark as clevr
from mereo.benchmarks.benchmark import listener_of
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.datasets.predictions import Prediction
from mereo.programs import Program, parse_program
from mereo.questions.free.retelling import Retelling
from mereo.questions.guessing import Guesser
from mereo.questions.understand import Listener
from mereo.training.learning import Learning
from mereo.training.row import Desk, Row
from mereo.training.sight_stages import all_pairs_stage
from mereo.world import save_world

UNREAD = "in which manner might one tally such cubes"
"""Nobody reads this, and a parser knows most of its words."""


def _silent(desk: Desk, split: str) -> Iterator[Prediction]:
    return iter(())


ROWS = (
    Row("reads", "a parser", ("programs",), ("programs",), "P", (all_pairs_stage(lambda desk: LANGUAGE, passes=1.0),), _silent),
    Row("looks", "no parser", (), ("answers",), "/", (), _silent),
)


@pytest.fixture(scope="module", autouse=True)
def rows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mereo.training.device.use_cores", lambda: None)  # other tests want theirs
        patch.setattr(clevr, "BENCHMARK", replace(clevr.BENCHMARK, learning=lambda: Learning(rows=ROWS)))
        yield


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guesses") / "solids"
    return mereo.build("clevr", folder, split="train=12", symbolic=True, questions_per_scene=5).folder


@pytest.fixture(scope="module")
def run(dataset: Path) -> Path:
    """A parser that has hardly learned anything, which is enough to guess."""
    pytest.importorskip("torch", reason="torch is not installed")
    return mereo.train("reads", dataset, dataset.parent / "run").folder


@pytest.fixture(scope="module")
def listener() -> Listener:
    found = listener_of("clevr")
    assert found is not None
    return found


def _guesser(line: str | None) -> Guesser:
    return Guesser("somebody", lambda question: None if line is None else parse_program(line))


def test_x(run, dataset):
    import time
    from mereo.workbench.guessing import guesser_of
    g=guesser_of(run,"clevr")
    for q in (UNREAD,"How many cubes are there?", "zzz qqq"):
        t=time.time(); print(g.propose(q), time.time()-t)
