"""Small scenes that several tests look at: what stands where is known by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mereo.scenes.scene import Camera, Light, Paint, Placed, Pose, Room, Scene, ShapeRef, Stage, Surface

RED = Paint("rubber", (0.68, 0.14, 0.14), "red")
GRAY = Paint("rubber", (0.5, 0.5, 0.5), "gray")
STEEL = Paint("metal", (0.8, 0.8, 0.82))

LAMP = Light((2.0, -3.0, 5.0), (0.0, 0.0, 0.0), 1.5, (24.0, 24.0, 24.0))

ROOM = Room(
    width=6.0,
    depth=5.0,
    height=2.6,
    floor=Surface("oak_planks", 3),
    back=Surface("white_plaster", 4),
    left=Surface("white_plaster", 5),
    right=Surface("white_plaster", 6),
)


def about_z(degrees: float) -> tuple[float, float, float, float]:
    """The quaternion (w, x, y, z) of a turn about z."""
    half = math.radians(degrees) / 2
    return math.cos(half), 0.0, 0.0, math.sin(half)


def thing(
    category: str,
    x: float,
    y: float,
    z: float = 0.0,
    *,
    scale: float = 1.0,
    turn: float = 0.0,
    paint: Paint = GRAY,
    family: int = 0,
) -> Placed:
    """An object whose foot is at (x, y, z), turned about z by degrees."""
    return Placed(ShapeRef(category, family=family), Pose((x, y, z), about_z(turn)), scale, {"": paint})


def stage(*objects: Placed, camera: Camera | None = None, lights: Sequence[Light] = (LAMP,)) -> Scene:
    """Objects on CLEVR's stage, seen from the front and above."""
    view = camera or Camera((0.0, -7.0, 4.0), (0.0, 0.0, 0.4), 40.0, 96, 64)
    return Scene(Stage(), objects, tuple(lights), view)


def room(*objects: Placed, camera: Camera | None = None) -> Scene:
    """Objects in a room, seen from its open side."""
    view = camera or Camera((0.6, -6.0, 2.2), (0.0, 0.4, 0.6), 50.0, 72, 48)
    return Scene(ROOM, objects, (Light((0.0, 0.0, 2.55), (0.0, 0.0, 0.0), 1.2, (14.0, 14.0, 13.0)),), view)
