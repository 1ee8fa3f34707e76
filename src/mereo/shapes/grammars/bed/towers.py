"""Beds of posts and fences: bunks, lofts, cots and little houses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.bed.boards import end_boards, rod_board, wooden_board
from mereo.shapes.grammars.bed.frames import deck_maker, leg_base, made_post, side_panels, side_surface, stretchers
from mereo.shapes.grammars.bed.sizes import RAIL, Size, drawn_size
from mereo.shapes.grammars.bed.sleep import bed_unit, sleep_area
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, prism
from mereo.shapes.style import Style

__all__ = ["bunk", "cot", "house", "loft"]


def bunk(style: Style) -> list[Part]:
    """Two beds, seldom three, one above the other."""
    size, step = drawn_size(style, 0.26, 0.38, widths=("single",)), style.number("headroom", 0.95, 1.15)
    tiers = 3 if style.maybe("three", 0.12) else 2
    return _tower(style, size._replace(thick=0.14), [size.deck + step * tier for tier in range(tiers)])


def loft(style: Style) -> list[Part]:
    """One bed high above the ground, with room for a desk below."""
    size = drawn_size(style, 1.2, 1.75, widths=("single", "double"))
    return _tower(style, size._replace(thick=0.14), [size.deck])


def _tower(style: Style, size: Size, decks: list[float]) -> list[Part]:
    """Beds between tall posts or on long legs, barred ends, fences against falling out, and a ladder."""
    metal, rise = style.maybe("metal", 0.4), style.number("end rise", 0.28, 0.42)
    thick = style.number("post", 0.05, 0.085) * (0.6 if metal else 1)
    design = (
        rod_board(style, thick) if metal else wooden_board(style, {"bars": 1, "slats": 1, "plain": 1}, crowns=("flat",))
    )
    deck, fence = deck_maker(style), _fence(style, metal)
    end = size.length / 2 + float(design(1.0, 0.5).bounds()[1, 1])
    ladder, opening = _ladder(style, size, decks[-1], end, metal)
    high = decks[-1] + size.thick + rise
    posts = [bar((x, y, 0.0), (x, y, high), thick, round=metal, bevel=0.006) for x, y in size.corners()]
    units: list[Part] = []
    for tier, height in enumerate(decks):
        here = size._replace(deck=height)
        top = here.top + rise
        frame = [*side_panels(here, height - 0.075, height + 0.035), deck(here)]
        frame += end_boards(here, design, height - 0.08, top - 0.03, top - 0.03, margin=0.0)
        if height > 0.8:
            frame += [fence(here, -here.side, -here.end), fence(here, here.side, opening)]
        if len(decks) == 1:
            frame.append(leg_base(posts, stretchers(here, style.number("bar height", 0.2, 0.5), metal)))
        elif not tier:
            frame += leaves("bed_post", posts)
        units += bed_unit(frame, sleep_area(style, here, foot=True, where=f"tier {tier} "))
    return [*units, ladder]


def cot(style: Style) -> list[Part]:
    """A child's bed: upright bars around a small mattress, one side sometimes lowered."""
    width, length = style.number("width", 0.6, 0.75), style.number("length", 1.18, 1.4)
    size = Size(width, length, style.number("deck", 0.24, 0.42), 0.12)
    low, height, thick = size.deck - 0.08, style.number("height", 0.85, 1.05), style.number("post", 0.04, 0.06)
    lowered = style.number("lowered side", 0.6, 0.75) if style.maybe("lowered", 0.3) else 1.0
    round_bars, ys = (
        style.maybe("round bars", 0.6),
        np.linspace(-size.end, size.end, style.count("side bars", 8, 13) + 2),
    )
    design, post = wooden_board(style, {"plain": 1.5, "bars": 2, "framed": 1}), made_post(style, thick, height)
    frame = [leaf("bed_post", post.at(x, y)) for x, y in size.corners()]
    for x, top in ((-size.side, height - 0.06), (size.side, lowered * height - 0.06)):
        rails = [box((0.03, 2 * size.end, 0.045), (x, 0, z), bevel=0.006) for z in (low, top)]
        bars = [bar((x, y, low), (x, y, top), 0.018, round=round_bars, sides=10) for y in ys[1:-1]]
        frame.append(side_surface(horizontal=rails, vertical=bars))
    frame += end_boards(size, design, low, height - 0.02, height - 0.02, margin=0.0)
    return bed_unit([*frame, deck_maker(style)(size)], sleep_area(style, size, foot=True))


