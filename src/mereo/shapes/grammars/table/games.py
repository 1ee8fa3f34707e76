"""Tables to play on."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.table.kinds import turnings
from mereo.shapes.grammars.table.legs import turned_leg
from mereo.shapes.grammars.table.tops import box_rails
from mereo.shapes.joinery import corners, leaves
from mereo.shapes.outlines import rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, board, box, cylinder, prism, sphere, union
from mereo.shapes.style import Style

__all__ = ["ping_pong_table", "pool_table"]


def ping_pong_table(style: Style) -> Part:
    """Two halves, 2.74 m by 1.525 m at 0.76 m, and the net between them."""
    halves = [board(rectangle(1.366, 1.525), 0.022, (x, 0, 0.738), bevel=0.003) for x in (-0.685, 0.685)]
    holes = [rectangle(0.031, 0.024).at(0.036 * i, 0.022 + 0.03 * k) for i in range(-24, 25) for k in range(4)]
    net = [prism(rectangle(1.79, 0.1525).at(0, 0.0762).minus(*holes), 0.006, along="x")]
    for side in (-1, 1):
        net.append(bar((0, side * 0.905, -0.07), (0, side * 0.905, 0.155), 0.022, round=True, sides=12))
        net.append(box((0.04, 0.2, 0.03), (0, side * 0.82, -0.035)))
    near, far, y = 0.14, style.number("stance", 0.8, 1.15), 0.6
    middle, thick = (near + far) / 2, style.number("leg", 0.03, 0.06)
    stands = {
        "straight": ([(near, near), (far, far)], 0.7),
        "stout": ([(far, far)], 0.12),
        "crossed": ([(near, far), (far, near)], 0.5),
        "splayed": ([(middle - 0.08, near), (middle + 0.08, far)], 0.6),
    }
    kind, round = style.pick("game legs", dict.fromkeys(stands, 1.0)), style.maybe("round legs", 0.5)
    lines, share = stands[kind]
    thick, head = 1.8 * thick if kind == "stout" else thick, 0.735 if kind in ("crossed", "splayed") else 0.742
    made: list[Part] = []
    for side in (-1, 1):
        for top, foot in lines:
            ends = [((side * top, b, head), (side * foot, b, 0)) for b in (-y, y)]
            made += leaves("leg", [bar(*line, thick, round=round, bevel=0.004) for line in ends])
            x, z = side * (top + share * (foot - top)), head * (1 - share)
            if (top, foot) == lines[0] or kind != "crossed":
                made.append(leaf("bar_stretcher", bar((x, -y, z), (x, y, z), 0.6 * thick)))
    if kind in ("straight", "stout"):
        rails = [bar((-far, b, 0.69), (far, b, 0.69), 0.6 * thick) for b in (-y, y)]
        made += leaves("bar_stretcher", rails)
    base = part("table_base", part("regular_leg_base", made))
    top_part = part("tabletop", leaves("tabletop_surface", halves))
    return part("ping_pong_table", leaf("ping_pong_net", union(*net).at(z=0.76)), top_part, base)


def pool_table(style: Style) -> Part:
    """A cloth-covered slab with six pockets, cushioned rails, a skirt, stout legs, and balls."""
    length, high = style.number("length", 1.8, 2.54), style.number("height", 0.76, 0.82)
    width, rail, deep = length / 2, style.number("rail", 0.1, 0.14), style.number("skirt", 0.12, 0.26)
    pockets = [cylinder(0.06, 0.3, (x, y, high - 0.2)) for x in (-width, 0, width) for y in (-width / 2, width / 2)]
    slab = box((length + rail, width + rail, 0.05), (0, 0, high - 0.025)).minus(*pockets)
    long, short = (box(size, bevel=0.012) for size in ((width - 0.02, rail, 0.07), (rail, width - 0.02, 0.07)))
    rails = [long.at(x, y, high + 0.005) for x, y in corners(width / 2, (width + rail) / 2)]
    rails += [short.at(x, 0, high + 0.005) for x in (-(length + rail) / 2, (length + rail) / 2)]
    frame = [solid.minus(*pockets) for solid in rails]
    frame += box_rails(length + 1.2 * rail, width + 1.2 * rail, (high - deep, high - 0.03), 0.05)
    kind = style.pick("pool leg", {"vase": 1, "rings": 0.7, "tapered": 1, "flared": 1})
    thick, spots = style.number("pool leg thickness", 0.12, 0.18), corners(0.43 * length, 0.42 * width)
    spots += [(0, 0.42 * width), (0, -0.42 * width)] if style.maybe("six legs", 0.3) else []
    if kind in turnings():
        leg = turned_leg(0.55 * thick, high - 0.045, kind)
    else:
        leg = bar((0, 0, high - 0.045), (0, 0, 0), thick, taper=0.6, bevel=0.01)
        leg = leg.turned(x=180).at(z=high - 0.045) if kind == "flared" else leg
    r, racked = 0.0286, style.maybe("racked", 0.5)
    balls = [(-0.25 * length, 0.05 * width)]
    balls += [(0.2 * length + 1.75 * r * k, r * (2.01 * j - k)) for k in range(5) for j in range(k + 1)]
    if not racked:
        balls = [(0.44 * length * np.sin(2.4 * k + 1), 0.42 * width * np.cos(3.7 * k)) for k in range(1, 11)]
    spheres = leaves("pool_ball", [sphere(r, (x, y, high + r - 0.001), segments=16) for x, y in balls])
    top = part("tabletop", leaf("tabletop_surface", slab), part("tabletop_frame", leaves("bar", frame)))
    legs = part("regular_leg_base", leaves("leg", [leg.at(*spot) for spot in spots]))
    return part("pool_table", spheres, top, part("table_base", legs))
