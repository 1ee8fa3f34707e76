"""Joints: how a part moves against the part above it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mereo.shapes.mesh import Floats

__all__ = ["Joint", "Kind", "Vector", "about_axis"]

Kind = Literal["hinge", "slide", "spin"]
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Joint:
    """A part turns about an axis between two angles, slides along it, or spins without end.

    Degrees for what turns, meters for what slides. 0 is where the part is at rest: a door shut, a drawer pushed in.
    """

    kind: Kind
    axis: Vector
    """Unit; the shape's frame, as the shape stands. Turning is by the right hand."""
    origin: Vector
    """A point on the axis, meters, likewise."""
    low: float = -math.inf
    high: float = math.inf
    at: float = 0.0
    """Where the part stands in the meshes."""

    def motion(self, value: float) -> Floats:
        """(4, 4) float: what takes the part from where it stands to a value."""
        change = value - self.at
        if self.kind == "slide":
            return shifted(*(change * np.asarray(self.axis)))
        return about_axis(self.axis, self.origin, change)

    def moved(self, matrix: Floats) -> Joint:
        """The joint of a part that is moved as a whole. matrix : (4, 4) float, a turn and a shift"""
        axis, origin = matrix[:3, :3] @ self.axis, matrix[:3, :3] @ self.origin + matrix[:3, 3]
        return replace(self, axis=_vector(axis / np.linalg.norm(axis)), origin=_vector(origin))


def about_axis(axis: Vector, origin: Vector, degrees: float) -> Floats:
    """(4, 4) float: a turn about an axis through a point."""
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle, matrix = math.radians(degrees), np.eye(4)
    matrix[:3, :3] += math.sin(angle) * skew + (1 - math.cos(angle)) * skew @ skew
    matrix[:3, 3] = origin - matrix[:3, :3] @ origin
    return matrix


def shifted(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Floats:
    """(4, 4) float: an offset."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def _vector(values: Floats) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
