"""How a robot's hand would take hold of each object of a scene, and what is in its way.

    found = grasps_in(scene)
    in_camera(scene, found[0])      {"grip": "handle", "point": [...], ...}

The hand is a parallel gripper, `mereo.shapes.hand.HAND`. Its way is a straight line of a tenth of a meter, fingers
opened a little wider than what they will pinch; whatever palm or fingers meet on it is in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from mereo.scenes.assemble import kept_of, shape_of
from mereo.scenes.frame import view_matrix
from mereo.scenes.physics import mass_properties
from mereo.scenes.scene import Placed, Scene, ShapeRef, Vector, rotation_matrix
from mereo.shapes.grasps import Grasps, grasps_of, hit
from mereo.shapes.hand import HAND
from mereo.shapes.mesh import Floats
from mereo.shapes.pinches import GRIPS, Pinches, pinches_of, surface_points

__all__ = ["Grasp", "grasp_records", "grasps_in", "in_camera"]


class Grasp(msgspec.Struct, frozen=True):
    """How the hand takes hold of an object. World frame, meters."""

    grip: str
    """One of `mereo.shapes.pinches.GRIPS`."""
    point: Vector
    """Halfway between the fingertips."""
    approach: Vector
    """Unit: the way that the hand moves in."""
    closing: Vector
    """Unit: from one finger to the other."""
    width: float
    """Between the fingers when they have closed."""
    holds: bool
    """Whether the hand's force is enough to lift the object there."""
    blockers: tuple[int, ...] = ()
    """Places in `scene.objects` of what is in the way."""

    @property
    def free(self) -> bool:
        """Whether the object can be lifted so right away."""
        return self.holds and not self.blockers


_NEAR = 0.4
"""Meters: no part of the hand is farther from its fingertips on the way."""
_MARGIN = 0.002
"""Meters that the hand keeps from neighbors."""
_TOGETHER, _TRIED = 6, 12
"""How many ways are looked at together, and how many at most: the rest is much worse."""


def grasps_in(scene: Scene) -> list[Grasp | None]:
    """For each object how the hand takes hold of it; None where it cannot.

    What kind of part is gripped follows from the object alone: handles and stems before all else, if the hand's force
    is enough for the weight there. Among the ways to it the best is taken that is free, or has the least in its way.
    """
    surfaces = [_surface(placed) for placed in scene.objects]
    return [_grasp(placed, number, surfaces) for number, placed in enumerate(scene.objects)]


def grasp_records(scene: Scene) -> list[dict[str, Any] | None]:
    """For each object of a scene what its record says of its grasp; None where the hand cannot take it."""
    return [None if grasp is None else in_camera(scene, grasp) for grasp in grasps_in(scene)]


def in_camera(scene: Scene, grasp: Grasp) -> dict[str, Any]:
    """A grasp as it stands in a record.

    `point` (meters), `approach` and `closing` (unit) are in the camera's frame: x to the right, y down, z along the
    view, from the camera's place. `free` says that the object can be lifted right away; else `blockers` are in the way,
    or the hand is too weak for its weight (`holds`).
    """
    view = view_matrix(scene) * np.array([[1.0], [-1.0], [1.0]])

    def told(vector: Floats) -> list[float]:
        return [round(float(value), 5) + 0.0 for value in view @ vector]

    return {
        "grip": grasp.grip,
        "point": told(np.subtract(grasp.point, scene.camera.position)),
        "approach": told(np.array(grasp.approach)),
        "closing": told(np.array(grasp.closing)),
        "width": round(grasp.width, 5),
        "holds": grasp.holds,
        "free": grasp.free,
        "blockers": list(grasp.blockers),
    }


@lru_cache(maxsize=512)
def _points(reference: ShapeRef) -> Floats:
    points: Floats = kept_of(reference, "surface points", lambda: surface_points(shape_of(reference)))
    return points


@lru_cache(maxsize=512)
def _ways(reference: ShapeRef, scale: float) -> Grasps:
    """Ways to take hold of a shape that stands alone."""

    def made() -> tuple[Any, ...]:
        pinches = Pinches(*kept_of(reference, "pinches", lambda: tuple(pinches_of(shape_of(reference)))))
        return tuple(grasps_of(pinches, _points(reference), mass_properties(reference), scale=scale))

    return Grasps(*kept_of(reference, f"grasps at {scale!r}", made))


def _surface(placed: Placed) -> Floats:
    """(n, 3) float: points on an object, world frame, meters."""
    turn = placed.scale * rotation_matrix(placed.pose.rotation)
    points: Floats = _points(placed.shape) @ turn.T + placed.pose.position
    return points


def _grasp(placed: Placed, number: int, surfaces: Sequence[Floats]) -> Grasp | None:
    best: tuple[Grasps, int, set[int]] | None = None
    for way in _in_world(placed):
        for place, blockers in enumerate(_blockers(way, number, surfaces)):
            if best is None or len(blockers) < len(best[2]):
                best = way, place, blockers
        if best is not None and not best[2]:
            break
    if best is None:
        return None
    way, place, blockers = best
    closing, _, approach = way.axes[place]
    return Grasp(
        grip=GRIPS[int(way.grip[place])],
        point=_plain(way.point[place]),
        approach=_plain(approach),
        closing=_plain(closing),
        width=float(way.width[place]),
        holds=bool(way.holds[place]),
        blockers=tuple(sorted(blockers)),
    )


def _plain(vector: Floats) -> Vector:
    x, y, z = vector.tolist()
    return x, y, z


def _in_world(placed: Placed) -> Iterator[Grasps]:
    """The ways to the kind of part that comes first, some at a time, where the object stands."""
    ways = _ways(placed.shape, placed.scale)
    if not len(ways.width):
        return
    turn = rotation_matrix(placed.pose.rotation)
    kind = np.minimum(ways.grip, GRIPS.index("edge"))
    alike = (kind == kind[0]) & (ways.holds == ways.holds[0])
    point, axes = ways.point @ turn.T + placed.pose.position, ways.axes @ turn.T
    boxes = HAND.boxes(HAND.opened(ways.width))
    up = axes[:, None, :, 2]
    low = point[:, 2] + (np.where(up > 0, boxes[:, :, 0], boxes[:, :, 1]) * up).sum(-1).min(1)
    possible = alike & (low > 0.0)  # a shape that does not stand as it was made may have the table in its way
    left = np.flatnonzero(possible)[:_TRIED]
    moved = ways._replace(point=point, axes=axes)
    for start in range(0, len(left), _TOGETHER):
        yield moved.at(left[start : start + _TOGETHER])


def _blockers(ways: Grasps, number: int, surfaces: Sequence[Floats]) -> list[set[int]]:
    """For each way the objects that the hand would meet on it."""
    found: list[set[int]] = [set() for _ in ways.width]
    low, high = ways.point.min(0) - _NEAR, ways.point.max(0) + _NEAR
    boxes = HAND.boxes(HAND.opened(ways.width), swept=HAND.retreat)
    for other, surface in enumerate(surfaces):
        near = surface[((surface > low) & (surface < high)).all(1)] if other != number else surface[:0]
        if len(near):
            for place in np.flatnonzero(hit(near, ways.point, ways.axes, boxes, margin=_MARGIN)).tolist():
                found[place].add(other)
    return found
