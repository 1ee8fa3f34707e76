"""Round clocks: on the wall, on a desk, and with bells."""

from __future__ import annotations

import math

from mereo.shapes.appliances import soft
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.clock.faces import clock_body
from mereo.shapes.joinery import around, leaves, pair
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, box, lathe, sphere, tube, union
from mereo.shapes.style import Style

__all__ = ["alarm", "desk", "wall"]

_ROUND = 32
"""Corners of a full circle."""
_BELL = [(0.44, 0), (0.42, 0.12), (0.28, 0.28), (0.08, 0.34)]
"""Radius and height of a bell from its rim to its top, for a clock of radius 1."""


def _regular(sides: int, radius: float) -> Outline:
    """A figure of equal sides that stands on one of them."""
    turns = [math.radians(turn - 90 + 180 / sides) for turn in around(sides)]
    return polygon([(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns])


def wall(style: Style) -> list[Part]:
    """A round, square, six- or eight-sided face in a rim, a sunburst, or a face between square corners."""
    radius, deep = style.number("radius", 0.1, 0.22), style.number("depth", 0.03, 0.055)
    rim = radius * style.number("rim", 0.06, 0.2)
    outlines = {
        "round": ellipse(2 * radius, 2 * radius, segments=_ROUND),
        "square": rectangle(2 * radius, 2 * radius, corner=0.25 * radius),
        "octagon": _regular(8, radius),
        "hexagon": _regular(6, radius),
        "rays": ellipse(2 * radius, 2 * radius, segments=_ROUND),
        "panel": rectangle(2 * radius, 2.9 * radius, corner=0.01),
    }
    kind = style.pick("wall clock", {"round": 2, "square": 1, "octagon": 1, "hexagon": 0.7, "rays": 1.3, "panel": 0.9})
    outline, more = outlines[kind], []
    if kind == "rays":
        count, reach = 2 * style.count("rays", 3, 6), style.number("ray", 1.5, 1.9) * radius
        y, end = -0.4 * deep, style.number("ray end", 0.45, 1.5)
        ray = bar((0, y, 0.9 * radius), (0, y, reach), 0.1 * radius, 0.6 * deep, taper=end)
        short = bar((0, y, 0.9 * radius), (0, y, 0.8 * reach), 0.07 * radius, 0.3 * deep)
        more = [ray.turned(y=turn) for turn in around(count, 180 / count)]
        more += [short.turned(y=turn) for turn in around(count)]
    inner = ellipse(2 * (radius - rim), 2 * (radius - rim), segments=_ROUND)
    face, z = (inner, 0.4 * radius) if kind == "panel" else (outline.grown(-rim), 0.0)
    case = soft(outline, deep, min(0.4 * rim, 0.4 * deep), steps=3).turned(x=90)
    reach = (radius - rim) * (0.86 if kind in ("octagon", "hexagon") else 1.0)
    made = style.pick("material", {"plastic": 1.5, "metal": 1, "wood": 1.5})
    return [clock_body(style, case, face, reach, deep, z, more=more, material=made)]


def desk(style: Style) -> list[Part]:
    """A drum on a pedestal, or a round face on two feet."""
    radius, deep = style.number("radius", 0.045, 0.09), style.number("depth", 0.03, 0.05)
    stands = style.pick("stand", {"block": 1, "stem": 1, "feet": 1})
    lift = radius + (style.number("stem", 0.03, 0.08) if stands == "stem" else 0.012)
    sides = style.pick("case", {"round": 2, "square": 1, "octagon": 1})
    outlines = {"round": ellipse(2 * radius, 2 * radius, segments=_ROUND), "octagon": _regular(8, 1.05 * radius)}
    outline = outlines.get(sides) or rectangle(2 * radius, 2 * radius, corner=0.012)
    case = soft(outline, deep, 0.2 * deep, foot=0.2 * deep, steps=2).turned(x=90).at(z=lift)
    inner = ellipse(1.64 * radius, 1.64 * radius, segments=_ROUND)
    made = style.pick("material", {"metal": 1, "wood": 1, "plastic": 1})
    body = clock_body(style, case, inner, 0.82 * radius, deep, lift, more=[], material=made)
    if stands == "feet":
        foot = bar((0, -deep / 2, 0.3 * radius), (0, -deep / 2, 0.001), 0.02, round=True, taper=0.7)
        under = union(foot, box((0.03, 0.9 * deep, 0.006), (0, -deep / 2, 0.003), bevel=0.001)).at(x=0.55 * radius)
        return [body, part("base", part("foot_base", leaves("foot", pair(under))))]
    low = box((1.9 * radius, 1.5 * deep, 0.014), (0, -deep / 2, 0.007), bevel=0.003)
    if stands == "stem":
        stem = [(0.75 * radius, 0), (0.75 * radius, 0.008), (0.2 * radius, 0.018), (0.12 * radius, lift - 0.9 * radius)]
        low = lathe(stem).at(y=-deep / 2)
    return [body, part("base", part("surface_base", leaf("base_surface", low)))]


def alarm(style: Style) -> list[Part]:
    """A drum on four splayed feet, with two bells, a hammer and perhaps a handle on top."""
    radius, deep = style.number("radius", 0.04, 0.07), style.number("depth", 0.035, 0.055)
    lift, y = 1.22 * radius, -deep / 2

    def on_drum(solid: Solid, y: float = y) -> Solid:
        """What is made around a drum of radius 1, brought to this one."""
        return solid.scaled(radius, radius, radius).at(0, y, lift)

    drum = soft(ellipse(2 * radius, 2 * radius, segments=_ROUND), deep, 0.25 * deep, foot=0.25 * deep, steps=2)
    spread = style.number("bells apart", 28, 38)
    bell = union(lathe(_BELL, segments=20), bar((0, 0, -0.24), (0, 0, 0.42), 0.08, round=True, sides=10)).at(z=1.13)
    hammer = union(bar((0, 0, 0.9), (0, 0, 1.36), 0.06), sphere(0.1, (0, 0, 1.36), segments=12))
    more = [bell.turned(y=side * spread) for side in (-1, 1)] + [hammer]
    if style.maybe("handle", 0.7):
        x = 1.4 * math.sin(math.radians(spread))
        path = [(-x, 0, 1.3), (-0.9 * x, 0, 1.85), (0.9 * x, 0, 1.85), (x, 0, 1.3)]
        more.append(tube(bent(path), 0.045, segments=8))
    dial, case = ellipse(1.7 * radius, 1.7 * radius, segments=_ROUND), drum.turned(x=90).at(z=lift)
    more = [on_drum(solid) for solid in more]
    body = clock_body(style, case, dial, 0.85 * radius, deep, lift, more=more, material="metal")
    foot = union(bar((0, 0, -0.85), (0, 0, -1.3), 0.16, round=True, taper=0.7), sphere(0.13, (0, 0, -1.3), segments=12))
    under = [on_drum(foot.turned(y=side * 35), place * y) for place in (0.25, 1.75) for side in (-1, 1)]
    return [body, part("base", part("foot_base", leaves("foot", under)))]
