"""What stands between the base of a table or floor lamp and its heads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.lamp.heads import fitted_head, hung_head, lamp_head, socketed_bulb, trough, upright_head
from mereo.shapes.grammars.lamp.parts import bent_rod, lamp_unit, neck, put_at, straight_rod
from mereo.shapes.grammars.lamp.profiles import drawn_profile, profiles
from mereo.shapes.joinery import around, turned
from mereo.shapes.outlines import ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, box, cylinder, prism, sphere, union
from mereo.shapes.style import Style

__all__ = ["arched", "banker", "jointed", "mushroom", "shaded", "slab_body", "torch", "tree", "tripod", "vase"]

_Standing = tuple[list[Part], list[Part]]
"""The body of a standing lamp and its units."""


def shaded(style: Style, low: float, size: float) -> _Standing:
    """A pole, or several, under a large shade."""
    top, thick = low + size * style.number("pole height", 0.3, 0.4), style.number("pole", 0.01, 0.022) * size**0.4
    kind = style.pick("pole kind", {"round": 2, "square": 1, "beads": 1, "bundle": 0.8, "turned": 1})
    rod = bar((0, 0, low), (0, 0, top), thick, round=kind != "square")
    poles = [rod]
    if kind == "bundle":
        poles = [straight_rod((thick, 0, low), (thick, 0, top), 0.6 * thick).turned(z=turn) for turn in around(3)]
    elif kind == "beads":
        places = [low + share * (top - low) for share in (0.15, 0.5, 0.85)]
        poles = [union(rod, *(sphere(1.4 * thick, (0, 0, z), segments=16) for z in places))]
    elif kind == "turned":
        poles = [turned(profiles("bodies")["candlestick"], 2 * thick, top - low).at(z=low)]
    head = fitted_head(style, 0.14 + 0.03 * size)(put_at(z=top + 0.035))
    return [leaf("lamp_pole", pole) for pole in poles], [lamp_unit(head, connector=neck(top))]


def tripod(style: Style, low: float, size: float) -> _Standing:
    """A knot where the legs meet, under a large shade."""
    knot = leaf("lamp_body_solid", cylinder(0.035, 0.07, (0, 0, low - 0.03), bevel=0.006))
    head = fitted_head(style, 0.13 + 0.035 * size)(put_at(z=low + 0.075))
    return [knot], [lamp_unit(head, connector=neck(low + 0.04))]


def vase(style: Style, low: float, size: float) -> _Standing:
    """A turned, faceted or blocky body under a shade."""
    kind = style.pick("body", dict.fromkeys(profiles("bodies"), 1.0) | {"block": 1.2})
    height, radius = size * style.number("body height", 0.2, 0.32), size * style.number("body radius", 0.055, 0.095)
    sides = int(style.pick("body sides", {"28": 5, "8": 1, "6": 1, "4": 1}))
    if kind == "block":
        solid = box((1.5 * radius, 1.5 * radius, height), (0, 0, low + height / 2), bevel=0.01)
    else:
        solid = turned(profiles("bodies")[kind], radius, radius * 2 if kind == "ball" else height, segments=sides).at(
            z=low
        )
    top = float(solid.bounds()[1, 2])
    head = fitted_head(style, max(0.14, 1.7 * radius))(put_at(z=top + 0.035))
    return [leaf("lamp_body_solid", solid)], [lamp_unit(head, connector=neck(top))]


def slab_body(style: Style, low: float, size: float) -> _Standing:
    """One or two upright slabs under a shade."""
    height, width = size * style.number("body height", 0.24, 0.36), 0.14 * size**0.4 * style.number("slab", 0.7, 1.2)
    ups = np.linspace(-0.5, 0.5, 25)
    edge = np.stack([(0.32 + 0.14 * np.sin(10 * ups)) * width, ups * height], 1)
    outlines = {
        "plain": rectangle(width, height, corner=0.006),
        "oval": ellipse(1.2 * width, height),
        "arch": rectangle(width, height, corner=0.49 * width),
        "wave": polygon([*edge, *(edge[::-1] * (-1, 1))]),
        "hole": rectangle(width, height, corner=0.02).minus(ellipse(0.5 * width, 0.6 * height)),
    }
    slab = prism(outlines[style.pick("slab kind", dict.fromkeys(outlines, 1.0))], 0.02, along="y")
    ys = (-0.022, 0.022) if style.maybe("two slabs", 0.4) else (0.0,)
    slabs = [leaf("lamp_body_vertical_panel", slab.at(0, y, low + height / 2 - 0.004)) for y in ys]
    top = low + height - 0.008
    plate = union(neck(top), box((0.03, 0.06, 0.008), (0, 0, top + 0.003)))
    return slabs, [lamp_unit(fitted_head(style, 0.12 + 0.03 * size)(put_at(z=top + 0.035)), connector=plate)]


def torch(style: Style, low: float, size: float) -> _Standing:
    """A pole that holds a bowl or a globe up."""
    top = low + (style.number("pole height", 1.3, 1.7) if size > 2 else style.number("pole height", 0.05, 0.22))
    pole = bar((0, 0, low), (0, 0, top), 0.026, round=True, taper=style.number("taper", 0.6, 1.0))
    head = upright_head(style, 0.1, 0.17)(put_at(z=top + 0.035))
    return [leaf("lamp_pole", pole)], [lamp_unit(head, connector=neck(top))]


def mushroom(style: Style, low: float, size: float) -> _Standing:
    """A stout stem with a dome over it."""
    height, radius = size * style.number("body height", 0.22, 0.34), size * style.number("body radius", 0.05, 0.08)
    profile = drawn_profile(style, "body", "bodies", ("cone", "column", "hourglass", "baluster"))
    stem = turned([(min(r, 1.15 - z), z) for r, z in profile], radius, height).at(z=low)
    head = hung_head(style, 0.4 * height, 0.65 * height, "dome", "cloche", "cone", bulb=False)
    return [leaf("lamp_body_solid", stem)], [lamp_unit(head(put_at(z=low + height)))]


def banker(style: Style, low: float, size: float) -> _Standing:
    """A trough across a pole."""
    top, radius = low + size * style.number("pole height", 0.24, 0.34), style.number("shade radius", 0.055, 0.08)
    pole = turned(drawn_profile(style, "pole", "bodies", ("candlestick", "column")), 0.024, top - low).at(z=low)
    bulb = socketed_bulb("pear", 0.8).turned(y=90).at(z=0.5 * radius)
    head = lamp_head(trough(style.number("shade length", 0.22, 0.34), radius), light_bulb=bulb)(put_at(z=top))
    stem = straight_rod((0, 0, top - 0.01), (0, 0, top + 0.92 * radius), 0.014)
    return [leaf("lamp_pole", pole)], [lamp_unit(head, connector=stem)]


def jointed(style: Style, low: float, size: float) -> _Standing:
    """Two arms with joints, of one bar or two, and a head that can be turned."""
    leans = np.radians([-style.number("lower lean", 10, 35), style.number("upper lean", 35, 75)])
    lengths = [size * style.number("lower arm", 0.26, 0.36), size**0.6 * style.number("upper arm", 0.22, 0.32)]
    steps = [(length * np.sin(lean), 0.0, length * np.cos(lean)) for lean, length in zip(leans, lengths, strict=True)]
    spots = np.cumsum([(0.0, 0.0, low + 0.015), *steps], 0)
    thick, straight = style.number("arm", 0.009, 0.014) * size**0.3, style.maybe("round bars", 0.6)
    ys = (-1.1 * thick, 1.1 * thick) if style.maybe("twin bars", 0.5) else (0.0,)
    joint = cylinder(1.5 * thick, 4 * thick, (0, 0, -2 * thick)).turned(x=90)
    arms = []
    for start, end in pairwise(spots):
        bars = [bar(start + (0, y, 0), end + (0, y, 0), thick, round=straight) for y in ys]
        bars[0] = union(bars[0], joint.at(*start))
        arms.append(part("lamp_arm", [leaf("lamp_arm_straight_bar", solid) for solid in bars]))
    x, _, z = spots[-1]
    head = hung_head(style, 0.07, 0.1, "dome", "cone", "cloche", "factory", "trumpet")
    placed = head(put_at(x, 0, z - 0.012, tilt=style.number("head tilt", 5, 40)))
    tilting = turning(placed, (0, 1, 0), (x, 0, z), (-20, 20))
    return [part("lamp_body_jointed", arms)], [lamp_unit(tilting, connector=joint.at(x, 0, z))]


def arched(style: Style, low: float, size: float) -> _Standing:
    """A pole that ends in a bow with a hanging head, or in a level arm."""
    top, reach = low + size * style.number("pole height", 0.26, 0.38), size * style.number("reach", 0.16, 0.3)
    crest, thick = top + size * style.number("over", 0.1, 0.2), 0.014 * size**0.5
    end, curved = crest - size * style.number("drop", 0.08, 0.2), style.maybe("bow", 0.65)
    head = hung_head(style, 0.065 * size**0.7, 0.1 * size**0.7)
    if curved:
        arm = bent_rod((0, 0, top - 0.02), (0, 0, crest), (reach, 0, crest), (reach, 0, end), thick=thick)
    else:
        top, end = crest, crest - 0.02 - 0.5 * thick
        arm = straight_rod((-0.3 * reach, 0, crest - 0.02), (reach + thick, 0, crest - 0.02), thick)
    pole = leaf("lamp_pole", straight_rod((0, 0, low), (0, 0, top), 1.5 * thick))
    return [pole], [lamp_unit(head(put_at(reach, 0, end - 0.012)), arm=arm, curved=curved)]


def tree(style: Style, low: float, size: float) -> _Standing:
    """A pole with several heads on arms."""
    top, curved = low + size * style.number("pole height", 0.42, 0.52), style.maybe("curved arms", 0.5)
    spread, reach = style.number("spread", 0.0, 0.5), style.number("reach", 0.16, 0.3)
    hung = style.maybe("hanging heads", 0.5)
    head = hung_head(style, 0.07, 0.1) if hung else upright_head(style, 0.06, 0.09)
    sway, rise, lift = (0.12, -0.02, -0.012) if hung else (-0.08, 0.12, 0.008)
    path = [(0, 0, 0), (0.6 * reach, 0, sway), (reach, 0, sway), (reach, 0, rise)]
    arm = bent_rod(*path, thick=0.014) if curved else straight_rod(path[0], path[-1], 0.012)
    count, units = style.count("heads", 2, 5), []
    for place, turn in enumerate(around(count, style.number("turn", 0, 90))):
        start = top - 0.02 - spread * place / count
        move = put_at(reach, 0, start + rise + lift, turn=turn)
        units.append(lamp_unit(head(move), arm=arm.turned(z=turn).at(z=start), curved=curved))
    return [leaf("lamp_pole", straight_rod((0, 0, low), (0, 0, top), 0.024))], units
