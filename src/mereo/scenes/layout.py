"""Placing: objects strewn over a floor so that none overlap, all keep their distance, and no relation is in doubt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from mereo.errors import MissingExtra, NoScene
from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import Paint, Placed, Pose, ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats

__all__ = ["Candidate", "Floor", "NoPlace", "Objection", "covered", "crowding", "footprint", "place", "turned_by"]

Objection = Callable[[Placed, Sequence[Placed]], str | None]
"""A rule of one's own: given an object and those that stand already, what forbids it to stand there, if anything."""


class NoPlace(NoScene):
    """Objects that could not be placed; says which rule refused most."""


@dataclass(frozen=True)
class Floor:
    """Where things may stand, and what distance they keep."""

    left: float
    right: float
    front: float
    back: float
    """Bounds of every object's footprint, meters, world frame."""
    gap: float = 0.08
    """The least distance between two footprints, meters."""
    margin: float = 0.25
    """The least distance between two centers along each direction, meters."""
    tries: int = 60
    """Places tried for one object before all begin anew."""
    restarts: int = 40


@dataclass(frozen=True)
class Candidate:
    """An object that is to be placed."""

    shape: ShapeRef
    scale: float
    paints: Mapping[str, Paint]
    turn: tuple[float, float] = (-180.0, 180.0)
    """Degrees about z between which it may stand."""


def turned_by(degrees: float) -> tuple[float, float, float, float]:
    """The quaternion (w, x, y, z) of a turn about z."""
    half = math.radians(degrees) / 2
    return math.cos(half), 0.0, 0.0, math.sin(half)


def place(
    candidates: Sequence[Candidate],
    floor: Floor,
    *,
    across: Sequence[float],
    away: Sequence[float],
    rng: np.random.Generator,
    standing: Sequence[Placed] = (),
    objection: Objection = lambda placed, others: None,
) -> tuple[Placed, ...]:
    """Stand all candidates on the floor.

    across, away : (3,) float: the directions right and behind on the ground, along which centers keep their margin
    standing : what has its place already
    """
    refused: Counter[str] = Counter()
    for _ in range(floor.restarts):
        placed = _attempt(candidates, floor, across, away, rng, refused, standing, objection)
        if placed is not None:
            return placed
    rule, times = refused.most_common(1)[0]
    raise NoPlace(f"{len(candidates)} objects found no place in {floor.restarts} attempts: {rule} ({times} times)")


def _attempt(
    candidates: Sequence[Candidate],
    floor: Floor,
    across: Sequence[float],
    away: Sequence[float],
    rng: np.random.Generator,
    refused: Counter[str],
    standing: Sequence[Placed],
    objection: Objection,
) -> tuple[Placed, ...] | None:
    done = list(standing)
    for candidate in candidates:
        for _ in range(floor.tries):
            rotation = turned_by(rng.uniform(*candidate.turn))
            low_x, low_y, high_x, high_y = footprint(candidate.shape, candidate.scale, rotation).bounds()
            room_x, room_y = (floor.left - low_x, floor.right - high_x), (floor.front - low_y, floor.back - high_y)
            if room_x[0] >= room_x[1] or room_y[0] >= room_y[1]:
                refused["the object is larger than the floor"] += 1
                continue
            pose = Pose((float(rng.uniform(*room_x)), float(rng.uniform(*room_y)), 0.0), rotation)
            thing = Placed(candidate.shape, pose, candidate.scale, dict(candidate.paints))
            rule = crowding(thing, done, floor, across=across, away=away) or objection(thing, done)
            if rule is None:
                done.append(thing)
                break
            refused[rule] += 1
        else:
            return None
    return tuple(done[len(standing) :])


def crowding(
    thing: Placed, others: Sequence[Placed], floor: Floor, *, across: Sequence[float], away: Sequence[float]
) -> str | None:
    """The rule of distance that forbids an object its place, if any does."""
    for other in others:
        offset = np.subtract(thing.pose.position, other.pose.position)
        if abs(offset @ across) < floor.margin or abs(offset @ away) < floor.margin:
            return f"centers are nearer than {floor.margin} m"
    own = _outline(thing)
    near = [outline for outline in map(_outline, others) if _boxes_within(own, outline, floor.gap)]
    if near:  # most are far apart, and growing an outline takes long
        grown = _grown(own, floor.gap)
        if any(not (grown ^ outline).is_empty() for outline in near):
            return f"footprints are nearer than {floor.gap} m"
    return None


def _boxes_within(one: Any, other: Any, gap: float) -> bool:
    """Whether the boxes around two outlines are no farther apart than a gap, along both axes."""
    left, front, right, back = one.bounds()
    other_left, other_front, other_right, other_back = other.bounds()
    apart = max(other_left - right, left - other_right, other_front - back, front - other_back)
    return bool(apart <= gap)


def _outline(thing: Placed) -> Any:
    """What an object covers on the ground where it stands."""
    x, y, _ = thing.pose.position
    return footprint(thing.shape, thing.scale, thing.pose.rotation).translate((x, y))


def _grown(outline: Any, by: float) -> Any:
    from manifold3d import JoinType

    return outline.offset(by, JoinType.Round, 2.0, 16)


def covered(pieces: Iterable[Floats]) -> Any:
    """What convex pieces cover as seen from above. pieces : the corners of each, (k, 3) float"""
    try:
        from manifold3d import CrossSection, OpType
    except ImportError:
        raise MissingExtra("placing objects", "scenes") from None
    hulls = [CrossSection.hull_points(np.ascontiguousarray(piece[:, :2])) for piece in pieces]
    return CrossSection.batch_boolean(hulls, OpType.Add) if hulls else CrossSection()


@lru_cache(maxsize=64)
def footprint(reference: ShapeRef, scale: float, rotation: tuple[float, float, float, float]) -> Any:
    """What a shape covers on the ground, around its origin: the hulls of its convex pieces seen from above."""
    turn = scale * rotation_matrix(rotation)
    return covered(piece @ turn.T for leaf in shape_of(reference).leaves() for piece in leaf.pieces)
