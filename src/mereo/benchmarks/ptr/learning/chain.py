"""How objects and parts that were found apart from each other come together: PTR's Appendix C.

A part belongs to the object that covers it. One outside of every object belongs to the object that it touches or is
near to, which grows by it. Those that are left are objects of their own, which nobody had found: parts near each other
make one, and what they are likely to be tells what it is. n objects; m parts; h, w rows and columns of pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.masks import Pixels

__all__ = ["NEAR", "Attached", "attach", "category_of_parts", "group", "restricted"]

Floats = NDArray[np.float32]

NEAR = 0.02
"""How near is near, as a share of the picture's width: six pixels of 320."""
_COVERED = 0.5
"""The share of a part that an object must cover to own it."""


class Attached(NamedTuple):
    """Whose parts are whose."""

    objects: list[Pixels]
    """The masks of the objects, with parts that they did not cover."""
    whole: list[int | None]
    """For each part the place of its object; None where it is far from all."""


def attach(objects: Sequence[Pixels], parts: Sequence[Pixels], *, near: float = NEAR) -> Attached:
    """Give parts to the objects that cover them, or else to those that they are near to."""
    grown = [mask.copy() for mask in objects]
    if not len(objects) or not len(parts):
        return Attached(grown, [None] * len(parts))
    flat = np.stack([mask.ravel() for mask in objects]).astype(np.float32)
    own = np.stack([mask.ravel() for mask in parts]).astype(np.float32)
    shares = own @ flat.T / np.maximum(own.sum(1, keepdims=True), 1)
    whole: list[int | None] = [int(row.argmax()) if row.max() >= _COVERED else None for row in shares]
    away = [_away(mask) for mask in objects] if None in whole else []
    for place, mask in enumerate(parts):
        if whole[place] is None and mask.any():
            gaps = [float(distance[mask].min()) for distance in away]
            if min(gaps) <= near * mask.shape[1]:
                whole[place] = int(np.argmin(gaps))
                grown[int(np.argmin(gaps))] |= mask
    return Attached(grown, whole)


def group(parts: Sequence[Pixels], *, near: float = NEAR) -> list[list[int]]:
    """The places of parts that lie near each other, or near others that do, group by group."""
    away = [_away(mask) for mask in parts]
    groups: list[list[int]] = []
    for place, mask in enumerate(parts):
        beside = [
            own for own in groups if any(away[other][mask].min(initial=np.inf) <= near * mask.shape[1] for other in own)
        ]
        joined = [*(other for own in beside for other in own), place]
        groups = [*(own for own in groups if own not in beside), joined]
    return sorted(sorted(own) for own in groups)


def category_of_parts(odds: Floats, names: Sequence[str], parts_of: Mapping[str, Sequence[str]]) -> str:
    """What an object is whose parts were seen: that of which they are likeliest to be parts.

    odds : (m, names), how likely each name is for each part · parts_of : by category the names that its parts can have
    """
    chances = {
        category: float(odds[:, [names.index(name) for name in own]].max(1).sum()) for category, own in parts_of.items()
    }
    return max(chances, key=lambda category: chances[category])


def restricted(odds: Floats, names: Sequence[str], among: Sequence[str]) -> Floats:
    """(m, names): how likely names are, if only some are possible; these alike where all of them were ruled out."""
    possible = np.array([name in among for name in names], np.float32)
    left = odds * possible + 1e-12 * possible
    likely: Floats = left / left.sum(-1, keepdims=True)
    return likely


def _away(mask: Pixels) -> NDArray[np.float64]:
    """(h, w): how far each pixel is from a mask, pixels; infinitely far from an empty one."""
    from scipy.ndimage import distance_transform_edt

    distance: NDArray[np.float64] = distance_transform_edt(~mask) if mask.any() else np.full(mask.shape, np.inf)
    return distance
