"""Pendants and chandeliers."""

from __future__ import annotations

from functools import partial

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.lamp.heads import Head, hung_head, lamp_head, socketed_bulb, upright_head
from mereo.shapes.grammars.lamp.parts import bent_rod, holistic_base, put_at, straight_rod
from mereo.shapes.grammars.lamp.profiles import drawn_profile, profiles
from mereo.shapes.joinery import around, sized, turned
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, cylinder, ring, shell, sphere, tube, union
from mereo.shapes.style import Style

__all__ = ["chandelier", "pendant"]


def _chain(length: float) -> Solid:
    """Links that hang from the origin."""
    count = max(3, round(length / 0.038))
    pitch, turns = length / count, np.linspace(0, 2 * np.pi, 10, endpoint=False)
    oval = np.stack([0.011 * np.cos(turns), 0 * turns, (0.5 * pitch + 0.003) * np.sin(turns)], 1)
    link = tube(oval, 0.003, segments=6, closed=True)
    return union(*(link.turned(z=90 * (k % 2)).at(z=-(k + 0.5) * pitch) for k in range(count)))


def _canopy(style: Style) -> Part:
    """What covers the hole in the ceiling, its upper side at z = 0."""
    radius = style.number("canopy radius", 0.045, 0.075)
    solid = turned(drawn_profile(style, "canopy", "canopies"), radius, radius)
    return holistic_base(solid.at(z=-solid.bounds()[1, 2]))


def pendant(style: Style) -> Part:
    """One or several heads on cords or chains."""
    count = int(style.pick("heads", {"1": 5, "2": 0.5, "3": 1.5, "5": 0.5}))
    length, chained = style.number("length", 0.3, 0.7), style.maybe("chain", 0.35)
    head = hung_head(style, 0.1, 0.22) if count == 1 else hung_head(style, 0.06, 0.11)
    if count == 1:
        spots, base = [(0.0, 0.0)], _canopy(style)
    elif count > 2 and style.maybe("cluster", 0.5):
        spots = [(0.17 * np.cos(turn), 0.17 * np.sin(turn)) for turn in np.radians(list(around(count)))]
        base = holistic_base(cylinder(0.22, 0.03, (0, 0, -0.03), bevel=0.004))
    else:
        spots = [((place - (count - 1) / 2) * 0.28, 0.0) for place in range(count)]
        base = holistic_base(box((0.28 * count, 0.09, 0.03), (0, 0, -0.015), bevel=0.004))
    uneven = style.number("uneven", 0.0, 0.3) if count > 1 else 0.0
    cords, units = [], []
    for place, (x, y) in enumerate(spots):
        end = -length * (1 + uneven * (2 * place % 3 - 1))
        rope = _chain(-end).at(x, y, -0.01) if chained else straight_rod((x, y, -0.01), (x, y, end), 0.006)
        cords += [] if chained else [leaf("cord", rope)]
        hung = head(put_at(x, y, end - 0.012))
        units.append(part("pendant_lamp_unit", [leaf("chain", rope)] if chained else None, hung))
    return part("pendant_lamp", [part("power_cord", cords)] if cords else None, units, base)


def _branch(arm: Solid, head: Part) -> Part:
    return part("lamp_unit", leaf("lamp_arm", arm), head)


def chandelier(style: Style) -> Part:
    """Many heads around a body that hangs on a chain or two."""
    design = style.pick("design", {"crown": 2.5, "tiers": 1, "droop": 1.2, "wheel": 1.2, "sputnik": 1, "beam": 1})
    drop, radius = style.number("drop", 0.2, 0.45), style.number("radius", 0.26, 0.42)
    chains = [leaf("chain", _chain(drop).at(z=-0.01))]
    if design == "beam":
        width = 2.6 * radius
        chains = [leaf("chain", _chain(drop).at(x, 0, -0.01)) for x in (-0.3 * width, 0.3 * width)]
        base = holistic_base(box((0.75 * width, 0.07, 0.03), (0, 0, -0.015), bevel=0.004))
        body, groups = _beam(style, -drop, width)
    else:
        base = _canopy(style)
        makers = {"wheel": _wheel, "sputnik": _sputnik}
        make = makers.get(design, partial(_crown, design=design))
        body, groups = make(style, -drop, radius)
    units = [part("lamp_unit_group", group) for group in groups]
    return part("chandelier", units, leaf("lamp_body", body), chains, base)


_Hanging = tuple[Solid, list[list[Part]]]
"""The body of a chandelier and its groups of units."""


