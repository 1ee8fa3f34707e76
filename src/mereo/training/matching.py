"""Which of the things that were found is which of those that are there: one to one, by the pixels that they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mereo.masks import stretched
from mereo.training.seeing import SeenThing

__all__ = ["matched"]

_SAME_NAME = 0.1
"""What a name that is the same counts beside overlap: an arm that is one bar shows the same pixels as the bar."""


def matched(found: Sequence[SeenThing], true: Sequence[SeenThing], *, called: str, least: float) -> dict[int, int]:
    """By the place of a true thing that of the one found for it, such that all together overlap most.

    called : the attribute by which things are called · least : intersection over union, below which none is the other
    """
    if not found or not true:
        return {}
    from scipy.optimize import linear_sum_assignment

    overlap = _overlap(found, true)
    alike = np.array([[one.words.get(called) == other.words.get(called) for other in true] for one in found])
    possible = overlap >= least
    worth = np.where(possible, overlap + _SAME_NAME * alike, 0.0)
    pairs = zip(*linear_sum_assignment(worth, maximize=True), strict=True)
    return {int(there): int(here) for here, there in pairs if possible[here, there]}


def _overlap(found: Sequence[SeenThing], true: Sequence[SeenThing]) -> NDArray[np.float64]:
    """(found, true): intersection over union, at the size of what was found: large pictures are looked at in small."""
    size = found[0].mask.shape
    own = np.stack([np.packbits(one.mask) for one in found])
    other = np.stack([np.packbits(stretched(one.mask, size)) for one in true])
    both = np.stack([_pixels(one & other) for one in own])
    either = _pixels(own)[:, None] + _pixels(other) - both
    share: NDArray[np.float64] = both / np.maximum(either, 1)
    return share


def _pixels(packed: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(n,): how many bits are set in each row of bytes."""
    counted: NDArray[np.int64] = np.bitwise_count(packed).sum(1, dtype=np.int64)
    return counted
