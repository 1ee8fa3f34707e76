"""Apples, pears, oranges and bananas: whole, bitten, halved, in wedges, peeled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mereo.shapes.articulation import moved
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import about, lying, smooth
from mereo.shapes.joinery import around
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import blade, blob, cut
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, hull, sphere, tube
from mereo.shapes.style import Style

Cutter = Callable[[Solid, float], Solid]
"""Leaves of a body what a knife or a mouth left; the number is by how much less it took, meters."""

_APPLES = {
    "round": [(0.03, 0.12), (0.14, 0.04), (0.4, 0), (0.8, 0.08), (1, 0.42), (0.98, 0.74), (0.7, 0.99), (0.3, 1)],
    "flat": [(0.03, 0.16), (0.2, 0.05), (0.5, 0), (0.9, 0.12), (1.04, 0.45), (0.96, 0.8), (0.62, 1), (0.3, 0.98)],
    "tall": [(0.03, 0.08), (0.12, 0.03), (0.34, 0), (0.62, 0.1), (0.86, 0.4), (1, 0.74), (0.8, 0.97), (0.36, 1)],
}
_PEARS = {
    "bottle": [(0.03, 0.05), (0.2, 0), (0.6, 0.01), (0.98, 0.2), (0.98, 0.42), (0.6, 0.64), (0.4, 0.8), (0.34, 0.94)],
    "slim": [(0.03, 0.04), (0.2, 0), (0.5, 0.01), (0.8, 0.16), (0.82, 0.36), (0.56, 0.62), (0.42, 0.84), (0.26, 0.97)],
    "plump": [(0.03, 0.06), (0.24, 0), (0.7, 0.01), (1.08, 0.2), (1.04, 0.46), (0.66, 0.7), (0.5, 0.84), (0.4, 0.95)],
}
"""From the blossom end to where the stem leaves, as shares of radius and height; the top is closed by what follows."""
_TOPS = {"apple": [(0.12, 0.93), (0.03, 0.84)], "pear": [(0.2, 1.0), (0.03, 0.99)]}


@grammar("apple")
def apple(style: Style) -> Part:
    """A body with dimples at both ends, some with five lobes."""
    kind = style.pick("kind", {"round": 2, "flat": 1, "tall": 1})
    radius, tall = style.number("radius", 0.034, 0.043), {"round": 1.72, "flat": 1.45, "tall": 2.0}[kind]
    lobes = style.number("lobes", 0.01, 0.05)
    profile = smooth([*_APPLES[kind], *_TOPS["apple"]], radius, tall * radius)
    turns, low = np.linspace(0, 2 * np.pi, 30, endpoint=False), np.linspace(1, 0.3, len(profile))[:, None]
    body = blob(profile, ripple=1 + lobes * low * np.cos(5 * turns), segments=30)
    return _pome(style, "apple", body, radius, 0.84 * tall * radius, tipped={"tall": -76}.get(kind, -92))


@grammar("pear")
def pear(style: Style) -> Part:
    """A belly and a neck, which leans a little."""
    kind = style.pick("kind", {"bottle": 2, "slim": 1, "plump": 1})
    radius, tall = style.number("radius", 0.032, 0.04), {"bottle": 2.7, "slim": 3.5, "plump": 2.3}[kind]
    profile = smooth([*_PEARS[kind], *_TOPS["pear"]], radius, tall * radius)
    return _pome(style, "pear", blob(profile), radius, 0.99 * tall * radius, tipped=94 if kind == "slim" else 99)


def _pome(style: Style, name: str, body: Solid, radius: float, top: float, *, tipped: float) -> Part:
    """An apple or a pear.

    top : where the stem leaves its dimple
    tipped : how it lies when it does not stand, degrees from upright
    """
    state = style.pick("state", {"whole": 4, "lying": 1.3, "bitten": 1.3, "half": 1.3, "wedge": 1})
    middle = float(body.bounds()[1, 2]) / 2
    long = style.number("stem", 0.35, 0.75) * radius + (0.2 * radius if name == "apple" else 0.0)
    tip = (0.25 * long, 0.1 * long, top + long)
    stem = tube([(0, 0, top - 0.003), (0, 0, top + 0.5 * long), tip], np.array([0.0016, 0.0012, 0.002]), segments=8)
    wide, many = style.number("leaf width", 0.4, 0.55), style.count("leaves", 1, 2) if style.maybe("leafy", 0.5) else 0
    green = [
        blade(1.25 * radius, wide * radius, rise=style.number(f"rise {k}", 10, 50), droop=50, fold=0.3)
        .turned(z=200 * k - 30)
        .at(0.06 * long, 0, top + 0.6 * long)
        for k in range(many if state != "wedge" else 0)
    ]
    blossom = blob([(0.002, -0.001), (0.005, 0.0), (0.002, 0.004)], ripple=_star(5, 0.4), segments=20)
    upper = [leaf("stem", stem, "wood"), *(leaf("leaf", solid, "plant") for solid in green)]
    if state in ("whole", "lying"):
        depth = float(body.pieces[0][0, 2])
        made = part(name, leaf("skin", body, "fruit"), upper, leaf("blossom_end", blossom.at(z=depth - 0.002), "plant"))
        return lying(made, tipped) if state == "lying" else made
    skin, flesh = _opened(body, middle, _cutter(style, state, radius, middle))
    made = part(name, leaf("skin", skin, "fruit"), leaf("flesh", flesh, "fruit"))
    if state == "bitten":
        return part(name, made.children, upper)
    core = 0.35 * top if name == "pear" else 0.5 * top
    seed = blob(smooth([(0.02, 0), (0.9, 0.3), (0.9, 0.6), (0.1, 1)], 0.0022, 0.007), segments=12)
    spread = (-60, 60, 120, 240) if state == "half" else (0, 180)
    pips = [seed.at(z=0.005).turned(y=turn).at(0, -0.0012, core) for turn in spread]
    made = part(name, made.children, upper, [leaf("seed", pip, "wood") for pip in pips])
    return lying(made, 90)


def _opened(body: Solid, middle: float, cutter: Cutter) -> tuple[Solid, Solid]:
    """The skin of what is left of a fruit, and its flesh, which stands out a little where it was cut."""

    turned = body.turned(z=2)  # else a knife goes exactly through corners

    def smaller(share: float) -> Solid:
        return turned.at(z=-middle).scaled(share, share, share).at(z=middle)

    return cutter(turned, 0.0).minus(smaller(0.94)), cutter(smaller(0.97), 0.001)


def _cutter(style: Style, state: str, radius: float, middle: float) -> Cutter:
    """Halves and wedges show their cut to -y; a bite is taken from the front."""
    if state == "half":
        return lambda body, less: cut(body, (0, 1, 0), -less)
    if state == "wedge":
        ways = [np.radians(90 + side * style.number(f"wedge {side}", 28, 45)) for side in (-1, 1)]
        sides = [(-side * np.sin(way), side * np.cos(way), 0.0) for side, way in zip((1, -1), ways, strict=True)]
        return lambda body, less: cut(cut(body, sides[0], -less), sides[1], -less)
    size, count = style.number("bite", 0.34, 0.48) * radius, style.count("bites", 2, 3)
    spots = [(0.9 * radius * np.sin(a), -0.9 * radius * np.cos(a)) for a in 0.55 * (np.arange(count) - 0.2)]
    rows = [middle + z * radius for z in (-0.25, 0.25)]
    return lambda body, less: body.minus(*(sphere(size - less, (x, y, z), segments=16) for x, y in spots for z in rows))


def _star(points: int, depth: float) -> Floats:
    """A ripple of so many points over 20 directions."""
    return 1 + depth * np.cos(points * np.linspace(0, 2 * np.pi, 20, endpoint=False))


@grammar("orange")
def orange(style: Style) -> Part:
    """A ball with a button on top and maybe a navel; or what of it is peeled, halved or cut in wedges."""
    state = style.pick("state", {"whole": 3, "lying": 1, "half": 1.5, "wedge": 1.3, "peeled": 1.5})
    radius, flat = style.number("radius", 0.034, 0.045), style.number("flatness", 0.82, 1.0)
    turns = np.linspace(0.03, np.pi - 0.03, 19)
    dip = style.number("dimple", 0.02, 0.1) * np.exp(-(((np.pi - turns) / 0.25) ** 2))
    body = blob(np.stack([radius * np.sin(turns), -radius * flat * (np.cos(turns) + dip)], 1))
    if state in ("whole", "lying"):
        made = part("orange", leaf("skin", body, "fruit"), _orange_ends(style, radius, flat))
        return lying(made, 70) if state == "lying" else made
    skin = {"half": (0, 0, -1), "peeled": (-0.15, 0.1, -1)}.get(state)
    inner = body.scaled(0.93, 0.93, 0.93)
    count = style.count("segments", 8, 11)
    if state == "wedge":
        wide = style.number("wedge", 40, 62)
        rind = _between(body, 90 - wide, 90 + wide).minus(inner)
        lunes = [_lune(inner, 90 + a, wide / 3) for a in (-2 * wide / 3, 0, 2 * wide / 3)]
        made = part("orange", leaf("skin", rind, "fruit"), [leaf("segment", lune, "fruit") for lune in lunes])
        return lying(made, 90)
    assert skin is not None
    rind = cut(body, skin, 0.0 if state == "half" else -0.1 * radius).minus(inner)
    if state == "peeled":
        lunes = [_lune(inner, way, 180 / count) for way in around(count)]
        return part("orange", leaf("skin", rind, "fruit"), [leaf("segment", lune, "fruit") for lune in lunes])
    pith = cut(body.scaled(0.96, 0.96, 0.96), skin, 0.0005)
    slices = [_slice(0.82 * radius, way, 180 / count) for way in around(count)]
    whole = [leaf("skin", rind, "fruit"), leaf("pith", pith, "fruit")]
    return part("orange", whole, [leaf("segment", solid, "fruit") for solid in slices])


def _lune(body: Solid, way: float, half: float) -> Solid:
    """One segment of a peeled fruit, between two half planes through z, with a gap on either side."""
    return hull(_between(body, way - half, way + half, 0.0004).pieces[0].round(4))  # rounded, it has no slivers


def _between(body: Solid, first: float, last: float, gap: float = 0.0) -> Solid:
    """What of a body lies between two directions about z, in degrees."""
    a, b = np.radians(first), np.radians(last)
    return cut(cut(body, (-np.sin(a), np.cos(a), 0.0), gap), (np.sin(b), -np.cos(b), 0.0), gap)


def _slice(radius: float, way: float, half: float) -> Solid:
    """A segment as the cut shows it: a wedge with round corners, standing out of the pith."""
    angles = np.radians(way + half * np.array([-0.7, -0.35, 0.0, 0.35, 0.7]))
    rim = np.stack([np.cos(angles), np.sin(angles)], 1) * radius * np.array([0.93, 1, 1, 1, 0.93])[:, None]
    tip = 0.16 * radius * np.array([[np.cos(angles[2]), np.sin(angles[2])]])
    flat = np.concatenate([tip, rim])
    return hull(np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in (-0.004, 0.0008)]))


def _orange_ends(style: Style, radius: float, flat: float) -> list[Part]:
    """The button where it hung, maybe with a stalk and leaves, and the navel."""
    top = 0.9 * radius * flat
    button = blob(
        [(0.002, -0.002), (0.0052, 0.004), (0.004, 0.0058), (0.001, 0.006)], ripple=_star(5, 0.25), segments=20
    )
    ends = [leaf("stem", button.at(z=top - 0.001), "plant")]
    if style.maybe("leafy", 0.5):
        wide, rise = style.number("leaf width", 0.5, 0.65) * radius, style.number("rise", 5, 45)
        for way in (20, 215)[: style.count("leaves", 1, 2)]:
            green = blade(1.5 * radius, wide, rise=rise, droop=50, fold=0.25)
            ends.append(leaf("leaf", green.turned(z=way).at(z=top + 0.004), "plant"))
    if style.maybe("navel", 0.6):
        size = style.number("navel size", 0.12, 0.24) * radius
        navel = blob([(0.3 * size, -0.0015), (size, -0.001), (0.9 * size, 0.004), (0.3 * size, 0.006)], segments=16)
        ends.append(leaf("blossom_end", navel.at(z=-radius * flat), "fruit"))
    else:
        ends.append(
            leaf(
                "blossom_end",
                blob([(0.0008, -0.001), (0.0024, 0.0), (0.001, 0.004)], segments=10).at(z=-radius * flat),
                "wood",
            )
        )
    return ends


_GIRTH = np.array([0.34, 0.4, 0.62, 0.9, 1.0, 1.02, 1.02, 1.0, 0.92, 0.72, 0.46, 0.28])


@grammar("banana")
def banana(style: Style) -> Part:
    """One that lies on its side, a hand of several that arches over the table, or one half peeled."""
    state = style.pick("state", {"single": 2, "hand": 3, "peeled": 1.5})
    count = style.count("fruits", 2, 6) if state == "hand" else 1
    thick, long = style.number("thickness", 0.016, 0.02), style.number("length", 0.15, 0.2)
    bend, sides = style.number("bend", 60, 105), style.count("sides", 5, 8)
    path = _arc(long, bend)
    if state != "hand":
        fruit = (
            _peeled(path, thick, sides)
            if state == "peeled"
            else _fruit(tube(path, thick * _GIRTH, segments=sides), path)
        )
        crown = tube(
            np.stack([path[0] - (0.012, 0, 0.014), path[0] + 0.2 * (path[1] - path[0])]), 0.33 * thick, segments=8
        )
        made = part("banana", leaf("stem", crown, "plant"), fruit)
        return moved(made, about((1.0, 0.0, 0.0), 90))
    path = _level(path, -0.5 * thick)
    fan = style.number("fan", 5, 10)
    fruits = []
    for k in range(count):
        way = np.radians(fan * (k - (count - 1) / 2))
        side = np.array([0.0, 0.85 * thick * (k - (count - 1) / 2), 0.0])
        turned = path @ np.array([[np.cos(way), np.sin(way), 0], [-np.sin(way), np.cos(way), 0], [0, 0, 1]]) + side
        fruits.append(_fruit(tube(turned, thick * _GIRTH, segments=sides), turned))
    wide = thick * (0.9 * count + 0.3)
    crown = hull(np.array([(x, y * w / 2, z) for y in (-1, 1) for x, z, w in _crown(path, thick, wide)]))
    return moved(
        part("banana", leaf("stem", crown, "plant"), fruits), about((0.0, 0.0, 1.0), style.number("way", -35, 25))
    )


def _crown(path: Floats, thick: float, wide: float) -> list[tuple[float, float, float]]:
    """Where the stalks of a hand grow together: places along x and z, with the width there."""
    (x, _, z), t = path[0], 0.5 * thick
    return [
        (x + 0.012, z + t, wide),
        (x + 0.016, z - t, wide),
        (x - 0.02, z - 0.4 * t, 0.5 * wide),
        (x - 0.018, z - 1.6 * t, 0.5 * wide),
    ]


def _arc(length: float, bend: float) -> Floats:
    """An arch over the x axis, its first end the stalk; straighter there than at its middle. (k, 3) float"""
    along = np.linspace(0, 1, len(_GIRTH))
    angles = np.radians(bend) * (0.5 - along) + np.radians(14) * np.cos(np.pi * along)
    steps = np.stack([np.cos(angles), 0 * angles, np.sin(angles)], 1) * length / (len(along) - 1)
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps[:-1], 0)])


def _level(path: Floats, rise: float) -> Floats:
    """An arch turned so that its end lies so much above its start."""
    x, _, z = path[-1]
    turn = np.arcsin(rise / np.hypot(x, z)) - np.arctan2(z, x)
    level = np.array([[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]])
    turned: Floats = path @ level
    return turned


def _fruit(body: Solid, path: Floats) -> Part:
    ahead = path[-1] - path[-2]
    tip = tube(np.stack([path[-1] - 0.2 * ahead, path[-1] + 0.25 * ahead]), np.array([0.0045, 0.003]), segments=8)
    return part("fruit", leaf("skin", body, "fruit"), leaf("blossom_end", tip, "wood"))


def _peeled(path: Floats, thick: float, sides: int) -> Part:
    """The lower half still in its skin; above it the flesh, and strips of skin that hang down around it."""
    half = len(path) // 2
    flesh = tube(path[half - 1 :], 0.78 * thick * np.sqrt(_GIRTH[half - 1 :]), segments=10)
    lower = tube(path[: half + 1], thick * _GIRTH[: half + 1], segments=sides)
    ahead = path[half + 1] - path[half]
    tilt, long = float(np.degrees(np.arctan2(ahead[2], ahead[0]))), len(path) * float(np.linalg.norm(ahead))
    strips = []
    for way in (0, 90, 180):  # none beneath it, where it lies
        strip = blade(0.4 * long, 1.9 * thick, thick=0.003, rise=60, droop=150, fold=-0.1, widest=0.3)
        upright = strip.at(x=0.6 * thick).turned(z=way).turned(y=90 - tilt)
        strips.append(leaf("skin", upright.at(*path[half]), "fruit"))
    return part(
        "fruit",
        leaf("skin", lower, "fruit"),
        strips,
        leaf("flesh", flesh, "fruit"),
        leaf("blossom_end", _bud(path), "wood"),
    )


def _bud(path: Floats) -> Solid:
    ahead = path[-1] - path[-2]
    return tube(np.stack([path[-1] - 0.1 * ahead, path[-1] + 0.08 * ahead]), np.array([0.004, 0.002]), segments=8)