def house(style: Style) -> list[Part]:
    """A child's bed near the floor under the bare rafters of a little house, slats on one side of its roof."""
    size = drawn_size(style, 0.1, 0.22, widths=("single",))._replace(thick=0.14)
    thick, eaves = style.number("post", 0.045, 0.07), style.number("eaves", 1.05, 1.35)
    ridge = eaves + style.number("gable", 0.35, 0.5)

    def design(width: float, height: float) -> Solid:
        x = (width + thick) / 2
        walls = polygon([(-x, 0), (x, 0), (x, eaves), (0, height), (-x, eaves)])
        bars = [rectangle(3, thick).at(0, z) for z in (size.deck, size.top + 0.2)]
        return prism(walls.minus(walls.grown(-thick).minus(*bars)), thick, along="y").at(y=thick / 2)

    fence = _fence(style, False)
    rafters: list[tuple[float, float]] = [
        (-size.side, eaves - thick / 2),
        (size.side, eaves - thick / 2),
        (0.0, ridge - 1.2 * thick),
    ]
    slats = style.count("roof slats", 0, 4)
    for share in (np.arange(slats) + 1) / (slats + 1):
        rafters.append((size.side * share, ridge - 0.6 * thick - share * (ridge - eaves)))
    beams = [bar((x, -size.end, z), (x, size.end, z), thick, bevel=0.004) for x, z in rafters]
    sides = [fence(size, -size.side, -size.end), fence(size, size.side, 0.1), side_surface(horizontal=beams)]
    ends = end_boards(size, design, 0.0, ridge, ridge, margin=0.0)
    frame = [*ends, *side_panels(size, 0.0, size.deck + 0.04), *sides, deck_maker(style)(size)]
    return bed_unit(frame, sleep_area(style, size, foot=True))


def _fence(style: Style, metal: bool) -> Callable[[Size, float, float], Part]:
    """Against falling out: from a rail at x, between y and the head end."""
    design = style.pick("fence", {"bars": 1.5, "spindles": 1, "panel": 0 if metal else 1})
    rise, count = style.number("fence rise", 0.16, 0.26), style.count("fence bars", 1, 2)

    def make(size: Size, x: float, y: float) -> Part:
        top, long, ends = size.top + rise, size.end - y, (y + 0.02, size.end - 0.02)
        ys = np.linspace(*ends, max(round(long / 0.14), 2)) if design == "spindles" else ends
        upright = [bar((x, at, size.deck), (x, at, top), 0.024, round=metal, sides=10) for at in ys]
        if design == "panel":
            tall = 0.7 * rise + 0.05
            sheet = box((0.026, long, tall), (x, (size.end + y) / 2, top - tall / 2), bevel=0.004)
            return side_surface(vertical=upright, panel=[sheet])
        heights = np.linspace(size.top, top, count + 1)[1:] if design == "bars" else [top]
        level = [bar((x, y, z), (x, size.end, z), 0.03, 0.03 if metal else 0.06, round=metal) for z in heights]
        return side_surface(vertical=upright, horizontal=level)

    return make


def _ladder(style: Style, size: Size, height: float, end: float, metal: bool) -> tuple[Part, float]:
    """Against the right side or the foot end, upright or leaning; and where the fence beside it may begin.

    height : of the deck that it leads to
    end : the outside of the footboard, from the middle of the bed
    """
    at_foot, lean = style.maybe("ladder at the foot", 0.3), style.number("ladder lean", 0.0, 0.4)
    thick, half, count = style.number("ladder bar", 0.03, 0.045), 0.19, style.count("rungs", 4, 6)
    reach, y = (end, 0.0) if at_foot else (size.side + RAIL / 2, half + 0.07 - size.end)
    top, tread = height + size.thick + (0.1 if lean > 0.15 else 0.25), style.number("tread", 0.03, 0.09)

    def spot(z: float, side: int) -> tuple[float, float, float]:
        return (reach + thick / 2 - 0.004 + lean * (1 - z / (height - 0.02)), y + side * half, z)

    bars = [bar(spot(0, side), spot(top, side), thick, round=metal) for side in (-1, 1)]
    heights = (np.arange(count) + 1) * height / (count + 0.4)
    rungs = [bar(spot(z, -1), spot(z, 1), 0.026 if metal else tread, 0.026, round=metal) for z in heights]
    turn = -90 if at_foot else 0
    uprights = leaves("ladder_vertical_bar", [solid.turned(z=turn) for solid in bars])
    steps = leaves("rung", [solid.turned(z=turn) for solid in rungs])
    return part("ladder", uprights, steps), -size.end if at_foot else y + half + 0.05
