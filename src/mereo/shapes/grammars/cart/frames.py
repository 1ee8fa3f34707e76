"""What carts are made of: tubes and frames, wires, trays, tubs and boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.joinery import Span, corners, leaves, pair
from mereo.shapes.mesh import Floats, cross
from mereo.shapes.outlines import Outline, Point
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, hull, tube, union
from mereo.shapes.style import Style

__all__ = [
    "Made",
    "basket",
    "cart_frame",
    "cross_bar",
    "lattice",
    "level_corners",
    "measures",
    "open_box",
    "pipe",
    "push_bar",
    "rimmed_tray",
    "tub_container",
    "wire_walls",
]

Made = tuple[list[Part], list[Part]]
"""The parts of a cart's body, and those of what it rolls on."""


def measures(style: Style, **spans: Span) -> list[float]:
    """Several numbers of the style at once, by name."""
    return [style.number(name.replace("_", " "), *span) for name, span in spans.items()]


def cart_frame(*, upright: Iterable[Solid] = (), level: Iterable[Solid] = (), whole: Iterable[Solid] = ()) -> Part:
    """A frame of upright and level bars, or of bent pieces that are both."""
    made = {"frame_vertical_bar": upright, "frame_horizontal_bar": level, "frame_holistic": whole}
    return part("frame", [leaf(name, solid) for name, solids in made.items() for solid in solids])


def pipe(path: Sequence[Point], thick: float, *, turn: float = 0.05) -> Solid:
    """A tube through corners that are rounded by about a radius, straight between them."""
    points = [np.asarray(point, np.float64) for point in path]
    line = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        sides = [(before - corner), (after - corner)]
        start, end = (corner + side * min(0.49, turn / float(np.linalg.norm(side))) for side in sides)
        line += [(1 - s) ** 2 * start + 2 * s * (1 - s) * corner + s * s * end for s in np.linspace(0, 1, 6)]
    return tube([*line, points[-1]], thick / 2)


def push_bar(x: float, start: Span, end: Span, thick: float = 0.025) -> Solid:
    """A tube that rises on both sides, from start to end, (y, z), and crosses there."""
    return pipe([(-x, *start), (-x, *end), (x, *end), (x, *start)], thick)


def cross_bar(x: float, y: float, z: float, thick: float) -> Solid:
    """A round bar from side to side."""
    return bar((-x, y, z), (x, y, z), thick, round=True)


def rimmed_tray(outline: Outline, rim: float, z: float) -> Solid:
    """A floor with a rim around it."""
    return union(board(outline, 0.008), board(outline.minus(outline.grown(-0.008)), rim)).at(z=z)


def lattice(face: Sequence[Point], across: int, up: int, thick: float) -> Solid:
    """Wires that fill the face between four corners, given around. across, up : how many fields

    Those of one direction are thinner: on a twisted face, equal ones would share their planes but for a hair.
    """
    a, b, c, d = (np.asarray(corner, np.float64) for corner in face)
    out = cross(c - a, d - b)
    rising = [bar(a + s * (b - a), d + s * (c - d), thick, facing=out) for s in np.linspace(0, 1, across + 1)]
    level = [bar(a + s * (d - a), b + s * (c - b), 0.8 * thick, facing=out) for s in np.linspace(0, 1, up + 1)]
    return union(*rising, *level)


def level_corners(x: float, front: float, back: float, z: float) -> list[tuple[float, float, float]]:
    """Four corners at a height, front left first, then around."""
    return [(-x, front, z), (x, front, z), (x, back, z), (-x, back, z)]


def wire_walls(low: Sequence[Point], high: Sequence[Point], fields: tuple[int, int, int], thick: float) -> list[Solid]:
    """The wire sides front, right, back and left between lower and upper corners. fields : along x, y and z"""
    faces = [(low[k], low[k - 3], high[k - 3], high[k]) for k in range(4)]
    return [lattice(face, fields[k % 2], fields[2], thick) for k, face in enumerate(faces)]


def basket(bottom: Solid | None, sides: Iterable[Solid]) -> Part:
    """A basket of wire, with or without a floor of its own."""
    floor = leaf("basket_bottom", bottom) if bottom else None
    return part("container", part("basket", floor, leaves("basket_side", sides)))


def tub_container(low: Span, high: Span, z: Span, *, shift: float = 0.0) -> Part:
    """An open trough that widens upwards. low, high : width and length; shift : of its mouth along y"""

    def rim(size: Span, y: float, height: float, less: float) -> Floats:
        return np.array([(a, b + y, height) for a, b in corners((size[0] - less) / 2, (size[1] - less) / 2)])

    outer = [rim(low, 0, z[0], 0), rim(high, shift, z[1], 0)]
    inner = [rim(low, 0, z[0] + 0.01, 0.02), rim(high, shift, z[1], 0.02)]
    walls = [hull(np.concatenate([face[[k, k - 3]] for face in outer + inner])) for k in range(4)]
    room = hull(np.concatenate([*inner, inner[1] + (0, 0, 0.01)]))
    solid = hull(np.concatenate(outer)).minus(room, pieces=[*walls, hull(np.concatenate([outer[0], inner[0]]))])
    return part("container", leaf("tub", solid))


def open_box(w: float, d: float, z: Span, *, front: bool) -> Part:
    """A box of boards without a lid. z : where it begins and ends; front : whether it is closed there"""
    thick, tall, middle = 0.016, z[1] - z[0], sum(z) / 2
    side = box((thick, d, tall), ((w - thick) / 2, 0, middle), bevel=0.003)
    end = box((w - 1.9 * thick, thick, tall), (0, (d - thick) / 2, middle), bevel=0.003)
    floor = leaf("bottom_panel", box((w - 1.9 * thick, d - 0.001, thick), (0, 0, z[0] + thick / 2)))
    faces = [leaf("vertical_front_panel", end.mirrored("y"))] if front else []
    sides = leaves("vertical_side_panel", pair(side))
    return part("container", part("box", floor, sides, faces, leaf("back_panel", end)))
