"""Poising objects: tilted, brought to the floor, pushed against a wall, until they just touch.

Contact is found with the convex pieces that the simulation uses, so that what touches here touches there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mereo.scenes.assemble import pose_matrix
from mereo.scenes.physics import collision_corners, mass_properties, pieces_of
from mereo.scenes.scene import Placed, Pose, Quaternion, Room, ShapeRef, Vector, rotation_matrix
from mereo.shapes.mesh import Floats

__all__ = ["Wall", "balance", "corners_of", "moved", "on_floor", "pushed", "strain", "tilted", "wall_gaps", "walls"]

_EXACT = 0.0005
"""Meters: how well contact is found."""
_TOUCH = 0.004
"""Meters: what is no farther off bears weight when it is let go."""
_ASIDE = 0.03
"""Meters by which weight must lie between what bears it, along a wall."""


def tilted(rotation: Quaternion, towards: Sequence[float], degrees: float) -> Quaternion:
    """A rotation followed by a tilt of the upright towards a direction on the ground (unit, world frame)."""
    half = math.radians(degrees) / 2
    # In plain numbers: arrays of three take twenty times as long, and a balance is sought degree by degree.
    w, x, y = math.cos(half), -math.sin(half) * float(towards[1]), math.sin(half) * float(towards[0])
    p, q, r, s = rotation
    return w * p - x * q - y * r, w * q + x * p + y * s, w * r + y * p - x * s, w * s + x * r - y * q


def balance(reference: ShapeRef, rotation: Quaternion, towards: Sequence[float], *, most: float = 90.0) -> float | None:
    """Degrees by which a shape must be tilted towards a direction to fall over that way, to the next whole degree.

    rotation : how it stands before; most : degrees beyond which one need not look
    """
    corners, center, way = collision_corners(reference), mass_properties(reference).center, np.asarray(towards)
    for degrees in range(1, int(most) + 1):
        turn = rotation_matrix(tilted(rotation, towards, degrees))
        heights = corners @ turn[2]
        feet = corners[heights < heights.min() + _EXACT] @ turn.T
        if (turn @ center) @ way > (feet @ way).max():
            return float(degrees)
    return None


def moved(placed: Placed, offset: Sequence[float] | Floats) -> Placed:
    """The object elsewhere."""
    x, y, z = np.add(placed.pose.position, offset).tolist()
    return msgspec.structs.replace(placed, pose=Pose((x, y, z), placed.pose.rotation))


def corners_of(placed: Placed) -> Floats:
    """(n, 3) float: the corners of the object's convex pieces, world frame, meters."""
    matrix = pose_matrix(placed.pose, placed.scale)
    return collision_corners(placed.shape) @ matrix[:3, :3].T + matrix[:3, 3]


def on_floor(placed: Placed) -> Placed:
    """The object raised or lowered so that it just touches the floor."""
    return moved(placed, (0.0, 0.0, -float(corners_of(placed)[:, 2].min())))


class Wall(NamedTuple):
    """A point of a wall and its inward normal, world frame."""

    point: Vector
    normal: Vector


def walls(room: Room) -> dict[str, Wall]:
    """The walls of a room by name."""
    across, deep = room.width / 2, room.depth / 2
    return {
        "back": Wall((0.0, deep, 0.0), (0.0, -1.0, 0.0)),
        "left": Wall((-across, 0.0, 0.0), (1.0, 0.0, 0.0)),
        "right": Wall((across, 0.0, 0.0), (-1.0, 0.0, 0.0)),
    }


def pushed(placed: Placed, wall: Wall) -> Placed:
    """The object pushed along a wall's inward normal until it just touches the wall."""
    return moved(placed, -_nearest(placed, wall) * np.asarray(wall.normal))


def wall_gaps(placed: Placed, room: Room) -> dict[str, float]:
    """How far an object is from each wall of a room, meters."""
    return {name: _nearest(placed, wall) for name, wall in walls(room).items()}


def strain(placed: Placed, wall: Wall) -> float:
    """How much of the friction that it has an object takes that leans on a wall: it slips where this is more than 1.

    A ladder: floor and wall hold it at one height each. Endless where it does not lean, or would roll aside.
    """
    normal = np.asarray(wall.normal)
    matrix = pose_matrix(placed.pose, placed.scale)
    feet, hands = [], []
    for piece in pieces_of(placed.shape):
        corners = piece.corners @ matrix[:3, :3].T + matrix[:3, 3]
        away = (corners - wall.point) @ normal
        feet += [(corner, piece.friction) for corner in corners[corners[:, 2] < _TOUCH]]
        hands += [(corner, piece.friction) for corner in corners[away < _TOUCH]]
    weight = matrix[:3, :3] @ mass_properties(placed.shape).center + matrix[:3, 3]
    if not feet or not hands:
        return math.inf
    along = np.cross((0.0, 0.0, 1.0), normal)
    beside = [float(corner @ along) for corner, _ in (*feet, *hands)]
    if not min(beside) + _ASIDE < weight @ along < max(beside) - _ASIDE:
        return math.inf
    base = min(float((corner - wall.point) @ normal) for corner, _ in feet)
    height = float(np.mean([corner[2] for corner, _ in hands]))
    below, beyond = min(friction for _, friction in feet), min(friction for _, friction in hands)
    lever = base - float((weight - wall.point) @ normal)
    if lever <= 0:
        return math.inf
    return lever * (1 + below * beyond) / (below * (height + beyond * base))


def _nearest(placed: Placed, wall: Wall) -> float:
    return float(((corners_of(placed) - wall.point) @ np.asarray(wall.normal)).min())
