"""Trials of changed inputs: each is refused in a sentence or accepted, within five seconds and two gibibytes.

`python tests/fuzz_trials.py --count 20000` makes so many and prints a table; `--only KIND --seed N --count 1` repeats
one.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from fuzz_corpus import make_corpus
from fuzz_datasets import REFUSED
from fuzz_kinds import KINDS, Kind
from mereo.errors import MereoError

__all__ = ["Outcome", "attempts", "table", "trial"]

MOST_SECONDS = 5
MOST_BYTES = 2 << 30
_STUCK = 60


class TooLong(BaseException):
    """A trial has used up its time."""


class Outcome(NamedTuple):
    """How a trial ended."""

    kind: str
    seed: int | None
    done: str
    """What was changed, and who read it."""
    verdict: str
    """`accepted`, `refused` or `failed`."""
    said: str
    """The sentence, or the traceback."""
    seconds: float
    """Of the processor."""
    memory: int
    """Mebibytes that the process took on the way, over what it had before."""

    def __str__(self) -> str:
        return f"{self.kind}, seed {self.seed}: {self.done}\n{self.said}"


def trial(kind: Kind, seed: int | None, corpus: Path) -> Outcome:
    """Change a copy of a good input by chance and have it read by one of those who read it.

    seed : of the change; none leaves it as it is
    """
    chance = random.Random(f"{kind.name} {seed}")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as home:
        folder, out = Path(home) / "in", Path(home) / "out"
        shutil.copytree(corpus / kind.folder, folder)
        out.mkdir()
        done = "nothing" if seed is None else kind.change(folder, chance)
        drive = chance.choice(kind.drives)
        name = getattr(drive, "__name__", "") or f"{drive.func.__name__} {drive.keywords}"  # type: ignore[attr-defined]
        before, held = time.process_time(), _memory("VmRSS")
        verdict, said = "accepted", ""
        REFUSED.clear()
        try:
            with _bounded(), redirect_stderr(StringIO()) as told:
                drive(folder, out)
            if "Traceback" in told.getvalue():
                verdict, said = "failed", told.getvalue()
        except MereoError as error:
            REFUSED.append(str(error))
        except (Exception, TooLong):  # noqa: BLE001  whatever it is, it is what is looked for
            verdict, said = "failed", traceback.format_exc()
        seconds = time.process_time() - before
        if verdict != "failed" and REFUSED:
            said = next((sentence for sentence in REFUSED if "\n" in sentence), REFUSED[0])
            verdict = "failed" if "\n" in said else "refused"
    memory = _memory("VmHWM") - held
    return Outcome(kind.name, seed, f"{done}; {name}", verdict, said, seconds, memory)


def _memory(name: str) -> int:
    """Mebibytes that the process has now (`VmRSS`, from which on the most is counted) or had at most (`VmHWM`)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    if name == "VmRSS":
        Path("/proc/self/clear_refs").write_text("5")
    line = next(line for line in status.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) // 1024


@contextmanager
def _bounded() -> Iterator[None]:
    """Five seconds of the processor, two gibibytes more than there are; who sleeps for a minute ends the process."""

    def stop(*_: Any) -> None:
        raise TooLong

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    handler = signal.signal(signal.SIGPROF, stop)
    faulthandler.dump_traceback_later(_STUCK, exit=True)
    try:
        if pages:
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MOST_BYTES, hard))
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, handler)


def attempts(count: int, *, seed: int = 0) -> Iterator[tuple[Kind, int]]:
    """So many kinds and seeds, every kind in its share."""
    turns = [kind for kind in KINDS for _ in range(kind.share)]
    for number in range(seed, seed + count):
        yield turns[number % len(turns)], number


def table(outcomes: Sequence[Outcome]) -> str:
    """What became of each kind."""
    lines = [f"{'kind':26} {'tried':>6} {'accepted':>8} {'refused':>8} {'failed':>6} {'slowest':>8} {'memory':>9}"]
    for name in [*dict.fromkeys(one.kind for one in outcomes), "all"]:
        own = [one for one in outcomes if name in (one.kind, "all")]
        counts = [sum(one.verdict == verdict for one in own) for verdict in ("accepted", "refused", "failed")]
        slowest, most = max(one.seconds for one in own), max(one.memory for one in own)
        numbers = f"{len(own):6} {counts[0]:8} {counts[1]:8} {counts[2]:6} {slowest:6.2f} s {most:5} MiB"
        lines.append(f"{name:26} {numbers}")
    return "\n".join(lines)


def main() -> int:
    """Make trials and tell what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if given.only in kind.name]
    with tempfile.TemporaryDirectory() as home:
        corpus = given.corpus or Path(home)
        if not any(corpus.iterdir()):
            make_corpus(corpus)
        wanted = attempts(given.count, seed=given.seed)
        if given.only:
            wanted = ((kinds[n % len(kinds)], n) for n in range(given.seed, given.seed + given.count))
        outcomes = []
        for kind, seed in wanted:
            outcomes.append(one := trial(kind, seed, corpus))
            if one.verdict == "failed":
                sys.stdout.write(f"{one}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{table(outcomes)}\n")
    return int(any(one.verdict == "failed" for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
