"""Clocks in a block: carriage clocks and those for a mantelpiece."""

from __future__ import annotations

import math

from mereo.shapes.appliances import feet
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.clock.faces import clock_body
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import bent, board, box, tube
from mereo.shapes.style import Style

__all__ = ["carriage", "mantel"]


def carriage(style: Style) -> list[Part]:
    """An upright case with a handle, on feet or on a plate."""
    wide, tall = style.number("width", 0.08, 0.13), style.number("height", 0.12, 0.18)
    deep = style.number("depth", 0.06, 0.09)
    lift = 0.018
    y, top = -deep / 2, lift + tall
    case = box((wide, deep, tall), (0, y, lift + tall / 2), bevel=0.005)
    roof = box((wide + 0.02, deep + 0.02, 0.012), (0, y, top), bevel=0.003)
    path = [(-0.3, 0.004), (-0.34, 0.049), (0.34, 0.049), (0.3, 0.004)]
    handle = tube(bent([(x * wide, y, top + z) for x, z in path]), 0.004, segments=8)
    radius = 0.4 * wide
    dial = ellipse(2 * radius, 2 * radius, segments=32)
    if style.maybe("square face", 0.5):
        dial = rectangle(0.84 * wide, 0.6 * tall)
    made = style.pick("material", {"metal": 2, "wood": 1})
    body = clock_body(style, case, dial, radius, deep, lift + 0.56 * tall, more=[roof, handle], material=made)
    if style.maybe("feet", 0.5):
        under = [solid.at(y=-deep / 2) for solid in feet(0.4 * wide, (-0.36 * deep, 0.36 * deep), lift, 0.01)]
        return [body, part("base", part("foot_base", leaves("foot", under)))]
    plate = box((wide + 0.03, deep + 0.03, lift + 0.002), (0, -deep / 2, lift / 2 + 0.001), bevel=0.004)
    return [body, part("base", part("surface_base", leaf("base_surface", plate)))]


def mantel(style: Style) -> list[Part]:
    """A wooden block with an arch, a gable or shoulders like a hat, on a broad plate."""
    radius, deep = style.number("radius", 0.06, 0.1), style.number("depth", 0.07, 0.11)
    lift = 0.02
    shape = style.pick("block", {"hat": 1.4, "arch": 1, "gable": 1, "lancet": 0.7})
    half = radius * (style.number("spread", 2.0, 2.8) if shape == "hat" else 1.3)
    turns = [math.radians(90 * k / 8) for k in range(9)]
    dome = [(1.25 * radius * math.cos(turn), 1.2 * radius + 1.25 * radius * math.sin(turn)) for turn in turns]
    slope = [(half, 0), (half, 0.35 * radius), (0.4 * half + 0.9 * radius, 0.5 * radius), (1.4 * radius, 0.85 * radius)]
    right = {
        "hat": [*slope, *dome],
        "arch": [(half, 0), *((half * math.cos(t), 1.2 * radius + half * math.sin(t)) for t in turns)],
        "gable": [(half, 0), (half, 2.3 * radius), (0.0, 3.1 * radius)],
        "lancet": [(half, 0), (half, 1.5 * radius), (0.7 * half, 2.5 * radius), (0.0, 3.3 * radius)],
    }[shape]
    outline = polygon([*right, *((-x, z) for x, z in reversed(right[:-1]))])
    case = board(outline, deep).turned(x=90).at(z=lift - 0.002)
    z = lift + (1.2 if shape in ("hat", "arch") else 1.35) * radius
    dial = ellipse(2 * radius, 2 * radius, segments=32)
    body = clock_body(style, case, dial, radius, deep, z, more=[], material="wood")
    plate = box((2 * half + 0.03, deep + 0.03, lift), (0, -deep / 2, lift / 2), bevel=0.005)
    return [body, part("base", part("surface_base", leaf("base_surface", plate, "wood")))]
