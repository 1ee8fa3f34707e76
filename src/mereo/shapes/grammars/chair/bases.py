"""What a seat stands on: legs, sleds, cantilevers, stars and columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mereo.shapes.articulation import spinning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.chair.seats import Seat
from mereo.shapes.joinery import around, corners, leaves, pair, turned
from mereo.shapes.outlines import Point
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, lathe, tube
from mereo.shapes.style import Style

__all__ = ["cantilever_base", "leg_base", "pedestal_base", "sled_base", "star_base"]


def leg_base(style: Style, seat: Seat) -> Part:
    """Three or four legs, straight, splayed or crossed; with stretchers, feet or rockers."""
    kind = style.pick("leg", {"square": 1, "round": 1, "turned": 0.5 * (seat.base == "legs")})
    thick, taper = style.number("leg thickness", 0.026, 0.045), style.number("leg taper", 0.55, 1.0)
    splay = 0.0 if kind == "turned" else style.number("splay", 0.0, 0.06)
    ground = {"rocker": 0.055, "crossed": 0.0}.get(seat.base, 0.014 * style.maybe("feet", 0.2))
    inset = 0.75 * thick + (0.16 * seat.width if seat.round else 0.025 if seat.make == "cushion" else 0.012)
    x, y, top = seat.width / 2 - inset, seat.depth / 2 - inset, seat.bottom + 0.3 * seat.thickness
    tops = corners(x, y)
    if seat.round and style.maybe("three legs", 0.4):
        tops = [(1.3 * x * np.cos(t), 1.3 * x * np.sin(t)) for t in np.radians([90, 210, 330])]
    feet = [(a + splay * np.sign(round(a, 3)), b + splay * np.sign(b)) for a, b in tops]
    if seat.base == "crossed":
        feet = [(a, -b) for a, b in tops]
    lines = [((*head, top), (*foot, ground)) for head, foot in zip(tops, feet, strict=True)]
    if kind == "turned":
        shares = [(0.55, 0), (0.75, 0.1), (0.6, 0.16), (0.95, 0.4), (0.6, 0.7), (0.9, 0.74), (0.7, 0.8), (0.9, 1)]
        shaft = turned(shares, 0.55 * thick, top - ground)
        legs = [shaft.at(*foot, ground) for foot in feet]
    else:
        legs = [bar(*line, thick, round=kind == "round", taper=taper, bevel=0.004) for line in lines]
    made = leaves("leg", legs)
    if seat.base == "crossed":
        pivots = ((0, top / 2), (-0.75 * y, 0.14 * top))
        made += leaves("bar_stretcher", [bar((-x, *at), (x, *at), 0.6 * thick, round=True) for at in pivots])
    elif len(tops) == 4 and style.maybe("stretchers", 0.9 if seat.kind == "stool" else 0.5):
        made += leaves("bar_stretcher", _stretchers(style, lines, thick))
    if ground == 0.014:
        made += leaves("foot", [cylinder(0.65 * thick, 0.018, (*foot, 0), bevel=0.003) for foot in feet])
    if seat.base == "rocker":
        arc = [(abs(feet[0][0]), b, 0.026 + 0.65 * (b - 0.09) ** 2) for b in np.linspace(-0.36, 0.44, 15)]
        made += leaves("rocker", pair(tube(arc, 0.026, segments=8)))
    return part("regular_leg_base", made)


def _stretchers(style: Style, lines: Sequence[tuple[Point, Point]], thick: float) -> Iterator[Solid]:
    """Level bars between neighboring legs, all around or as an H."""
    share = style.number("stretcher height", 0.5, 0.75)
    a, b, c, d = (np.asarray(head) + share * (np.asarray(foot) - np.asarray(head)) for head, foot in lines)
    pairs = [(a, d), (b, c), ((a + d) / 2, (b + c) / 2)]
    if style.maybe("all around", 0.5):
        pairs = [(a, d), (b, c), (a + (0, 0, 0.05), b + (0, 0, 0.05)), (c + (0, 0, 0.05), d + (0, 0, 0.05))]
    return (bar(start, end, 0.5 * thick, round=True) for start, end in pairs)


def sled_base(style: Style, seat: Seat) -> Part:
    """Legs of tube that run into rails on the floor."""
    thick = style.number("sled tube", 0.018, 0.03)
    x, y, top, low = seat.width / 2 - 0.045, seat.depth / 2 - 0.05, seat.under + 0.006, thick / 2
    legs = [leg for s in (-1, 1) for leg in pair(bar((x, s * y, top), (x, s * (y + 0.03), low), thick, round=True))]
    rails = pair(bar((x, -y - 0.05, low), (x, y + 0.05, low), thick, round=True))
    tie = bar((-x, y + 0.02, 0.35 * top), (x, y + 0.02, 0.35 * top), 0.8 * thick, round=True)
    return part("regular_leg_base", leaves("leg", legs), leaves("runner", rails), leaf("bar_stretcher", tie))


def cantilever_base(style: Style, seat: Seat) -> Part:
    """Two bent tubes: under the seat, down in front, and back along the floor; joined behind."""
    thick = style.number("cantilever tube", 0.022, 0.03)
    x, y, top, low = seat.width / 2 - 0.03, seat.depth / 2, seat.bottom - 0.4 * thick + 0.008, thick / 2
    turns = np.linspace(0, np.pi / 2, 7)
    upper = [(x, -y + 0.07 - 0.07 * np.sin(t), top - 0.07 + 0.07 * np.cos(t)) for t in turns]
    lower = [(x, -y + 0.07 - 0.07 * np.cos(t), low + 0.07 - 0.07 * np.sin(t)) for t in turns]
    leg = tube([(x, 0.8 * y, top), *upper, *lower], thick / 2)
    runner = bar((x, -y + 0.06, low), (x, y + 0.02, low), thick, round=True)
    tie = bar((-x - low, y + 0.02, low), (x + low, y + 0.02, low), thick, round=True)
    floor = [*leaves("runner", pair(runner)), leaf("bar_stretcher", tie)]
    return part("regular_leg_base", leaves("leg", pair(leg)), floor)


def star_base(style: Style, seat: Seat) -> Part:
    """A gas spring on spreading legs with casters, and a lever or knobs to set it."""
    count, reach = style.count("star legs", 4, 6), style.number("star reach", 0.6, 0.68) * min(0.48, seat.width + 0.05)
    wheel, slope = style.number("caster", 0.022, 0.032), style.number("star slope", 0.01, 0.06)
    hub = 2 * wheel + 0.035
    limb = bar((0, 0, hub + slope), (reach, 0, hub - 0.005), 0.05, 0.035, taper=0.6, bevel=0.006)
    roller = cylinder(wheel, 0.036, bevel=0.006).at(z=-0.018).turned(x=90).at(reach - 0.012, 0, wheel)
    stem = cylinder(0.008, hub - wheel, (reach - 0.012, 0, wheel))
    casters, limbs = [], []
    for turn in around(count, 90):
        limbs.append(leaf("leg", limb.turned(z=turn)))
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        spot = ((reach - 0.012) * cos, (reach - 0.012) * sin, wheel)
        rolling = spinning(leaf("wheel", roller.turned(z=turn)), (-sin, cos, 0), spot)
        caster = part("caster", rolling, leaf("caster_stem", stem.turned(z=turn)))
        casters.append(spinning(caster, (0, 0, 1), spot))
    sleeve = hub + style.number("sleeve", 0.35, 0.6) * (seat.bottom - hub)
    column = lathe([(0.032, hub - 0.015), (0.032, sleeve), (0.019, sleeve + 0.002), (0.019, seat.bottom + 0.004)])
    z, controls = seat.bottom + 0.008, []
    if style.maybe("lever", 0.6):
        controls.append(leaf("lever", bar((0.05, 0.03, z), (0.55 * seat.width, 0.03, z - 0.015), 0.014, round=True)))
    if style.maybe("knob", 0.35):
        out = 0.4 * seat.width
        knob = lathe([(0.007, 0), (0.007, out), (0.022, out), (0.018, out + 0.025)])
        controls.append(spinning(leaf("knob", knob.turned(y=-90).at(-0.02, 0.02, z)), (1, 0, 0), (0, 0.02, z)))
    control = part("mechanical_control", controls) if controls else None
    star = spinning(part("star_leg_set", casters, limbs), (0, 0, 1), (0, 0, 0))
    return part("star_leg_base", star, leaf("central_support", column), control)


def pedestal_base(style: Style, seat: Seat) -> Part:
    """A column on a disc, a dome, a tulip's foot or a square plate."""
    radius, neck = style.number("pedestal", 0.19, 0.25), style.number("column", 0.022, 0.04)
    kind, top = style.pick("pedestal kind", {"disc": 1, "dome": 1, "tulip": 1, "square": 0.6}), seat.bottom + 0.004
    feet = {
        "disc": [(1, 0), (1, 0.012), (0.5, 0.022), (0.22, 0.03)],
        "dome": [(1, 0), (0.98, 0.015), (0.8, 0.045), (0.5, 0.065), (0.2, 0.075)],
        "tulip": [(1, 0), (0.97, 0.01), (0.6, 0.03), (0.35, 0.07), (0.22, 0.14)],
    }
    foot = lathe([(radius * r, z) for r, z in feet.get(kind, feet["disc"])])
    if kind == "square":
        foot = box((1.6 * radius, 1.6 * radius, 0.025), (0, 0, 0.0125), bevel=0.006)
    waist = neck * style.number("waist", 0.6, 1.0)
    column = lathe([(neck, 0.01), (waist, 0.5 * top), (1.3 * neck, top)])
    return part("pedestal_base", leaf("pedestal", foot), leaf("central_support", column))
