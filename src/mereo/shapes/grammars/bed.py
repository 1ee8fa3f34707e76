"""Beds of all kinds, from bedsteads and divans to bunks, lofts, cots and four-posters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cushion, cylinder, lathe, prism, sphere, tube, union
from mereo.shapes.style import Style

Parts = list[Part]
Board = Callable[[float, float], Solid]
"""From a width and a height to an upright board on z = 0, its face at y = 0 and its back towards +y."""

_WIDTHS = {"single": (0.9, 1.05), "double": (1.3, 1.5), "queen": (1.55, 1.7), "king": (1.8, 2.0)}
_RAIL = 0.032
_CROWNS: dict[str, tuple[float, Callable[[Floats], Floats]]] = {
    "flat": (2.0, lambda u: 0 * u),
    "soft": (1.5, lambda u: np.abs(u) ** 10),
    "arch": (1.5, lambda u: u**2),
    "camel": (1.0, lambda u: (1 - np.cos(np.pi * u)) / 2),
    "gable": (0.5, np.abs),
    "step": (0.7, lambda u: np.clip(12 * np.abs(u) - 8, 0, 1)),
    "wave": (0.6, lambda u: 0.6 * u**2 + 0.2 * np.cos(3 * np.pi * u)),
}
"""How usual a shape of a board's top edge is, and how it drops from its middle (0) to its ends (-1 and 1)."""


class _Size(NamedTuple):
    """The mattress, which all else is fitted around: it lies on z = deck with its head towards +y."""

    width: float
    length: float
    deck: float
    thick: float

    @property
    def top(self) -> float:
        return self.deck + self.thick

    @property
    def side(self) -> float:
        """The middle line of a side rail."""
        return self.width / 2 + 0.003 + _RAIL / 2

    @property
    def end(self) -> float:
        """The middle line of a rail at the head or the foot."""
        return self.length / 2 + 0.003 + _RAIL / 2

    def corners(self, inset: float = 0.0) -> list[tuple[float, float]]:
        return [(sx * (self.side - inset), sy * (self.end - inset)) for sx in (-1, 1) for sy in (-1, 1)]


@grammar("bed")
def bed(style: Style) -> Part:
    """A mattress in a frame; two frames and a ladder make a bunk, one on long legs a loft."""
    makers: dict[str, tuple[float, Callable[[Style], Parts]]] = {
        "bedstead": (3.5, _bedstead), "metal": (2.0, _metal), "platform": (2.4, _platform), "divan": (2.2, _divan),
        "sleigh": (1.3, _sleigh), "poster": (1.7, _poster), "bunk": (2.4, _bunk), "loft": (1.6, _loft),
        "cot": (1.4, _cot), "daybed": (1.3, _daybed), "house": (0.9, _house), "round": (0.7, _round),
    }  # fmt: skip
    kind = style.pick("kind", {name: weight for name, (weight, _) in makers.items()})
    return part("bed", makers[kind][1](style))


def _size(style: Style, low: float, high: float, *, widths: Iterable[str] = tuple(_WIDTHS)) -> _Size:
    """low, high : bounds of the deck's height"""
    width = style.number("width", *_WIDTHS[style.pick("size", dict.fromkeys(widths, 1.0))])
    length, deck = style.number("length", 1.92, 2.08), style.number("deck", low, high)
    return _Size(width, length, deck, style.number("mattress", 0.15, 0.28))


def _bedstead(style: Style) -> Parts:
    """Wooden rails on legs between a headboard and, half the time, a footboard."""
    size = _size(style, 0.26, 0.42)
    design = _wooden(style, {"plain": 1.5, "framed": 2, "bars": 2, "slats": 1.5, "lattice": 1, "bookcase": 1})
    low, high = size.deck + 0.05 - style.number("rail", 0.14, 0.22), size.deck + 0.05
    foot = size.top + style.number("foot rise", 0.06, 0.25) if style.maybe("footboard", 0.5) else 0.0
    ends = _ends(size, design, low, size.top + style.number("head rise", 0.3, 0.65), foot)
    leg = _leg(style)
    legs = [leg(x, y, low + 0.04) for x, y in size.corners(0.015)]
    bars = _stretchers(size, 0.5 * low) if low > 0.16 and style.maybe("stretchers", 0.4) else []
    frame = [*ends, *_panels(size, low, high, foot=not foot), _deck(style)(size), _leg_base(legs, bars)]
    return _unit(frame, _sleep(style, size, foot=foot > 0))


