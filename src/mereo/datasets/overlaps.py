"""What splits have in common: their size, and how many texts of one are asked in another, too.

For benchmarks whose papers give such a table; see `Repeats` for what all datasets are told.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mereo.chance import mark
from mereo.datasets.gates import Gate, Row, Watch
from mereo.sheets import Sheet

__all__ = ["Overlaps"]

_ENOUGH = 500
"""Questions of a split from which on it can be told how many of them others have."""


class Overlaps(Watch):
    """Counts the texts of every split and kind, and those that two splits share; of each text it keeps eight bytes.

    kind_of : what kind a question is of
    against : the splits that others are compared with
    most : which share of a split's texts may stand in one of them
    """

    def __init__(self, kind_of: Callable[[Row], str], *, against: Sequence[str], most: float):
        self._kind_of, self._against, self._most = kind_of, against, most
        self._scenes: Counter[str] = Counter()
        self._marks: dict[tuple[str, str], array[int]] = {}

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Note what is asked."""
        self._scenes[scene["split"]] += 1
        for row in questions:
            marks = self._marks.setdefault((self._kind_of(row), row["split"]), array("Q"))
            marks.append(mark(row["question"]))

    def gates(self) -> Iterator[Gate]:
        """For every two splits the share of what the smaller one asks that the other asks, too."""
        for kind in self._kinds:
            for split, other in self._pairs(kind):
                own, theirs = self._texts(kind, split), self._texts(kind, other)
                of = min(len(own), len(theirs))
                found = None if of < _ENOUGH else len(np.intersect1d(own, theirs)) / of
                name = f"{kind} texts of {split} that stand in {other}"
                yield Gate(name=name, found=found, most=self._most, of=of, unit="share")

    def sheets(self) -> Iterator[Sheet]:
        """A column for every split, a row for every figure."""
        splits = list(self._scenes)
        rows = [["scenes", *(f"{self._scenes[split]:,}" for split in splits)]]
        for kind in self._kinds:
            asked = {split: len(self._marks.get((kind, split), ())) for split in splits}
            rows.append([f"{kind} questions", *(f"{asked[split]:,}" for split in splits)])
            rows.append([f"unique {kind} questions", *(f"{len(self._texts(kind, split)):,}" for split in splits)])
            for other in self._against:
                rows.append([f"{kind} overlap with {other}", *(self._shared(kind, split, other) for split in splits)])
        yield Sheet(("", *splits), rows)

    @property
    def _kinds(self) -> list[str]:
        return list(dict.fromkeys(kind for kind, _ in self._marks))

    def _pairs(self, kind: str) -> Iterator[tuple[str, str]]:
        """Every two splits that are compared, once."""
        done = set()
        for other in self._against:
            for split in self._scenes:
                pair = frozenset((split, other))
                if len(pair) == 2 and pair not in done and {(kind, split), (kind, other)} <= self._marks.keys():
                    done.add(pair)
                    yield split, other

    def _texts(self, kind: str, split: str) -> NDArray[np.uint64]:
        """The texts of a split, each once."""
        return np.unique(np.frombuffer(self._marks.get((kind, split), array("Q")), np.uint64))

    def _shared(self, kind: str, split: str, other: str) -> str:
        if split == other:
            return ""
        return f"{len(np.intersect1d(self._texts(kind, split), self._texts(kind, other))):,}"
