"""The colors of a cloud's points: one for every name that is told or said, or whether what is said is right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.point_views import Telling
from mereo.shapes.draw import part_paint

__all__ = ["ERRORS", "RIGHT", "SAID", "TRUTH", "UNNAMED", "WRONG", "Found", "found_names", "painted", "paints_of"]

TRUTH, SAID, ERRORS = "truth", "run", "errors"
"""What points are painted by: what is true, what a run says, and where the two differ."""
UNNAMED, RIGHT, WRONG = "#c3c8cd", "#a9bfb1", "#d92d20"
"""The colors of points that nothing is told of, and of those of which a run is right and wrong."""


class Found(NamedTuple):
    """One name: how many points have it in truth, and how far a run agrees."""

    number: int
    label: str
    points: int
    said: int
    """Points that the run says it of; none without a run."""
    overlap: float | None
    """Of what is true and what is said, as a share of both together; None without a run."""


def found_names(truth: Telling, said: Telling | None) -> list[Found]:
    """All names that some point has, or is said to have."""
    names = truth.names if said is None else said.names
    lines = []
    for number, label in enumerate(names, start=1):
        own = truth.numbers == number
        theirs = np.zeros(len(own), bool) if said is None else (said.numbers == number) & (truth.numbers > 0)
        joined = int((own | theirs).sum())
        if joined:
            overlap = None if said is None else int((own & theirs).sum()) / joined
            lines.append(Found(number, label, int(own.sum()), int(theirs.sum()), overlap))
    return lines


def painted(truth: Telling, said: Telling | None, *, side: str) -> tuple[list[int], list[str]]:
    """A number for each point, and the color of each number. side : `truth`, `run` or `errors`"""
    if said is not None and side == ERRORS:
        known: NDArray[np.int64] = (truth.numbers > 0).astype(np.int64)
        return (known + truth.wrong(said)).tolist(), [UNNAMED, RIGHT, WRONG]
    own = truth if said is None or side == TRUTH else said
    paints = paints_of(truth, said)
    return own.numbers.tolist(), [paints.get(number, UNNAMED) for number in range(len(own.names) + 1)]


def paints_of(truth: Telling, said: Telling | None) -> dict[int, str]:
    """By number its color: few colors can be told apart, so only names that occur get one, the true ones first.

    The first color is left out, since red is that of errors.
    """
    occur = sorted(found_names(truth, said), key=lambda one: (not one.points, one.number))
    return {one.number: part_paint(place) for place, one in enumerate(occur, start=1)}