def _metal(style: Style) -> Parts:
    """Bent tubes at the ends, thin rails, and room below."""
    size = _size(style, 0.28, 0.44, widths=("single", "double", "queen"))
    thick, footboard = style.number("tube", 0.026, 0.042), style.maybe("footboard", 0.7)
    head, foot = size.top + style.number("head rise", 0.35, 0.7), size.top + style.number("foot rise", 0.15, 0.35)
    ends = _ends(size, _tubes(style, thick), 0.1, head, foot if footboard else 0.0, margin=0.0)
    x, y, z = size.side, size.length / 2 + thick / 2, size.deck
    rails = [bar((-x, -y, z), (-x, y, z), 0.03, 0.05), bar((x, -y, z), (x, y, z), 0.03, 0.05)]
    if not footboard:
        rails.append(bar((-x, -y, z), (x, -y, z), 0.03, 0.05))
    heights = {-y: 0.12 if footboard else z, 0.0: z, y: 0.12}
    legs = [cylinder(0.46 * thick, high, (side * x, at, 0)) for at, high in heights.items() for side in (-1, 1)]
    frame = [*ends, *(_side(horizontal=[rail]) for rail in rails), _deck(style)(size), _leg_base(legs)]
    return _unit(frame, _sleep(style, size, foot=footboard))


def _platform(style: Style) -> Parts:
    """A low deck with a ledge around the mattress, on legs or a set-back plinth."""
    size = _size(style, 0.16, 0.3, widths=("double", "queen", "king"))
    ledge, thick = style.number("ledge", 0.04, 0.2), style.number("deck thickness", 0.04, 0.1)
    width, length, under, y = size.width + 2 * ledge, size.length + ledge, size.deck - thick, -ledge / 2
    if style.maybe("slatted", 0.35):
        ys = np.linspace(-0.5, 0.5, style.count("slats", 11, 17)) * (length - 0.1) + y
        beam = box((0.06, length, thick - 0.02), (0, y, under + thick / 2 - 0.008))
        slats = [beam.at(x) for x in (-width / 2.6, 0.0, width / 2.6)]
        slats += [box((width, 0.085, 0.025), (0, at, size.deck - 0.0125), bevel=0.004) for at in ys]
        deck = _surface("frame_horizontal_surface_bar", slats)
    else:
        plan = rectangle(width, length, corner=style.number("ledge corner", 0, 0.15))
        deck = _surface("frame_horizontal_hard_surface", [board(plan, thick, (0, y, under), bevel=0.01)])
    if style.maybe("plinth", 0.4):
        base = _surface_base(box((width - 0.3, length - 0.3, under + 0.005), (0, y, under / 2 + 0.0025)))
    else:
        leg, inset = _leg(style), style.number("leg inset", 0.08, 0.2)
        ys = np.array([inset - length / 2, length / 2 - inset]) + y
        base = _leg_base([leg(x, at, under + 0.01) for x in (-width / 2.6, width / 2.6) for at in ys])
    head: Parts = []
    if style.maybe("headboard", 0.7):
        design = _soft(style) if style.maybe("soft", 0.4) else _wooden(style, {"plain": 2, "slats": 2, "framed": 1})
        head = _ends(size, design, 0.6 * under, size.top + style.number("head rise", 0.15, 0.5), margin=ledge)
    return _unit([*head, deck, base], _sleep(style, size, drape=size.deck + 0.005, lean=bool(head)))


def _divan(style: Style) -> Parts:
    """An upholstered box under the mattress: plain, on a plinth, with drawers, or cut out to stand on its corners."""
    size = _size(style, 0.26, 0.4)
    width, length, height = size.width, size.length, size.deck
    plan = rectangle(width, length, corner=0.03)
    design = style.pick("box", {"plain": 1, "plinth": 1, "drawers": 1.5, "cut": 1})
    body = board(plan, height, bevel=0.012)
    if design == "plinth":
        body = union(box((width - 0.16, length - 0.16, 0.1), (0, 0, 0.05)), board(plan, height - 0.06, (0, 0, 0.06)))
    elif design == "cut":
        body = body.minus(box((width - 0.3, 3, 0.56 * height)), box((3, length - 0.3, 0.56 * height)))
    elif design == "drawers":
        count = style.count("drawers", 2, 3)
        for y in (np.arange(count) - (count - 1) / 2) * length / count:
            front = box((width + 0.024, 0.9 * length / count, 0.62 * height), (0, y, 0.48 * height), bevel=0.006)
            body = union(body, front, box((width + 0.07, 0.14, 0.02), (0, y, 0.6 * height), bevel=0.006))
    head: Parts = []
    if style.maybe("headboard", 0.8):
        high, margin = size.top + style.number("head rise", 0.4, 0.75), style.number("overhang", 0, 0.1)
        head = _ends(size, _soft(style), 0.0, high, margin=margin)
    drape = size.deck - style.number("drape", -0.1, 0.15)
    return _unit([*head, _surface_base(body)], _sleep(style, size, drape=drape, lean=bool(head)))


