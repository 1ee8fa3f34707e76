"""A scene of shapes from our grammars that stands for the room in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mereo.benchmarks.ptr.learning.rebuild.fitting import fitting
from mereo.benchmarks.ptr.learning.rebuild.library import Library, library
from mereo.benchmarks.ptr.learning.rebuild.outline import Outline, outline_of
from mereo.benchmarks.ptr.learning.rebuild.standing import standing, straightened
from mereo.scenes.scene import Camera, Placed, Pose, Quaternion, Room, Scene, Surface
from mereo.shapes.mesh import Floats

__all__ = ["Sighted", "Walls", "rebuilt"]

_DEEP = 20.0
"""Meters between the back wall and the open side of a rebuilt room, more than any camera is away."""
_PLAIN = Surface("stage")


class Sighted(NamedTuple):
    """An object as it was seen, in three dimensions."""

    category: str
    place: Floats
    """(3,) float: the middle of its own box, room's frame about the camera's foot, meters."""
    turn: Floats
    """(3, 3) float: the rotation from its own frame to the room's."""
    outline: Outline


class Walls(NamedTuple):
    """How far the walls are from the camera's foot, meters, and how the camera is turned in the room."""

    left: float
    right: float
    back: float
    yaw: float
    """Radians from the room's y axis to where the camera looks, to the left."""


def rebuilt(things: Sequence[Sighted], walls: Walls, *, shelf: dict[str, Library] | None = None) -> Scene:
    """The scene: the nearest shapes at the sizes that fit, everything in contact with what holds it.

    shelf : other libraries than our own, by category
    """
    width, aside = walls.left + walls.right, (walls.right - walls.left) / 2
    offset = np.array([-aside, _DEEP / 2 - walls.back, 0.0])
    objects = [_placed(thing, offset, (shelf or {}).get(thing.category) or library(thing.category)) for thing in things]
    x, y = float(offset[0]), float(offset[1])
    ahead = (x - float(np.sin(walls.yaw)), y + float(np.cos(walls.yaw)), 0.0)
    camera = Camera((x, y, 1.0), ahead, 40.0)
    room = Room(width, _DEEP, 3.0, _PLAIN, _PLAIN, _PLAIN, _PLAIN)
    return standing(Scene(room, tuple(objects), (), camera))


def _placed(thing: Sighted, offset: Floats, among: Library) -> Placed:
    fit = fitting(thing.outline, among)
    _, middle = outline_of(fit.reference)
    turn = straightened(thing.turn)
    x, y, z = (thing.place + offset - turn @ (fit.scale * middle)).tolist()
    return Placed(fit.reference, Pose((x, y, z), quaternion_of(turn)), fit.scale)


def quaternion_of(rotation: Floats) -> Quaternion:
    """The unit quaternion (w, x, y, z) of a rotation, by the eigenvector that stays exact for all of them."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    table = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, b + d, c + g],
            [c - g, b + d, e - a - i, f + h],
            [d - b, c + g, f + h, i - a - e],
        ]
    )
    w, x, y, z = np.linalg.eigh(table)[1][:, -1].tolist()
    return (w, x, y, z)
