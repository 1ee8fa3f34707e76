"""Bases other than single legs: trestles, sleds, slabs, crossed rods, columns and stars."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.table.legs import turned_leg
from mereo.shapes.grammars.table.tops import Top
from mereo.shapes.joinery import around, leaves
from mereo.shapes.outlines import polygon
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, box, cylinder, lathe, prism, ring, tube, union
from mereo.shapes.style import Style

__all__ = ["crossed_rods", "pedestal", "slabs", "sled", "star", "trestle"]


def trestle(style: Style, top: Top) -> Part:
    """Two stands across, with a batten on top: a post on a runner, an A or an X; a long bar between them."""
    kind = style.pick("trestle", {"post": 1.2, "twin": 1, "A": 1.5, "X": 1.5})
    thick = style.number("timber", 0.05, 0.09)
    x, y = top.width / 2 - style.number("overhang", 0.2, 0.3), top.depth / 2 - 0.06
    head, ground = top.bottom - 0.04, 0.06 if kind in ("post", "twin") else 0.0
    up, down = {"post": (0, 0), "twin": (0.4, 0.4), "A": (0.35, 0.85), "X": (-0.8, 0.8)}[kind]
    wide = style.number("post width", 0.1, 0.3) if kind == "post" else thick
    z = (0.5 if kind == "X" else style.number("tie", 0.25, 0.6)) * head
    made = [leaf("bar_stretcher", bar((-x, 0, z), (x, 0, z), 0.6 * thick, 0.09, bevel=0.004))]
    for at in (-x, x):
        sides = (1,) if kind == "post" else (-1, 1)
        lines = [((at, s * up * y, head), (at, s * down * y, ground)) for s in sides]
        made += leaves("leg", [bar(*line, thick, wide, bevel=0.004) for line in lines])
        made.append(leaf("tabletop_connector", box((1.1 * thick, 2 * y, 0.045), (at, 0, head + 0.0195), bevel=0.006)))
        if ground:
            made.append(leaf("runner", box((1.2 * thick, 1.8 * y, 0.066), (at, 0, 0.033), bevel=0.012)))
        if kind in ("A", "twin"):
            reach = (0.85 - 0.5 * z / head if kind == "A" else 0.4) * y
            made.append(leaf("bar_stretcher", bar((at, -reach, z), (at, reach, z), 0.7 * thick, 0.05)))
    return part("regular_leg_base", made)


def sled(style: Style, top: Top) -> Part:
    """Two closed frames of square tube, each two legs, a runner on the floor and a bar under the top."""
    thick = style.number("tube", 0.02, 0.06)
    x, y = top.width / 2 - top.inset - thick / 2, top.depth / 2 - top.inset - thick / 2
    lean = style.number("frame lean", 0.1, 0.35) * y * style.maybe("leaning frames", 0.4)
    head, low, made = top.bottom - thick / 2 + 0.002, thick / 2, []
    for at in (-x, x):
        ends = [((at, s * (y - lean), head), (at, s * y, low)) for s in (-1, 1)]
        made += leaves("leg", [bar(*line, thick, bevel=0.002) for line in ends])
        made.append(leaf("runner", box((thick, 2 * y + thick, thick), (at, 0, low), bevel=0.002)))
        made.append(leaf("tabletop_connector", box((thick, 2 * (y - lean) + thick, thick), (at, 0, head), bevel=0.002)))
    where = style.pick("tie bar", {"none": 1, "rear": 1, "middle": 1})
    if where != "none":
        tie = box((2 * x, thick, thick), (0, y if where == "rear" else 0, low), bevel=0.002)
        made.append(leaf("bar_stretcher", tie))
    return part("regular_leg_base", made)


def slabs(style: Style, top: Top) -> Part:
    """Two thick boards on edge, straight or tapered, sometimes with a beam between."""
    thick, tall = style.number("slab", 0.04, 0.1), top.bottom + 0.003
    x = top.width * (0.5 - style.number("slab inset", 0.05, 0.18))
    wide, narrow = 0.45 * top.depth, 0.45 * top.depth * style.number("slab taper", 0.45, 1.0)
    view = prism(polygon([(-narrow, 0), (narrow, 0), (wide, tall), (-wide, tall)]), thick, along="x")
    beam = box((2 * x, 0.04, 0.1), (0, 0, style.number("beam", 0.3, 0.8) * tall), bevel=0.004)
    between = leaf("bar_stretcher", beam) if style.maybe("beam between", 0.6) else None
    return part("regular_leg_base", between, leaves("leg", [view.at(x=-x), view.at(x=x)]))


def crossed_rods(style: Style, top: Top) -> Part:
    """Slanting rods that pass each other at the waist and are held there by a ring."""
    count, thick = style.count("rods", 3, 6), style.number("rod", 0.022, 0.04)
    turn, reach = np.radians(style.number("twist", 95, 135)), 0.39 * top.depth
    starts = np.linspace(0, 2 * np.pi, count, endpoint=False) + np.pi / 2
    heads, feet = ([(reach * np.cos(t), reach * np.sin(t)) for t in starts + by] for by in (0, turn))
    rods = [bar((*a, top.bottom + 0.002), (*b, 0), thick, round=True) for a, b in zip(heads, feet, strict=True)]
    hoop = ring(reach * float(np.cos(turn / 2)), 0.5 * thick, (0, 0, top.bottom / 2))
    return part("regular_leg_base", leaves("leg", rods), leaf("circular_stretcher", hoop))


def pedestal(style: Style, top: Top) -> Part:
    """A column on a plate, a dome, a flaring tulip, a drum, a block or a cross; two of them under a long top."""
    kind = style.pick("pedestal", {"plate": 2, "dome": 1.5, "tulip": 1.6, "drum": 1, "block": 1, "cross": 1})
    reach = min(top.depth, 0.55 * top.width if top.twin else top.width) * style.number("foot reach", 0.3, 0.38)
    neck, under = style.number("column", 0.1, 0.2) * reach + 0.008, top.bottom + 0.002
    low = 0.03
    foot, column = cylinder(0.95 * reach, low, bevel=0.004), cylinder(neck, under - 0.01, (0, 0, 0.01))
    if kind == "tulip":
        low = 0.22 * under
        foot = lathe([(reach, 0), (reach, 0.008), (0.6 * reach, 0.04), (0.3 * reach, 0.5 * low), (neck, low + 0.004)])
        column = lathe([(neck, low), (0.85 * neck, 0.6 * under), (1.3 * neck, 0.85 * under), (2.6 * neck, under)])
    elif kind == "drum":
        waist = style.number("waist", 0.5, 0.8) * reach
        column = lathe([(0.8 * reach, low - 0.004), (waist, 0.5 * under), (0.85 * reach, under)])
    elif kind == "block":
        foot = box((1.7 * reach, 1.7 * reach, 0.05), (0, 0, 0.025), bevel=0.008)
        column = bar((0, 0, low), (0, 0, under), 3 * neck, bevel=0.008)
    elif kind == "cross":
        foot = union(*(box((2 * reach, 0.07, 0.05), (0, 0, 0.025), bevel=0.01).turned(z=turn) for turn in (45, 135)))
    elif kind == "dome":
        rise = 0.16 * reach
        curve = [(reach * np.cos(a), 0.01 + rise * np.sin(a)) for a in np.radians([0, 25, 50, 70, 84])]
        foot = lathe([(reach, 0), *curve])
        column = turned_leg(1.5 * neck, under - rise, "vase").at(z=rise)
    made = {"pedestal": foot, "central_support": column}
    if kind not in ("tulip", "drum") and style.maybe("arms under the top", 0.55):
        arm = box((1.4 * reach + 0.1, 0.045, 0.025), (0, 0, under - 0.0125))
        made["tabletop_connector"] = union(arm, arm.turned(z=90))
    xs = (-0.27 * top.width, 0.27 * top.width) if top.twin else (0.0,)
    return part("pedestal_base", [leaf(name, solid.at(x=x)) for name, solid in made.items() for x in xs])


def star(style: Style, top: Top) -> Part:
    """A column on three to five spreading legs: level bars, sweeping curves or struts."""
    kind, count = style.pick("star", {"level": 1.2, "sweeping": 2, "struts": 1}), style.count("star legs", 3, 5)
    reach, neck = min(0.4 * top.depth, 0.45), style.number("column", 0.04, 0.06) * min(0.75, top.depth)
    under = top.bottom + 0.002
    if kind == "sweeping":
        low = 0.2 * min(under, 0.7)
        shares = np.linspace(0, 1, 12)
        path = [(0.5 * neck + (reach - neck) * s, 0, 0.02 + 1.6 * low * (1 - s**0.6) ** 1.3) for s in shares]
        limb = tube(path, 0.02)
    elif kind == "struts":
        low, limb = 0.42 * under, bar((0, 0, 0.5 * under), (reach, 0, 0.012), 0.03, 0.024, taper=0.8)
    else:
        low, limb = 0.03, bar((0, 0, 0.05), (reach, 0, 0.018), 0.06, 0.05, taper=0.6, bevel=0.005)
    turning = style.pick("column turning", {"vase": 1, "rings": 1, "plain": 2})
    column = cylinder(neck, under - low) if turning == "plain" else turned_leg(1.35 * neck, under - low, turning)
    limbs = [limb.turned(z=turn) for turn in around(count, 90)]
    return part("star_leg_base", part("star_leg_set", leaves("leg", limbs)), leaf("central_support", column.at(z=low)))
