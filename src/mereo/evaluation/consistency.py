"""Whether a run stands by its answers: over rephrased questions, and over counterfactual pairs of scenes."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.datasets.asked import PAIR_FIELDS, Asked
from mereo.evaluation.intervals import Mean, means
from mereo.evaluation.marks import Marks

__all__ = ["Consistency", "consistency"]


class Consistency(msgspec.Struct, frozen=True):
    """What came out of the groups of one kind."""

    kind: str
    groups: int
    all_right: Mean
    """The share of groups in which every question has full marks."""
    same_answer: Mean | None
    """The share of groups that were given one answer throughout, right or wrong; only of rephrasings."""


def consistency(asked: Asked, marks: Marks) -> list[Consistency]:
    """What is found of each kind of pairs that the questions have."""
    found = []
    for kind in PAIR_FIELDS:
        order, starts = _groups(_codes(asked, kind))
        if not len(starts):
            continue
        scenes = np.unique(asked.scenes[order[starts]], return_inverse=True)[1]
        measures = [np.minimum.reduceat((marks.main >= 1)[order], starts).astype(np.float64)]
        if kind == "rephrasing" and marks.said is not None:
            said = np.unique(np.array(marks.said, dtype=object), return_inverse=True)[1][order]
            low, high = np.minimum.reduceat(said, starts), np.maximum.reduceat(said, starts)
            measures.append((low == high).astype(np.float64))
        shares = means(measures, [np.ones(len(starts), bool)], scenes)[0]
        found.append(Consistency(kind, len(starts), shares[0], shares[1] if len(shares) > 1 else None))
    return found


def _codes(asked: Asked, kind: str) -> NDArray[np.int64]:
    """For every question the number of its group, -1 for none."""
    if asked.has(kind):
        return asked.numbers(kind)
    if kind != "rephrasing":
        return np.full(len(asked), -1)
    programs = asked.numbers("program")
    return asked.scenes * (int(programs.max()) + 1) + programs


def _groups(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The questions of groups of two and more, group by group, and where each group starts."""
    places = np.flatnonzero(codes >= 0)
    _, numbers, counts = np.unique(codes[places], return_inverse=True, return_counts=True)
    several = counts[numbers] > 1
    places, numbers = places[several], numbers[several]
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    return places[order], starts