def _sleigh(style: Style) -> Parts:
    """Head and foot roll outwards like the ends of a sleigh."""
    size = _size(style, 0.28, 0.4, widths=("double", "queen", "king"))
    thick, sweep = style.number("board thickness", 0.035, 0.055), style.number("sweep", 0.22, 0.4)
    roll, low = style.number("roll", 0.08, 0.14), style.number("ground clearance", 0.06, 0.14)
    slats = style.count("slats", 6, 12) if style.maybe("open", 0.4) else 1

    def design(width: float, height: float) -> Solid:
        up = np.linspace(0, 1, 10)
        face = np.column_stack([sweep * height * up**2.3, (height - roll / 2) * up])
        scroll = ellipse(roll, roll, segments=20).at(face[-1, 0] + thick / 2, height - roll / 2)
        view = polygon([*face[::-1], *(face + (thick, 0))]).plus(scroll)
        foot = view.minus(rectangle(2, height).at(0, 0.85 * height))
        slat = prism(view, width if slats == 1 else 0.6 * width / slats, along="x")
        strips = [slat.at(x * width / slats) for x in np.arange(slats) - (slats - 1) / 2]
        ends = [prism(view.grown(0.012), 0.06, along="x").at(x=x) for x in (-width / 2, width / 2)]
        return union(*(prism(rail, width, along="x") for rail in (foot, scroll)), *strips, *ends)

    heights = size.top + style.number("head rise", 0.35, 0.6), size.top + style.number("foot rise", 0.05, 0.25)
    leg = _leg(style)
    legs = [leg(x, y + np.sign(y) * 0.01, low + 0.03) for x, y in size.corners()]
    rails = _panels(size, low, size.deck + 0.06)
    frame = [*_ends(size, design, low, *heights), *rails, _deck(style)(size), _leg_base(legs)]
    return _unit(frame, _sleep(style, size, foot=True))


def _poster(style: Style) -> Parts:
    """A post at each corner, as high as a door or as the headboard, the tall ones often joined at the top."""
    size = _size(style, 0.34, 0.5, widths=("double", "queen", "king"))
    thick, tall = style.number("post", 0.055, 0.09), style.maybe("tall", 0.75)
    low, high = size.deck + 0.05 - style.number("rail", 0.14, 0.24), size.deck + 0.05
    height = style.number("post height", 1.9, 2.2) if tall else size.top + style.number("post rise", 0.5, 0.8)
    design = _wooden(style, {"plain": 1, "framed": 2, "bars": 2, "slats": 1})
    foot = size.top + style.number("foot rise", 0.02, 0.2) if style.maybe("footboard", 0.5) else 0.0
    head = min(size.top + style.number("head rise", 0.3, 0.6), height - 0.1)
    frame = [*_ends(size, design, low, head, foot, margin=0.0), *_panels(size, low, high, foot=not foot)]
    if tall and style.maybe("canopy", 0.65):
        z, ys = height - 0.06, np.linspace(-size.end, size.end, style.count("rafters", 2, 5))
        rods = [bar((x, -size.end, z), (x, size.end, z), 0.6 * thick, bevel=0.004) for x in (-size.side, size.side)]
        rods += [bar((-size.side, y, z), (size.side, y, z), 0.6 * thick, bevel=0.004) for y in ys]
        frame.append(_side(horizontal=rods))
    post = _post(style, thick, height)
    posts = [leaf("bed_post", post.at(x, y)) for x, y in size.corners()]
    return _unit([*frame, *posts, _deck(style)(size)], _sleep(style, size, foot=foot > 0))


def _bunk(style: Style) -> Parts:
    """Two beds, seldom three, one above the other."""
    size, step = _size(style, 0.26, 0.38, widths=("single",)), style.number("headroom", 0.95, 1.15)
    tiers = 3 if style.maybe("three", 0.12) else 2
    return _tower(style, size._replace(thick=0.14), [size.deck + step * tier for tier in range(tiers)])


def _loft(style: Style) -> Parts:
    """One bed high above the ground, with room for a desk below."""
    size = _size(style, 1.2, 1.75, widths=("single", "double"))
    return _tower(style, size._replace(thick=0.14), [size.deck])


def _tower(style: Style, size: _Size, decks: list[float]) -> Parts:
    """Beds on stacked posts or long legs, barred ends, fences against falling out, and a ladder."""
    metal, rise = style.maybe("metal", 0.4), style.number("end rise", 0.28, 0.42)
    thick = style.number("post", 0.05, 0.085) * (0.6 if metal else 1)
    design = _rods(style, thick) if metal else _wooden(style, {"bars": 1, "slats": 1, "plain": 1}, crowns=("flat",))
    deck, fence, ground = _deck(style), _fence(style, metal), 0.0
    end = size.length / 2 + float(design(1.0, 0.5).bounds()[1, 1])
    ladder, opening = _ladder(style, size, decks[-1], end, metal)
    units: Parts = []
    for tier, height in enumerate(decks):
        here = size._replace(deck=height)
        top = here.top + rise
        frame = [*_panels(here, height - 0.075, height + 0.035), deck(here)]
        frame += _ends(here, design, height - 0.08, top - 0.03, top - 0.03, margin=0.0)
        if height > 0.8:
            frame += [fence(here, -here.side, -here.end), fence(here, here.side, opening)]
        posts = [bar((x, y, ground), (x, y, top), thick, round=metal, bevel=0.006) for x, y in here.corners()]
        if len(decks) == 1:
            frame.append(_leg_base(posts, _stretchers(here, style.number("bar height", 0.2, 0.5), metal)))
        else:
            frame += [leaf("bed_post", post) for post in posts]
        units += _unit(frame, _sleep(style, here, foot=True, where=f"tier {tier} "))
        ground = top - 0.005
    return [*units, ladder]


