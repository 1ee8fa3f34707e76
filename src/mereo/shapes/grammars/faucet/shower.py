"""Faucets with a hose: shower rails, rain showers, mixers of tubs, and kitchen sprays. The wall is y = 0."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.faucet.parts import Handles, column, pipe, plate
from mereo.shapes.joinery import leaves
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point, ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.skins import loft, oval
from mereo.shapes.solids import Solid, bar, board, box, cylinder, lathe, tube, union
from mereo.shapes.style import Style

__all__ = ["kitchen_spray", "rail", "rain", "tub"]


def rail(style: Style) -> list[Part]:
    """A rod on the wall that holds a hand shower, above a mixer."""
    high, x = style.number("rail height", 0.5, 0.7), 0.0
    frame, switches, front = _wall_mixer(style)
    rod = bar((x, -0.06, 0.1), (x, -0.06, 0.1 + high), 0.022, round=True)
    stands = [
        bar((x, 0, z), (x, -0.07, z), 0.03, round=style.maybe(f"round stand {z > 0.3}", 0.7))
        for z in (0.14, 0.06 + high)
    ]
    holder = 0.1 + high * style.number("holder", 0.8, 0.92)
    clamp = box((0.04, 0.05, 0.045), (x, -0.075, holder), bevel=0.006)
    hand, end = _hand_shower(style, (x, -0.095, holder))
    link = bar((0, -0.06, 0.02), (0, -0.06, 0.11), 0.02, round=True)
    post = leaf("vertical_support", union(rod, link), "metal")
    frame += [post, *leaves("horizontal_support", [*stands, clamp])]
    hose = _hose(np.array([0.05, front, -0.02]), end, sag=style.number("sag", 0.12, 0.22), side=0.12)
    return [part("frame", frame), *switches, part("spout", leaf("tube", hand)), leaf("hose", hose)]


def rain(style: Style) -> list[Part]:
    """A pipe that rises from the mixer and reaches over, with a wide head; a hand shower hangs below."""
    high, reach = style.number("riser", 0.7, 0.95), style.number("reach", 0.3, 0.42)
    frame, switches, front = _wall_mixer(style)
    riser = pipe((0, -0.06, 0.02), (0, -0.06, high), (0, -0.06, high + 0.06), (0, -0.14, high + 0.08), radius=0.011)
    over = pipe(
        (0, -0.13, high + 0.08),
        (0, -reach + 0.03, high + 0.08),
        (0, -reach, high + 0.06),
        (0, -reach, high),
        radius=0.011,
    )
    wide = style.number("head", 0.2, 0.3)
    outline = rectangle(wide, wide, corner=0.02) if style.maybe("square head", 0.5) else ellipse(wide, wide)
    head = board(outline, 0.012, (0, -reach, high - 0.01), bevel=0.003)
    stand = bar((0, 0, 0.8 * high), (0, -0.07, 0.8 * high), 0.03, round=True)
    holder = style.number("holder", 0.4, 0.55) * high
    clamp = box((0.04, 0.05, 0.045), (0, -0.075, holder), bevel=0.006)
    hand, end = _hand_shower(style, (0, -0.095, holder))
    frame += [leaf("vertical_support", riser, "metal"), *leaves("horizontal_support", [stand, clamp])]
    spouts = [part("spout", leaf("tube", solid)) for solid in (union(over, head), hand)]
    hose = _hose(np.array([0.05, front, -0.02]), end, sag=style.number("sag", 0.12, 0.22), side=0.12)
    return [part("frame", frame), *switches, *spouts, leaf("hose", hose)]


def tub(style: Style) -> list[Part]:
    """A mixer with a spout of its own and a hand shower in a cradle above it."""
    frame, switches, front = _wall_mixer(style)
    down = pipe((0, -0.06, -0.005), (0, -0.14, -0.01), (0, -0.16, -0.02), (0, -0.16, -0.07), radius=0.015)
    high = style.number("cradle", 0.09, 0.16)
    stem = bar((0, -0.06, 0.01), (0, -0.06, high), 0.016, round=True)
    fork = box((0.05, 0.04, 0.02), (0, -0.07, high), bevel=0.005)
    hand, end = _hand_shower(style, (0, -0.085, high + 0.01))
    frame.append(leaf("vertical_support", union(stem, fork), "metal"))
    hose = _hose(np.array([0.06, front, -0.02]), end, sag=style.number("sag", 0.15, 0.3), side=0.14)
    spouts = [part("spout", leaf("tube", solid)) for solid in (down, hand)]
    return [part("frame", frame), *switches, *spouts, leaf("hose", hose)]


def kitchen_spray(style: Style) -> list[Part]:
    """A column on the deck; a hose rises from it in a bow to a spray that an arm holds."""
    height, radius = style.number("height", 0.1, 0.16), style.number("radius", 0.021, 0.028)
    body, half = column(style, height, radius), style.number("bow", 0.085, 0.12)
    top = height + style.number("rise", 0.18, 0.3)
    turns = np.linspace(0, np.pi, 15)
    bow = np.stack([np.zeros(15), half * np.cos(turns) - half, top + half * np.sin(turns)], 1)
    low = height + style.number("head height", 0.03, 0.08)
    line = np.concatenate([[(0, 0, height - 0.006)], bow, [(0, -2 * half, low + 0.07)]])
    hose = _wound(line) if style.maybe("spring", 0.6) else tube(line, 0.0095, segments=12)
    spray = [(0.013, 0), (0.017, 0.01), (0.014, 0.03), (0.012, 0.09)]
    head = lathe(spray, segments=18).at(0, -2 * half, low - 0.02)
    arm = bar((0, 0, low + 0.03), (0, -2 * half, low + 0.03), 0.012, 0.016)
    post = bar((0, 0, height - 0.01), (0, 0, low + 0.036), 0.026, round=True)
    base = plate(style, 2.8 * radius, 2.8 * radius)
    switch = Handles(style, {"lever": 2, "pin": 1, "paddle": 1}).on((radius - 0.006, 0, 0.6 * height), "right")
    supports = leaf("vertical_support", union(body, post), "metal"), leaf("horizontal_support", arm, "metal")
    frame, spout = part("frame", base, *supports), part("spout", leaf("tube", head, "metal"))
    return [frame, switch, spout, leaf("hose", hose, "rubber")]


def _wall_mixer(style: Style) -> tuple[list[Part], list[Part], float]:
    """The parts of its frame, its handles, and where the front of its bar is."""
    half, radius = style.number("mixer", 0.1, 0.15), style.number("mixer radius", 0.02, 0.026)
    handles = Handles(style, {"knob": 2, "cross": 1, "wheel": 1, "wing": 0.8, "lever": 0.8})
    if style.maybe("mixer plate", 0.35):
        base = [leaf("surface_base", box((1.5 * half, 0.012, 0.11), (0, -0.006, 0), bevel=0.003), "metal")]
        stubs = [bar((0, -0.009, 0), (0, -0.06, 0), 2 * radius, round=True)]
    else:
        rosette = cylinder(0.034, 0.01, bevel=0.003).turned(x=90)
        base = leaves("surface_base", [rosette.at(x=side * 0.6 * half) for side in (-1, 1)])
        stubs = [
            bar((side * 0.6 * half, -0.006, 0), (side * 0.6 * half, -0.06, 0), 0.024, round=True) for side in (-1, 1)
        ]
    body = bar((-half, -0.06, 0), (half, -0.06, 0), 2 * radius, round=True)
    spigot = cylinder(0.011, 0.026, (0.05, -0.06, -0.034))
    frame = [*base, leaf("horizontal_support", union(body, spigot, *stubs), "metal")]
    switches = [handles.on((-half, -0.06, 0), "left", mirrored=True), handles.on((half, -0.06, 0), "right")]
    return frame, switches, -0.06


def _hand_shower(style: Style, at: tuple[float, float, float]) -> tuple[Solid, Floats]:
    """A hand shower in a holder, its head above to the front, and where its hose begins."""
    wide, deep = style.number("hand head", 0.035, 0.055), style.number("hand depth", 0.014, 0.03)
    low, high = np.array([0, 0.01, -0.06]), np.array([0, -0.05, 0.13])
    grip = bar(low, high, 0.024, round=True, taper=1.15, sides=12)
    head = lathe([(0.35 * wide, -deep), (wide, -0.3 * deep), (wide, 0.3 * deep), (0.9 * wide, 0.4 * deep)], segments=20)
    solid = union(grip, head.turned(x=115).at(*(high + (0, -0.012, 0.008))))
    return solid.at(*at), low + at


def _hose(start: Floats, end: Floats, *, sag: float, side: float) -> Solid:
    """It hangs in a loop from the mixer to the hand shower."""
    low = min(start[2], end[2]) - sag
    path: list[Point] = [start + (0, 0, 0.003), start - (0, 0, 0.1), (start[0] + 0.2 * side, start[1] - 0.01, low)]
    path += [
        (start[0] + side, start[1] - 0.03, low),
        (end[0] + 0.5 * side, end[1] - 0.02, end[2] - 0.5 * sag),
        end - (0, -0.012, 0.1),
    ]
    return pipe(*path, end + (0, -0.002, 0.006), radius=0.0065, rounds=3)


def _wound(line: Floats) -> Solid:
    """A hose within a spring. line : (k, 3) float, in the plane of y and z"""
    steps = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    along = np.linspace(0, steps[-1], 2 * round(steps[-1] / 0.012) + 1)
    middle = np.stack([np.interp(along, steps, line[:, k]) for k in range(3)], 1)
    ahead = np.gradient(middle, axis=0)
    up = np.cross((1.0, 0.0, 0.0), ahead / np.linalg.norm(ahead, axis=1, keepdims=True))
    flat = oval(2.0, 2.0, sides=12)
    radii = np.where(np.arange(len(along)) % 2, 0.015, 0.0105)
    return loft(
        [
            at + r * (flat[:, :1] * (1.0, 0.0, 0.0) + flat[:, 1:] * way)
            for at, way, r in zip(middle, up, radii, strict=True)
        ]
    )
