"""Comparing runs on the questions that all of them were asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import msgspec
import numpy as np

from mereo.evaluation.intervals import Difference, adjusted, difference
from mereo.evaluation.result import Judged

__all__ = ["Comparison", "compare"]


class Comparison(msgspec.Struct, frozen=True):
    """Two runs, question by question."""

    one: str
    other: str
    measure: str
    difference: Difference
    adjusted: float
    """The chance `p`, corrected by Holm's method for the number of pairs that were compared."""


def compare(runs: Sequence[Judged], wanted: Callable[[str, str], bool] = lambda one, other: True) -> list[Comparison]:
    """Every pair of runs that share a measure and questions. wanted : whether to compare runs of these names"""
    found: list[tuple[Judged, Judged, Difference]] = []
    for one, other in combinations(runs, 2):
        if one.result.measures[0] != other.result.measures[0] or not wanted(one.result.run, other.result.run):
            continue
        places = other.asked.places
        shared = [(mine, places[name]) for mine, name in enumerate(one.asked.ids) if name in places]
        if shared:
            mine, theirs = np.array(shared).T
            own, their = np.nan_to_num(one.marks.main[mine]), np.nan_to_num(other.marks.main[theirs])
            found.append((one, other, difference(own, their, one.asked.scenes[mine])))
    chances = adjusted([measured.p for _, _, measured in found])
    return [
        Comparison(one.result.run, other.result.run, one.result.measures[0], measured, chance)
        for (one, other, measured), chance in zip(found, chances, strict=True)
    ]
