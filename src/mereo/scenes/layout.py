"""Placing: objects strewn over a floor so that none overlap, all keep their distance, and no relation is in doubt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mereo.errors import MereoError, MissingExtra
from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import Paint, Placed, Pose, ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats

__all__ = ["Candidate", "Floor", "NoPlace", "footprint", "place", "turned_by"]


class NoPlace(MereoError):
    """Objects that could not be placed; says which rule refused most."""


@dataclass(frozen=True)
class Floor:
    """Where things may stand, and what distance they keep."""

    left: float
    right: float
    front: float
    back: float
    """Bounds of every object's footprint, metres, world frame."""
    gap: float = 0.08
    """The least distance between two footprints, metres."""
    margin: float = 0.25
    """The least distance between two centres along each direction, metres."""
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
) -> tuple[Placed, ...]:
    """Stand all candidates on the floor.

    across, away : (3,) float: the directions right and behind on the ground, along which centres keep their margin
    """
    refused: Counter[str] = Counter()
    for _ in range(floor.restarts):
        placed = _attempt(candidates, floor, np.asarray(across), np.asarray(away), rng, refused)
        if placed is not None:
            return placed
    rule, times = refused.most_common(1)[0]
    raise NoPlace(f"{len(candidates)} objects found no place in {floor.restarts} attempts: {rule} ({times} times)")


def _attempt(
    candidates: Sequence[Candidate],
    floor: Floor,
    across: Floats,
    away: Floats,
    rng: np.random.Generator,
    refused: Counter[str],
) -> tuple[Placed, ...] | None:
    done: list[tuple[Placed, Any]] = []
    for candidate in candidates:
        for _ in range(floor.tries):
            rotation = turned_by(rng.uniform(*candidate.turn))
            outline = footprint(candidate.shape, candidate.scale, rotation)
            low_x, low_y, high_x, high_y = outline.bounds()
            room_x, room_y = (floor.left - low_x, floor.right - high_x), (floor.front - low_y, floor.back - high_y)
            if room_x[0] >= room_x[1] or room_y[0] >= room_y[1]:
                refused["the object is larger than the floor"] += 1
                continue
            x, y = float(rng.uniform(*room_x)), float(rng.uniform(*room_y))
            rule = _refusal(np.array([x, y, 0.0]), outline.translate((x, y)), done, floor, across, away)
            if rule is None:
                pose = Pose((x, y, 0.0), rotation)
                thing = Placed(candidate.shape, pose, candidate.scale, dict(candidate.paints))
                done.append((thing, outline.translate((x, y))))
                break
            refused[rule] += 1
        else:
            return None
    return tuple(thing for thing, _ in done)


def _refusal(
    centre: Floats, outline: Any, done: Sequence[tuple[Placed, Any]], floor: Floor, across: Floats, away: Floats
) -> str | None:
    """The rule that forbids a place, if any does."""
    grown = _grown(outline, floor.gap)
    for other, taken in done:
        offset = centre - other.pose.position
        if abs(offset @ across) < floor.margin or abs(offset @ away) < floor.margin:
            return f"centres are nearer than {floor.margin} m"
        if not (grown ^ taken).is_empty():
            return f"footprints are nearer than {floor.gap} m"
    return None


def _grown(outline: Any, by: float) -> Any:
    from manifold3d import JoinType

    return outline.offset(by, JoinType.Round, 2.0, 16)


def footprint(reference: ShapeRef, scale: float, rotation: tuple[float, float, float, float]) -> Any:
    """What a shape covers on the ground, around its origin: the hulls of its convex pieces seen from above."""
    try:
        from manifold3d import CrossSection, OpType
    except ImportError:
        raise MissingExtra("placing objects", "scenes") from None
    turn = scale * rotation_matrix(rotation)
    pieces = [piece for leaf in shape_of(reference).leaves() for piece in leaf.pieces]
    hulls = [CrossSection.hull_points(np.ascontiguousarray((piece @ turn.T)[:, :2])) for piece in pieces]
    return CrossSection.batch_boolean(hulls, OpType.Add)
