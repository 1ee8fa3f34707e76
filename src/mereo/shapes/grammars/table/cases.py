"""Bases to keep things in: desks, chests and shelves."""

from __future__ import annotations

from collections.abc import Iterator

from mereo.shapes.articulation import sliding
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.table.legs import caster
from mereo.shapes.grammars.table.tops import Top
from mereo.shapes.joinery import Fittings, Span, corners, leaves
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, board, box
from mereo.shapes.style import Style

__all__ = ["chest", "desk", "shelves_base"]

_ROWS = {
    "drawer": ["drawer"],
    "drawers": ["drawer"] * 3,
    "many drawers": ["drawer"] * 4,
    "door": ["door"],
    "doors": ["doors"],
    "drawer over door": ["drawer", "door"],
    "drawer over doors": ["drawer", "doors"],
    "drawer over shelf": ["drawer", "shelf"],
    "shelves": ["shelf", "shelf"],
}
"""What a column of a case may hold, downwards."""


def _stand(style: Style, spots: list[Span], height: float, *, long: bool) -> list[Part]:
    """Something under each corner of a case that begins at a height."""
    kind = "leg" if long else style.pick("stand", {"foot": 2, "caster": 1.2, "leg": 1})
    thick, taper = style.number("stand thickness", 0.026, 0.045), style.number("stand taper", 0.5, 1.0)
    round = kind == "foot" or style.maybe("round stand", 0.5)
    if kind == "caster":
        return [caster(spot, height) for spot in spots]
    ends = [((x, y, height + 0.003), (x, y, 0)) for x, y in spots]
    thick = 1.5 * thick if kind == "foot" else thick
    return leaves(kind, [bar(*line, thick, round=round, taper=taper) for line in ends])


def desk(style: Style, top: Top) -> Part:
    """Cases at one end or both, standing or hung under the top, and room for knees."""
    fit, under = Fittings(style), top.bottom + 0.001
    x, y = top.width / 2 - 0.02, top.depth / 2 - 0.03
    wide, hung = style.number("case width", 0.34, 0.44), style.maybe("hung cases", 0.25)
    floor = under - 0.28 if hung else style.number("rise", 0.05, 0.11)
    fillings = {"drawers": 2.0, "many drawers": 1, "drawer over door": 1.2, "drawer over shelf": 0.6, "door": 0.3}
    rows = _ROWS[style.pick("filling", {"drawer": 1, "drawer over shelf": 1} if hung else fillings)]
    ends = {"left": [-1], "right": [1], "both": [-1, 1]}[style.pick("cases", {"left": 1, "right": 1, "both": 1.2})]
    made: list[Part] = []
    spots: list[Span] = []
    for end in ends:
        xs = (-x, wide - x) if end < 0 else (x - wide, x)
        made += fit.case(xs, (-y, y), (floor, under), [rows], pulled=fit.pulled * (end == ends[0]))
        spots += [(end * a, b) for a in (x - 0.03, x - wide + 0.03)[: 1 if hung else 2] for b in (0.03 - y, y - 0.03)]
    made += _stand(style, spots, floor, long=hung)
    knees = (wide - x if -1 in ends else -x, x - wide if 1 in ends else x)
    if len(ends) == 1:
        made += _desk_end(-ends[0] * (x - 0.03), y, under, panel=style.maybe("end panel", 0.5))
    return part("drawer_base", made, _above_knees(style, fit, knees, y, under))


def _desk_end(x: float, y: float, under: float, *, panel: bool) -> list[Part]:
    """What holds up the end without a case."""
    if panel:
        return [leaf("vertical_side_panel", box((0.025, 2 * y, under), (x, 0, under / 2)))]
    rail = leaf("bar_stretcher", box((0.02, 2 * y - 0.06, 0.04), (x, 0, under - 0.06)))
    return [rail, *leaves("leg", [bar((x, b, under), (x, b, 0), 0.045, taper=0.7) for b in (0.03 - y, y - 0.03)])]


