"""Beds of all kinds, from bedsteads and divans to bunks, lofts, cots and four-posters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.bed.boards import end_boards, sleigh_board, soft_board, tube_board, wooden_board
from mereo.shapes.grammars.bed.frames import (
    deck_maker,
    leg_base,
    leg_maker,
    made_post,
    side_panels,
    side_surface,
    stretchers,
)
from mereo.shapes.grammars.bed.low import divan, platform, round_bed
from mereo.shapes.grammars.bed.sizes import drawn_size
from mereo.shapes.grammars.bed.sleep import bed_unit, sleep_area
from mereo.shapes.grammars.bed.towers import bunk, cot, house, loft
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, cylinder
from mereo.shapes.style import Style


@grammar("bed")
def bed(style: Style) -> Part:
    """A mattress in a frame; two frames and a ladder make a bunk, one on long legs a loft."""
    makers: dict[str, tuple[float, Callable[[Style], list[Part]]]] = {
        "bedstead": (3.5, _bedstead), "metal": (2.0, _metal), "platform": (2.4, platform), "divan": (2.2, divan),
        "sleigh": (1.3, _sleigh), "poster": (1.7, _poster), "bunk": (2.4, bunk), "loft": (1.6, loft),
        "cot": (1.4, cot), "daybed": (1.3, _daybed), "house": (0.9, house), "round": (0.7, round_bed),
    }  # fmt: skip
    kind = style.pick("kind", {name: weight for name, (weight, _) in makers.items()})
    return part("bed", makers[kind][1](style))


def _bedstead(style: Style) -> list[Part]:
    """Wooden rails on legs between a headboard and, half the time, a footboard."""
    size = drawn_size(style, 0.26, 0.42)
    design = wooden_board(style, {"plain": 1.5, "framed": 2, "bars": 2, "slats": 1.5, "lattice": 1, "bookcase": 1})
    low, high = size.deck + 0.05 - style.number("rail", 0.14, 0.22), size.deck + 0.05
    foot = size.top + style.number("foot rise", 0.06, 0.25) if style.maybe("footboard", 0.5) else 0.0
    ends = end_boards(size, design, low, size.top + style.number("head rise", 0.3, 0.65), foot)
    leg = leg_maker(style)
    legs = [leg(x, y, low + 0.04) for x, y in size.corners(0.015)]
    bars = stretchers(size, 0.5 * low) if low > 0.16 and style.maybe("stretchers", 0.4) else []
    frame = [*ends, *side_panels(size, low, high, foot=not foot), deck_maker(style)(size), leg_base(legs, bars)]
    return bed_unit(frame, sleep_area(style, size, foot=foot > 0))


def _metal(style: Style) -> list[Part]:
    """Bent tubes at the ends, thin rails, and room below."""
    size = drawn_size(style, 0.28, 0.44, widths=("single", "double", "queen"))
    thick, footboard = style.number("tube", 0.026, 0.042), style.maybe("footboard", 0.7)
    head, foot = size.top + style.number("head rise", 0.35, 0.7), size.top + style.number("foot rise", 0.15, 0.35)
    ends = end_boards(size, tube_board(style, thick), 0.1, head, foot if footboard else 0.0, margin=0.0)
    x, y, z = size.side, size.length / 2 + thick / 2, size.deck
    rails = [bar((-x, -y, z), (-x, y, z), 0.03, 0.05), bar((x, -y, z), (x, y, z), 0.03, 0.05)]
    if not footboard:
        rails.append(bar((-x, -y, z), (x, -y, z), 0.03, 0.05))
    heights = {-y: 0.12 if footboard else z, 0.0: z, y: 0.12}
    legs = [cylinder(0.46 * thick, high, (side * x, at, 0)) for at, high in heights.items() for side in (-1, 1)]
    frame = [*ends, *(side_surface(horizontal=[rail]) for rail in rails), deck_maker(style)(size), leg_base(legs)]
    return bed_unit(frame, sleep_area(style, size, foot=footboard))


def _sleigh(style: Style) -> list[Part]:
    """Head and foot roll outwards like the ends of a sleigh."""
    size = drawn_size(style, 0.28, 0.4, widths=("double", "queen", "king"))
    design, low = sleigh_board(style)
    heights = size.top + style.number("head rise", 0.35, 0.6), size.top + style.number("foot rise", 0.05, 0.25)
    leg = leg_maker(style)
    legs = [leg(x, y + np.sign(y) * 0.01, low + 0.03) for x, y in size.corners()]
    rails = side_panels(size, low, size.deck + 0.06)
    frame = [*end_boards(size, design, low, *heights), *rails, deck_maker(style)(size), leg_base(legs)]
    return bed_unit(frame, sleep_area(style, size, foot=True))


def _poster(style: Style) -> list[Part]:
    """A post at each corner, as high as a door or as the headboard, the tall ones often joined at the top."""
    size = drawn_size(style, 0.34, 0.5, widths=("double", "queen", "king"))
    thick, tall = style.number("post", 0.055, 0.09), style.maybe("tall", 0.75)
    low, high = size.deck + 0.05 - style.number("rail", 0.14, 0.24), size.deck + 0.05
    height = style.number("post height", 1.9, 2.2) if tall else size.top + style.number("post rise", 0.5, 0.8)
    design = wooden_board(style, {"plain": 1, "framed": 2, "bars": 2, "slats": 1})
    foot = size.top + style.number("foot rise", 0.02, 0.2) if style.maybe("footboard", 0.5) else 0.0
    head = min(size.top + style.number("head rise", 0.3, 0.6), height - 0.1)
    frame = [*end_boards(size, design, low, head, foot, margin=0.0), *side_panels(size, low, high, foot=not foot)]
    if tall and style.maybe("canopy", 0.65):
        z, ys = height - 0.06, np.linspace(-size.end, size.end, style.count("rafters", 2, 5))
        rods = [bar((x, -size.end, z), (x, size.end, z), 0.6 * thick, bevel=0.004) for x in (-size.side, size.side)]
        rods += [bar((-size.side, y, z), (size.side, y, z), 0.6 * thick, bevel=0.004) for y in ys]
        frame.append(side_surface(horizontal=rods))
    post = made_post(style, thick, height)
    posts = [leaf("bed_post", post.at(x, y)) for x, y in size.corners()]
    return bed_unit([*frame, *posts, deck_maker(style)(size)], sleep_area(style, size, foot=foot > 0))


def _daybed(style: Style) -> list[Part]:
    """Walled on three sides, to sit on by day: the third wall is a board along the left side."""
    size, low = drawn_size(style, 0.28, 0.38, widths=("single",)), 0.1
    walls = style.pick("walls", {"wood": 2.0, "soft": 1.0, "metal": 1.5})
    if walls == "wood":
        design = wooden_board(style, {"plain": 1, "bars": 2, "lattice": 1, "framed": 1})
    else:
        design = soft_board(style) if walls == "soft" else tube_board(style, 0.032)
    top = size.top + style.number("wall rise", 0.25, 0.45)
    arms = top - style.number("arm drop", 0.0, 0.15)
    wall = design(size.length, top - low).turned(z=90).at(x=-size.width / 2, z=low)
    leg = leg_maker(style)
    base = leg_base([leg(x, y, low + 0.06) for x, y in size.corners(0.01)])
    sides = [side_surface(panel=[wall]), *side_panels(size, low + 0.04, size.deck + 0.04)]
    frame = [*end_boards(size, design, low, arms, arms), *sides, deck_maker(style)(size), base]
    return bed_unit(frame, sleep_area(style, size, foot=True, sofa=True))
