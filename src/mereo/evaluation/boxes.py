"""How well things are found in pictures: which of those found are which true ones, and average precision.

Average precision is PASCAL VOC's. What is found of one class is gone through from the surest on. It is right if the
true thing that it overlaps most does so by more than half and was not found before. Precision is then made to never
rise with recall, and the area under it is taken at all points, as VOC does since 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.evaluation.intervals import Mean, between, drawn_scenes, ratio
from mereo.masks import Box

__all__ = ["HALF", "Detections", "average_precision", "average_precisions", "overlaps", "paired", "right_ones"]

HALF = 0.5
"""By more than this a box must overlap the true one."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def overlaps(ones: Sequence[Box], others: Sequence[Box]) -> Floats:
    """(n, m): intersection over union of every box with every other; 0 where neither has an extent."""
    one, other = (np.array(boxes, np.float64).reshape(-1, 4) for boxes in (ones, others))
    first = np.maximum(one[:, None, :2], other[None, :, :2])
    last = np.minimum(one[:, None, :2] + one[:, None, 2:], other[None, :, :2] + other[None, :, 2:])
    both = np.clip(last - first, 0, None).prod(2)
    joined = one[:, 2:].prod(1)[:, None] + other[:, 2:].prod(1)[None] - both
    return np.nan_to_num(ratio(both, joined))


def surest_first(scores: Sequence[float]) -> list[int]:
    """The places of scores from the highest on; equal ones as they stand."""
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def paired(overlap: Floats, scores: Sequence[float], *, least: float) -> dict[int, int]:
    """For true things the one that was found for each, one to one.

    From the surest on, each takes the true thing that it overlaps most among those that are left, if by more than the
    least.

    overlap : (found, true)
    """
    left = np.ones(overlap.shape[1], bool)
    found: dict[int, int] = {}
    for place in surest_first(scores) if overlap.shape[1] else ():
        own = np.where(left, overlap[place], -1.0)
        true = int(own.argmax())
        if own[true] > least:
            found[true] = place
            left[true] = False
    return found


def right_ones(overlap: Floats, scores: Sequence[float], *, least: float = HALF) -> NDArray[np.bool_]:
    """(found,) which of those found in one picture are right as PASCAL VOC counts: a second one of a thing is not.

    overlap : (found, true), of one class
    """
    right = np.zeros(len(scores), bool)
    taken: set[int] = set()
    for place in surest_first(scores) if overlap.shape[1] else ():
        true = int(overlap[place].argmax())
        if overlap[place, true] > least and true not in taken:
            right[place] = True
            taken.add(true)
    return right


class Detections(NamedTuple):
    """What was found of one class in all scenes."""

    scores: Sequence[float]
    """How sure each one is."""
    right: Sequence[bool]
    scenes: Sequence[int]
    """The scene of each."""
    true: Ints
    """(scenes,) how many true things there are in each."""


def average_precision(found: Detections, weights: Floats) -> Floats:
    """(n,): where scenes count so often; NaN where no true thing is left. weights : (n, scenes)"""
    order = surest_first(found.scores)
    there = weights[:, np.array(found.scenes, np.int64)[order]]
    right = np.cumsum(there * np.array(found.right, np.float64)[order], 1)
    precision = right / np.maximum(np.cumsum(there, 1), 1)
    best = np.maximum.accumulate(precision[:, ::-1], 1)[:, ::-1]
    gained = np.diff(right, axis=1, prepend=0)
    return ratio((gained * best).sum(1), weights @ found.true)


def average_precisions(classes: Sequence[Detections], *, scenes: int, seed: int = 0) -> tuple[Mean, list[Mean]]:
    """The mean over the classes that there are true things of, and the average precision of each class.

    All are counted in true things and come with their intervals.
    """
    whole = _rows(classes, np.ones((1, scenes)))
    drawn = np.concatenate([_rows(classes, weights) for weights in drawn_scenes(scenes, seed=seed)], axis=1)
    true = np.stack([np.sum([one.true for one in classes], axis=0), *(one.true for one in classes)])
    mean, *each = (
        between(float(value), draws, count=int(own.sum()), scenes=int((own > 0).sum()))
        for value, draws, own in zip(whole[:, 0], drawn, true, strict=True)
    )
    return mean, each


def _rows(classes: Sequence[Detections], weights: NDArray[Any]) -> Floats:
    """(1 + classes, n): the mean over classes, then those of each."""
    found = np.stack([average_precision(one, weights.astype(np.float64)) for one in classes])
    return np.concatenate([ratio(np.nansum(found, 0), (~np.isnan(found)).sum(0))[None], found])
