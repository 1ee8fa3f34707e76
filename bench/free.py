"""Questions in people's own words: how many are understood rightly, and how long that takes.

    python bench/free.py [--scenes 40]

The wordings of tests/wordings, those that were looked at while the grammar was written and those that were kept away,
each with the programs that it may rightly mean, are read in made-up scenes. Whoever is answered otherwise in one scene
is read wrongly; whoever is answered in none is not read. Time is CPU time of one core for a sentence that was not heard
before, with the scene weighed. All ways in which the grammar allows a sentence are found by a chart of our own, and for
comparison by Lark's Earley parser.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from free_wordings import Wording, judged, wordings, worlds
from lark_chart import forest
from measure import options, save
from mereo.benchmarks.benchmark import listener_of
from mereo.questions.free.chart import parsed
from mereo.questions.free.tokens import Cut, cuts, sentence_words
from mereo.questions.understand import Listener
from tables import Row

BENCHMARKS = ("clevr", "refer", "ptr", "shop", "cric")
KEPT = ("clevr", "refer", "ptr")
"""Of these there are wordings of strangers that were kept away."""
LONG = 20
"""Words of a long question."""
FREE = "which things are not red?"
"""No template reads this."""
LARK = "Lark's Earley parser"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=40, help="in how many scenes each is read")
    given = options(parser)
    if given.quick:
        given.scenes = 2
    first = _milliseconds(_listener("clevr").understand, FREE, worlds("clevr", 1)[0])
    rows: list[Row] = []
    for benchmark in BENCHMARKS:
        kept = [(f"{benchmark}_kept", "kept away")] if benchmark in KEPT else []
        for name, kind in ((benchmark, "looked at"), *kept):
            rows += _read(benchmark, wordings(name)[:: 20 if given.quick else 1], kind, given.scenes)
    rows += [*_timed(given.quick, first), *_parsed(given.quick)]
    save("free", given, rows, notes=[f"{given.scenes} scenes. Not read: neither right nor wrong."])


def _read(benchmark: str, said: list[Wording], kind: str, scenes: int) -> list[Row]:
    outcome = judged(benchmark, said, worlds(benchmark, scenes))
    if not outcome.total:  # in a few scenes, a few wordings may all ask for what is not there
        return []
    shares = {"wrong": 100 * len(outcome.wrong) / outcome.total, "wordings": float(outcome.total)}
    what, right = f"{benchmark}, {kind}", 100 * len(outcome.right) / outcome.total
    return [Row(what=what, value=right, unit="% right", against=what, table="understood", more=dict(shares))]


def _timed(quick: bool, first: float) -> list[Row]:
    """Milliseconds of CPU for a question: the median, and the slowest. first : what the first of all took"""
    short, long = list[float](), list[float]()
    for benchmark in BENCHMARKS:
        listener, world = _listener(benchmark), worlds(benchmark, 1)[0]
        listener.understand(FREE, world)  # what a listener needs is made when it is first asked
        for wording in wordings(benchmark)[:: 120 if quick else 1]:
            took = _milliseconds(listener.understand, wording.said, world)
            (long if len(wording.said.split()) >= LONG else short).append(took)
    rows = [
        Row(
            what=what,
            value=statistics.median(took),
            unit="CPU ms",
            against="a question",
            table="time",
            more={"slowest": max(took), "questions": float(len(took))},
        )
        for what, took in (("a question", short), (f"a question of {LONG} words or more", long))
        if took
    ]
    loading = "the first of all, for which templates and grammar are loaded"
    return [*rows, Row(what=loading, value=first, unit="CPU ms", against="a question", table="time")]


def _parsed(quick: bool) -> list[Row]:
    """Milliseconds of CPU to find every way to read the same tokens."""
    sentences = [
        cut
        for benchmark in BENCHMARKS
        for wording in wordings(benchmark)[:: 400 if quick else 20]
        if (cut := _cut(_listener(benchmark), wording.said)) is not None
    ]
    rows = []
    for what, find in ((LARK, forest), ("our chart", parsed)):
        find(sentences[0])  # both read the grammar first
        took = [_milliseconds(find, cut) for cut in sentences]
        more: dict[str, float | None] = {"slowest": max(took), "sentences": float(len(took))}
        table = "finding every way to read a sentence"
        rows.append(Row(what=what, value=statistics.median(took), unit="CPU ms", against=LARK, table=table, more=more))
    return rows


def _listener(benchmark: str) -> Listener:
    listener = listener_of(benchmark)
    assert listener is not None
    return listener


def _cut(listener: Listener, sentence: str) -> Cut | None:
    """A sentence as the fewest tokens; None where it has a word that means nothing."""
    assert listener.free is not None
    lexicon = listener.free.lexicon
    found = next(cuts(sentence_words(sentence, lexicon.words), lexicon), None)
    return None if found is None else found[1]


def _milliseconds(do: Callable[..., object], *given: object) -> float:
    started = time.process_time()
    do(*given)
    return 1000 * (time.process_time() - started)


if __name__ == "__main__":
    main()
