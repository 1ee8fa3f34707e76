"""Questions in people's own words: how many are understood rightly, and how long that takes.

    python bench/free.py [--scenes 40]

The wordings of tests/wordings, those that were looked at while the grammar was written and those that were kept away,
each with the programs that it may rightly mean, are read in made-up scenes. Whoever is answered otherwise in one scene
is read wrongly; whoever is answered in none is not read. Time is CPU time of one core for a sentence that was not heard
before, with the scene weighed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from free_wordings import Wording, judged, wordings, worlds
from measure import options, save
from mereo.benchmarks.benchmark import listener_of
from tables import Row

BENCHMARKS = ("clevr", "refer", "ptr", "shop")
KEPT = ("clevr", "refer", "ptr")
"""Of these there are wordings of strangers that were kept away."""
LONG = 20
"""Words of a long question."""


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=40, help="in how many scenes each is read")
    given = options(parser)
    if given.quick:
        given.scenes = 2
    rows: list[Row] = []
    for benchmark in BENCHMARKS:
        kept = [(f"{benchmark}_kept", "kept away")] if benchmark in KEPT else []
        for name, kind in ((benchmark, "looked at"), *kept):
            rows += _read(benchmark, wordings(name)[:: 20 if given.quick else 1], kind, given.scenes)
    rows += _timed(given.quick)
    save("free", given, rows, notes=[f"{given.scenes} scenes. Not read: neither right nor wrong."])


def _read(benchmark: str, said: list[Wording], kind: str, scenes: int) -> list[Row]:
    outcome = judged(benchmark, said, worlds(benchmark, scenes))
    shares = {"wrong": 100 * len(outcome.wrong) / outcome.total, "wordings": float(outcome.total)}
    what, right = f"{benchmark}, {kind}", 100 * len(outcome.right) / outcome.total
    return [Row(what=what, value=right, unit="% right", against=what, table="understood", more=dict(shares))]


def _timed(quick: bool) -> list[Row]:
    """Milliseconds of CPU for a question: the median, and the slowest."""
    short, long = list[float](), list[float]()
    for benchmark in BENCHMARKS:
        listener, world = listener_of(benchmark), worlds(benchmark, 1)[0]
        assert listener is not None
        listener.understand("How many things are there?", world)  # the grammar is made when it is first needed
        for wording in wordings(benchmark)[:: 40 if quick else 1]:
            started = time.process_time()
            listener.understand(wording.said, world)
            took = 1000 * (time.process_time() - started)
            (long if len(wording.said.split()) >= LONG else short).append(took)
    return [
        Row(
            what=what,
            value=statistics.median(took),
            unit="CPU ms",
            against="a question",
            table="time",
            more={"slowest": max(took)},
        )
        for what, took in (("a question", short), (f"a question of {LONG} words or more", long))
        if took
    ]


if __name__ == "__main__":
    main()
