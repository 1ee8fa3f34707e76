"""Chopping boards: with a handle, a hole, a groove, or feet; of wood, plastic or rubber."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import corners
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bent, board, box, cylinder, tube
from mereo.shapes.style import Style


@grammar("chopping_board")
def chopping_board(style: Style) -> Part:
    """A flat board, longest along x."""
    kind = style.pick("kind", {"plain": 2, "paddle": 2.4, "round": 1.2, "block": 1.2, "grips": 1.2, "animal": 0.6})
    wide, deep = style.number("width", 0.28, 0.44), style.number("depth", 0.19, 0.28)
    thick = style.number("thickness", 0.035, 0.055) if kind == "block" else style.number("thickness", 0.009, 0.022)
    material = style.pick("material", {"wood": 4} if kind == "block" else {"wood": 3, "plastic": 1.5, "rubber": 0.7})
    outline = _outline(style, kind, wide, deep)
    hole = kind in ("plain", "round", "animal") and style.maybe("hole", 0.75)
    if hole:
        at = 0.5 * (wide if kind == "plain" else deep) - 0.03
        outline = outline.minus(_hole(style).at(at, 0))
    low = 0.012 if style.maybe("feet", 0.55 if kind == "block" else 0.2) else 0.0
    solid = board(outline, thick, (0, 0, low), bevel=0.002)
    if kind in ("plain", "block", "grips") and style.maybe("groove", 0.45):
        solid = _grooved(solid, wide - 0.05 - 0.08 * hole, deep - 0.045, low + thick, -0.03 * hole)
    handles = _handles(style, kind, wide, deep, thick, low)
    size = {"paddle": (0.3 * wide, 0.25 * deep), "round": (0.22 * deep,) * 2, "animal": (0.22 * deep,) * 2}
    feet = (
        [cylinder(0.012, low + 0.004, (x, y, 0)) for x, y in corners(*size.get(kind, (0.38 * wide, 0.36 * deep)))]
        if low
        else []
    )
    made = [leaf("handle", each, material if kind != "grips" else "metal") for each in handles]
    return part("chopping_board", leaf("board", solid, material), made, [leaf("foot", foot, "rubber") for foot in feet])


def _outline(style: Style, kind: str, wide: float, deep: float) -> Outline:
    """The board seen from above, without its handle."""
    if kind == "round":
        return ellipse(deep * style.number("stretch", 1.1, 1.5), 1.1 * deep)
    if kind == "animal":
        turns = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        lobes, depth = style.count("lobes", 2, 5), style.number("lobe depth", 0.06, 0.14)
        radii = 0.55 * deep * (1 + depth * np.cos(lobes * turns))
        return polygon(np.stack([1.2 * radii * np.cos(turns), radii * np.sin(turns)], 1))
    corner = style.number("corner", 0.004, 0.05)
    if kind == "paddle" and style.maybe("oval paddle", 0.4):
        return ellipse(wide, 0.9 * deep)
    return rectangle(wide, deep, corner=corner)


def _hole(style: Style) -> Outline:
    """To hang it up, or to hold it."""
    if style.maybe("slot", 0.5):
        return rectangle(0.022, style.number("slot length", 0.06, 0.1), corner=0.011)
    return ellipse(0.024, 0.024, segments=24)


def _grooved(solid: Solid, wide: float, deep: float, top: float, x: float) -> Solid:
    """With a gutter for juice along its rim."""
    rim = rectangle(wide, deep, corner=0.02).minus(rectangle(wide - 0.02, deep - 0.02, corner=0.012))
    return solid.minus(board(rim, 0.008, (x, 0, top - 0.004)), pieces=[solid])


def _handles(style: Style, kind: str, wide: float, deep: float, thick: float, low: float) -> list[Solid]:
    """The neck of a paddle, or grips at both ends."""
    if kind == "paddle":
        long, across = style.number("handle length", 0.1, 0.17), style.number("handle width", 0.035, 0.055)
        neck = rectangle(long + 0.02, across, corner=0.45 * across)
        if style.maybe("flared", 0.4):
            neck = neck.plus(ellipse(1.5 * across, 1.5 * across, segments=28).at(long / 2 - 0.4 * across, 0))
        solid = board(neck.minus(ellipse(0.016, 0.016, segments=20).at(long / 2 - 0.012, 0)), 0.94 * thick)
        return [solid.at(wide / 2 + long / 2 - 0.014, 0, low + 0.03 * thick)]
    if kind != "grips":
        return []
    if style.maybe("bows", 0.6):
        z = low + thick / 2
        path = [
            (0, -0.05, 0),
            (0.012, -0.05, 0),
            (0.035, -0.045, 0),
            (0.035, 0.045, 0),
            (0.012, 0.05, 0),
            (-0.004, 0.05, 0),
        ]
        bow = tube(bent([(-0.004, -0.05, 0), *path[1:]]), 0.0038, segments=8).at(wide / 2 - 0.004, 0, z)
        return [bow, bow.mirrored("x")]
    block = box((0.03, 0.5 * deep, 0.8 * thick), (wide / 2 + 0.012, 0, low + thick / 2), bevel=0.004)
    return [block, block.mirrored("x")]
