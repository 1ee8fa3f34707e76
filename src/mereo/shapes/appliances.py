"""What machines of the house have in common: hollow cases, fronts, handles, knobs, buttons, feet, baskets and cords.

Fronts lie at y = 0 and face -y. What stands on one is made around the origin and moved to its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from mereo.shapes.joinery import Span, corners
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Outline, Point, polygon, rectangle
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, hull, prism, tube, union
from mereo.shapes.style import Style

__all__ = [
    "basket",
    "buttons",
    "cabinet",
    "cord",
    "feet",
    "framed_pane",
    "knob_maker",
    "pull_maker",
    "slab",
    "soft",
    "spaced",
]

_CLOSE = 2e-5
"""Meters: corners closer than this are one."""

_BASKET, _WIRE = (0.5, 0.5, 0.16), 0.006
"""The usual width, depth and height of a basket and how thick its wires are, meters."""

Handle = Callable[[float], Solid]
"""From a length to a level handle around the origin, on a front at y = 0."""


def cabinet(xs: Span, depth: float, zs: Span, opening: tuple[Span, Span], inner: float, *, corner: float) -> Solid:
    """A case from y = 0 to its depth with a room behind an opening of its front.

    opening : left and right, low and high; inner : how deep the room is; corner : the radius of the case's edges
    """
    (left, right), (low, high) = opening
    middle = sum(xs) / 2, depth / 2, sum(zs) / 2
    body = prism(rectangle(xs[1] - xs[0], zs[1] - zs[0], corner=corner), depth, along="y").at(*middle)
    room = box((right - left, 2 * inner, high - low), ((left + right) / 2, 0, (low + high) / 2))
    walls = [
        box((x1 - x0, depth, zs[1] - zs[0]), ((x0 + x1) / 2, *middle[1:])) for x0, x1 in ((xs[0], left), (right, xs[1]))
    ]
    walls += [
        box((xs[1] - xs[0], depth, z1 - z0), (*middle[:2], (z0 + z1) / 2)) for z0, z1 in ((zs[0], low), (high, zs[1]))
    ]
    walls.append(box((xs[1] - xs[0], depth - inner, zs[1] - zs[0]), (middle[0], (inner + depth) / 2, middle[2])))
    return body.minus(room, pieces=walls)


def slab(design: str, width: float, height: float, thick: float) -> Solid:
    """A front from y = -thick to 0, around the origin: flat, soft, framed, grooved or bowed."""
    if design == "soft":
        return soft(rectangle(width, height, corner=0.02), thick, 0.5 * thick).turned(x=90)
    if design == "bowed":
        arc = [(x * width / 2, -thick - 0.025 * (1 - x**2)) for x in np.linspace(-1, 1, 11)]
        return board(polygon([*arc, (width / 2, 0), (-width / 2, 0)]), height, (0, 0, -height / 2), bevel=0.005)
    body = box((width, thick, height), (0, -thick / 2, 0), bevel=0.004)
    if design == "framed":
        rim = 0.12 * min(width, height)
        return body.minus(box((width - 2 * rim, 0.014, height - 2 * rim), (0, -thick, 0)))
    if design == "grooved":
        places = np.arange(-width / 2 + 0.07, width / 2 - 0.03, 0.07)
        return body.minus(*(box((0.006, 0.008, height - 0.03), (x, -thick, 0)) for x in places))
    return body


def framed_pane(size: Span, thick: float, border: tuple[float, float], *, corner: float = 0.0) -> tuple[Solid, Solid]:
    """An upright frame from y = -thick to 0 around the origin, and the pane that fills it.

    size : width and height; border : of the sides, and of top and bottom
    """
    (wide, tall), (side, edge) = size, border
    inner = wide - 2 * side, tall - 2 * edge
    rim = rectangle(wide, tall, corner=corner).minus(rectangle(*inner, corner=0.01, segments=12))
    bars = [box((side, thick, tall), (x * (wide - side) / 2, 0, 0)) for x in (-1, 1)]
    bars += [box((wide, thick, edge), (0, 0, z * (tall - edge) / 2)) for z in (-1, 1)]
    pieces = tuple(piece for solid in bars for piece in solid.pieces)
    frame = Solid(rim.extruded(thick).rotate((90, 0, 0)).translate((0, thick / 2, 0)), pieces).at(y=-thick / 2)
    return frame, box((inner[0] + 0.004, 0.3 * thick, inner[1] + 0.004), (0, -0.5 * thick, 0))


def soft(outline: Outline, height: float, radius: float, *, foot: float = 0.0, steps: int = 4) -> Solid:
    """A convex block from z = 0 whose upper rim is rounded, and the lower one too where a radius is given."""
    rims = []
    for turn in np.linspace(0, np.pi / 2, steps + 1):
        inset, drop = 1 - np.cos(turn), 1 - np.sin(turn)
        rims.append(_ring(outline, radius * inset, height - radius * drop))
        rims.append(_ring(outline, foot * inset, foot * drop))
    return hull(np.concatenate(rims))


def _ring(outline: Outline, inset: float, z: float) -> Floats:
    border = (outline.grown(-inset) if inset else outline).corners()[0]
    steps = np.linalg.norm(border - np.roll(border, 1, 0), axis=1)
    border = border[steps > _CLOSE]  # a round corner that is nearly used up leaves a cluster
    return np.column_stack([border, np.full(len(border), z)])


def pull_maker(style: Style, designs: dict[str, float]) -> Handle:
    """Handles of one design: a round or square bar on studs, a bow, a strip along an edge, or a grip plate."""
    design = style.pick("handle", designs)
    thick, out = style.number("handle thickness", 0.014, 0.024), style.number("handle reach", 0.03, 0.05)

    def make(length: float) -> Solid:
        end = length / 2
        if design == "bow":
            arc = [(-end, 0.004, 0), (-0.95 * end, -0.7 * out, 0), (-0.5 * end, -out, 0)]
            return tube(bent([*arc, *((-x, y, z) for x, y, z in reversed(arc))]), thick / 2, segments=10)
        if design == "strip":
            return box((length, 0.044, 0.02), (0, -0.016, 0), bevel=0.007)
        if design == "grip":
            hook = [(4, -12), (4, 14), (-20, 14), (-28, 8), (-28, -12), (-20, -12), (-20, 4), (-8, 4), (-8, -12)]
            lip = polygon([(0.001 * y, 0.001 * z) for y, z in hook])
            return prism(lip, length, along="x")
        studs = [
            bar((x, 0.004, 0), (x, -out, 0), 0.8 * thick, round=design == "round") for x in (0.03 - end, end - 0.03)
        ]
        return union(bar((-end, -out, 0), (end, -out, 0), thick, round=design == "round", bevel=0.003), *studs)

    return make


def knob_maker(style: Style) -> Callable[[float], Solid]:
    """Knobs of one design, from their radius: a drum, a cone, a cap, or a disk with a grip across it.

    They stand out towards -y and have a mark, so that one sees how they are turned.
    """
    design = style.pick("knob", {"drum": 1, "cone": 1, "grip": 1, "cap": 1})
    taper = {"cone": 0.7, "cap": 0.88}.get(design, 1.0)

    def make(radius: float) -> Solid:
        high, bevel = 0.8 * radius, 0.15 * radius
        if design == "grip":
            disk = cylinder(radius, 0.3 * high, (0, 0, -0.003), bevel=bevel)
            mark = box((0.34 * radius, 1.7 * radius, high), (0, 0, high / 2 - 0.002), bevel=0.08 * radius)
        else:
            disk = cylinder(radius, high, (0, 0, -0.003), top=taper * radius, bevel=bevel)
            mark = box((0.14 * radius, 0.7 * radius, 0.1 * high), (0, 0.4 * radius, high - 0.003))
        return union(disk, mark).turned(x=90)

    return make


def buttons(
    columns: int, rows: int, pitch: Span, *, fill: float = 0.7, out: float = 0.003, round: bool = False
) -> Solid:
    """Rows of equal buttons that stand out from a front, around the origin. pitch : across and up"""
    size = fill * min(pitch)
    if round:
        key = cylinder(size / 2, out + 0.003).at(z=-0.003).turned(x=90)
    else:
        key = box((fill * pitch[0], out + 0.003, size), (0, (0.003 - out) / 2, 0), bevel=0.001)
    places = [(x - (columns - 1) / 2, z - (rows - 1) / 2) for x in range(columns) for z in range(rows)]
    return union(*(key.at(pitch[0] * x, 0, pitch[1] * z) for x, z in places))


def feet(x: float, ys: Span, height: float, radius: float, *, square: bool = False) -> list[Solid]:
    """Four feet under a case, `x` to either side, that run two millimeters into it."""
    middle, reach = sum(ys) / 2, (ys[1] - ys[0]) / 2
    foot = cylinder(0.85 * radius, height + 0.002, top=radius)
    if square:
        foot = box((1.8 * radius, 1.8 * radius, height + 0.002), (0, 0, height / 2 + 0.001))
    return [foot.at(side, middle + y) for side, y in corners(x, reach)]


def _lattice(width: float, depth: float, gaps: tuple[int, int], wire: float) -> Solid:
    """A level lattice of wires around the origin, as thick as they are. gaps : how many across and away"""
    wide, deep = (width - wire) / gaps[0], (depth - wire) / gaps[1]
    hole = rectangle(wide - wire, deep - wire)
    places = [(x, y) for x in spaced(gaps[0], wide) for y in spaced(gaps[1], deep)]
    net = rectangle(width, depth).minus(*(hole.at(x, y) for x, y in places))
    return Solid(net.extruded(wire), box((width, depth, wire), (0, 0, wire / 2)).pieces).at(z=-wire / 2)


def basket(width: float, depth: float, height: float, gaps: tuple[int, int, int]) -> Solid:
    """An open basket of wire on the middle of its floor. gaps : how many across, away and up"""
    return _usual_basket(gaps).scaled(width / _BASKET[0], depth / _BASKET[1], height / _BASKET[2])


@cache
def _usual_basket(gaps: tuple[int, int, int]) -> Solid:
    """Kept, because cutting so many holes takes longer than all else of a dishwasher."""
    wide, deep, tall = _BASKET[0] - _WIRE, _BASKET[1] - _WIRE, _BASKET[2]
    front = _lattice(_BASKET[0], tall, gaps[::2], _WIRE).turned(x=90).at(z=tall / 2)
    cheek = _lattice(tall, deep, gaps[2:0:-1], _WIRE).turned(y=90).at(z=tall / 2)
    walls = [front.at(y=side * deep / 2) for side in (-1, 1)] + [cheek.at(x=side * wide / 2) for side in (-1, 1)]
    return union(_lattice(wide, deep, gaps[:2], _WIRE).at(z=_WIRE / 3), *walls)


def cord(start: Point, *, length: float) -> Solid:
    """A cable that leaves the back of a machine and lies on the table behind it, with its plug at the end."""
    x, y, z = start
    end, thick = (x + 0.06, y + length), 0.006
    path = [(x, y - 0.01, z), (x, y + 0.03, z), (x, y + 0.05, thick / 2), (x + 0.03, y + 0.3 * length, thick / 2)]
    path += [(x - 0.05, y + 0.6 * length, thick / 2), (*end, thick / 2)]
    plug = box((0.022, 0.034, 0.022), (end[0], end[1] + 0.01, 0.011), bevel=0.004)
    pin = bar((end[0], end[1] + 0.02, 0.011), (end[0], end[1] + 0.045, 0.011), 0.004)
    return union(tube(bent(path), thick / 2, segments=8), plug, *(pin.at(x=side) for side in (-0.005, 0.005)))


def spaced(count: int, step: float) -> Sequence[float]:
    """Places of so many equal things around the origin."""
    return [(k - (count - 1) / 2) * step for k in range(count)]
