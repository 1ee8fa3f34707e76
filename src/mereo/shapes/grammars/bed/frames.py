"""What carries a mattress: rails, decks, legs and posts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.bed.sizes import RAIL, Size
from mereo.shapes.joinery import leaves, turned
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, sphere, union
from mereo.shapes.style import Style

__all__ = [
    "deck_maker",
    "deck_surface",
    "leg_base",
    "leg_maker",
    "made_post",
    "side_panels",
    "side_surface",
    "stretchers",
    "surface_base",
]


def side_surface(
    *, horizontal: Iterable[Solid] = (), vertical: Iterable[Solid] = (), panel: Iterable[Solid] = ()
) -> Part:
    """What closes a side: bars along it, upright ones, panels."""
    kinds = {"horizontal_bar": horizontal, "vertical_bar": vertical, "panel": panel}
    return part("bed_side_surface", *(leaves(f"bed_side_surface_{name}", solids) for name, solids in kinds.items()))


def side_panels(size: Size, low: float, high: float, *, foot: bool = False) -> list[Part]:
    """Boards along both sides, the left one first, and across the foot where no footboard stands."""
    tall, z = high - low, (high + low) / 2
    sides = [box((RAIL, 2 * size.end + 0.01, tall), (x, 0, z), bevel=0.004) for x in (-size.side, size.side)]
    if foot:
        sides.append(box((2 * size.side + RAIL + 0.004, RAIL, tall), (0, -size.end, z), bevel=0.004))
    return [side_surface(panel=[solid]) for solid in sides]


def deck_surface(name: str, solids: Iterable[Solid]) -> Part:
    """A deck of slats or of sheets."""
    return part("bed_frame_horizontal_surface", leaves(name, solids))


def deck_maker(style: Style) -> Callable[[Size], Part]:
    """What the mattress lies on, between the rails: slats or a sheet."""
    slats = style.count("deck slats", 8, 13) if style.maybe("slatted deck", 0.65) else 0

    def make(size: Size) -> Part:
        if not slats:
            sheet = box((size.width + 0.02, size.length, 0.02), (0, 0, size.deck - 0.01))
            return deck_surface("frame_horizontal_hard_surface", [sheet])
        slat = box((size.width + 0.02, 0.08, 0.02), (0, 0, size.deck - 0.01), bevel=0.003)
        ys = np.linspace(-0.47, 0.47, slats) * size.length
        return deck_surface("frame_horizontal_surface_bar", [slat.at(y=y) for y in ys])

    return make


def surface_base(solid: Solid) -> Part:
    """A base that is one body."""
    return part("bed_frame_base", leaf("surface_base", solid))


def leg_base(legs: Iterable[Solid], bars: Iterable[Solid] = ()) -> Part:
    """A base of legs, and of bars between them."""
    return part("bed_frame_base", part("regular_leg_base", leaves("leg", legs), leaves("bar_stretcher", bars)))


def stretchers(size: Size, height: float, metal: bool = False) -> list[Solid]:
    """Bars between the legs, but for the right side, where one gets in."""
    x, y = size.side, size.end
    spots = [(x, y, height), (-x, y, height), (-x, -y, height), (x, -y, height)]
    return [bar(a, b, 0.028, 0.028 if metal else 0.06, round=metal) for a, b in pairwise(spots)]


def leg_maker(style: Style) -> Callable[[float, float, float], Solid]:
    """Square, tapered and splayed, turned, a bun, or a hairpin; from a spot on the ground and a height."""
    design = style.pick("leg", {"square": 2, "tapered": 2, "turned": 1, "bun": 1, "hairpin": 0.8})
    thick, splay = style.number("leg thickness", 0.045, 0.075), style.number("splay", 0.0, 0.05)
    waist = 0.6 if design == "turned" else 1.15
    profile = [(0.55, 0), (0.7, 0.1), (0.95, 0.3), (waist, 0.55), (0.6, 0.75), (0.95, 0.85), (0.95, 1)]

    def make(x: float, y: float, top: float) -> Solid:
        if design == "square":
            return box((thick, thick, top), (x, y, top / 2), bevel=0.005)
        if design == "tapered":
            foot = (x + np.sign(x) * splay, y + np.sign(y) * splay, 0)
            return bar((x, y, top), foot, thick, round=thick > 0.06, taper=0.5, bevel=0.004)
        if design == "hairpin":
            wires = [bar((x, y + side, top), (x, y, 0.008), 0.014, round=True, sides=10) for side in (-0.05, 0.05)]
            return union(*wires, sphere(0.008, (x, y, 0.008), segments=12))
        return turned(profile, 0.55 * thick, top, segments=20).at(x, y)

    return make


def made_post(style: Style, thick: float, height: float) -> Solid:
    """A post on z = 0: square, tapered, or turned with a finial."""
    design = style.pick("post design", {"square": 1.5, "tapered": 1, "turned": 1.5})
    if design == "square":
        return box((thick, thick, height), (0, 0, height / 2), bevel=0.006)
    if design == "tapered":
        block = box((thick, thick, 0.45 * height), (0, 0, 0.225 * height), bevel=0.006)
        return union(block, bar((0, 0, 0.45 * height), (0, 0, height), 0.98 * thick, round=True, taper=0.55))
    radii = (0.8, 1, 1, 0.6, 0.95, 0.55, 0.75, 0.5, 0.8, 0.45, 0.75, 0.5, 0.1)
    heights = (0, 0.02, 0.3, 0.32, 0.38, 0.45, 0.6, 0.85, 0.92, 0.94, 0.97, 0.99, 1)
    return turned(np.column_stack([radii, heights]), thick / 2, height, segments=20)
