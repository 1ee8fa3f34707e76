"""Objects brought into contact with what holds them, since what was seen is off by some centimeters."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from mereo.scenes.physics import Simulation, Thresholds
from mereo.scenes.poise import corners_of, moved, pushed, wall_gaps, walls
from mereo.scenes.scene import Placed, Room, Scene, rotation_matrix
from mereo.shapes.mesh import Floats

__all__ = ["standing", "straightened"]

_UPRIGHT = 10.0
"""Degrees: what is seen to be tilted by less stands upright; what is made to be tilted is so by more."""
_LEANS = 0.12
"""Meters from a wall within which something tilted is taken to lean on it."""
_TOUCH = 0.002
"""Meters: what is in another thing no deeper touches it."""
_START, _HIGHEST, _LOWEST, _STEP = 0.15, 0.6, -0.25, 0.01
"""Meters above where it was seen: from where an object is let down, from where at most, how far, and how finely."""
_FINER = 4
"""How often the last step is halved."""


def straightened(rotation: Floats) -> Floats:
    """(3, 3) float: a rotation whose own z axis is made vertical where it nearly is."""
    up = rotation[:, 2]
    if np.degrees(np.arccos(np.clip(up[2], -1.0, 1.0))) >= _UPRIGHT:
        return rotation
    front = np.array([rotation[0, 1], rotation[1, 1], 0.0])
    front /= np.linalg.norm(front)
    return np.column_stack([np.cross(front, (0.0, 0.0, 1.0)), front, (0.0, 0.0, 1.0)])


def standing(scene: Scene) -> Scene:
    """The scene with everything moved to where it touches: walls that it leans on or is in, then what is below it."""
    assert isinstance(scene.setting, Room)
    objects = [_at_walls(placed, scene.setting) for placed in scene.objects]
    done: list[int] = []
    for number in sorted(range(len(objects)), key=lambda k: float(corners_of(objects[k])[:, 2].min())):
        below = tuple(objects[k] for k in done)
        objects[number] = _let_down(msgspec.structs.replace(scene, objects=(*below, objects[number])))
        done.append(number)
    return msgspec.structs.replace(scene, objects=tuple(objects))


def _at_walls(placed: Placed, room: Room) -> Placed:
    """An object out of all walls, and at the nearest one if it leans."""
    sides = walls(room)
    gaps = wall_gaps(placed, room)
    nearest = min(gaps, key=lambda name: gaps[name])
    tilted = rotation_matrix(placed.pose.rotation)[2, 2] < np.cos(np.radians(_UPRIGHT))
    if tilted and gaps[nearest] < _LEANS:
        placed = pushed(placed, sides[nearest])
    for name, wall in sides.items():
        if wall_gaps(placed, room)[name] < 0:
            placed = pushed(placed, wall)
    return placed


def _let_down(scene: Scene) -> Placed:
    """The last object of a scene, lowered from above until it touches the floor or another."""
    number = len(scene.objects) - 1
    simulation = Simulation(scene, Thresholds())

    def free(height: float) -> bool:
        simulation.reset({number: (0.0, 0.0, height)})
        return simulation.overlap(number) <= _TOUCH

    return moved(scene.objects[number], (0.0, 0.0, _resting(free)))


def _resting(free: Callable[[float], bool]) -> float:
    """How far from where it was seen a thing comes to rest on its way down; 0 where it falls past all that is near."""
    height = _START
    while height < _HIGHEST and not free(height):
        height += 2 * _STEP
    while height > _LOWEST and free(height - _STEP):
        height -= _STEP
    if height <= _LOWEST:
        return 0.0
    under, over = height - _STEP, height
    for _ in range(_FINER):
        middle = (under + over) / 2
        under, over = (under, middle) if free(middle) else (middle, over)
    return over
