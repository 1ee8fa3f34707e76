"""How far several annotators of the same shapes agree: the measure of PartNet's Table 6, and the refinement it led to.

Counts are of points: [i, j] is how often one annotator called a point i that another called j, over all ordered pairs.
The paper refines its templates by merging concepts that are often taken for each other, and by leaving out parts that
are hard to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Agreement", "Counts", "Refinement", "agreement", "counted", "refined", "refinement", "regrouped"]

MERGED = 0.4
"""Two labels are merged if more than this share of the one is called the other."""
KEPT = 0.4
"""A label is left out if others call no more than this share of it the same."""

Counts = NDArray[np.int64]


class Agreement(NamedTuple):
    """The diagonal of a confusion matrix whose rows sum to 1."""

    labels: int
    """How many labels somebody used."""
    mean: float
    """Of the share of each label that another annotator calls the same; NaN where there is no label."""
    spread: float
    """The standard deviation over labels."""


class Refinement(NamedTuple):
    """What a set of labels becomes."""

    counts: Counts
    """(k, k) between the groups that are kept."""
    groups: tuple[tuple[int, ...], ...]
    """The labels that are told apart afterwards, each with all that became one in it, the one it is called by first."""
    removed: tuple[tuple[int, ...], ...]
    """Those that are left out."""


def counted(annotations: Sequence[NDArray[np.int64]], labels: int) -> Counts:
    """(c, c) the counts of one shape. annotations : of two or more annotators, (n,) the label of each point, from 0"""
    found = np.zeros((labels, labels), np.int64)
    for one, own in enumerate(annotations):
        for other, theirs in enumerate(annotations):
            if one != other:
                np.add.at(found, (own, theirs), 1)
    return found


def agreement(counts: Counts) -> Agreement:
    """How far annotators agree on the labels that they used. counts : (c, c)"""
    used = counts.sum(1) > 0
    if not used.any():
        return Agreement(0, float("nan"), float("nan"))
    same = _shares(counts).diagonal()[used]
    return Agreement(int(used.sum()), float(same.mean()), float(same.std()))


def refined(counts: Counts) -> Counts:
    """The counts after refinement."""
    return refinement(counts).counts


def refinement(counts: Counts) -> Refinement:
    """Again and again the two labels that are taken for each other most become one, and in the end those go that are
    still hard to tell."""
    used = counts.sum(1) > 0
    left = counts[np.ix_(used, used)]
    groups: list[tuple[int, ...]] = [(int(label),) for label in np.flatnonzero(used)]
    while len(left) > 1:
        mixed = _shares(left)
        np.fill_diagonal(mixed, 0.0)
        one, other = np.unravel_index(int(mixed.argmax()), mixed.shape)
        if mixed[one, other] <= MERGED:
            break
        left = _merged(left, int(one), int(other))
        groups[one] += groups[other]
        del groups[other]
    kept = _shares(left).diagonal() > KEPT
    return Refinement(
        left[np.ix_(kept, kept)],
        groups=tuple(group for group, stays in zip(groups, kept, strict=True) if stays),
        removed=tuple(group for group, stays in zip(groups, kept, strict=True) if not stays),
    )


def regrouped(counts: Counts, groups: Sequence[Sequence[int]]) -> Counts:
    """The counts as if everybody had told apart these groups of labels alone; what is in none is left out."""
    sums = np.zeros((len(groups), len(counts)), np.int64)
    for place, group in enumerate(groups):
        sums[place, list(group)] = 1
    return sums @ counts @ sums.T


def _shares(counts: Counts) -> NDArray[np.float64]:
    """Rows that sum to 1, or are nothing."""
    shares: NDArray[np.float64] = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return shares


def _merged(counts: Counts, one: int, other: int) -> Counts:
    """The counts as if everybody had called the other label as the one."""
    joined = counts.copy()
    joined[one] += joined[other]
    joined[:, one] += joined[:, other]
    return np.delete(np.delete(joined, other, 0), other, 1)