def _cot(style: Style) -> Parts:
    """A child's bed: upright bars around a small mattress, one side sometimes lowered."""
    width, length = style.number("width", 0.6, 0.75), style.number("length", 1.18, 1.4)
    size = _Size(width, length, style.number("deck", 0.24, 0.42), 0.12)
    low, height, thick = size.deck - 0.08, style.number("height", 0.85, 1.05), style.number("post", 0.04, 0.06)
    lowered = style.number("lowered side", 0.6, 0.75) if style.maybe("lowered", 0.3) else 1.0
    turned, ys = style.maybe("round bars", 0.6), np.linspace(-size.end, size.end, style.count("side bars", 8, 13) + 2)
    design, post = _wooden(style, {"plain": 1.5, "bars": 2, "framed": 1}), _post(style, thick, height)
    frame = [leaf("bed_post", post.at(x, y)) for x, y in size.corners()]
    for x, top in ((-size.side, height - 0.06), (size.side, lowered * height - 0.06)):
        rails = [box((0.03, 2 * size.end, 0.045), (x, 0, z), bevel=0.006) for z in (low, top)]
        bars = [bar((x, y, low), (x, y, top), 0.018, round=turned, sides=10) for y in ys[1:-1]]
        frame.append(_side(horizontal=rails, vertical=bars))
    frame += _ends(size, design, low, height - 0.02, height - 0.02, margin=0.0)
    return _unit([*frame, _deck(style)(size)], _sleep(style, size, foot=True))


def _daybed(style: Style) -> Parts:
    """Walled on three sides, to sit on by day: the third wall is a board along the left side."""
    size, low = _size(style, 0.28, 0.38, widths=("single",)), 0.1
    walls = style.pick("walls", {"wood": 2.0, "soft": 1.0, "metal": 1.5})
    if walls == "wood":
        design = _wooden(style, {"plain": 1, "bars": 2, "lattice": 1, "framed": 1})
    else:
        design = _soft(style) if walls == "soft" else _tubes(style, 0.032)
    top = size.top + style.number("wall rise", 0.25, 0.45)
    arms = top - style.number("arm drop", 0.0, 0.15)
    wall = design(size.length, top - low).turned(z=90).at(x=-size.width / 2, z=low)
    leg = _leg(style)
    base = _leg_base([leg(x, y, low + 0.06) for x, y in size.corners(0.01)])
    sides = [_side(panel=[wall]), *_panels(size, low + 0.04, size.deck + 0.04)]
    frame = [*_ends(size, design, low, arms, arms), *sides, _deck(style)(size), base]
    return _unit(frame, _sleep(style, size, foot=True, sofa=True))


def _house(style: Style) -> Parts:
    """A child's bed near the floor under the bare rafters of a little house, slats on one side of its roof."""
    size = _size(style, 0.1, 0.22, widths=("single",))._replace(thick=0.14)
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
    sides = [fence(size, -size.side, -size.end), fence(size, size.side, 0.1), _side(horizontal=beams)]
    ends = _ends(size, design, 0.0, ridge, ridge, margin=0.0)
    frame = [*ends, *_panels(size, 0.0, size.deck + 0.04), *sides, _deck(style)(size)]
    return _unit(frame, _sleep(style, size, foot=True))


def _round(style: Style) -> Parts:
    """A round mattress on a drum, with a board bent around its head."""
    width, deck, rim = style.number("width", 1.9, 2.3), style.number("deck", 0.2, 0.36), style.number("rim", 0.01, 0.12)
    size, rise = _Size(width, width, deck, style.number("mattress", 0.18, 0.28)), style.number("head rise", 0.15, 0.45)
    outside, thick = width + 2 * rim, style.number("board thickness", 0.06, 0.12)
    ring = ellipse(outside + 2 * thick, outside + 2 * thick).minus(ellipse(outside - 0.01, outside - 0.01))
    wrap = ring.minus(rectangle(5, 5).at(0, style.number("wrap", -0.05, 0.35) * width - 2.5))
    drum = board(ellipse(outside, outside), deck, bevel=0.02)
    if style.maybe("plinth", 0.4):
        rim_only = board(ellipse(outside, outside), 0.1, (0, 0, deck - 0.1), bevel=0.02)
        drum = union(rim_only, board(ellipse(width - 0.3, width - 0.3), deck - 0.05))
    frame = [leaf("headboard", board(wrap, size.top + rise)), _surface_base(drum)]
    return _unit(frame, _sleep(style, size, drape=deck + 0.03, plan=ellipse(width, width)))


def _unit(frame: Iterable[Part], sleep: Part) -> Parts:
    return [part("bed_unit", sleep, part("bed_frame", frame))]


