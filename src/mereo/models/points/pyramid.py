"""A cloud as a pyramid: ever fewer points, each with those around it below, and the way back down.

It follows from the points alone, so it is made once for each shape and then only indexed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.points.neighbors import Between, between, farthest, gathered, in_ball

__all__ = ["USUAL", "Floor", "Rise", "fields_of", "floors_of", "names_of"]


class Rise(NamedTuple):
    """How the points of a floor become those of the next."""

    left: int
    """How many are left."""
    radius: float
    """How far each looks around; the whole cloud has radius 1."""
    around: int
    """How many points it looks at, at most."""


USUAL = (Rise(512, 0.2, 32), Rise(128, 0.4, 32))
"""PointNet++ as its authors segment parts, with 32 points to each center."""


class Floor(NamedTuple):
    """One step up.

    centers : (b, m) int64, places among the points below · around : (b, m, k) int64, likewise
    back : how features of the centers are carried over to the points below
    """

    centers: Tensor
    around: Tensor
    back: Between


_PARTS = ("centers", "around", "back", "shares")


def names_of(rises: Sequence[Rise]) -> list[str]:
    """The fields of a batch that hold a pyramid."""
    return [f"floor_{number}_{part}" for number in range(len(rises)) for part in _PARTS]


def fields_of(points: Tensor, rises: Sequence[Rise]) -> Batch:
    """A pyramid as fields, whole numbers as int32 to save room. points : (b, n, 3)"""
    found: Batch = {}
    for number, rise in enumerate(rises):
        centers = farthest(points, min(rise.left, points.shape[1]))
        there = gathered(points, centers)
        back = between(points, there)
        parts = (centers.int(), in_ball(points, there, rise.radius, rise.around).int(), back.places.int(), back.shares)
        found |= {f"floor_{number}_{part}": value for part, value in zip(_PARTS, parts, strict=True)}
        points = there
    return found


def floors_of(batch: Batch, rises: Sequence[Rise]) -> list[Floor]:
    """The pyramid that fields hold, from below."""
    found = []
    for number in range(len(rises)):
        centers, around, back, shares = (batch[f"floor_{number}_{part}"] for part in _PARTS)
        found.append(Floor(centers.long(), around.long(), Between(back.long(), shares)))
    return found
