"""What becomes an instance: of true parts, of masks that a network gives every point a score in, and of groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mereo.benchmarks.partnet.precision import HALF, Instances

__all__ = ["detected", "kept_groups", "true_instances"]

FEWEST = 10
"""A mask that is no larger than so many points is no instance."""
QUARTER = 0.25
"""The share of the average size below which a group is dropped."""


def true_instances(masks: ArrayLike, labels: ArrayLike) -> tuple[Instances, NDArray[np.bool_]]:
    """The instances of a shape that have a point, and (n,) bool, the points of none, which are unlabeled.

    masks : (k, n) bool, the points of every part instance whose label is listed
    labels : (k,) int, the place of each one's label among the names, from 0
    """
    mask = np.asarray(masks, bool)
    there = mask.any(1)
    kept = mask[there]
    truth = Instances(kept, np.asarray(labels, np.int64)[there], np.ones(len(kept), bool), np.ones(len(kept)))
    other: NDArray[np.bool_] = np.logical_not(mask.any(0))
    return truth, other


def detected(scores: ArrayLike, logits: ArrayLike, confidence: ArrayLike) -> Instances:
    """Detection by segmentation: what the K masks of a shape become.

    Scores of points under a half become 0. A mask's label is the class with the highest sum of its scores times the
    logits of its points; the first class, "other", makes it invalid, and so do ten points or fewer above a half.

    scores : (k, n) float, how far each point is in each mask, 0 to 1
    logits : (n, 1 + c) float, of each point for each class, first "other"
    confidence : (k,) float, kept as it is
    """
    soft = np.asarray(scores, np.float64)
    soft = np.where(soft < HALF, 0.0, soft)
    best = (soft @ np.asarray(logits, np.float64)).argmax(1)
    mask = soft > HALF
    valid = (mask.sum(1) > FEWEST) & (best > 0)
    return Instances(mask, np.maximum(best - 1, 0), valid, np.asarray(confidence, np.float64))


def kept_groups(groups: ArrayLike, labels: ArrayLike, confidence: ArrayLike, average: ArrayLike) -> Instances:
    """SGPN: groups of points as instances; those under a quarter of their part's average size are dropped.

    groups : (n,) int, the number of each point's group from 0, -1 for points of none
    labels : (k,) int, the part of each group, from 0
    confidence : (k,) float
    average : (c,) float, the average number of points of a group of each part in validation
    """
    label = np.asarray(labels, np.int64)
    mask = np.asarray(groups)[None] == np.arange(len(label))[:, None]
    valid = mask.sum(1) >= QUARTER * np.asarray(average, np.float64)[label]
    return Instances(mask, label, valid, np.asarray(confidence, np.float64))
