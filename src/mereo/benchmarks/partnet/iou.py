"""Semantic and hierarchical segmentation: how far predicted and true parts overlap, over all shapes and shape by shape.

Labels of points count from 1, and 0 is unlabeled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mereo.benchmarks.partnet.checks import checked_labels, same_points, same_shapes
from mereo.errors import BadInput

__all__ = ["Overlaps", "Scores", "chosen_labels", "hierarchical", "mean_of", "scores_of", "semantic", "within_parents"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


class Overlaps(NamedTuple):
    """What truth and prediction share of each part, shape by shape, in points.

    shared : (s, c) int, points that both say
    joined : (s, c) int, points that either says
    """

    shared: Integers
    joined: Integers


class Scores(NamedTuple):
    """How well parts are segmented, each score between 0 and 1."""

    part_mean: float
    """The mean IoU of the parts that are defined, each over all shapes."""
    shape_mean: float
    """The mean over shapes of the mean IoU of the parts that a shape has or is said to have."""
    parts: Floats
    """(c,) the IoU of each part over all shapes, NaN where it is undefined."""
    shapes: Floats
    """(s,) the mean IoU of each shape, NaN where nothing is labeled or predicted."""
    undefined: int
    """How many parts are in neither truth nor prediction."""
    overlaps: Overlaps
    accuracy: float = float("nan")
    """The share of points that are right; unlabeled ones count as right. Only where points have one label each."""


def chosen_labels(scores: ArrayLike) -> Integers:
    """(..., n) int from 1: for each point the part with the highest score, the first of several; never unlabeled.

    scores : (..., n, 1 + c) float, first that of no label, which is not looked at
    """
    found: Integers = np.asarray(scores)[..., 1:].argmax(-1) + 1
    return found


def semantic(truth: Sequence[Any], predicted: Sequence[Any], classes: int) -> Scores:
    """Fine-grained semantic segmentation. Points whose truth is 0 are left out, whatever was predicted there.

    truth : for each shape (n,) int, 0 for unlabeled or 1 to `classes`
    predicted : for each shape (n,) int likewise; 0 says no part and is wrong wherever the truth has one
    classes : how many parts the level tells apart
    """
    same_shapes(truth, predicted)
    shared, joined = np.zeros((2, len(truth), classes), np.int64)
    right = points = 0
    for number, (true, said) in enumerate(zip(truth, predicted, strict=True)):
        true, said = checked_labels(true, classes, number), checked_labels(said, classes, number)
        same_points(true, said, number)
        table = np.bincount(true * (classes + 1) + said, minlength=(classes + 1) ** 2)
        table = table.reshape(classes + 1, classes + 1)[1:]
        shared[number] = np.diagonal(table[:, 1:])
        joined[number] = table.sum(1) + table[:, 1:].sum(0) - shared[number]
        right += len(true) - int(table.sum()) + int(shared[number].sum())
        points += len(true)
    return scores_of(Overlaps(shared, joined))._replace(accuracy=right / points if points else float("nan"))


def hierarchical(truth: Sequence[Any], predicted: Sequence[Any], parents: ArrayLike) -> Scores:
    """Hierarchical segmentation over c nodes, the root among them; a point may have many.

    truth, predicted : for each shape (n, c) bool, whether each point belongs to each node
    parents : (c,) int, the place of each node's parent, -1 for the root
    """
    same_shapes(truth, predicted)
    above = np.asarray(parents, np.int64)
    shared, joined = np.zeros((2, len(truth), len(above)), np.int64)
    for number, (true, said) in enumerate(zip(truth, predicted, strict=True)):
        true = np.asarray(true, bool)
        same_points(true, said, number)
        if true.ndim != 2 or true.shape[1] != len(above):
            raise BadInput(f"has labels of shape {true.shape}, not n x {len(above)} nodes", record=f"shape {number}")
        said = within_parents(true, said, above)
        shared[number], joined[number] = (true & said).sum(0), (true | said).sum(0)
    return scores_of(Overlaps(shared, joined))


def within_parents(truth: ArrayLike, predicted: ArrayLike, parents: ArrayLike) -> Bools:
    """(n, c) bool: what counts of a prediction. A child counts only inside what counts of its parent, and not at points
    where the truth has the parent but none of its children.

    truth, predicted : (n, c) bool; parents : (c,) int, -1 for the root
    """
    true, counted, above = np.asarray(truth, bool), np.array(predicted, bool), np.asarray(parents, np.int64)
    waiting = [int(node) for node in np.flatnonzero(above < 0)]
    seen = 0
    while waiting:  # parents first, in whatever order the nodes are listed
        parent = waiting.pop()
        seen += 1
        children = np.flatnonzero(above == parent)
        other = true[:, parent] & ~true[:, children].any(1)
        counted[:, children] &= (counted[:, parent] & ~other)[:, None]
        waiting += [int(node) for node in children]
    if seen != len(above):
        raise BadInput("some nodes are below none, or below themselves", field="parents")
    return counted


def scores_of(overlaps: Overlaps) -> Scores:
    """The scores that follow from overlaps."""
    shared, joined = overlaps
    parts = _over(shared.sum(0), joined.sum(0))
    there = joined > 0
    shapes = _over(np.where(there, shared / np.maximum(joined, 1), 0.0).sum(1), there.sum(1))
    return Scores(mean_of(parts), mean_of(shapes), parts, shapes, int(np.isnan(parts).sum()), overlaps)


def mean_of(values: Floats) -> float:
    """The mean of what is defined, NaN where nothing is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _over(some: NDArray[Any], of: NDArray[Any]) -> Floats:
    """Some over all, NaN where there are none."""
    found: Floats = np.divide(some, of, out=np.full(np.shape(some), np.nan), where=of != 0)
    return found
