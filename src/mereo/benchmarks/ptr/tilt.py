"""How objects are tilted, what that gives away of their stability, and whether people can see why they stay or fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mereo.benchmarks.ptr.numbers import NUMBERS

__all__ = ["is_tilted", "leaves_open", "tilt_of", "told_by_tilt"]

_PHYSICAL = NUMBERS["physical"]
_FOOTING = _PHYSICAL["footing"]
_ROUNDED = 0.001
"""Meters by which records are rounded."""


def tilt_of(rotation: Sequence[float]) -> float:
    """Degrees between an object's upright and the world's. rotation : (w, x, y, z)"""
    _, x, y, _ = rotation
    return float(np.degrees(np.arccos(np.clip(1 - 2 * (x * x + y * y), -1.0, 1.0))))


def is_tilted(rotation: Sequence[float]) -> bool:
    """Whether an object is seen to be tilted."""
    return tilt_of(rotation) > float(_FOOTING["tilted"])


def leaves_open(thing: Mapping[str, Any], size: Sequence[int]) -> bool:
    """Whether a tilted object of a record touches a wall unseen, or falls where it may seem to lean on one.

    What leans and stays shows its contact; what is unstable keeps clear of all walls, and stands out from those that
    are seen beside it.
    """
    gap = min(thing["gaps"].values())
    if thing["stability"] == "stable":
        return bool(gap < _FOOTING["touches"] and thing["contact"] < _FOOTING["contact"] * size[0] * size[1])
    return bool(gap < _PHYSICAL["clear"] - _ROUNDED or thing.get("contrast", np.inf) < _FOOTING["contrast"])


def told_by_tilt(stable: ArrayLike, unstable: ArrayLike) -> float:
    """How well the best rule of the kind "tilted by more than so much, so unstable" does, or its opposite.

    Balanced accuracy: the mean of how many unstable and how many stable ones it gets right. 0.5 is guessing; so it is
    where there are only stable or only unstable objects.

    stable, unstable : degrees by which these are tilted
    """
    one, other = np.sort(np.asarray(stable, float)), np.sort(np.asarray(unstable, float))
    if not len(one) or not len(other):
        return 0.5
    bounds = np.unique(np.concatenate([one, other]))
    below = np.searchsorted(one, bounds) / len(one), np.searchsorted(other, bounds) / len(other)
    return 0.5 + float(np.abs(below[0] - below[1]).max()) / 2
