"""Variety: how far the shapes of a category are from each other, so that families which all look alike are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mereo.chance import generator
from mereo.errors import BadInput
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Shape
from mereo.shapes.points import cloud

__all__ = ["Variety", "chamfer", "unit_cloud", "variety_of"]

_POINTS = 512
"""Of a cloud. Two clouds of one cube are 2.5% apart with so few, instances and families alike: a ratio of 1."""


class Variety(NamedTuple):
    """Distances of shapes of one category that are scaled to a diagonal of 1."""

    within: float
    """The median distance of two instances of a family."""
    between: float
    """The median distance of two families."""
    nearest: float
    """The median distance of a family to the one that is most like it."""

    @property
    def ratio(self) -> float:
        """How many times as far families are apart as instances; near 1 where families all look alike."""
        return self.between / self.within


def unit_cloud(shape: Shape, *, seed: int) -> Floats:
    """Points that cover a shape evenly, its box around the origin with a diagonal of 1. (n, 3) float"""
    low, high = shape.bounds()
    points = cloud(shape, _POINTS, rng=generator(seed, "variety", shape.name)).points
    unit: Floats = (points - (low + high) / 2) / np.linalg.norm(high - low)
    return unit


def variety_of(families: Sequence[Sequence[Floats]]) -> Variety:
    """The variety of families that are given as two clouds each, all of the same size."""
    if len(families) < 2:
        raise BadInput("variety is that of at least two families")
    within = [chamfer(one, [other])[0] for one, other in families]
    first = [pair[0] for pair in families]
    apart = np.stack([chamfer(one, first) for one in first])
    np.fill_diagonal(apart, np.inf)
    between = apart[np.triu_indices(len(first), 1)]
    return Variety(float(np.median(within)), float(np.median(between)), float(np.median(apart.min(1))))


def chamfer(one: Floats, others: Sequence[Floats]) -> Floats:
    """How far a cloud is from each of some others of one size: the mean way from a point of either to the other.

    one : (n, 3) float; others : k of (m, 3) float; gives (k,) float
    """
    many = np.stack(others).astype(np.float32)
    own = one.astype(np.float32)
    flat = many.reshape(-1, 3)
    square = (own**2).sum(1)[:, None] + (flat**2).sum(1)[None] - 2 * own @ flat.T
    away = square.reshape(len(own), len(many), -1)
    there = np.sqrt(np.clip(away.min(2), 0, None)).mean(0)
    back = np.sqrt(np.clip(away.min(0), 0, None)).mean(1)
    distance: Floats = (there + back).astype(float) / 2
    return distance
