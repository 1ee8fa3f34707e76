"""How an object of a physical scene stands, as far as a person could tell from the picture.

Whether it stands on wheels, how far it is from each wall, how much of its contact with one is seen, and how well it
stands out from the walls behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.tilt import is_tilted, tilt_of
from mereo.scenes.assemble import lab, linear, pose_matrix, shape_of
from mereo.scenes.physics import pieces_of
from mereo.scenes.poise import wall_gaps, walls
from mereo.scenes.render import Frame, view_matrix
from mereo.scenes.scene import Placed, Room, Scene
from mereo.scenes.textures import look_of

__all__ = ["contrast", "footing", "hard_to_judge"]

_FOOTING = NUMBERS["physical"]["footing"]
_TOUCH = 0.004
"""Meters: what is no higher than this above the lowest point bears weight."""


def footing(scene: Scene, frame: Frame, number: int) -> dict[str, Any]:
    """What a record says of how an object of a physical scene stands."""
    placed, room = scene.objects[number], scene.setting
    assert isinstance(room, Room)
    found = {
        "wheels": _on_wheels(placed),
        "gaps": {f"{name} wall": round(gap, 3) for name, gap in wall_gaps(placed, room).items()},
        "contact": _contact(scene, frame, number),
    }
    against = contrast(scene, frame, number)
    return found if against is None else found | {"contrast": round(against, 1)}


def hard_to_judge(scene: Scene, frame: Frame) -> str | None:
    """What keeps a person from seeing why a tilted object stays, if anything does."""
    assert isinstance(scene.setting, Room)
    least = _FOOTING["contact"] * frame.object.size
    for number, placed in enumerate(scene.objects):
        leans = is_tilted(placed.pose.rotation) and min(wall_gaps(placed, scene.setting).values()) < _FOOTING["touches"]
        if leans and _contact(scene, frame, number) < least:
            return "an object leans on a wall, and is not seen to touch it"
    return None


def _on_wheels(placed: Placed) -> bool:
    """Whether what bears an object's weight can roll: a wheel that lies on its side cannot."""
    if tilt_of(placed.pose.rotation) > _FOOTING["toppled"]:
        return False
    turn = pose_matrix(placed.pose, placed.scale)[2, :3]
    lowest = [(float((piece.corners @ turn).min()), piece.rolls) for piece in pieces_of(placed.shape)]
    ground = min(height for height, _ in lowest)
    return any(rolls for height, rolls in lowest if height < ground + _TOUCH)


def _contact(scene: Scene, frame: Frame, number: int) -> int:
    """How many pixels of an object show a place of it that is no farther than a hand's breadth from a wall."""
    assert isinstance(scene.setting, Room)
    rows, columns = np.nonzero(frame.object == number)
    camera = scene.camera
    scale = 2 * np.tan(np.radians(camera.field) / 2) / camera.width
    across, up = (columns + 0.5 - camera.width / 2) * scale, (camera.height / 2 - rows - 0.5) * scale
    rays = np.stack([across, up, np.ones(len(rows))], 1) * frame.depth[rows, columns, None]
    points = rays @ view_matrix(scene) + camera.position
    near = [
        ((points - wall.point) @ np.asarray(wall.normal)) < _FOOTING["near"] for wall in walls(scene.setting).values()
    ]
    return int(np.any(near, 0).sum())


def contrast(scene: Scene, frame: Frame, number: int) -> float | None:
    """How much an object differs in color from the walls beside it in the picture, on average along its outline.

    In CIE's Lab, between the paint of each part and the main color of the wall's look; None where no wall is beside it.
    """
    assert isinstance(scene.setting, Room)
    room, differences = scene.setting, []
    labels = {leaf.id: leaf.label for leaf in shape_of(scene.objects[number].shape).leaves()}
    for (leaf, side), pixels in _outline(frame, number).items():
        paint, look = scene.objects[number].paint(labels[leaf]), look_of(getattr(room, side).look)
        differences.append((_difference(paint.color, look["colors"][0]), pixels))
    if not differences:
        return None
    return float(np.average([each for each, _ in differences], weights=[pixels for _, pixels in differences]))


def _outline(frame: Frame, number: int) -> dict[tuple[int, str], int]:
    """How many pixels of each leaf of an object lie beside a pixel of each wall."""
    wall = _walls(frame)
    found: dict[tuple[int, str], int] = {}
    for axis in (0, 1):
        for step in (1, -1):
            beside = np.roll(wall, step, axis)
            for side, name in enumerate(("back", "left", "right"), 1):
                leaves = frame.part[(frame.object == number) & (beside == side)]
                for leaf, pixels in zip(*np.unique(leaves, return_counts=True), strict=True):
                    found[int(leaf), name] = found.get((int(leaf), name), 0) + int(pixels)
    return found


def _walls(frame: Frame) -> NDArray[np.int8]:
    """For each pixel the wall that it shows: 1 the back, 2 the left, 3 the right, 0 none."""
    x, y = frame.normal[..., 0], frame.normal[..., 1]
    empty = frame.object < 0
    return (empty & (y < -0.5)) * np.int8(1) + (empty & (x > 0.5)) * np.int8(2) + (empty & (x < -0.5)) * np.int8(3)


def _difference(paint: tuple[float, float, float], look: str) -> float:
    """How much two colors differ: sRGB from 0 to 1, and as six hexadecimal digits."""
    red, green, blue = (int(look[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return float(np.linalg.norm(lab(linear(paint)) - lab(linear((red, green, blue)))))