def _crown(style: Style, z: float, radius: float, *, design: str) -> _Hanging:
    """Curved arms around a turned body, with heads that stand or hang at their tips, in one tier or two."""
    height, hung = style.number("body height", 0.25, 0.42), design == "droop"
    profile = drawn_profile(style, "body", "bodies", ("baluster", "urn", "candlestick", "gourd", "ball"))
    body = turned(profile, style.number("body radius", 0.045, 0.07), height).at(z=z - height)
    head = hung_head(style, 0.055, 0.09) if hung else _light(style)
    count, depth = style.count("heads", 3 if hung else 5, 8), style.number("depth", 0.1, 0.2)

    def tier(count: int, reach: float, start: float) -> list[Part]:
        sway, rise, lift = (depth, -0.04, -0.012) if hung else (-depth, 0.06, 0.003)
        path = [(0.01, 0, 0), (0.35 * reach, 0, sway), (reach, 0, sway), (reach, 0, rise)]
        arm = bent_rod(*path, thick=0.016).at(z=start)
        move = partial(put_at, reach, 0, start + rise + lift)
        return [_branch(arm.turned(z=turn), head(move(turn=turn))) for turn in around(count)]

    groups = [tier(count, radius, z - 0.75 * height)]
    if design == "tiers":
        groups.append(tier(max(3, count // 2), 0.55 * radius, z - 0.1 * height + 0.08))
    return body, groups


def _wheel(style: Style, z: float, radius: float) -> _Hanging:
    """Lights on a level ring."""
    low, spokes = z - style.number("body height", 0.15, 0.4), style.count("spokes", 3, 6)
    bars = [straight_rod((0, 0, low), (radius, 0, low), 0.018).turned(z=turn) for turn in around(spokes)]
    body = union(
        ring(radius, 0.035, (0, 0, low), segments=8), *bars, straight_rod((0, 0, low - 0.03), (0, 0, z), 0.035)
    )
    head, post = _light(style), straight_rod((radius, 0, low), (radius, 0, low + 0.05), 0.03)
    turns = list(around(style.count("heads", 6, 10)))
    return body, [[_branch(post.turned(z=turn), head(put_at(radius, 0, low + 0.052, turn=turn))) for turn in turns]]


def _sputnik(style: Style, z: float, radius: float) -> _Hanging:
    """Rods in all directions from a ball."""
    size, count = style.number("globes", 0.7, 1.1), style.count("rays", 9, 16)
    globe = shell(sized(profiles("upright")["globe"], 0.055 * size, 0.055 * size), 0.003)
    head = (
        lamp_head(None, light_bulb=socketed_bulb("ball", size)) if style.maybe("bare bulbs", 0.5) else lamp_head(globe)
    )
    rod = straight_rod((0, 0, 0.05 - radius), (0, 0, 0.003), 0.009)
    units = []
    for place in range(count):
        polar = float(np.degrees(np.arccos(0.8 - 1.7 * (place + 0.5) / count)))

        def move(solid: Solid, polar: float = polar, turn: float = 137.5 * place) -> Solid:
            return solid.at(z=radius).turned(y=polar, z=turn).at(z=z - 0.06)

        units.append(_branch(move(rod), head(move)))
    return sphere(0.07, (0, 0, z - 0.06)), [units]


def _beam(style: Style, z: float, width: float) -> _Hanging:
    """A row of hanging heads under a beam."""
    count, end = style.count("heads", 3, 5), z - style.number("rod", 0.08, 0.25)
    head, step = hung_head(style, 0.06, 0.095), 0.92 * width / count
    xs = [(place - (count - 1) / 2) * step for place in range(count)]
    units = [_branch(straight_rod((x, 0, z), (x, 0, end), 0.01), head(put_at(x, 0, end - 0.012))) for x in xs]
    return box((width, 0.04, 0.04), (0, 0, z), bevel=0.004), [units]


def _light(style: Style) -> Head:
    """A candle, bare or under a little shade, or an upright glass."""
    kind = style.pick("light", {"candle": 2, "shaded candle": 1.5, "glass": 2})
    if kind == "glass":
        return upright_head(style, 0.05, 0.075)
    candle = union(cylinder(0.03, 0.008, top=0.036), cylinder(0.011, 0.09), socketed_bulb("candle", 0.8).at(z=0.085))
    if kind == "candle":
        return lamp_head(None, light_bulb=candle)
    profile, radius = (
        drawn_profile(style, "shade", "fitted", ("empire", "drum", "bell")),
        style.number("shade radius", 0.055, 0.08),
    )
    spokes = [straight_rod((0, 0, 0.14), (0.9 * radius, 0, 0.1), 0.003).turned(z=turn) for turn in around(3)]
    return lamp_head(union(shell(sized(profile, radius, radius), 0.003).at(z=0.09), *spokes), light_bulb=candle)