def _sleep(
    style: Style,
    size: _Size,
    *,
    foot: bool = False,
    drape: float | None = None,
    lean: bool = True,
    sofa: bool = False,
    plan: Outline | None = None,
    where: str = "",
) -> Part:
    """The mattress with what lies on it.

    foot : whether a board at the foot keeps the blanket in
    drape : down to which height the blanket may hang; by default it stays above the rails
    lean : whether there is a headboard for pillows to lean on
    sofa : whether the pillows stand along the left wall
    plan : the outline, if it is no rectangle
    where : which of several beds, to tell their choices apart
    """
    outline = plan or rectangle(size.width, size.length, corner=0.06)
    mattress = board(outline, size.thick, (0, 0, size.deck - 0.002), bevel=0.03)
    pillows = _bolsters(style, size) if sofa else _pillows(style, size, where, lean=lean and plan is None)
    blanket = _blanket(style, size, outline, drape or size.deck + 0.07, where, foot=foot)
    return part("bed_sleep_area", leaf("mattress", mattress), [leaf("pillow", solid) for solid in pillows], blanket)


def _pillows(style: Style, size: _Size, where: str, *, lean: bool) -> list[Solid]:
    """One or two at the head, flat or propped up, and sometimes smaller ones before them."""
    across = 1 if size.width < 1.2 else 2
    wide, deep = min(0.7, 0.8 * size.width / across), min(style.number(f"{where}pillow", 0.38, 0.48), 0.42 * size.width)
    rows = style.count(f"{where}pillow rows", across - 1, across)
    tilt = style.number(f"{where}tilt", 40, 65) if style.maybe(f"{where}propped", 0.4) and lean else 0.0
    head = size.length / 2 - (0.03 if lean else 0.12) - deep / 2 * np.cos(np.radians(tilt))
    solids = []
    for row, scale in enumerate((1.0, 0.75)[:rows]):
        pillow = cushion((scale * wide, scale * deep, 0.15), squareness=3.4).turned(x=max(tilt, 30 * row))
        y, spread = (
            head - row * (0.16 if tilt else 0.24),
            ((0.24 if lean else 0.2) - 0.07 * row) * size.width * (across - 1),
        )
        solids += [_laid(pillow.at(x, y), size.top) for x in (-spread, spread)[:across]]
    return solids


def _bolsters(style: Style, size: _Size) -> list[Solid]:
    pillow = cushion((0.15, 0.46, 0.42), squareness=3.6).turned(y=-15).at(x=0.15 - size.width / 2)
    ys = np.linspace(-0.3, 0.3, style.count("bolsters", 2, 3)) * size.length
    return [_laid(pillow.at(y=y), size.top) for y in ys]


def _laid(solid: Solid, height: float) -> Solid:
    """Lowered or lifted until it presses a little into what lies at a height."""
    return solid.at(z=height - 0.02 - solid.bounds()[0, 2])


def _blanket(style: Style, size: _Size, plan: Outline, hang: float, where: str, *, foot: bool) -> Part | None:
    """A duvet with its edge folded back, a scarf across the foot end, a folded throw, or none."""
    kind = style.pick(f"{where}blanket", {"none": 1.0, "duvet": 2.2, "scarf": 1.0, "throw": 0.8})
    thick, place = style.number(f"{where}blanket thickness", 0.02, 0.045), style.number(f"{where}blanket edge", 0, 1)

    def cloth(near: float, far: float, low: float, thick: float) -> Solid:
        beyond = [rectangle(9, 9).at(0, far + 4.5), rectangle(9, 9).at(0, near - 4.5)]
        draped = board(plan.grown(thick).minus(*beyond), size.top + thick - low, (0, 0, low), bevel=0.6 * thick)
        return draped.minus(board(plan, size.top - low + 0.098, (0, 0, low - 0.1)))

    if kind == "duvet":
        near, far = (0.004 - size.length / 2 if foot else -size.length), (0.24 - 0.18 * place) * size.length
        fold = cloth(far - 0.28, far, size.top - 0.05, 1.7 * thick)
        return leaf("blanket", union(cloth(near, far, hang, thick), fold))
    if kind == "scarf":
        near = (0.05 + 0.1 * place - 0.5) * size.length
        return leaf("blanket", cloth(near, near + 0.24 * size.length, hang, 0.7 * thick))
    if kind == "throw":
        layer = (0.5 + 0.3 * place) * size.width, 0.23 * size.length, 0.05
        fold = cushion(layer, (0, -0.28 * size.length, size.top + 0.018), squareness=8)
        return leaf("blanket", union(fold, fold.at(0, 0.02, 0.04)))
    return None


def _ends(size: _Size, design: Board, low: float, head: float, foot: float = 0.0, *, margin: float = 0.03) -> Parts:
    """The boards from a height up to those of the head and the foot; PartNet has one label for both."""
    width = 2 * (size.side + margin)
    boards = [design(width, head - low).at(y=size.length / 2 - 0.002, z=low)]
    if foot:
        boards.append(design(width, foot - low).mirrored("y").at(y=0.002 - size.length / 2, z=low))
    return [leaf("headboard", solid) for solid in boards]


def _crown(style: Style, crowns: Iterable[str]) -> Callable[[float, float], Floats]:
    """The top edge of a board: (k, 2) float, from its right end to its left one."""
    fall = _CROWNS[style.pick("crown", {name: _CROWNS[name][0] for name in crowns})][1]
    rise, u = style.number("crown rise", 0.12, 0.3), np.linspace(1, -1, 33)
    drop = rise * (fall(u) - fall(u).min())
    return lambda width, height: np.column_stack([u * width / 2, height * (1 - drop)])


