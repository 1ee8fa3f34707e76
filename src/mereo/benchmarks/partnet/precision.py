"""Instance segmentation: which predictions find a true instance, and what that says of how sure they are.

Labels of instances count from 0, as in PartNet's files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mereo.benchmarks.partnet.checks import checked_labels, same_shapes
from mereo.benchmarks.partnet.iou import mean_of
from mereo.errors import BadInput

__all__ = [
    "HALF",
    "InstanceScores",
    "Instances",
    "Matches",
    "average_precision",
    "falling",
    "instances",
    "matched",
    "taken",
]

HALF = 0.5
"""An instance is found if it overlaps by more than this."""
POINTS = 100
"""Recalls are looked at in so many equal steps from 0 to 1, both ends included."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


class Instances(NamedTuple):
    """Instances of one shape, true or predicted, over its n points.

    mask : (k, n) bool
    label : (k,) int, the place of its part among the names of the level, from 0
    valid : (k,) bool, which of the rows count at all
    confidence : (k,) float, how sure each is; of no meaning in the truth
    """

    mask: Bools
    label: Integers
    valid: Bools
    confidence: Floats


class Matches(NamedTuple):
    """The valid predictions of one shape by falling confidence.

    hit : (k,) bool, whether it found an instance of its label that none before it had
    label : (k,) int, from 0
    confidence : (k,) float
    """

    hit: Bools
    label: Integers
    confidence: Floats


class InstanceScores(NamedTuple):
    """How well instances are found, each score between 0 and 1."""

    part_mean: float
    """The mean average precision of the parts that have true instances, each over all shapes."""
    shape_mean: float
    """The mean over shapes of the mean average precision of the parts that a shape has or is said to have."""
    parts: Floats
    """(c,) the average precision of each part over all shapes, NaN where it has no true instance."""
    shapes: Floats
    """(s,) the mean average precision of each shape, NaN where it has no instances and none were predicted."""
    undefined: int
    """How many parts have no true instance."""
    matches: Sequence[Matches]
    """Of each shape."""
    truths: Integers
    """(s, c) how many true instances of each part each shape has."""


def falling(confidence: ArrayLike) -> Integers:
    """(k,) int: the order of falling confidence; equal ones stay as they stand. confidence : (k,) float"""
    order: Integers = np.argsort(-np.asarray(confidence, np.float64), kind="stable")
    return order


def average_precision(hits: ArrayLike, truths: int, confidence: ArrayLike | None = None) -> float:
    """The mean of 101 precisions: at each recall 0, .01 to 1 the highest with at least that recall, or 0.

    The point (recall 0, precision 1) stands in front, so that predictions which are all wrong score 1/101; where there
    are none the score is 0, and where there is no truth it is NaN.

    hits : (k,) bool, by falling confidence, or in any order with a confidence for each
    truths : how many true instances there are
    confidence : (k,) float
    """
    hit = np.asarray(hits, bool)
    if confidence is not None:
        hit = hit[falling(confidence)]
    if truths < 1 or not len(hit):
        return 0.0 if truths > 0 else float("nan")
    found = np.cumsum(hit)
    precision = found / np.arange(1, len(hit) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]  # from each prediction on
    # Whole numbers, since 0.07 and 7/100 of floating point may differ.
    first = np.searchsorted(POINTS * found, truths * np.arange(1, POINTS + 1))
    reached = np.append(best, 0.0)[first]
    return float((1.0 + reached.sum()) / (POINTS + 1))


