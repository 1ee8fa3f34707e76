"""Candles: pillars, tapers in candlesticks, tea lights, candles in jars, and candelabra."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import moved
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import smooth, vessel
from mereo.shapes.joinery import around, sized
from mereo.shapes.joint import shifted
from mereo.shapes.organic import blob
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bent, box, lathe, ring, tube
from mereo.shapes.style import Style

_STICKS = {
    "plain": [(0.5, 0), (0.4, 0.1), (0.34, 0.5), (0.4, 1)],
    "turned": [(0.6, 0), (0.36, 0.08), (0.8, 0.2), (0.34, 0.36), (0.3, 0.6), (0.7, 0.78), (0.4, 0.9), (0.5, 1)],
    "beads": [(0.5, 0), (0.9, 0.14), (0.4, 0.28), (0.9, 0.42), (0.4, 0.56), (0.9, 0.7), (0.4, 0.84), (0.6, 1)],
    "slim": [(0.3, 0), (0.22, 0.3), (0.22, 1)],
}
_STICK = 0.0115
"""Meters, the radius of a household candle."""


@grammar("candle")
def candle(style: Style) -> Part:
    """One candle or several, and what holds them."""
    kinds = {"pillar": 1.5, "stick": 2.5, "tea light": 1, "jar": 1.2, "chamber": 1.2, "candelabrum": 1.2}
    kind = style.pick("kind", kinds)
    makers = {"pillar": _pillar, "stick": _stick, "tea light": _tea_light, "jar": _jar, "chamber": _chamber}
    made = _candelabrum(style) if kind == "candelabrum" else makers[kind](style)
    return part("candle", made)


def _unit(style: Style, radius: float, tall: float, low: float, *, number: int = 0, twisted: bool = False) -> Part:
    """Wax with a hollow where it melts, a wick, and maybe drips that ran down."""
    slim = 0.9 if radius < 0.015 else 1.0
    profile = [(radius, 0), (radius, 0.25 * tall), (radius, 0.5 * tall), (radius, 0.75 * tall), (slim * radius, tall)]
    profile += [(0.75 * radius, tall), (0.6 * radius, tall - 0.15 * radius), (0.08 * radius, tall - 0.2 * radius)]
    ripple = None
    if twisted:
        turns, heights = np.linspace(0, 2 * np.pi, 24, endpoint=False), np.array([z for _, z in profile])
        climb = np.concatenate([np.linspace(0, tall, 14), heights[5:]])
        profile = [*((radius, z) for z in climb[:14]), *profile[5:]]
        deep = np.where(np.arange(len(profile)) < 14, 0.14, 0.0)[:, None]
        ripple = 1 + deep * np.cos(4 * turns - 7 * (climb / tall)[:, None])
    wax = blob(profile, ripple=ripple, segments=24).at(z=low)
    top = low + tall - 0.2 * radius
    wick = tube([(0, 0, top - 0.003), (0, 0, top + 0.006), (0.003, 0, top + 0.011)], 0.0011, segments=6)
    drips: list[Solid] = []
    if not number and not twisted and style.maybe("drips", 0.35):
        for k in range(style.count("drip count", 1, 4)):
            end, x = style.number(f"drip {k}", 0.12, 0.5) * tall, 0.97 * radius
            path = [(0.8 * x, 0, low + tall + 0.001), (x, 0, low + tall - 0.004), (x, 0, low + tall - end)]
            girth = 0.0011 + 0.05 * radius
            drips.append(tube(path, girth * np.array([0.8, 1.0, 1.5]), segments=8).turned(z=-100 + 75 * k))
    return part(
        "candle_unit", leaf("wax", wax, "wax"), leaf("wick", wick, "cloth"), [leaf("drip", d, "wax") for d in drips]
    )


def _material(style: Style) -> str:
    return style.pick("material", {"metal": 2, "wood": 1, "ceramic": 1, "glass": 0.6})


def _pillar(style: Style) -> list[Part]:
    """A thick candle that stands alone or on a plate."""
    radius = style.number("radius", 0.025, 0.045)
    tall = radius * style.number("height", 1.6, 5.0)
    if not style.maybe("plate", 0.6):
        return [_unit(style, radius, tall, 0.0)]
    material, wide = _material(style), radius * style.number("plate size", 1.5, 2.2)
    shares = [(0.75, 0), (0.9, 0.25), (1, 0.9), (0.97, 1), (0.85, 0.55), (0.3, 0.5)]
    plate = leaf("base", lathe(sized(shares, wide, 0.012)), material)
    return [_unit(style, radius, tall, 0.0055), part("holder", plate)]


def _stick(style: Style) -> list[Part]:
    """A taper in a candlestick."""
    material, tall = _material(style), style.number("stick height", 0.06, 0.24)
    foot, cup = _foot(style, style.number("foot", 0.04, 0.055)), _cup(tall)
    shaft = _STICKS[style.pick("stick", {"plain": 1, "turned": 1.5, "beads": 1, "slim": 1})]
    stem = lathe(sized(shaft, 0.018, tall - 0.01), segments=22).at(z=0.012)
    parts = {"base": foot, "stem": stem, "cup": cup}
    unit = _unit(style, _STICK, style.number("candle", 0.08, 0.24), tall + 0.004, twisted=style.maybe("twisted", 0.3))
    return [unit, part("holder", [leaf(name, solid, material) for name, solid in parts.items()])]


def _foot(style: Style, radius: float) -> Solid:
    if style.maybe("square foot", 0.25):
        return box((1.7 * radius, 1.7 * radius, 0.016), (0, 0, 0.008), bevel=0.004)
    return lathe(sized([(1, 0), (1, 0.15), (0.75, 0.45), (0.4, 0.7), (0.3, 1)], radius, 0.022))


def _cup(z: float) -> Solid:
    """What a taper is put into, its floor a little above z."""
    return vessel(
        smooth([(0.4, 0), (0.75, 0.2), (0.85, 0.7), (1, 1)], 0.0165, 0.022, rounds=1), 0.0022, segments=24, floor=0.005
    ).at(z=z)


def _tea_light(style: Style) -> list[Part]:
    """A low candle in its tin, in a dish or alone."""
    radius, high = style.number("tin", 0.0188, 0.0202), style.number("tin height", 0.0145, 0.0175)
    cup = vessel(smooth([(0.96, 0), (1, 0.05), (1, 1)], radius, high, rounds=1), 0.0006, segments=28, floor=0.0008)
    unit, low = _unit(style, radius - 0.0009, high - 0.0045, 0.0006), 0.0
    parts = [leaf("container", cup, "metal")]
    design = style.pick("dish", {"none": 1, "bowl": 1, "block": 1, "flower": 1})
    if design == "none":
        return [unit, part("holder", parts)]
    material, wide = _material(style), style.number("dish size", 0.038, 0.055)
    if design == "block":
        dish = box((2 * wide, 2 * wide, 0.03), (0, 0, -0.0137), bevel=0.003)
    else:
        flutes = (8, 0.12) if design == "flower" else (0, 0.0)
        shares = [(0.5, 0), (0.62, 0.06), (0.85, 0.4), (1, 1)]
        dish = vessel(smooth(shares, wide, 0.03), 0.0035, segments=48, flutes=flutes, floor=0.005).at(z=-0.0045)
    return [unit, part("holder", parts, leaf("base", dish.at(z=low), material))]


def _jar(style: Style) -> list[Part]:
    """A candle poured into a glass."""
    radius, tall = style.number("radius", 0.032, 0.045), style.number("height", 0.045, 0.085)
    shares = {
        "straight": [(0.92, 0), (1, 0.04), (1, 1)],
        "tumbler": [(0.74, 0), (0.8, 0.03), (1, 1)],
        "belly": [(0.6, 0), (0.8, 0.06), (1.04, 0.45), (0.86, 1)],
    }[style.pick("glass", {"straight": 1, "tumbler": 1, "belly": 1})]
    outside = smooth(shares, radius, tall)
    jar = vessel(outside, 0.0028, segments=28 if style.maybe("round", 0.7) else 8, floor=0.006)
    level = style.number("level", 0.8, 0.9) * tall
    inside = float(np.interp(np.linspace(0.1 * tall, level, 5), outside[:, 1], outside[:, 0]).min()) - 0.002
    unit = _unit(style, inside, level - 0.0055, 0.0055, number=1)
    return [unit, part("holder", leaf("container", jar, "glass"))]


def _chamber(style: Style) -> list[Part]:
    """A taper in a dish with a ring to carry it by."""
    wide, material = style.number("dish", 0.055, 0.07), style.pick("material", {"metal": 3, "ceramic": 1})
    dish = lathe(sized([(0.7, 0), (0.85, 0.15), (1, 1), (0.97, 1.05), (0.8, 0.3), (0.3, 0.25)], wide, 0.02))
    size = style.number("ring", 0.014, 0.02)
    loop = ring(size, 0.005, segments=8).turned(x=90).at(wide + size - 0.004, 0, 0.02)
    stem = lathe([(0.012, 0.003), (0.008, 0.012), (0.01, 0.024)], segments=18)
    parts = {"base": dish, "stem": stem, "cup": _cup(0.02), "handle": loop.turned(z=style.number("ring way", -60, 20))}
    unit = _unit(style, _STICK, style.number("candle", 0.05, 0.16), 0.024)
    return [unit, part("holder", [leaf(name, solid, material) for name, solid in parts.items()])]


def _candelabrum(style: Style) -> list[Part]:
    """Two or four arms around a stem that holds a candle of its own."""
    count, material = 2 * style.count("pairs of arms", 1, 2), style.pick("material", {"metal": 3, "wood": 0.7})
    tall, reach = style.number("height", 0.18, 0.3), style.number("reach", 0.09, 0.14)
    foot = _foot(style, style.number("foot", 0.06, 0.075))
    shaft = _STICKS[style.pick("stick", {"plain": 1, "turned": 1.5, "beads": 1})]
    stem = lathe(sized(shaft, 0.019, tall - 0.008), segments=22).at(z=0.012)
    high, droop = style.number("arm height", 0.7, 0.95) * tall, style.number("droop", 0.03, 0.07)
    arm = tube(
        bent(
            [
                (0.003, 0, high - 0.03),
                (0.5 * reach, 0, high - 0.03 - droop),
                (reach, 0, high - droop),
                (reach, 0, high + 0.002),
            ],
            rounds=2,
        ),
        0.0045,
        segments=8,
    )
    ways = list(around(count, 0))
    parts = [leaf("base", foot, material), leaf("stem", stem, material), leaf("cup", _cup(tall), material)]
    parts += [leaf("arm", arm.turned(z=way), material) for way in ways]
    parts += [leaf("cup", _cup(high).at(x=reach).turned(z=way), material) for way in ways]
    long = style.number("candle", 0.08, 0.18)
    spots = [
        (0.0, 0.0, tall),
        *((reach * np.cos(np.radians(way)), reach * np.sin(np.radians(way)), high) for way in ways),
    ]
    units = []
    for k, (x, y, z) in enumerate(spots):
        one = _unit(style, _STICK, long, z + 0.004, number=k + 1)
        units.append(moved(one, shifted(x, y)))
    return [*units, part("holder", parts)]
