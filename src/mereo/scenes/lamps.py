"""Lamps and the picture: their backs are black, so none may stand in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.frame import view_matrix
from mereo.scenes.scene import Light, Scene

__all__ = ["corners_of", "is_lamp_in_picture", "upward_of"]

Floats = NDArray[np.float64]

_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_STEEP = 0.9
"""A lamp that points so far up or down has another axis that counts as up."""


def upward_of(light: Light) -> tuple[float, float, float]:
    """The axis of the world that is up for a lamp."""
    towards = np.subtract(light.target, light.position)
    return (0.0, 1.0, 0.0) if abs(towards[2]) > _STEEP * np.linalg.norm(towards) else (0.0, 0.0, 1.0)


def corners_of(light: Light) -> Floats:
    """(4, 3) float: the corners of a lamp, one after the other, world frame, meters."""
    towards = np.subtract(light.target, light.position)
    across = np.cross(upward_of(light), towards)
    across /= np.linalg.norm(across)
    up = np.cross(towards, across) / np.linalg.norm(towards)
    half = light.side / 2
    return np.array([np.add(light.position, half * (a * across + b * up)) for a, b in _SQUARE])


def is_lamp_in_picture(scene: Scene) -> bool:
    """Whether anything of a lamp lies where the camera looks, be it hidden by objects or not."""
    sides = _sides(scene)
    return any(_is_within(corners_of(light) - scene.camera.position, sides) for light in scene.lights)


def _sides(scene: Scene) -> Floats:
    """(5, 3) float: normals, inwards, of the planes through the eye that bound what it sees; the last bounds what is
    behind it."""
    camera = scene.camera
    across = np.tan(np.radians(camera.field) / 2)
    up = across * camera.height / camera.width
    own = [(1.0, 0.0, across), (-1.0, 0.0, across), (0.0, 1.0, up), (0.0, -1.0, up), (0.0, 0.0, 1.0)]
    bounds: Floats = np.array(own) @ view_matrix(scene)
    return bounds


def _is_within(polygon: Floats, sides: Floats) -> bool:
    """Whether anything of a polygon is left when it is cut off at each plane. polygon : (n, 3), seen from the eye"""
    for side in sides:
        inside = polygon @ side
        kept = []
        for place in range(len(polygon)):
            one, other = inside[place - 1], inside[place]
            if (one > 0) != (other > 0):
                kept.append(polygon[place - 1] + (polygon[place] - polygon[place - 1]) * one / (one - other))
            if other > 0:
                kept.append(polygon[place])
        if not kept:
            return False
        polygon = np.array(kept)
    return True
