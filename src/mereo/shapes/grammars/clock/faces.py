"""Faces of clocks: dials with ticks and hands, and screens with digits. All lie around the origin and face -y."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mereo.shapes.appliances import spaced
from mereo.shapes.articulation import spinning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.joinery import around
from mereo.shapes.outlines import Outline, polygon
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, board, box, cylinder, union
from mereo.shapes.style import Style

__all__ = ["Hands", "clock_body", "digits", "hands_maker", "ticked"]

Hands = Callable[[str, float, float, float, float], list[Part]]
"""From a name, a radius and a place to hands that turn there."""


def ticked(style: Style, dial: Outline, radius: float, thick: float) -> Solid:
    """A dial from y = -thick to 0 with a mark at every hour, or at every quarter."""
    marks = style.pick("marks", {"bars": 2, "dots": 1, "quarters": 1})
    away, long = 0.84 * radius, 0.16 * radius
    tick = box((0.05 * radius, long, 0.003), (0, away, thick))
    if marks == "dots":
        tick = cylinder(0.05 * radius, 0.003, (0, away, thick - 0.0015))
    solids = [tick.turned(z=turn) for turn in around(4 if marks == "quarters" else 12)]
    return union(board(dial, thick), *solids).turned(x=90)


def hands_maker(style: Style) -> Hands:
    """Two hands or three of one design, at one time; each turns by itself."""
    design = style.pick("hands", {"bars": 2, "spears": 1.2, "spades": 1})
    hour, seconds = style.number("hour", 0.0, 12.0), style.maybe("seconds", 0.4)
    angles = [(30 * hour, 0.55, 0.09), (360 * (hour % 1), 0.82, 0.065)] + [(200.0, 0.86, 0.02)] * seconds

    def make(name: str, radius: float, x: float, y: float, z: float) -> list[Part]:
        made = []
        for number, (angle, reach, wide) in enumerate(angles):
            hand = board(_hand(design, reach * radius, wide * radius), 0.0016)
            pin = cylinder(0.07 * radius, 0.003, (0, 0, -0.001))
            solid = union(hand, pin).at(z=0.0018 * number + 0.001).turned(x=90).turned(y=angle).at(x, y, z)
            made.append(spinning(leaf(name, solid, "metal"), (0, 1, 0), (x, y, z)))
        return made

    return make


def _hand(design: str, reach: float, wide: float) -> Outline:
    """A hand that points up, its tail below the pin."""
    tail, half = -0.14 * reach, wide / 2
    if design == "bars" or wide < 0.03 * reach:
        return polygon([(-half, tail), (half, tail), (half, reach), (-half, reach)])
    if design == "spears":
        return polygon(
            [
                (-0.5 * half, tail),
                (0.5 * half, tail),
                (1.2 * half, 0.55 * reach),
                (0, reach),
                (-1.2 * half, 0.55 * reach),
            ]
        )
    blade = [
        (0.4 * half, tail),
        (0.4 * half, 0.6 * reach),
        (1.6 * half, 0.72 * reach),
        (0.3 * half, 0.86 * reach),
        (0.0, reach),
    ]
    return polygon([*blade, *((-x, y) for x, y in reversed(blade[:-1]))])


_SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
}
"""Which of seven bars make a digit: a is the top, then clockwise to f, and g the middle."""


def digits(text: str, width: float, height: float) -> list[Solid]:
    """Four digits of bars with a colon between them, which stand out by a millimeter from y = 0."""
    pitch, tall = width / 4.6, 0.36 * height
    wide, thick = 0.3 * pitch, 0.13 * pitch
    level, upright = (1.5 * wide, thick), (thick, 0.8 * tall)
    bars: dict[str, tuple[float, float, tuple[float, float]]] = {
        "a": (0, tall, level),
        "d": (0, -tall, level),
        "g": (0, 0, level),
    }
    for name, x, z in (("b", 1, 1), ("c", 1, -1), ("e", -1, -1), ("f", -1, 1)):
        bars[name] = (x * (wide + 0.02 * pitch), z * tall / 2, upright)
    solids = []
    for number, place in zip(text, spaced(4, pitch), strict=True):
        x = place + np.sign(place) * 0.2 * pitch
        solids += [
            box((size[0], 0.004, size[1]), (x + dx, 0.001, z))
            for dx, z, size in (bars[name] for name in _SEGMENTS[number])
        ]
    solids += [box((thick, 0.004, thick), (0, 0.001, z)) for z in (-0.4 * tall, 0.4 * tall)]
    return solids


def clock_body(
    style: Style, case: Solid, dial: Outline, radius: float, deep: float, z: float, *, more: list[Solid], material: str
) -> Part:
    """A case from y = -deep to 0 whose face is let into its front, with hands before it.

    dial : the face, around the place (0, z); radius : of the circle that the hands stay in; more : on the case
    """
    sunk = min(0.4 * deep, 0.018)
    hole = board(dial, 0.2).turned(x=90).at(0, sunk - deep, z)
    frame = union(case, *more).minus(hole, pieces=[case, *more])
    face = ticked(style, dial.grown(0.0008), radius, 0.006).at(0, sunk - deep + 0.003, z)
    hands = hands_maker(style)("surface", 0.95 * radius, 0.0, sunk - deep - 0.003, z)
    return part("clock_body", leaf("frame", frame, material), leaf("surface", face, "painted_wood"), hands)
