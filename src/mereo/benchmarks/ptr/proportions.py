"""How large objects are: as such things are, or all of one diagonal, as the paper has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.scenes.assemble import shape_of
from mereo.scenes.layout import Candidate
from mereo.scenes.scene import ShapeRef

__all__ = ["measure", "scale_of", "usual_diagonal"]


def scale_of(
    reference: ShapeRef, proportions: str, rng: np.random.Generator, *, diagonal: Sequence[float] = ()
) -> float:
    """What a shape is multiplied by.

    Shapes are in meters, so most keep their size, give or take a little; what is too small or too large for its
    category, as shapes of one's own may be, is brought to the nearest size that is not.

    proportions : `real`, or `equal` for one diagonal whatever the category
    diagonal : meters, between which it is drawn where proportions are equal, instead of the usual
    """
    numbers = NUMBERS["objects"]
    if proportions == "equal":
        return round(float(rng.uniform(*(diagonal or numbers["diagonal"]))) / _diagonal(reference), 4)
    low, high = numbers["real"][reference.category]["meters"]
    wanted = measure(reference) * float(rng.uniform(1 - numbers["play"], 1 + numbers["play"]))
    return round(min(max(wanted, float(low)), float(high)) / measure(reference), 4)


def measure(reference: ShapeRef) -> float:
    """What is measured of a shape of its category: its height, or the longer side of what it covers. Meters"""
    low, high = shape_of(reference).bounds()
    across, deep, height = (float(side) for side in high - low)
    return height if NUMBERS["objects"]["real"][reference.category]["measure"] == "height" else max(across, deep)


def usual_diagonal(candidates: Sequence[Candidate]) -> float:
    """The diagonal of equal objects that would fill as much of a room: the root of the mean square. Meters"""
    return float(np.sqrt(np.mean([(each.scale * _diagonal(each.shape)) ** 2 for each in candidates])))


def _diagonal(reference: ShapeRef) -> float:
    low, high = shape_of(reference).bounds()
    return float(np.linalg.norm(high - low))