def _above_knees(style: Style, fit: Fittings, knees: Span, y: float, under: float) -> Iterator[Part]:
    """Between the ends: a panel at the back, and a tray, a strip or a flat drawer in front."""
    x, room = sum(knees) / 2, knees[1] - knees[0]
    if style.maybe("modesty panel", 0.5):
        yield leaf("back_panel", box((room, 0.016, 0.35), (x, y - 0.05, under - 0.175)))
    between = style.pick("between", {"nothing": 2, "tray": 1.6, "strip": 1, "drawer": 1})
    if between == "tray":
        slab = box((room - 0.1, 0.36, 0.018), (x, 0.06 - y, under - 0.1), bevel=0.003)
        yield sliding(part("keyboard_tray", leaf("keyboard_tray_surface", slab)), (0, -1, 0), (0, 0.2))
        hanger = box((0.02, 0.3, 0.1), (x, 0.1 - y, under - 0.046))
        yield from leaves("tabletop_connector", [hanger.at(x=side * (room / 2 - 0.06)) for side in (-1, 1)])
    elif between == "strip":
        yield leaf("vertical_front_panel", box((room, 0.018, 0.09), (x, 0.02 - y, under - 0.045)))
    elif between == "drawer":
        yield fit.drawer(knees, (-y, y - 0.1), (under - 0.1, under))


def chest(style: Style, top: Top) -> Part:
    """Cases side by side under the whole top: shallow on long legs, or deep on feet."""
    fit, under, inset = Fittings(style), top.bottom + 0.001, 0.4 * top.inset
    x, y = top.width / 2 - inset, top.depth / 2 - inset
    shallow, count = style.maybe("shallow", 0.5), 1 if top.kind == "side" else style.count("columns", 1, 3)
    floor = under * style.number("leg share", 0.64, 0.76) if shallow else style.number("rise", 0.05, 0.11)
    deep = {"drawers": 2.0, "doors": 2, "shelves": 1.2, "drawer over doors": 1.4, "drawer over shelf": 1}
    first, second = (style.pick(name, {"drawer": 1} if shallow else deep) for name in ("filling", "second filling"))
    columns = [_ROWS[first if k % 2 == 0 else second] for k in range(count)]
    made = fit.case((-x, x), (-y, y), (floor, under), columns, pulled=fit.pulled)
    made += _stand(style, corners(x - 0.025, y - 0.025), floor, long=shallow)
    low = style.pick("low", {"shelf": 1, "bars": 0.5, "nothing": 1}) if shallow else "nothing"
    z = style.number("low height", 0.2, 0.4) * floor
    if low == "shelf":
        made.append(leaf("shelf", box((2 * x - 0.02, 2 * y - 0.02, 0.02), (0, 0, z), bevel=0.003)))
    elif low == "bars":
        rails = [box((0.02, 2 * y - 0.05, 0.03), (at, 0, z)) for at in (0.025 - x, x - 0.025)]
        made += leaves("bar_stretcher", [*rails, box((2 * x - 0.05, 0.02, 0.03), (0, 0, z))])
    return part("drawer_base", made)


def shelves_base(style: Style, top: Top) -> Part:
    """Legs or end panels with one or two shelves between them."""
    under, shares = top.bottom + 0.002, [[0.3], [0.18, 0.58]][style.count("shelves", 1, 2) - 1]
    if top.square and style.maybe("end panels", 0.45):
        x, y, low = top.width / 2 - 0.03, top.depth / 2 - 0.02, shares[0] * under
        middle = (low + under) / 2
        made = leaves("vertical_side_panel", [box((0.03, 2 * y, under), (at, 0, under / 2)) for at in (-x, x)])
        made += leaves("shelf", [box((2 * x - 0.028, 2 * y, 0.022), (0, 0, share * under)) for share in shares])
        if style.maybe("divider", 0.5):
            made.append(leaf("vertical_divider_panel", box((0.02, 2 * y - 0.02, under - low), (0, 0, middle))))
        if style.maybe("back", 0.4):
            made.append(leaf("back_panel", box((2 * x - 0.028, 0.014, under - low), (0, y - 0.01, middle))))
        return part("drawer_base", made)
    thick, rise = style.number("leg thickness", 0.028, 0.05), 0.085 * style.maybe("casters", 0.3)
    round, inset = style.maybe("round legs", 0.5), 0.6 * top.inset + thick / 2
    spots = top.spots(inset)
    made = leaves("leg", [bar((*at, under), (*at, rise), thick, round=round, bevel=0.003) for at in spots])
    made += [caster(spot, rise) for spot in spots] if rise else []
    plate = board(top.outline.grown(-inset), 0.018, bevel=0.003)
    return part("drawer_base", made, leaves("shelf", [plate.at(z=rise + share * (under - rise)) for share in shares]))
