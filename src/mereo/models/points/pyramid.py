"""A cloud as a pyramid: ever fewer points, each with those around it below, and the way back down.

Whoever looks at the nearest points instead, on one floor or from one to another, asks for looks. All of it follows from
the points alone, so it is made once for each shape and then only indexed. The first farthest point is the first of the
cloud and balls hold the first points, so another order of the points may make another pyramid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.points.neighbors import Between, between, farthest, gathered, in_ball, spread_out

__all__ = ["USUAL", "Floor", "Look", "Rise", "fields_of", "fields_of_all", "floors_of", "names_of", "places_of"]


class Rise(NamedTuple):
    """How the points of a floor become those of the next."""

    left: int
    """How many are left."""
    radius: float = 0.0
    """How far each looks around; the whole cloud has radius 1."""
    around: int = 0
    """How many points it looks at, at most; where at none, there are neither balls nor a way back."""


class Look(NamedTuple):
    """How the points of a floor look at the nearest points of a floor; the cloud itself is floor 0."""

    of: int
    """The floor of those who look."""
    at: int
    """The floor that they look at."""
    seen: int
    """How many points each looks at, the nearest first."""
    every: int = 1
    """Of the nearest only every so many-th, so that as few reach farther."""

    @property
    def name(self) -> str:
        """The field of a batch that holds it, (b, n, seen) int."""
        return f"look_{self.of}_at_{self.at}_{self.seen}_by_{self.every}"


USUAL = (Rise(512, 0.2, 32), Rise(128, 0.4, 32))
"""PointNet++ as its authors segment parts, with 32 points to each center."""
_TOGETHER = 16
"""Clouds whose pyramids are made at once."""


class Floor(NamedTuple):
    """One step up.

    centers : (b, m) int64, places among the points below · around : (b, m, k) int64, likewise
    back : how features of the centers are carried over to the points below
    """

    centers: Tensor
    around: Tensor
    back: Between


_PARTS = ("centers", "around", "back", "shares")


def names_of(rises: Sequence[Rise], looks: Sequence[Look] = ()) -> list[str]:
    """The fields of a batch that hold a pyramid, and looks on its floors."""
    parts = [(number, part) for number, rise in enumerate(rises) for part in _PARTS[: None if rise.around else 1]]
    return [*(f"floor_{number}_{part}" for number, part in parts), *dict.fromkeys(look.name for look in looks)]


def fields_of(points: Tensor, rises: Sequence[Rise], looks: Sequence[Look] = ()) -> Batch:
    """A pyramid as fields, whole numbers as int32 to save room. points : (b, n, 3)"""
    found: Batch = {}
    floors = [points]
    for number, rise in enumerate(rises):
        points = floors[-1]
        centers = farthest(points, min(rise.left, points.shape[1]))
        there = gathered(points, centers)
        floors.append(there)
        found[f"floor_{number}_centers"] = centers.int()
        if rise.around:
            back = between(points, there)
            parts = (in_ball(points, there, rise.radius, rise.around).int(), back.places.int(), back.shares)
            found |= {f"floor_{number}_{part}": value for part, value in zip(_PARTS[1:], parts, strict=True)}
    for look in looks:
        found[look.name] = spread_out(floors[look.at], floors[look.of], look.seen, look.every).int()
    return found


def fields_of_all(clouds: Tensor, rises: Sequence[Rise], looks: Sequence[Look] = ()) -> Batch:
    """The same of any number of clouds, some at a time. clouds : (b, n, 3)"""
    parts = [fields_of(some, rises, looks) for some in clouds.split(_TOGETHER)]
    return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}


def floors_of(batch: Batch, rises: Sequence[Rise]) -> list[Floor]:
    """The pyramid that fields hold, from below."""
    found = []
    for number in range(len(rises)):
        centers, around, back, shares = (batch[f"floor_{number}_{part}"] for part in _PARTS)
        found.append(Floor(centers.long(), around.long(), Between(back.long(), shares)))
    return found


def places_of(batch: Batch, rises: Sequence[Rise]) -> list[Tensor]:
    """The points of every floor, from below, the cloud first. Each (b, m, 3)"""
    found = [batch["cloud"]]
    for number in range(len(rises)):
        found.append(gathered(found[-1], batch[f"floor_{number}_centers"]))
    return found
