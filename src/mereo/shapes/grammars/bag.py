"""Bags: backpacks, briefcases, luggage, handbags, totes, duffels and shopping bags, each standing on its bottom."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import leaves
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.skins import hollow, loft, oval, ribbon
from mereo.shapes.solids import Solid, bar, bent, box, cushion, cylinder, tube, union
from mereo.shapes.style import Style

_KINDS = {"backpack": 2.0, "briefcase": 1.2, "luggage": 1.4, "handbag": 2.0, "tote": 1.5, "duffel": 1.2}
_KINDS |= {"messenger": 1.0, "paper": 1.0, "plastic": 0.8}


@grammar("bag")
def bag(style: Style) -> Part:
    """A body and what it is carried by."""
    makers = {"backpack": _backpack, "briefcase": _briefcase, "luggage": _luggage, "handbag": _handbag, "tote": _tote}
    makers |= {"duffel": _duffel, "messenger": _messenger, "paper": _paper, "plastic": _plastic}
    return part("bag", makers[style.pick("kind", _KINDS)](style))


def _stuffed(size: tuple[float, float, float], profile: Sequence[tuple[float, float]], square: float) -> Solid:
    """A closed body from its bottom up. profile : share of width and depth, share of height"""
    width, depth, height = size
    flat = oval(width, depth, squareness=square, sides=24)
    return loft([np.column_stack([share * flat, np.full(len(flat), height * z)]) for share, z in profile])


def _open(size: tuple[float, float, float], flare: Sequence[tuple[float, float]], square: float, thick: float) -> Solid:
    """A body without a lid. flare : share of width, share of height, from just above the bottom to the rim"""
    width, depth, height = size
    rows = [(0.04, 0.0), (0.94, 0.0), *((share, height * z) for share, z in flare)]
    return hollow(oval(width, depth, squareness=square, sides=28), rows, thick, sectors=14)


def _bow(reach: float, rise: float, low: float, y: float, square: float = 2.4) -> Floats:
    """A line from one side over the middle to the other. (k, 3) float"""
    turns = np.linspace(0, np.pi, 21)
    xs, zs = np.cos(turns), np.sin(turns)
    x, z = np.sign(xs) * np.abs(xs) ** (2 / square), np.abs(zs) ** (2 / square)
    return np.stack([reach * x, np.full(21, y), low + rise * z], 1)


def _band(line: Floats, wide: float, thick: float) -> Solid:
    """A strip along a line from side to side, its width from front to back."""
    return ribbon(line, wide, thick, across=(0, 1, 0))


def _carry(style: Style, reach: float, rise: float, low: float, y: float) -> Solid:
    """A handle above the rim: a strap or a cord."""
    line = _bow(reach, rise, low, y)
    if style.choices.get("round handle"):
        return tube(line, 0.006, segments=10)
    return _band(line, 0.005, style.choices["strap width"])


def _straps(style: Style) -> None:
    """Draws once what the handles of a bag have in common."""
    style.maybe("round handle", 0.35)
    style.number("strap width", 0.016, 0.03)


def _backpack(style: Style) -> list[Part]:
    wide, high = style.number("width", 0.26, 0.34), style.number("height", 0.38, 0.5)
    deep, square = style.number("depth", 0.12, 0.18), style.number("squareness", 3.0, 6.0)
    top = style.number("top", 0.45, 0.75)
    profile = [
        (0.9, 0),
        (0.98, 0.03),
        (1, 0.15),
        (1, 0.6),
        (0.96, 0.8),
        (0.5 + 0.5 * top, 0.93),
        (top, 0.985),
        (0.6 * top, 1),
    ]
    solids, front = [_stuffed((wide, deep, high), profile, square)], -deep / 2
    pocket = style.pick("pocket", {"one": 2, "two": 1, "none": 0.7})
    if pocket != "none":
        tall = high * style.number("pocket height", 0.32, 0.5)
        solids.append(cushion((0.75 * wide, 0.1, tall), (0, front - 0.005, 0.04 + tall / 2), squareness=6))
    if pocket == "two":
        solids.append(cushion((0.6 * wide, 0.06, 0.2 * high), (0, front + 0.003, 0.72 * high), squareness=6))
    if style.maybe("side pockets", 0.4):
        solids += [
            cushion((0.07, 0.7 * deep, 0.35 * high), (s * wide / 2, 0, 0.2 * high), squareness=5) for s in (-1, 1)
        ]
    if style.maybe("roll", 0.2):
        solids.append(cylinder(0.055, 0.9 * wide).turned(y=90).at(-0.45 * wide, 0, high + 0.035))
    gap, out = wide * style.number("strap gap", 0.18, 0.26), style.number("strap bow", 0.05, 0.08)
    path = [
        (gap, deep / 2 - 0.02, 0.9 * high),
        (1.1 * gap, deep / 2 + out, 0.8 * high),
        (1.25 * gap, deep / 2 + out, 0.35 * high),
    ]
    line = bent([*path, (1.5 * gap, deep / 2 - 0.012, 0.07 * high)])
    widths = np.interp(np.linspace(0, 1, len(line)), [0, 0.55, 0.7, 1], [0.06, 0.06, 0.03, 0.03])
    strap = ribbon(line, widths, 0.009, across=(1, 0, 0))
    handle = _band(_bow(0.045, 0.05, high - 0.02, 0.25 * deep), 0.02, 0.006)
    parts = [leaf("bag_body", union(*solids)), *leaves("shoulder_strap", [strap, strap.mirrored("x")])]
    return [*parts, leaf("handle", handle)] if style.maybe("top handle", 0.85) else parts


def _briefcase(style: Style) -> list[Part]:
    wide, high = style.number("width", 0.38, 0.46), style.number("height", 0.27, 0.33)
    deep, material = (
        style.number("depth", 0.08, 0.14),
        style.pick("material", {"fabric": 2, "plastic": 1, "metal": 0.7}),
    )
    body = box((wide, deep, high), (0, 0, high / 2), bevel=style.number("bevel", 0.004, 0.02))
    clasps = [box((0.035, 0.012, 0.05), (s * 0.3 * wide, -deep / 2, 0.86 * high), bevel=0.003) for s in (-1, 1)]
    if style.maybe("flap", 0.4):
        clasps.append(box((wide + 0.006, deep + 0.012, 0.55 * high), (0, 0, 0.735 * high), bevel=0.006))
    elif style.maybe("seam", 0.5):
        clasps.append(box((wide + 0.008, 0.012, high - 0.01), (0, 0, high / 2 + 0.001), bevel=0.003))
    reach, rise = style.number("handle reach", 0.055, 0.075), style.number("handle rise", 0.035, 0.055)
    handle = leaf("handle", tube(_bow(reach, rise, high - 0.004, 0, 3.2), 0.0075, segments=10), "plastic")
    moving = turning(handle, (1, 0, 0), (0, 0, high), (-90, 90), stands=0.0)
    return [leaf("bag_body", union(body, *clasps), material), moving]


def _luggage(style: Style) -> list[Part]:
    """A case on wheels with a bow that is pulled out."""
    wide, high = style.number("width", 0.34, 0.5), style.number("height", 0.48, 0.72)
    deep, low = style.number("depth", 0.2, 0.28), 0.045
    body, rib = box((wide, deep, high), (0, 0, low + high / 2), bevel=style.number("bevel", 0.02, 0.04)), []
    ribs = style.pick("ribs", {"upright": 1.5, "level": 1, "pocket": 1, "none": 0.7})
    if ribs == "upright":
        rib = [
            box((0.014, 0.02, 0.84 * high), (x, -deep / 2, low + high / 2), bevel=0.005)
            for x in np.linspace(-0.34, 0.34, 5) * wide
        ]
    elif ribs == "level":
        rib = [
            box((0.82 * wide, 0.02, 0.014), (0, -deep / 2, low + z * high), bevel=0.005)
            for z in np.linspace(0.15, 0.85, 5)
        ]
    elif ribs == "pocket":
        rib = [
            box((0.8 * wide, 0.07, z * high), (0, -deep / 2, low + at * high), bevel=0.015)
            for z, at in ((0.5, 0.32), (0.24, 0.74))
        ]
    rolls = [
        cylinder(0.026, 0.022).turned(y=90).at(s * 0.4 * wide - 0.011, t * 0.34 * deep, 0.026)
        for s in (-1, 1)
        for t in (-1, 1)
    ]
    forks = [box((0.03, 0.03, 0.04), (s * 0.4 * wide, t * 0.34 * deep, 0.045)) for s in (-1, 1) for t in (-1, 1)]
    material = "fabric" if ribs == "pocket" else "plastic"
    gap, back = 0.26 * wide, 0.28 * deep
    path = [
        (gap, back, low + 0.35 * high),
        (gap, back, low + high + 0.012),
        (-gap, back, low + high + 0.012),
        (-gap, back, low + 0.35 * high),
    ]
    bow = union(
        *(bar(a, b, 0.016, round=True, sides=10) for a, b in ((path[0], path[1]), (path[3], path[2]))),
        box((2 * gap + 0.03, 0.026, 0.024), (0, back, low + high + 0.014), bevel=0.006),
    )
    pulled = high * style.number("pulled", 0.3, 0.58) * style.maybe("out", 0.6)
    grip = _band(_bow(0.09, 0.025, low + high - 0.008, -0.1 * deep, 3), 0.024, 0.008)
    parts = [
        leaf("bag_body", union(body, *rib, *rolls, *forks), material),
        sliding(leaf("handle", bow, "metal"), (0, 0, 1), (0, 0.6 * high), stands=pulled),
    ]
    return [*parts, leaf("handle", grip, "plastic")] if style.maybe("top handle", 0.6) else parts


def _handbag(style: Style) -> list[Part]:
    """Closed, wider below or above, with one handle or two, and maybe a strap."""
    wide, high = style.number("width", 0.24, 0.36), style.number("height", 0.17, 0.26)
    deep, square = style.number("depth", 0.09, 0.15), style.pick("plan", {"2.6": 1, "5": 2})
    form = style.pick("form", {"trapeze": 2, "barrel": 1, "dome": 1, "bucket": 1})
    top = {"trapeze": 0.7, "barrel": 0.85, "dome": 0.4, "bucket": 1.1}[form]
    middle = {"trapeze": 0.9, "barrel": 1.08, "dome": 0.97, "bucket": 0.97}[form]
    profile = [(0.94, 0), (1, 0.04), (middle, 0.55), (0.5 * (middle + top), 0.8), (top, 0.96), (0.93 * top, 1)]
    solids = [_stuffed((wide, deep, high), profile, float(square))]
    if style.maybe("flap", 0.45):
        solids.append(cushion((0.8 * top * wide, 0.02, 0.5 * high), (0, -0.47 * deep, 0.7 * high), squareness=5))
    solids.append(box((0.03, 0.02, 0.024), (0, -0.5 * deep, 0.62 * high), bevel=0.004))
    _straps(style)
    reach, rise = 0.3 * wide * min(top, 1), style.number("handle rise", 0.08, 0.16)
    places = (-0.3 * deep * top, 0.3 * deep * top) if style.maybe("two handles", 0.55) else (0.0,)
    parts = [leaf("bag_body", union(*solids))]
    for y in places:
        lean = style.number(f"lean {y > 0}", 0, 22) * (1 if y < 0 else -1 if y > 0 else 0)
        solid = _carry(style, reach, rise, 0.94 * high, y)
        parts.append(turning(leaf("handle", solid), (1, 0, 0), (0, y, 0.97 * high), (-35, 35), stands=lean))
    if style.maybe("strap", 0.35):
        line = _bow(0.46 * wide * top, style.number("strap rise", 0.22, 0.34), 0.9 * high, 0.0, 2.2)
        parts.append(leaf("shoulder_strap", _band(line, 0.016, 0.004)))
    return parts


def _tote(style: Style) -> list[Part]:
    """Open above, with two handles."""
    wide, high = style.number("width", 0.3, 0.42), style.number("height", 0.28, 0.38)
    deep, flare = style.number("depth", 0.1, 0.18), style.number("flare", 1.0, 1.25)
    body = _open(
        (wide, deep, high), [(1.0, 0.04), (0.5 + 0.5 * flare, 0.5), (flare, 1.0)], style.number("plan", 3, 7), 0.003
    )
    _straps(style)
    long = style.maybe("long handles", 0.35)
    rise = style.number("handle rise", 0.22, 0.3) if long else style.number("handle rise", 0.1, 0.16)
    y = 0.485 * deep * flare
    solids = [_carry(style, 0.24 * wide, rise + 0.08, high - 0.08, s * y) for s in (-1, 1)]
    return [leaf("bag_body", body), *leaves("shoulder_strap" if long else "handle", solids)]


def _duffel(style: Style) -> list[Part]:
    """A roll on its side with handles at its middle."""
    long, across = style.number("length", 0.42, 0.62), style.number("thickness", 0.22, 0.3)
    flat = oval(across, 0.92 * across, squareness=style.number("roundness", 2.8, 4.5), sides=24)
    xs = [(-0.5, 0.82), (-0.48, 0.95), (-0.4, 1), (0.4, 1), (0.48, 0.95), (0.5, 0.82)]
    body = loft([np.column_stack([np.full(len(flat), x * long), share * flat]) for x, share in xs]).at(z=0.46 * across)
    bands = [box((0.03, 0.5 * across, 0.02), (s * 0.2 * long, 0, 0.007)) for s in (-1, 1)]
    if style.maybe("end pockets", 0.4):
        bands += [
            cushion((0.06, 0.6 * across, 0.6 * across), (s * 0.5 * long, 0, 0.45 * across), squareness=4)
            for s in (-1, 1)
        ]
    _straps(style)
    rise, top = style.number("handle rise", 0.1, 0.15), 0.9 * across
    y = 0.3 * across
    low = style.number("handle low", 0.6, 0.72) * across
    handles = [_carry(style, 0.16 * long, top + rise - low, low, s * y) for s in (-1, 1)]
    parts = [leaf("bag_body", union(body, *bands)), *leaves("handle", handles)]
    if style.maybe("strap", 0.45):
        line = _bow(0.47 * long, style.number("strap rise", 0.2, 0.34) + 0.1, 0.75 * across, 0.0, 2.4)
        parts.append(leaf("shoulder_strap", _band(line, 0.03, 0.005)))
    return parts


def _messenger(style: Style) -> list[Part]:
    """A soft case with a wide flap and a long strap."""
    wide, high, deep = (
        style.number("width", 0.3, 0.4),
        style.number("height", 0.22, 0.3),
        style.number("depth", 0.09, 0.13),
    )
    body = cushion((wide, deep, high), (0, 0, high / 2), squareness=9)
    cover = box((1.01 * wide, deep + 0.012, high * style.number("flap", 0.5, 0.8)), bevel=0.015)
    tall = float(np.ptp(cover.bounds()[:, 2]))
    solids = [body, cover.at(0, -0.006, high + 0.004 - tall / 2)]
    if style.maybe("buckles", 0.6):
        solids += [
            box((0.028, 0.03, 0.6 * high), (s * 0.27 * wide, -deep / 2 - 0.003, 0.45 * high), bevel=0.003)
            for s in (-1, 1)
        ]
    rise = style.number("strap rise", 0.25, 0.4)
    strap = _band(_bow(wide / 2 + 0.004, rise, 0.72 * high, 0.0, 2.3), style.number("strap", 0.03, 0.045), 0.005)
    parts = [leaf("bag_body", union(*solids)), leaf("shoulder_strap", strap)]
    if style.maybe("top handle", 0.3):
        parts.append(leaf("handle", _band(_bow(0.06, 0.035, high - 0.004, 0.0, 3), 0.02, 0.006)))
    return parts


def _paper(style: Style) -> list[Part]:
    """Upright and square, open above, with two cords or flat handles."""
    wide, high, deep = (
        style.number("width", 0.22, 0.34),
        style.number("height", 0.28, 0.42),
        style.number("depth", 0.1, 0.16),
    )
    body = _open((wide, deep, high), [(1.0, 0.004), (1.0, 0.5), (1.0, 1.0)], 24, 0.0012)
    line = _bow(
        0.2 * wide,
        style.number("handle rise", 0.07, 0.11) + 0.03,
        high - 0.03,
        0.0,
        style.number("handle form", 2.0, 4.0),
    )
    handle = tube(line, 0.003, segments=8) if style.maybe("cord handles", 0.6) else _band(line, 0.0025, 0.014)
    handles = [leaf("handle", handle.at(y=s * (deep / 2 - 0.002)), "cardboard") for s in (-1, 1)]
    return [leaf("bag_body", body, "cardboard"), *handles]


def _plastic(style: Style) -> list[Part]:
    """A thin sack that bulges below and runs up into two loops."""
    wide, high, deep = (
        style.number("width", 0.24, 0.32),
        style.number("height", 0.26, 0.34),
        style.number("depth", 0.13, 0.18),
    )
    bulge = style.number("bulge", 1.05, 1.25)
    body = _open((wide, deep, high), [(1.0, 0.05), (bulge, 0.35), (0.95, 0.7), (0.82, 1.0)], 2.8, 0.001)
    rise = style.number("handle rise", 0.12, 0.18)
    loop = _band(_bow(0.27 * deep, rise, high - 0.05, 0.0, 2.0), 0.02, 0.004).turned(z=90)
    return [
        leaf("bag_body", body, "plastic"),
        *(leaf("handle", loop.at(x=s * 0.36 * wide), "plastic") for s in (-1, 1)),
    ]
