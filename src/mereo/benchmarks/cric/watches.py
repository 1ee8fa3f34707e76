"""What a set of CRIC's questions is like: how even answers and items are, before and after balancing, and how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mereo.benchmarks.cric.drawn import Counts
from mereo.benchmarks.cric.question import TYPES
from mereo.datasets.audit import entropy
from mereo.datasets.gates import Gate, Row, Watch
from mereo.programs import parse_program
from mereo.sheets import Sheet

__all__ = ["Evenness", "Lengths"]

_SHOWN = 5
_UNEVEN = 0.02
"""How far yes and no may be apart of a type of which there are many, as a share."""
_ENOUGH = 500


class Evenness(Watch):
    """How often each answer and each item of knowledge occurs, among all that were drawn and among those kept."""

    def __init__(self) -> None:
        self._drawn, self._kept = Counts(), Counts()

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Count a scene's questions."""
        self._drawn.take(scene)
        for row in questions:
            self._kept.add(row["subtype"], parse_program(row["program"]), row["answer"])

    def gates(self) -> Iterator[Gate]:
        """How far yes and no are apart."""
        for sort, counts in sorted(self._kept.answers.items()):
            if counts.keys() <= {"yes", "no"}:
                of = counts.total()
                found = abs(counts["yes"] - counts["no"]) / of if of >= _ENOUGH else None
                yield Gate(name=f"yes and no apart: {sort}", found=found, most=_UNEVEN, of=of, unit="share")

    def sheets(self) -> Iterator[Sheet]:
        """Both distributions, one below the other."""
        rows: list[Sequence[str]] = []
        every = {*self._drawn.answers, *self._kept.answers}
        for sort in sorted(every):
            rows += _rows(sort, self._drawn.answers.get(sort), self._kept.answers.get(sort))
        rows += _rows("items of knowledge", self._drawn.items, self._kept.items)
        if rows:
            yield Sheet(("distribution of", "", "number", "different", "bits", "largest", "most frequent"), rows)


def _rows(name: str, drawn: Counter[str] | None, kept: Counter[str] | None) -> Iterator[Sequence[str]]:
    for when, counts in (("drawn", drawn), ("kept", kept)):
        if counts:
            total = counts.total()
            often = ", ".join(f"{value} {count / total:.1%}" for value, count in _frequent(counts))
            largest = max(counts.values()) / total
            yield name, when, f"{total:,}", f"{len(counts):,}", f"{entropy(counts):.2f}", f"{largest:.1%}", often
            name = ""


def _frequent(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_SHOWN]


class Lengths(Watch):
    """How many there are of each type, and how long they are in functions and in words."""

    def __init__(self) -> None:
        self._functions: dict[str, list[int]] = {}
        self._words: dict[str, list[int]] = {}

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Measure a scene's questions."""
        for row in questions:
            steps = parse_program(row["program"]).steps
            used = sum(step.function != "initial" for step in steps)
            self._functions.setdefault(row["subtype"], []).append(used)
            self._words.setdefault(row["subtype"], []).append(len(row["question"].split()))

    def gates(self) -> Iterator[Gate]:
        """None: all of it is only told."""
        return iter(())

    def sheets(self) -> Iterator[Sheet]:
        """A row for each type and one for all."""
        every = sorted(self._functions, key=lambda type: TYPES.index(type) if type in TYPES else len(TYPES))
        total = sum(map(len, self._functions.values()))
        rows = [_lengths(type, self._functions[type], self._words[type], total) for type in every]
        if rows:
            functions, words = (
                [one for own in found.values() for one in own] for found in (self._functions, self._words)
            )
            rows.append(_lengths("all", functions, words, total))
            yield Sheet(("type", "questions", "share", "functions", "words"), rows)


def _lengths(name: str, functions: Sequence[int], words: Sequence[int], total: int) -> Sequence[str]:
    return name, f"{len(words):,}", f"{len(words) / total:.1%}", _told(functions), _told(words)


def _told(numbers: Sequence[int]) -> str:
    """The mean, and from where to where."""
    return f"{sum(numbers) / len(numbers):.1f} ({min(numbers)} to {max(numbers)})"
