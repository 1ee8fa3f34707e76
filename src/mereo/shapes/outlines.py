"""Flat figures to make boards and prisms of, x to the right and y away from the viewer, meters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mereo.errors import MissingExtra
from mereo.shapes.mesh import Floats

try:
    from manifold3d import CrossSection, JoinType, Manifold
except ImportError:
    raise MissingExtra("building shapes", "scenes") from None

__all__ = ["Outline", "Point", "ellipse", "polygon", "rectangle"]

Point = Sequence[float] | Floats

_FINE = 2.0**20
"""How much larger the kernel's figures are than ours. It rounds their corners to about 1e-8, and solids made of
figures would then miss the planes of other solids by so much: every union would leave slivers."""


@dataclass(frozen=True, eq=False)
class Outline:
    """A flat figure to make boards and prisms of."""

    section: CrossSection
    """Enlarged by `_FINE`."""

    def extruded(self, height: float) -> Manifold:
        """The body between this figure on z = 0 and its copy at a height."""
        return Manifold.extrude(self.section, _FINE * height).scale((1 / _FINE,) * 3)

    def revolved(self, segments: int) -> Manifold:
        """The body that the figure sweeps when it turns about its y axis, which becomes z."""
        return Manifold.revolve(self.section, segments).scale((1 / _FINE,) * 3)

    def grown(self, by: float, *, segments: int = 32) -> Outline:
        """Its edge moved outwards, corners rounded as parts of a circle; inwards if negative."""
        return Outline(self.section.offset(_FINE * by, JoinType.Round, 2.0, segments))

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
        return Outline(self.section.translate((_FINE * x, _FINE * y)))

    def is_convex(self) -> bool:
        """Whether a straight line between two of its points never leaves it, but for rounding."""
        return bool(self.section.num_contour() == 1 and self.section.hull().area() <= 1.0001 * self.section.area())

    def corners(self) -> list[Floats]:
        """(k, 2) float for each of its borders."""
        return _corners(self.section)

    def strips(self, count: int) -> list[Floats]:
        """Convex figures that cover it: each of so many strips along x, as wide as the figure is there. (k, 2) float"""
        low_x, low_y, high_x, high_y = self.section.bounds()
        width = (high_x - low_x) / count
        found = []
        for k in range(count):
            strip = CrossSection.square((width, high_y - low_y)).translate((low_x + k * width, low_y))
            found += [border for part in (self.section ^ strip).decompose() for border in _corners(part.hull())]
        return [border for border in found if len(border)]


def _corners(section: CrossSection) -> list[Floats]:
    return [np.asarray(border, np.float64) / _FINE for border in section.to_polygons()]


def rectangle(width: float, depth: float, *, corner: float = 0.0, segments: int = 24) -> Outline:
    """A rectangle around the origin, its corners rounded by a radius."""
    corner = min(corner, 0.499 * width, 0.499 * depth)
    if corner <= 0:
        return Outline(CrossSection.square((_FINE * width, _FINE * depth), True))
    return rectangle(width - 2 * corner, depth - 2 * corner).grown(corner, segments=segments)


def ellipse(width: float, depth: float, *, segments: int = 40) -> Outline:
    """An ellipse around the origin; a circle if both are equal."""
    return Outline(CrossSection.circle(0.5, segments).scale((_FINE * width, _FINE * depth)))


def polygon(points: Sequence[Point] | Floats) -> Outline:
    """A figure with these corners, counter-clockwise."""
    return Outline(CrossSection([_FINE * np.asarray(points, np.float64)]))
