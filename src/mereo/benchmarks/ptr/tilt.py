"""What a tilt gives away in records of physical scenes, and whether people can see why things stay or fall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.footing import is_tilted, tilt_of
from mereo.benchmarks.ptr.numbers import NUMBERS

__all__ = ["leaning_in_doubt", "tilt_tells", "tilted_on_wheels"]

_PHYSICAL = NUMBERS["physical"]
_HAIR = 0.001
"""Meters by which records are rounded."""


def tilt_tells(records: Iterable[Mapping[str, Any]]) -> float:
    """How well the best rule of the kind "tilted by more than so much, so unstable" does, or its opposite.

    Balanced accuracy over all objects of physical scenes: the mean of how many unstable and how many stable ones it
    gets right. 0.5 is guessing; so it is where there are only stable or only unstable objects.
    """
    told = [(tilt_of(thing["rotation"]), thing["stability"] == "stable") for thing in _things(records)]
    stable = np.sort([tilt for tilt, stays in told if stays])
    unstable = np.sort([tilt for tilt, stays in told if not stays])
    if not len(stable) or not len(unstable):
        return 0.5
    bounds = np.concatenate([stable, unstable])
    below = [np.searchsorted(each, bounds, side="right") / len(each) for each in (stable, unstable)]
    return 0.5 + float(np.abs(below[0] - below[1]).max()) / 2


def tilted_on_wheels(records: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """How many tilted and stable objects stand on wheels, and how many there are in all."""
    tilted = [t for t in _things(records) if t["stability"] == "stable" and is_tilted(t["rotation"])]
    return sum(thing["wheels"] for thing in tilted), len(tilted)


def leaning_in_doubt(records: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """How many tilted objects leave open whether they touch a wall, and how many there are in all.

    What leans and stays shows its contact; what is unstable keeps clear of all walls, and stands out from those that
    are seen beside it.
    """
    doubtful = every = 0
    footing = _PHYSICAL["footing"]
    for record in records:
        least = footing["contact"] * np.prod(record["size"])
        for thing in _things([record]):
            if not is_tilted(thing["rotation"]):
                continue
            every += 1
            gap = min(thing["gaps"].values())
            if thing["stability"] == "stable":
                doubtful += bool(gap < footing["touches"] and thing["contact"] < least)
            else:
                unlike = thing.get("contrast", np.inf) >= footing["contrast"]
                doubtful += not (gap >= _PHYSICAL["clear"] - _HAIR and unlike)
    return doubtful, every


def _things(records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The objects of physical scenes."""
    return (thing for record in records if record["physical"] for thing in record["objects"])
