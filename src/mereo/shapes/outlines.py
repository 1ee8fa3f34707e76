"""Flat figures to make boards and prisms of, x to the right and y away from the viewer, meters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mereo.errors import MissingExtra
from mereo.shapes.mesh import Floats

try:
    from manifold3d import CrossSection, JoinType
except ImportError:
    raise MissingExtra("building shapes", "scenes") from None

__all__ = ["Outline", "Point", "ellipse", "polygon", "rectangle"]

Point = Sequence[float] | Floats


@dataclass(frozen=True, eq=False)
class Outline:
    """A flat figure to make boards and prisms of."""

    section: CrossSection

    def grown(self, by: float) -> Outline:
        """Its edge moved outwards, corners rounded; inwards if negative."""
        return Outline(self.section.offset(by, JoinType.Round, 2.0, 32))

    def minus(self, *others: Outline) -> Outline:
        """With others cut out of it."""
        section = self.section
        for other in others:
            section = section - other.section
        return Outline(section)

    def plus(self, *others: Outline) -> Outline:
        """Joined with others."""
        section = self.section
        for other in others:
            section = section + other.section
        return Outline(section)

    def at(self, x: float = 0.0, y: float = 0.0) -> Outline:
        """Moved by an offset."""
        return Outline(self.section.translate((x, y)))

    def is_convex(self) -> bool:
        """Whether a straight line between two of its points never leaves it, but for rounding."""
        return bool(self.section.num_contour() == 1 and self.section.hull().area() <= 1.0001 * self.section.area())

    def corners(self) -> list[Floats]:
        """(k, 2) float for each of its borders."""
        return [np.asarray(border, np.float64) for border in self.section.to_polygons()]


def rectangle(width: float, depth: float, *, corner: float = 0.0, segments: int = 24) -> Outline:
    """A rectangle around the origin, its corners rounded by a radius."""
    corner = min(corner, 0.499 * width, 0.499 * depth)
    if corner <= 0:
        return Outline(CrossSection.square((width, depth), True))
    inner = CrossSection.square((width - 2 * corner, depth - 2 * corner), True)
    return Outline(inner.offset(corner, JoinType.Round, 2.0, segments))


def ellipse(width: float, depth: float, *, segments: int = 40) -> Outline:
    """An ellipse around the origin; a circle if both are equal."""
    return Outline(CrossSection.circle(0.5, segments).scale((width, depth)))


def polygon(points: Sequence[Point]) -> Outline:
    """A figure with these corners, counter-clockwise."""
    return Outline(CrossSection([[(float(x), float(y)) for x, y in points]]))
