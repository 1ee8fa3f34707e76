"""Baking trays: sheets, roasting tins, loaf and muffin tins, and round tins; longest along x."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import pair
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.skins import hollow, oval, sheet
from mereo.shapes.solids import Solid, bar, bent, board, shell, tube, union
from mereo.shapes.style import Style

_KINDS: dict[str, tuple[float, tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "sheet": (2.2, (0.34, 0.44), (0.26, 0.32), (0.015, 0.028)),
    "roasting": (2.0, (0.32, 0.42), (0.24, 0.3), (0.05, 0.075)),
    "loaf": (1.3, (0.22, 0.3), (0.1, 0.13), (0.06, 0.08)),
    "round": (1.3, (0.22, 0.28), (0.0, 0.0), (0.028, 0.06)),
    "tart": (0.9, (0.22, 0.3), (0.0, 0.0), (0.025, 0.035)),
    "muffin": (1.5, (0.0, 0.0), (0.0, 0.0), (0.028, 0.038)),
}
"""How usual a kind is, and the bounds of its width, depth and height."""


@grammar("baking_tray")
def baking_tray(style: Style) -> Part:
    """A tin with a rim, and maybe handles or a rack."""
    kind = style.pick("kind", {name: weight for name, (weight, _, _, _) in _KINDS.items()})
    _, widths, depths, heights = _KINDS[kind]
    material = style.pick(
        "material", {"metal": 3, "ceramic": 1, "glass": 0.6} if kind in ("roasting", "loaf", "tart") else {"metal": 1}
    )
    thick = 0.0012 if material == "metal" else 0.005
    high = style.number("height", *heights)
    if kind == "muffin":
        return _muffin_tin(style, high, thick)
    wide = style.number("width", *widths)
    deep = style.number("depth", *depths) if depths[1] else wide
    square, slope = (
        (2.0, style.number("slope", 0.9, 1.0))
        if depths[1] == 0
        else (style.number("squareness", 7, 20), style.number("slope", 0.9, 0.98))
    )
    flutes = 0.03 if kind == "tart" else 0.0
    body = _tin((wide, deep, high), square, slope, thick, flutes)
    parts = [leaf("container", body, material)]
    if not flutes and style.maybe("rim", 0.7):
        parts.append(leaf("rim", _rim(style, wide, deep, high, square), material))
    handles = _handles(style, kind, wide, deep, high) if kind in ("sheet", "roasting", "loaf") else []
    rack = [leaf("rack", _rack(wide, deep, high), "metal")] if kind == "roasting" and style.maybe("rack", 0.35) else []
    return part("baking_tray", part("body", parts), [leaf("handle", each, material) for each in handles], rack)


def _tin(size: tuple[float, float, float], square: float, slope: float, thick: float, flutes: float) -> Solid:
    """A hollow body, narrower below. slope : the width of its bottom as a share of that of its rim"""
    wide, deep, high = size
    ring = oval(wide, deep, squareness=square, sides=56)
    if flutes:
        ring = ring * (1 + flutes * np.where(np.arange(56) % 2, 1, -1))[:, None]
    return hollow(ring, [(0.03, 0.0), (slope - 0.02, 0.0), (slope, 0.06 * high), (1.0, high)], thick)


def _rim(style: Style, wide: float, deep: float, high: float, square: float) -> Solid:
    """The edge, rolled or flat."""
    ring = oval(wide, deep, squareness=square, sides=40)
    path = np.column_stack([ring, np.full(len(ring), high)])
    if style.maybe("rolled", 0.5):
        return tube(path, 0.0028, segments=8, closed=True)
    out = style.number("rim width", 0.008, 0.02)
    upper = np.stack([path * (1 + 2 * s / wide, 1 + 2 * s / deep, 1) + (0, 0, 0.001) for s in (-0.001, 0.5 * out, out)])
    return sheet(upper, upper - (0, 0, 0.002), around=True, blocks=(1, 12))


def _handles(style: Style, kind: str, wide: float, deep: float, high: float) -> list[Solid]:
    """At both ends: bows, upright loops or flat ears."""
    design = style.pick(
        "handles",
        {"none": 1, "bows": 1, "loops": 1, "ears": 1} if kind == "roasting" else {"none": 1.5, "ears": 1, "bows": 0.5},
    )
    if design == "none":
        return []
    half, end = 0.22 * deep, wide / 2
    if design == "ears":
        return pair(
            board(
                rectangle(0.05, 2 * half, corner=0.015).minus(rectangle(0.018, 1.3 * half, corner=0.008).at(0.008)),
                0.003,
                (end + 0.018, 0, high - 0.002),
            )
        )
    lift = 0.05 if design == "loops" else 0.0
    out = 0.012 if design == "loops" else 0.04
    low = high - 0.012
    path = [
        (end - 0.004, -half, low),
        (end + 0.01, -half, low),
        (end + out, -0.9 * half, low + lift),
        (end + out, 0.9 * half, low + lift),
    ]
    return pair(tube(bent([*path, (end + 0.01, half, low), (end - 0.004, half, low)]), 0.004, segments=8))


def _rack(wide: float, deep: float, high: float) -> Solid:
    """Wires to roast on."""
    z, x, y = 0.55 * high, 0.468 * wide, 0.4 * deep
    rods = [bar((-x, side * y, z), (x, side * y, z), 0.005, round=True, sides=8) for side in (-1, 1)]
    rods += [
        bar((u * x, -1.06 * y, z + 0.003), (u * x, 1.06 * y, z + 0.003), 0.004, round=True, sides=6)
        for u in np.linspace(-0.9, 0.9, 9)
    ]
    return union(*rods)


def _muffin_tin(style: Style, high: float, thick: float) -> Part:
    """A plate with cups let into it."""
    columns, rows = int(style.pick("columns", {"2": 1, "3": 2, "4": 2})), style.count("rows", 2, 3)
    radius, gap = style.number("cup", 0.03, 0.038), style.number("gap", 0.008, 0.014)
    step = 2 * radius + gap
    wide, deep = columns * step + 0.03, rows * step + 0.02
    places = [
        ((k - (columns - 1) / 2) * step, (j - (rows - 1) / 2) * step) for k in range(columns) for j in range(rows)
    ]
    holes = [ellipse(2 * radius - 0.003, 2 * radius - 0.003, segments=24).at(*place) for place in places]
    plate = board(rectangle(wide, deep, corner=0.02).minus(*holes), 0.0016, (0, 0, high - 0.0016))
    profile = [(0.0, 0.0), (0.72 * radius, 0.0), (0.76 * radius, 0.003), (radius - 0.0008, high - 0.0004)]
    cup = shell(profile, thick, segments=24, sectors=8)
    cups = [leaf("container", cup.at(*place), "metal") for place in places]
    return part("baking_tray", part("body", cups, leaf("rim", plate, "metal")))
