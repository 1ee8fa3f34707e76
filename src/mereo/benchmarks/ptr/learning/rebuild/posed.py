"""How an object is turned, in words that a network can choose among.

A number that may be one or another is learned as something in between: a table may be turned by half a circle as well,
and most objects stand, but some lie. Of words the likelier is told. A rotation is taken apart into a tilt by the
shortest way, in the object's own frame, and a turn about the vertical after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mereo.benchmarks.ptr.learning.rebuild.numbers import LEANS, TURNS, UPRIGHT
from mereo.shapes.joint import about_axis
from mereo.shapes.mesh import Floats

__all__ = ["Posed", "posed", "turn_of"]

_TILTED = np.radians(5.0)
"""From where on an object is tilted."""
_UP = np.array([0.0, 0.0, 1.0])


class Posed(NamedTuple):
    """How an object is turned."""

    turned: str
    leaning: str
    tilt: float
    """Radians; not a number for what is upright."""


def posed(turn: Floats) -> Posed:
    """A rotation (3, 3) from an object's own frame to the room's in words, to the nearest of each."""
    sky = turn.T @ _UP
    tilt = float(np.arccos(np.clip(sky[2], -1.0, 1.0)))
    if tilt < _TILTED:
        return Posed(_nearest(np.arctan2(turn[1, 0], turn[0, 0]), TURNS), UPRIGHT, np.nan)
    about = turn @ _tilting(sky).T
    return Posed(
        _nearest(np.arctan2(about[1, 0], about[0, 0]), TURNS), _nearest(np.arctan2(sky[1], sky[0]), LEANS[1:]), tilt
    )


def turn_of(words: Mapping[str, Any], tilt: ArrayLike | None) -> Floats:
    """(3, 3) float: the rotation that was told. words : `turned` and `leaning` · tilt : (1,) radians"""
    about = _rotation(_UP, float(words["turned"]))
    if words["leaning"] == UPRIGHT or tilt is None:
        return about
    around, angle = np.radians(float(words["leaning"])), float(np.asarray(tilt).reshape(-1)[0])
    sky = np.array([np.sin(angle) * np.cos(around), np.sin(angle) * np.sin(around), np.cos(angle)])
    return about @ _tilting(sky)


def _nearest(angle: float, among: tuple[str, ...]) -> str:
    """Of angles that part the circle evenly, from 0 on, the one next to another. angle : radians"""
    return among[round(float(angle) / (2 * np.pi) * len(among)) % len(among)]


def _tilting(sky: Floats) -> Floats:
    """(3, 3) float: the shortest rotation that brings a direction (3,) up."""
    axis = np.cross(sky, _UP)
    length = np.linalg.norm(axis)
    if length < 1e-9:
        return np.eye(3) if sky[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return _rotation(axis / length, float(np.degrees(np.arctan2(length, sky[2]))))


def _rotation(axis: Floats, degrees: float) -> Floats:
    """(3, 3) float: a turn about a unit axis (3,)."""
    x, y, z = axis.tolist()
    return about_axis((x, y, z), (0.0, 0.0, 0.0), degrees)[:3, :3]
