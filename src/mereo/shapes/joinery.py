"""What grammars of different categories build alike: rows of parts, turned work, and cases with drawers and doors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point, ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, lathe, union
from mereo.shapes.style import Style

__all__ = ["OUTMOST", "WIDEST", "Fittings", "Profile", "Span", "around", "corners", "leaves", "pair", "sized", "turned"]

Span = tuple[float, float]
"""From one place, size or bound to another."""
Profile = Sequence[Point] | Floats
"""What a lathe follows: radius and height from the foot to the top, as shares or in meters."""

OUTMOST = 0.75
"""How far a drawer comes out, as a share of its depth."""
WIDEST = 110.0
"""How far a door of furniture opens, degrees."""


def leaves(name: str, solids: Iterable[Solid]) -> list[Part]:
    """Parts of one name, each with a body of its own."""
    return [leaf(name, solid) for solid in solids]


def pair(solid: Solid) -> list[Solid]:
    """A solid and its mirror image on the other side."""
    return [solid, solid.mirrored("x")]


def corners(x: float, y: float) -> list[Span]:
    """Four places on the ground, front left first, then around."""
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def around(count: int, start: float = 0.0) -> Iterator[float]:
    """Directions evenly about z, in degrees."""
    return (start + 360 * k / count for k in range(count))


def sized(profile: Profile, radius: float, height: float) -> list[tuple[float, float]]:
    """A profile of shares in meters."""
    return [(float(radius * r), float(height * z)) for r, z in profile]


def turned(profile: Profile, radius: float, height: float, *, segments: int = 28) -> Solid:
    """A leg, column or body from the lathe, on the middle of its foot. profile : shares of the radius and height"""
    return lathe(sized(profile, radius, height), segments=segments)


class Fittings:
    """What the drawers and doors of one piece of furniture have in common."""

    def __init__(self, style: Style):
        self.handle = style.pick("handle", {"bar": 3, "knob": 3, "cup": 1.2, "none": 1})
        self.pulled = style.number("pulled out", 0.2, 0.6) * style.maybe("a drawer open", 0.3)
        self.panel = style.number("panel", 0.014, 0.022)
        self.framed = style.maybe("framed fronts", 0.35)

    def grip(self, at: Point, room: float, *, upright: bool = False) -> list[Part]:
        """The handle, if there are any, on a front that faces -y. room : the length it may take half of"""
        if self.handle == "none":
            return []
        if self.handle == "knob":
            solid = lathe([(0.006, -0.003), (0.006, 0.014), (0.015, 0.02), (0.013, 0.03)], segments=16).turned(x=90)
        elif self.handle == "cup":
            half = ellipse(0.09, 0.05, segments=20).minus(rectangle(0.1, 0.05).at(0, -0.025))
            solid = board(half, 0.024).at(z=-0.003).turned(x=90)
        else:
            reach = min(0.08, 0.25 * room)
            posts = [bar((x, 0.003, 0), (x, -0.026, 0), 0.008) for x in (-0.8 * reach, 0.8 * reach)]
            solid = union(bar((-reach, -0.026, 0), (reach, -0.026, 0), 0.011, round=True, sides=10), *posts)
        return [leaf("handle", (solid.turned(y=90) if upright else solid).at(*at))]

    def front(self, xs: Span, y: float, zs: Span) -> Solid:
        """A panel in an opening, standing out from y; sunk within a rim if fronts are framed."""
        wide, tall, at = xs[1] - xs[0] - 0.001, zs[1] - zs[0] - 0.004, (sum(xs) / 2, y - 0.003, sum(zs) / 2)
        solid, rim = box((wide, 0.018, tall), at, bevel=0.002), min(0.05, 0.24 * wide, 0.24 * tall)
        return solid.minus(box((wide - 2 * rim, 0.008, tall - 2 * rim), at).at(y=-0.009)) if self.framed else solid

    def drawer(self, xs: Span, ys: Span, zs: Span, *, pulled: float = 0.0) -> Part:
        """A drawer that fills an opening, drawn out by a share of its depth."""
        front, back = ys
        wide, deep, tall = xs[1] - xs[0] - 0.001, back - front - 0.01, 0.75 * (zs[1] - zs[0])
        x, y, z = sum(xs) / 2, (front + back) / 2 - 0.005, zs[0] + 0.006 + tall / 2
        cheek = box((0.012, deep, tall), (x, y, z))
        sides = leaves("drawer_side", [cheek.at(x=side * (wide - 0.012) / 2) for side in (-1, 1)])
        rear = leaf("drawer_back", box((wide - 0.02, 0.012, tall), (x, back - 0.016, z)))
        floor = leaf("drawer_bottom", box((wide - 0.02, deep - 0.01, 0.008), (x, y, z - tall / 2 + 0.008)))
        face = leaf("drawer_front", self.front(xs, front, zs))
        pull = self.grip((x, front - 0.011 + 0.004 * self.framed, sum(zs) / 2), xs[1] - xs[0])
        whole, depth = part("drawer", part("drawer_box", rear, floor, sides, face), pull), back - front
        return sliding(whole, (0, -1, 0), (0, OUTMOST * depth), stands=pulled * depth)

    def door(self, xs: Span, y: float, zs: Span, *, left: bool) -> Part:
        """A door before an opening, with the handle away from its hinges. left : hinged there"""
        x, z = xs[1] - 0.025 if left else xs[0] + 0.025, 0.4 * zs[0] + 0.6 * zs[1]
        pull = self.grip((x, y - 0.011, z), zs[1] - zs[0], upright=True)
        door = part("cabinet_door", leaf("cabinet_door_surface", self.front(xs, y, zs)), pull)
        return turning(door, (0, 0, -1 if left else 1), (xs[0] if left else xs[1], y - 0.012, 0), (0, WIDEST))

    def case(self, xs: Span, ys: Span, zs: Span, columns: list[list[str]], *, pulled: float = 0.0) -> list[Part]:
        """A box without a lid, open to the front; each column is filled downwards with what its rows name.

        pulled : how far the first drawer stands open, as a share of its depth
        """
        t, wide, deep, tall = self.panel, xs[1] - xs[0] - 1.9 * self.panel, ys[1] - ys[0], zs[1] - zs[0]
        x, y, z = sum(xs) / 2, sum(ys) / 2, sum(zs) / 2
        ends = (xs[0] + t / 2, xs[1] - t / 2)
        made = leaves("vertical_side_panel", [box((t, deep, tall), (end, y, z)) for end in ends])
        made.append(leaf("bottom_panel", box((wide, deep, t), (x, y, zs[0] + t / 2))))
        made.append(leaf("back_panel", box((wide, 0.8 * t, tall), (x, ys[1] - 0.4 * t, z))))
        walls = np.linspace(*ends, len(columns) + 1)
        divider = box((t, deep - 0.8 * t, tall), (0, y - 0.4 * t, z))
        made += leaves("vertical_divider_panel", [divider.at(x=wall) for wall in walls[1:-1]])
        for k, ((left, right), rows) in enumerate(zip(pairwise(walls), columns, strict=True)):
            room = (left + t / 2, right - t / 2), (ys[0], ys[1] - t), (zs[0] + t, zs[1])
            made += self._column(*room, rows, 0.0 if k else pulled)
        return made

    def _column(self, xs: Span, ys: Span, zs: Span, rows: list[str], pulled: float) -> Iterator[Part]:
        heights = np.cumsum([0.0, *({"drawer": 1.0, "shelf": 1.3}.get(row, 2.2) for row in rows)])
        edges = zs[1] - (zs[1] - zs[0]) * heights / heights[-1]
        middle, above = sum(xs) / 2, ""
        for row, (high, low) in zip(rows, pairwise(edges), strict=True):
            if row == "drawer":
                yield self.drawer(xs, ys, (low, high), pulled=0.0 if above else pulled)
            elif row == "door":
                yield self.door(xs, ys[0], (low, high), left=middle > 0)
            elif row == "doors":
                yield self.door((xs[0], middle), ys[0], (low, high), left=True)
                yield self.door((middle, xs[1]), ys[0], (low, high), left=False)
            if above and not row == above == "drawer":
                size = (xs[1] - xs[0] + 0.002, ys[1] - ys[0], 0.8 * self.panel)
                yield leaf("shelf", box(size, (middle, sum(ys) / 2, high - 0.4 * self.panel)))
            above = row
