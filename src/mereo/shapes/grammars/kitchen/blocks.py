"""Blocks that hold knives: slanted, upright, round, or a board with magnets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mereo.shapes.articulation import moved, sliding
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import about
from mereo.shapes.joint import shifted
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import polygon
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, hull, lathe, prism
from mereo.shapes.style import Style


@grammar("knife_block")
def knife_block(style: Style) -> Part:
    """Knives in the slots of a block, which may be drawn, or on the face of a board."""
    kind = style.pick("kind", {"slanted": 2.5, "tower": 1.2, "round": 1, "board": 1.2})
    knife = _knife(style)
    material = style.pick("material", {"wood": 3, "painted_wood": 1, "plastic": 1})
    if kind == "board":
        return _board(style, knife, material)
    rows, columns = style.count("rows", 2, 3), style.count("columns", 2, 3)
    wide = 0.034 * columns + 0.022
    deep = 0.038 * rows + 0.022
    tall, lean = style.number("height", 0.2, 0.24), style.number("lean", 20, 32) if kind == "slanted" else 0.0
    if kind == "round":
        radius = 0.5 * float(np.hypot(wide, deep)) + 0.006
        body = cylinder(radius, tall, (0, 0, 0.01), bevel=0.004)
    else:
        body = (
            _slanted(wide, deep, tall, lean) if lean else box((wide, deep, tall), (0, 0, tall / 2 + 0.01), bevel=0.004)
        )
    spots = [
        ((c - (columns - 1) / 2) * 0.034, (r - (rows - 1) / 2) * 0.038) for r in range(rows) for c in range(columns)
    ]
    lengths = [float(size) for size in np.linspace(0.12, 0.175, rows).repeat(columns)]
    top = tall + 0.01
    frame = _frame(lean, top)
    knives, slots = [], []
    for (x, y), length in zip(spots, lengths, strict=True):
        at = frame @ shifted(x, y)
        made = moved(knife(length), at)
        knives.append(sliding(made, tuple(frame[:3, 2]), (0, length)))
        slots.append(_put(box((0.0045, 0.031, length + 0.008), (0, 0, -(length + 0.008) / 2 + 0.001)), at))
    block = [leaf("body", body.minus(*slots), material)]
    if kind != "slanted":
        foot = (
            cylinder(radius + 0.008, 0.012, bevel=0.003)
            if kind == "round"
            else box((wide + 0.02, deep + 0.02, 0.012), (0, 0, 0.006), bevel=0.003)
        )
        block.append(leaf("base", foot, style.pick("base material", {"wood": 1, "metal": 1, "plastic": 1})))
    return part("knife_block", part("block", block), knives)


def _frame(lean: float, top: float) -> Floats:
    """(4, 4) float: from the middle of the top face, knives pointing down its z, to the shape; it leans to -y."""
    return about((1.0, 0.0, 0.0), lean) @ shifted(0, 0, top)


def _put(solid: Solid, matrix: Floats) -> Solid:
    body = solid.body.transform(matrix[:3])
    return Solid(body, tuple(piece @ matrix[:3, :3].T + matrix[:3, 3] for piece in solid.pieces))


def _slanted(wide: float, deep: float, tall: float, lean: float) -> Solid:
    """A beam cut level at its foot, with a toe before it so that it does not fall over."""
    turn = np.radians(lean)
    along, across = np.array([-np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    top = (tall + 0.01) * along
    front, back = top - deep / 2 * across, top + deep / 2 * across

    def foot(point: Floats, z: float) -> Floats:
        down: Floats = point - along * (point[1] - z) / along[1]
        return down

    toe = min(float(front[0]) + 0.01, float(foot(front, 0.0)[0]) - 0.03)
    rise = 0.018
    outline = [(toe, 0.0), foot(back, 0.0), back, front, foot(front, rise), (toe, rise)]
    return prism(polygon(np.array(outline)), wide, along="x")


def _knife(style: Style) -> Callable[[float], Part]:
    """From the length of a blade to an upright knife, its edge to -y, its heel at the origin, the handle above."""
    design = style.pick("handles", {"straight": 1, "round": 1, "curved": 1.2})
    thick, long = style.number("handle thickness", 0.016, 0.02), style.number("handle length", 0.095, 0.12)
    material = style.pick("handle material", {"plastic": 2, "wood": 2, "metal": 0.8})
    bolster = style.maybe("bolsters", 0.6)

    def make(length: float) -> Part:
        reach = long * (0.75 + 0.25 * length / 0.175)
        low = 0.012 if bolster else 0.001
        if design == "round":
            grip = lathe(
                [(0.4 * thick, 0), (0.5 * thick, 0.2 * reach), (0.62 * thick, 0.7 * reach), (0.4 * thick, reach)],
                segments=14,
            ).at(z=low)
        elif design == "straight":
            grip = bar((0, 0, low), (0, 0, low + reach), thick, 1.35 * thick, bevel=0.003)
        else:
            waist = [(1.3, 0), (1.1, 0.3), (1.35, 0.7), (1.6, 1.0)]
            front = [(-0.5 * w * thick, low + z * reach) for w, z in waist]
            rear = [(0.55 * thick, low + z * reach) for _, z in reversed(waist)]
            grip = prism(polygon([*front, *rear][::-1]), 0.9 * thick, along="x")
        wide = 0.016 + 0.012 * (length - 0.12) / 0.055
        points = [
            (-wide / 2, 0.003),
            (wide / 2, 0.003),
            (wide / 2, -0.75 * length),
            (0.4 * wide, -length),
            (-wide / 2, -0.72 * length),
        ]
        blade = hull(np.array([(x, y, z) for x in (-0.001, 0.001) for y, z in points]))
        parts = [leaf("handle", grip, material), leaf("blade", blade, "metal")]
        if bolster:
            parts.append(leaf("bolster", box((0.8 * thick, 1.1 * thick, 0.013), (0, 0, 0.0065), bevel=0.002), "metal"))
        return part("knife", parts)

    return make


def _board(style: Style, knife: Callable[[float], Part], material: str) -> Part:
    """An upright board on a foot; knives hang on its face, handles above, points down."""
    count = style.count("knives", 4, 6)
    wide, tall = 0.045 * count + 0.02, style.number("height", 0.22, 0.26)
    face = box((wide, 0.022, tall), (0, 0.011, tall / 2 + 0.008), bevel=0.003)
    foot = box(
        (wide * style.number("foot width", 0.7, 1.0), style.number("foot depth", 0.1, 0.13), 0.014),
        (0, 0.011, 0.007),
        bevel=0.003,
    )
    xs = (np.arange(count) - (count - 1) / 2) * 0.045
    lengths = np.linspace(0.175, 0.12, count)
    knives = []
    for x, length in zip(xs, lengths, strict=True):
        hung = moved(knife(float(length)), shifted(float(x), -0.0005, tall + 0.004) @ about((0.0, 0.0, 1.0), 90))
        knives.append(sliding(hung, (0, -1, 0), (0, 0.15)))
    block = [leaf("body", face, material), leaf("base", foot, style.pick("base material", {"wood": 1, "metal": 1}))]
    return part("knife_block", part("block", block), knives)
