"""Poising objects: tilted, lowered onto what is below them, pushed against a wall, until they just touch.

Contact is found with the convex pieces that the simulation uses, so that what touches here touches there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from mereo.scenes.assemble import pose_matrix
from mereo.scenes.physics import Simulation, center_of_mass, collision_corners
from mereo.scenes.scene import Placed, Pose, Quaternion, Scene, ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats

__all__ = ["balance", "corners_of", "lowered", "moved", "on_floor", "pushed", "tilted"]

_STEP = 0.02
"""Meters between the heights that are tried first."""
_EXACT = 0.0005
"""Meters: how well contact is found."""


def tilted(rotation: Quaternion, towards: Sequence[float], degrees: float) -> Quaternion:
    """A rotation followed by a tilt of the upright towards a direction on the ground (unit, world frame)."""
    half = math.radians(degrees) / 2
    axis = np.cross((0.0, 0.0, 1.0), towards)
    a, b = np.array([math.cos(half), *(math.sin(half) * axis)]), np.asarray(rotation)
    w = a[0] * b[0] - a[1:] @ b[1:]
    x, y, z = (a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])).tolist()
    return float(w), x, y, z


def balance(reference: ShapeRef, rotation: Quaternion, towards: Sequence[float], *, most: float = 90.0) -> float | None:
    """Degrees by which a shape must be tilted towards a direction to fall over that way, to the next whole degree.

    rotation : how it stands before; most : degrees beyond which one need not look
    """
    corners, center, way = collision_corners(reference), center_of_mass(reference), np.asarray(towards)
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


def pushed(placed: Placed, point: Sequence[float], normal: Sequence[float]) -> Placed:
    """The object pushed along a wall's inward normal until it just touches the wall."""
    nearest = float(((corners_of(placed) - point) @ np.asarray(normal)).min())
    return moved(placed, -nearest * np.asarray(normal))


def lowered(placed: Placed, below: Placed, scene: Scene) -> Placed | None:
    """An object let down from above onto another, where it stops; None if it would come down to the floor.

    scene : whose room they are in
    """
    ceiling = float(corners_of(below)[:, 2].max())
    high = moved(on_floor(placed), (0.0, 0.0, ceiling + _STEP))
    pair = msgspec.structs.replace(scene, objects=(below, high))
    simulation = Simulation(pair)

    def touches(down: float) -> bool:
        simulation.reset({1: (0.0, 0.0, -down)})
        return any(other == 0 and depth > 0 for other, depth, _ in simulation.contacts(1))

    free = 0.0
    while not touches(free + _STEP):
        free += _STEP
        if free > ceiling:
            return None
    stuck = free + _STEP
    while stuck - free > _EXACT:
        middle = (free + stuck) / 2
        free, stuck = (free, middle) if touches(middle) else (middle, stuck)
    return moved(high, (0.0, 0.0, -free))