def _filled(edge: Floats) -> Outline:
    return polygon([(edge[-1, 0], 0), (edge[0, 0], 0), *edge])


def _wooden(style: Style, designs: dict[str, float], *, crowns: Iterable[str] = tuple(_CROWNS)) -> Board:
    """A plain board, a frame with panels, bars, slats or a lattice sawn out of one, or a bookcase."""
    design, crown = style.pick("board", designs), _crown(style, crowns)
    thick, border = style.number("board thickness", 0.03, 0.055), style.number("border", 0.05, 0.09)
    count, share = style.count("board bars", 5, 11), style.number("bar share", 0.25, 0.6)

    def rods(width: float, height: float) -> list[Outline]:
        """What stays of the field within the border."""
        if design == "bars":
            xs = ((np.arange(count) + 0.5) / count - 0.5) * width
            return [rectangle(share * width / count, 3).at(x) for x in xs]
        if design == "slats":
            return [rectangle(3, (0.2 + share) * 0.12).at(0, z) for z in np.arange(0.06, height, 0.12)]
        if design == "framed":
            return [rectangle(border, 3).at(x) for x in np.linspace(-width / 2, width / 2, count // 3 + 2)[1:-1]]
        slant = np.array([[0, 0], [0.035, 0], [0.035 + height, height], [height, height]])
        starts = np.arange(-width / 2 - height, width / 2, width / max(round(width / 0.3), 2))
        rising = [polygon([*(slant + (x, 0))]) for x in starts]
        return rising + [polygon([*(slant * (-1, 1) - (x, 0))[::-1]]) for x in starts]

    def make(width: float, height: float) -> Solid:
        outline = _filled(crown(width, height))
        inner = outline.grown(-border)
        if design == "bookcase" and height > 0.6:
            deep, tall, niches = 0.24, min(0.3, 0.4 * height), count // 3
            wide = (width - 0.04) / niches
            niche = box((wide - 0.04, 2 * deep - 0.04, tall), (0, 0, height - 0.04 - tall / 2))
            cuts = [niche.at(k * wide) for k in np.arange(niches) - (niches - 1) / 2]
            return box((width, deep, height), (0, deep / 2, height / 2), bevel=0.006).minus(*cuts)
        solids = [prism(outline, thick, along="y")]
        if design not in ("plain", "bookcase"):
            solids = [prism(outline.minus(inner.minus(*rods(width, height))), thick, along="y")]
        if design == "framed":
            solids.append(prism(inner.grown(0.01), 0.4 * thick, along="y"))
        return union(*solids).at(y=thick / 2)

    return make


def _tubes(style: Style, thick: float) -> Board:
    """A bent tube with spindles, crossbars and sometimes balls at its shoulders."""
    crown, balls = _crown(style, ("flat", "arch", "camel", "soft")), style.maybe("balls", 0.4)
    spindles, rails = style.count("spindles", 3, 9), style.count("crossbars", 1, 2)

    def make(width: float, height: float) -> Solid:
        edge = crown(width, height - thick / 2)
        (right, shoulder), (left, _) = edge[0], edge[-1]
        near, xs = shoulder - 0.05, np.linspace(left, right, spindles + 2)[1:-1]
        sides = [[(x, 0, 0), (x, 0, near - 0.08), (x, 0, near)] for x in (right, left)]
        hoop = [*sides[0], *((x, 0, z) for x, z in edge[::4]), *sides[1][::-1]]
        ends = zip(xs, np.interp(xs, edge[::-1, 0], edge[::-1, 1]), strict=True)
        solids = [bar((x, 0, 0.3 * near), (x, 0, z), 0.45 * thick, round=True, sides=8) for x, z in ends]
        for z in np.array([0.3, 0.85])[:rails] * near:
            solids.append(bar((left, 0, z), (right, 0, z), 0.6 * thick, round=True, sides=8))
        solids += [sphere(0.9 * thick, (x, 0, near), segments=16) for x in (left, right) if balls]
        return union(tube(bent(hoop), thick / 2, segments=10), *solids).at(y=thick / 2)

    return make


def _rods(style: Style, thick: float) -> Board:
    """Round rods between two posts, upright or level."""
    upright, count = style.maybe("upright rods", 0.5), style.count("rods", 3, 6)

    def make(width: float, height: float) -> Solid:
        x, low, high = width / 2, 0.06, height - thick / 2
        level, xs = np.linspace(low, high, 2 if upright else count), np.linspace(-x, x, count + 2)[1:-1]
        solids = [bar((-x, 0, z), (x, 0, z), 0.8 * thick, round=True, sides=10) for z in level]
        solids += [bar((at, 0, low), (at, 0, high), 0.5 * thick, round=True, sides=8) for at in xs if upright]
        return union(*solids).at(y=_RAIL / 2)

    return make


def _soft(style: Style) -> Board:
    """Upholstery: fluted upright or level, buttoned pads, one padded piece with or without wings, or cushions."""
    kinds = {"flutes": 1.5, "rolls": 1.0, "pads": 1.5, "padded": 1.5, "wings": 1.0, "cushions": 1.0}
    design, crown = style.pick("upholstery", kinds), _crown(style, ("soft", "arch", "camel"))
    thick, pitch = style.number("padding", 0.08, 0.13), style.number("pitch", 0.12, 0.24)

    def ridged(reach: float) -> list[Floats]:
        """Seen along the ridges: points along the board and into it."""
        count = max(round(reach / pitch), 2)
        along = np.linspace(0, reach, 8 * count + 1)
        face = np.column_stack([along, 0.035 * (1 - np.abs(np.sin(np.pi * count * along / reach)))])
        return [*face, np.array([reach, thick]), np.array([0, thick])]

    def make(width: float, height: float) -> Solid:
        if design == "flutes":
            return board(polygon(ridged(width)), height, (-width / 2, 0, 0))
        if design == "rolls":
            return prism(polygon([point[::-1] for point in reversed(ridged(height))]), width, along="x")
        if design == "pads":
            columns, rows = max(round(width / (1.6 * pitch)), 2), max(round(height / (1.6 * pitch)), 2)
            pad = box((width / columns, thick, height / rows), (0, thick / 2, 0), bevel=0.035)
            spots = [(i + 0.5, j + 0.5) for i in range(columns) for j in range(rows)]
            back = box((width, 0.05, height), (0, thick - 0.025, height / 2), bevel=0.01)
            return union(back, *(pad.at(width * (i / columns - 0.5), 0, height * j / rows) for i, j in spots))
        if design == "cushions":
            pad = cushion((0.5 * width, 0.16, 0.6 * height), (0.25 * width, thick / 2, 0.68 * height), squareness=5)
            slab = box((width, thick, height), (0, thick / 2, height / 2), bevel=0.01)
            return union(slab, pad, pad.mirrored("x"))
        edge = crown(width, height)
        panel = board(_filled(edge), thick, bevel=0.03).turned(x=90).at(y=thick)
        ear = rectangle(0.07, 0.26 + thick, corner=0.03).at(width / 2 + 0.01, thick / 2 - 0.1)
        wing = board(ear, edge[0, 1], bevel=0.02)
        return union(panel, wing, wing.mirrored("x")) if design == "wings" else panel

    return make


def _side(*, horizontal: Iterable[Solid] = (), vertical: Iterable[Solid] = (), panel: Iterable[Solid] = ()) -> Part:
    kinds = {"horizontal_bar": horizontal, "vertical_bar": vertical, "panel": panel}
    leaves = [leaf(f"bed_side_surface_{name}", solid) for name, solids in kinds.items() for solid in solids]
    return part("bed_side_surface", leaves)


def _panels(size: _Size, low: float, high: float, *, foot: bool = False) -> Parts:
    """Boards along both sides, the left one first, and across the foot where no footboard stands."""
    tall, z = high - low, (high + low) / 2
    sides = [box((_RAIL, 2 * size.end + 0.01, tall), (x, 0, z), bevel=0.004) for x in (-size.side, size.side)]
    if foot:
        sides.append(box((2 * size.side + _RAIL + 0.004, _RAIL, tall), (0, -size.end, z), bevel=0.004))
    return [_side(panel=[solid]) for solid in sides]


def _fence(style: Style, metal: bool) -> Callable[[_Size, float, float], Part]:
    """Against falling out: from a rail at x, between y and the head end."""
    design = style.pick("fence", {"bars": 1.5, "spindles": 1, "panel": 0 if metal else 1})
    rise, count = style.number("fence rise", 0.16, 0.26), style.count("fence bars", 1, 2)

    def make(size: _Size, x: float, y: float) -> Part:
        top, long, ends = size.top + rise, size.end - y, (y + 0.02, size.end - 0.02)
        ys = np.linspace(*ends, max(round(long / 0.14), 2)) if design == "spindles" else ends
        upright = [bar((x, at, size.deck), (x, at, top), 0.024, round=metal, sides=10) for at in ys]
        if design == "panel":
            tall = 0.7 * rise + 0.05
            sheet = box((0.026, long, tall), (x, (size.end + y) / 2, top - tall / 2), bevel=0.004)
            return _side(vertical=upright, panel=[sheet])
        heights = np.linspace(size.top, top, count + 1)[1:] if design == "bars" else [top]
        level = [bar((x, y, z), (x, size.end, z), 0.03, 0.03 if metal else 0.06, round=metal) for z in heights]
        return _side(vertical=upright, horizontal=level)

    return make


def _ladder(style: Style, size: _Size, height: float, end: float, metal: bool) -> tuple[Part, float]:
    """Against the right side or the foot end, upright or leaning; and where the fence beside it may begin.

    height : of the deck that it leads to
    end : the outside of the footboard, from the middle of the bed
    """
    at_foot, lean = style.maybe("ladder at the foot", 0.3), style.number("ladder lean", 0.0, 0.4)
    thick, half, count = style.number("ladder bar", 0.03, 0.045), 0.19, style.count("rungs", 4, 6)
    reach, y = (end, 0.0) if at_foot else (size.side + _RAIL / 2, half + 0.07 - size.end)
    top, tread = height + size.thick + (0.1 if lean > 0.15 else 0.25), style.number("tread", 0.03, 0.09)

    def spot(z: float, side: int) -> tuple[float, float, float]:
        return (reach + thick / 2 - 0.004 + lean * (1 - z / (height - 0.02)), y + side * half, z)

    bars = [bar(spot(0, side), spot(top, side), thick, round=metal) for side in (-1, 1)]
    heights = (np.arange(count) + 1) * height / (count + 0.4)
    rungs = [bar(spot(z, -1), spot(z, 1), 0.026 if metal else tread, 0.026, round=metal) for z in heights]
    turn = -90 if at_foot else 0
    uprights = [leaf("ladder_vertical_bar", solid.turned(z=turn)) for solid in bars]
    steps = [leaf("rung", solid.turned(z=turn)) for solid in rungs]
    return part("ladder", uprights, steps), -size.end if at_foot else y + half + 0.05


def _surface(name: str, solids: Iterable[Solid]) -> Part:
    return part("bed_frame_horizontal_surface", [leaf(name, solid) for solid in solids])


def _deck(style: Style) -> Callable[[_Size], Part]:
    """What the mattress lies on, between the rails: slats or a sheet."""
    slats = style.count("deck slats", 8, 13) if style.maybe("slatted deck", 0.65) else 0

    def make(size: _Size) -> Part:
        if not slats:
            sheet = box((size.width + 0.02, size.length, 0.02), (0, 0, size.deck - 0.01))
            return _surface("frame_horizontal_hard_surface", [sheet])
        slat = box((size.width + 0.02, 0.08, 0.02), (0, 0, size.deck - 0.01), bevel=0.003)
        ys = np.linspace(-0.47, 0.47, slats) * size.length
        return _surface("frame_horizontal_surface_bar", [slat.at(y=y) for y in ys])

    return make


def _surface_base(solid: Solid) -> Part:
    return part("bed_frame_base", leaf("surface_base", solid))


def _leg_base(legs: Iterable[Solid], bars: Iterable[Solid] = ()) -> Part:
    stretchers = [leaf("bar_stretcher", solid) for solid in bars]
    return part("bed_frame_base", part("regular_leg_base", [leaf("leg", solid) for solid in legs], stretchers))


def _stretchers(size: _Size, height: float, metal: bool = False) -> list[Solid]:
    """Bars between the legs, but for the right side, where one gets in."""
    x, y = size.side, size.end
    spots = [(x, y, height), (-x, y, height), (-x, -y, height), (x, -y, height)]
    return [bar(a, b, 0.028, 0.028 if metal else 0.06, round=metal) for a, b in pairwise(spots)]


def _leg(style: Style) -> Callable[[float, float, float], Solid]:
    """Square, tapered and splayed, turned, a bun, or a hairpin; from a spot on the ground and a height."""
    design = style.pick("leg", {"square": 2, "tapered": 2, "turned": 1, "bun": 1, "hairpin": 0.8})
    thick, splay = style.number("leg thickness", 0.045, 0.075), style.number("splay", 0.0, 0.05)
    waist = 0.6 if design == "turned" else 1.15
    profile = [(0.55, 0), (0.7, 0.1), (0.95, 0.3), (waist, 0.55), (0.6, 0.75), (0.95, 0.85), (0.95, 1)]

    def make(x: float, y: float, top: float) -> Solid:
        if design == "square":
            return box((thick, thick, top), (x, y, top / 2), bevel=0.005)
        if design == "tapered":
            foot = (x + np.sign(x) * splay, y + np.sign(y) * splay, 0)
            return bar((x, y, top), foot, thick, round=thick > 0.06, taper=0.5, bevel=0.004)
        if design == "hairpin":
            wires = [bar((x, y + side, top), (x, y, 0.008), 0.014, round=True, sides=10) for side in (-0.05, 0.05)]
            return union(*wires, sphere(0.008, (x, y, 0.008), segments=12))
        return lathe([(0.55 * thick * width, share * top) for width, share in profile], segments=20).at(x, y)

    return make


def _post(style: Style, thick: float, height: float) -> Solid:
    """A post on z = 0: square, tapered, or turned with a finial."""
    design = style.pick("post design", {"square": 1.5, "tapered": 1, "turned": 1.5})
    if design == "square":
        return box((thick, thick, height), (0, 0, height / 2), bevel=0.006)
    if design == "tapered":
        block = box((thick, thick, 0.45 * height), (0, 0, 0.225 * height), bevel=0.006)
        return union(block, bar((0, 0, 0.45 * height), (0, 0, height), 0.98 * thick, round=True, taper=0.55))
    radii = (0.8, 1, 1, 0.6, 0.95, 0.55, 0.75, 0.5, 0.8, 0.45, 0.75, 0.5, 0.1)
    heights = (0, 0.02, 0.3, 0.32, 0.38, 0.45, 0.6, 0.85, 0.92, 0.94, 0.97, 0.99, 1)
    return lathe([*(np.column_stack([radii, heights]) * (thick / 2, height))], segments=20)
