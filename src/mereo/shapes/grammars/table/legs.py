"""Legs at the corners, and what ties them together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mereo.shapes.articulation import spinning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.table.kinds import turnings
from mereo.shapes.grammars.table.tops import CENTERD, Top
from mereo.shapes.joinery import leaves, turned
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, ring, sphere, tube, union
from mereo.shapes.style import Style

__all__ = ["caster", "legs_base", "turned_leg"]


def _between(start: Point, end: Point, share: float) -> Floats:
    return (1 - share) * np.asarray(start, float) + share * np.asarray(end, float)


def turned_leg(radius: float, length: float, pattern: str) -> Solid:
    """A leg or column from the lathe, on the middle of its foot."""
    return turned([*turnings()[pattern], (1.0, 0.82), (1.0, 1.0)], radius, length)


def caster(spot: Point, height: float) -> Part:
    """A wheel on a stem under a place that lies at a height."""
    x, y, radius = spot[0], spot[1], 0.36 * height
    wheel = cylinder(radius, 0.024, bevel=0.004).at(z=-0.012).turned(x=90).at(x, y, radius)
    plate = box((0.03, 0.04, 0.012), (x, y, height - 0.008))
    stem = union(cylinder(0.009, height - radius + 0.004, (x, y, radius)), plate)
    rolling = spinning(leaf("wheel", wheel), (0, 1, 0), (x, y, radius))
    return spinning(part("caster", rolling, leaf("caster_stem", stem)), (0, 0, 1), (x, y, 0))


def legs_base(style: Style, top: Top) -> Part:
    """Three or four legs: square, round, turned, hairpin or sabre; on the floor, on feet or on casters."""
    small = top.kind in ("coffee", "side", "console")
    kind = style.pick("leg", {"square": 3, "round": 2.5, "turned": 0.8 if small else 2, "hairpin": 1.2, "sabre": 1})
    thick = style.number("leg thickness", 0.032, 0.075) * (0.75 if small else 1)
    splay = style.number("splay", 0.0, 0.1) if kind in ("round", "hairpin") else 0.0
    end = style.pick("leg end", {"floor": 6, "foot": 1.5, "caster": 0 if kind == "hairpin" else 1.6})
    ground = {"floor": 0.0, "foot": 0.02, "caster": 0.085}[end]
    inset = top.inset + (0.06 if kind == "hairpin" else thick / 2)
    spots, radius = top.spots(inset), top.width / 2 - inset
    if top.shape == "round" and style.maybe("three legs", 0.45):
        spots = [(radius * np.cos(t), radius * np.sin(t)) for t in np.radians([90, 210, 330])]
    heads = [np.array([x, y, top.bottom + 0.004]) for x, y in spots]
    feet = [np.array([x, y, 0]) * (1 + splay / np.hypot(x, y)) + (0, 0, ground) for x, y in spots]
    ends: list[Part] = []
    if end == "caster":
        ends = [caster(foot, ground) for foot in feet]
    elif end == "foot":
        ends = leaves("foot", [cylinder(0.55 * thick, ground + 0.004, (x, y, 0), bevel=0.003) for x, y, _ in feet])
    solids = _leg_solids(style, kind, heads, feet, thick)
    joints = _joints(style, top, heads, feet, thick) if len(spots) == 4 and kind not in ("sabre", "hairpin") else []
    plates: list[Part] = []
    if kind in ("hairpin", "round", "sabre") and style.maybe("mounting plates", 0.5):
        plates = leaves("tabletop_connector", [cylinder(0.95 * inset, 0.008, head - (0, 0, 0.011)) for head in heads])
    return part("regular_leg_base", plates, joints, leaves("leg", solids), ends)


def _leg_solids(style: Style, kind: str, heads: list[Floats], feet: list[Floats], thick: float) -> Iterator[Solid]:
    taper, pattern = style.number("taper", 0.5, 1.0), style.pick("turning", dict.fromkeys(turnings(), 1.0))
    for head, foot in zip(heads, feet, strict=True):
        out = np.array([*head[:2], 0]) / np.hypot(*head[:2])
        if kind == "turned":
            yield turned_leg(0.55 * thick, head[2] - foot[2], pattern).at(*foot)
        elif kind == "hairpin":
            toe, across = foot + (0, 0, 0.007), 0.06 * np.cross(out, (0, 0, 1))
            rods = [bar(head + across, toe, 0.013, round=True), bar(head - across, toe, 0.013, round=True)]
            yield union(*rods, sphere(0.0075, toe, segments=12))
        elif kind == "sabre":
            bow = 0.28 * head[2] * out
            shares = np.linspace(0, 1, 9)
            yield tube([_between(head, foot, s) + bow * (s**3 - s) for s in shares], 0.4 * thick)
        else:
            yield bar(head, foot, thick, round=kind == "round", taper=taper, bevel=0.003)


def _joints(style: Style, top: Top, heads: list[Floats], feet: list[Floats], thick: float) -> list[Part]:
    """What ties four legs together: bars around, an H, a cross, a ring, or nothing."""
    square = {"none": 4, "around": 1, "H": 1.4, "cross": 0.8}
    kind = style.pick("stretcher", {"none": 2, "ring": 2, "cross": 0.6} if top.shape in CENTERD else square)
    share = style.number("stretcher height", 0.55, 0.85)
    a, b, c, d = (_between(head, foot, share) for head, foot in zip(heads, feet, strict=True))
    if kind == "ring":
        return [leaf("circular_stretcher", ring(float(np.hypot(*a[:2])), 0.6 * thick, (0, 0, a[2])))]
    pairs = {
        "around": [(a, b), (b, c), (c, d), (d, a)],
        "cross": [(a, c), (b, d)],
        "none": list[tuple[Floats, Floats]](),
    }
    pairs["H"] = [(a, d), (b, c), (_between(a, d, 0.5), _between(b, c, 0.5))]
    return leaves("bar_stretcher", [bar(*ends, 0.55 * thick, 0.6 * thick, bevel=0.003) for ends in pairs[kind]])