def taken(
    truth: Instances, predicted: Instances, other: ArrayLike, *, threshold: float = HALF
) -> tuple[Integers, Integers]:
    """Which true instance each prediction of a shape finds: by falling confidence each takes the one of its label with
    the highest IoU that is left, the first of several, if that is above the threshold.

    Unlabeled points are taken out of predictions, not out of the truth; a mask that is empty then finds nothing.
    Gives the places of valid predictions by falling confidence, and of what each takes among the truth, -1 for nothing.

    other : (n,) bool, the points that are unlabeled
    """
    order = falling(predicted.confidence)
    order = order[np.asarray(predicted.valid, bool)[order]]
    rows = np.flatnonzero(truth.valid)
    true = np.asarray(truth.mask, bool)[rows]
    said = np.asarray(predicted.mask, bool)[order] & ~np.asarray(other, bool)
    shared = said.astype(np.float32) @ true.astype(np.float32).T  # exact: far fewer than 2^24 points
    joined = said.sum(1)[:, None] + true.sum(1)[None] - shared
    iou = np.where(joined > 0, shared.astype(np.float64) / np.maximum(joined, 1), 0.0)
    labels = np.asarray(predicted.label, np.int64)[order]
    iou[labels[:, None] != np.asarray(truth.label, np.int64)[rows][None]] = -1.0
    found = np.full(len(order), -1, np.int64)
    for place in range(len(order) if len(rows) else 0):
        best = int(iou[place].argmax())
        if iou[place, best] > threshold:
            found[place] = rows[best]
            iou[:, best] = -1.0
    return order, found


def matched(truth: Instances, predicted: Instances, other: ArrayLike, *, threshold: float = HALF) -> Matches:
    """Which predictions of a shape find a true instance, as `taken` tells. other : (n,) bool, the unlabeled points"""
    order, found = taken(truth, predicted, other, threshold=threshold)
    labels = np.asarray(predicted.label, np.int64)[order]
    return Matches(found >= 0, labels, np.asarray(predicted.confidence, np.float64)[order])


def instances(
    truth: Sequence[Instances], predicted: Sequence[Instances], other: Sequence[Any], classes: int
) -> InstanceScores:
    """Instance segmentation at IoU 0.5.

    truth, predicted : for each shape its instances
    other : for each shape (n,) bool, the points that are unlabeled
    classes : how many parts the level tells apart
    """
    same_shapes(truth, predicted)
    same_shapes(truth, other)
    truths = np.zeros((len(truth), classes), np.int64)
    found: list[Matches] = []
    for number, (true, said, unlabeled) in enumerate(zip(truth, predicted, other, strict=True)):
        for one in (true, said):
            checked_labels(np.asarray(one.label)[np.asarray(one.valid, bool)], classes - 1, number)
            if np.shape(one.mask)[-1] != len(unlabeled):
                reason = f"has masks over {np.shape(one.mask)[-1]:,} points, not {len(unlabeled):,}"
                raise BadInput(reason, record=f"shape {number}")
        truths[number] = np.bincount(np.asarray(true.label)[np.asarray(true.valid, bool)], minlength=classes)
        found.append(matched(true, said, unlabeled))
    parts = np.array([_pooled(found, part, int(truths[:, part].sum())) for part in range(classes)], np.float64)
    shapes = np.array([_of_shape(one, own) for one, own in zip(found, truths, strict=True)], np.float64)
    return InstanceScores(mean_of(parts), mean_of(shapes), parts, shapes, int(np.isnan(parts).sum()), found, truths)


def _pooled(found: Sequence[Matches], part: int, truths: int) -> float:
    """The average precision of a part over all shapes."""
    own = [one.label == part for one in found]
    hits = np.concatenate([one.hit[mine] for one, mine in zip(found, own, strict=True)] or [np.zeros(0, bool)])
    sure = np.concatenate([one.confidence[mine] for one, mine in zip(found, own, strict=True)] or [np.zeros(0)])
    return average_precision(hits, truths, sure)


def _of_shape(one: Matches, truths: Integers) -> float:
    """The mean average precision of a shape; parts that only the truth or only the prediction has score 0."""
    there = np.flatnonzero((truths > 0) | (np.bincount(one.label, minlength=len(truths)) > 0))
    own = [average_precision(one.hit[one.label == part], int(truths[part])) if truths[part] else 0.0 for part in there]
    return float(np.mean(own)) if own else float("nan")
