"""Furniture without doors or a case of its own: racks, ladders, corner shelves and stairs of cases."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.storage_furniture.bases import caster
from mereo.shapes.grammars.storage_furniture.joiner import Space, drawn_joiner, made_case
from mereo.shapes.grammars.storage_furniture.kinds import catalog
from mereo.shapes.grammars.storage_furniture.layouts import filled
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, board, box, union
from mereo.shapes.style import Style

__all__ = ["corner_shelf", "ladder", "rack", "stairs"]


def rack(style: Style) -> list[Part]:
    """Shelves between posts, for a workshop, a kitchen or a hall."""
    width, depth = style.number("width", 0.45, 1.6), style.number("depth", 0.3, 0.5)
    height, post = style.number("height", 0.8, 1.9), style.number("post", 0.018, 0.045)
    round_posts, wheels = style.maybe("round posts", 0.4), style.maybe("wheels", 0.3)
    low = style.number("clearance", 0.08, 0.11) if wheels else 0.0
    x, y = (width - post) / 2, (depth - post) / 2
    spots = [(a, b) for a in (-x, x) for b in (-y, y)]
    above, below = style.number("above", 0.02, 0.2), style.number("below", 0.05, 0.2)
    levels = np.linspace(low + below, height - above, style.count("levels", 3, 5))
    floor = rectangle(width - 0.4 * post, depth - 0.4 * post)
    kind = style.pick("shelf", {"plain": 2, "slatted": 1, "tray": 1})
    if kind == "slatted":
        floor = floor.minus(*(rectangle(0.02, depth - 0.06).at(a) for a in np.arange(-x + 0.05, x - 0.03, 0.065)))
    ends = [((-x, b), (x, b)) for b in (-y, y)] if style.maybe("long rails", 0.6) else []
    ends += [((a, -y), (a, y)) for a in (-x, x)]
    posts = [bar((a, b, low), (a, b, height), post, round=round_posts, bevel=0.003) for a, b in spots]
    rails = [bar((*a, z - 0.015), (*b, z - 0.015), 0.6 * post, 0.03) for z in levels for a, b in ends]
    shelf = board(floor, 0.018, bevel=0.003)
    if kind == "tray":
        shelf = union(shelf, board(floor.minus(floor.grown(-0.012)), style.number("rim", 0.05, 0.12)))
    feet = part("foot_base", [caster(low + 0.004, a, b) for a, b in spots])
    return [
        *leaves("frame_vertical_bar", posts),
        *leaves("frame_horizontal_bar", rails),
        *(leaf("shelf", shelf.at(z=z - 0.006)) for z in levels),
        *([part("cabinet_base", feet)] if wheels else []),
    ]


def ladder(style: Style) -> list[Part]:
    """Shelves that grow deeper downwards, between leaning bars in front and upright ones behind."""
    x, foot = style.number("width", 0.45, 0.8) / 2, style.number("foot", 0.36, 0.5)
    height, tip = style.number("height", 1.3, 1.9), style.number("tip", 0.05, 0.16)
    thick, back = style.number("bar", 0.024, 0.04), foot / 2
    bars = [((side, -back, 0), (side, back - tip, height)) for side in (-x, x)]
    bars += [((side, back, 0), (side, back, height)) for side in (-x, x)]
    parts = [leaf("frame_vertical_bar", bar(a, b, thick, bevel=0.003)) for a, b in bars]
    for y in (back, back - tip):
        rail = bar((-x, y, height - 0.03), (x, y, height - 0.03), 0.7 * thick, 0.04)
        parts.append(leaf("frame_horizontal_bar", rail))
    for share in np.linspace(0.12, 0.88, style.count("levels", 3, 5)):
        front = -back + share * (foot - tip) - 0.02
        size = (2 * x - 0.6 * thick, back - front, 0.022)
        parts.append(leaf("shelf", box(size, (0, (back + front) / 2, share * height), bevel=0.003)))
    return parts


def corner_shelf(style: Style) -> list[Part]:
    """Shelves that fill a corner, a quarter round or cut straight."""
    reach, height = style.number("reach", 0.3, 0.5), style.number("height", 1.0, 1.9)
    thick, steps = style.number("board", 0.016, 0.03), 15 if style.maybe("round", 0.65) else 2
    turns = np.linspace(-np.pi / 2, 0, steps)
    floor = polygon([(0, 0), *((reach * np.cos(turn), reach * np.sin(turn)) for turn in turns)])
    levels = np.linspace(0.05, height - thick, style.count("levels", 4, 6))
    side = Space(-thick, 0.001, -reach - 0.01, thick, 0.0, height + 0.02)
    back = Space(-0.001, reach + 0.01, -0.001, thick, 0.0, height + 0.02)
    names = ["bottom_panel", *["shelf"] * (len(levels) - 2), "top_panel"]
    walls = [leaf("vertical_side_panel", side.solid()), leaf("back_panel", back.solid())]
    return walls + [
        leaf(name, board(floor, thick, (0, 0, z), bevel=0.002)) for name, z in zip(names, levels, strict=True)
    ]


def stairs(style: Style) -> list[Part]:
    """Cases side by side, each higher than the one before, as under a roof."""
    depth, count = style.number("depth", 0.3, 0.42), style.count("steps", 3, 4)
    step, rise = style.number("step", 0.36, 0.5), style.number("rise", 0.32, 0.42)
    whole = Space(-count * step / 2, count * step / 2, -depth / 2, depth / 2, 0.0, count * rise)
    joiner = drawn_joiner(style, whole, catalog().doors["mixed"], catalog().handles)
    lowest = style.pick("lowest", {"open": 1, "door": 1, "drawers:2": 1})
    heights = range(count)[:: -1 if style.maybe("falling", 0.5) else 1]
    parts = []
    for place, rows in enumerate(heights):
        x = whole.x0 + place * step
        case = whole._replace(x0=x, x1=x + step, z1=(rows + 1) * rise)
        layout = " / ".join(["open"] * rows + [lowest])
        parts += [*made_case(joiner, case, top="flush"), *filled(joiner, joiner.inside(case), layout)]
    return parts
