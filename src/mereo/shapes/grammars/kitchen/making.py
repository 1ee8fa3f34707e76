"""What several things of a kitchen build alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mereo.shapes.articulation import moved
from mereo.shapes.joint import Vector, about_axis
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bent

__all__ = ["about", "lying", "placed", "shifted", "smooth"]


def smooth(profile: Sequence[Point], radius: float = 1.0, height: float = 1.0, *, rounds: int = 2) -> Floats:
    """A profile of shares in meters, its corners rounded. (k, 2) float"""
    line = bent([(r, 0.0, z) for r, z in profile], rounds=rounds)
    return line[:, ::2] * (radius, height)


def about(axis: Vector, degrees: float) -> Floats:
    """(4, 4) float: a turn about an axis through the origin."""
    return about_axis(axis, (0.0, 0.0, 0.0), degrees)


def shifted(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Floats:
    """(4, 4) float: an offset."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def lying(part: Part, degrees: float) -> Part:
    """A part tipped over backwards, by so much."""
    return moved(part, about((1.0, 0.0, 0.0), -degrees))


def placed(solid: Solid, at: Point, *, lean: float = 0.0, way: float = 0.0) -> Solid:
    """A solid built upright at the origin, leaning from z towards a direction on the ground, put at a place."""
    return solid.turned(y=lean).turned(z=way).at(*at)
