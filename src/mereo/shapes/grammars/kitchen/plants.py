"""Plants in pots: cacti, ferns, rubber plants, rosettes, swords, tulips, small trees and palms."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import profile_of, vessel
from mereo.shapes.joinery import around
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import blade, blob
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bent, lathe, sphere, tube
from mereo.shapes.style import Style

_GOLDEN = 137.5
"""Degrees from one leaf to the next, as plants have it."""


@grammar("potted_plant")
def potted_plant(style: Style) -> Part:
    """A pot with soil in it, and what grows there; z = 0 is the soil while the plant is built."""
    habits = {"cactus": _cactus, "ball": _ball, "fern": _fern, "rubber": _rubber, "rosette": _rosette}
    habits |= {"swords": _swords, "tulips": _tulips, "tree": _tree, "palm": _palm}
    kind = style.pick("kind", dict.fromkeys(habits, 1.0))
    bounds = {
        "cactus": (0.05, 0.09),
        "ball": (0.05, 0.08),
        "rosette": (0.05, 0.08),
        "tree": (0.09, 0.14),
        "palm": (0.1, 0.15),
    }
    radius = style.number("pot radius", *bounds.get(kind, (0.07, 0.11)))
    pot, soil = _pot(style, radius)
    plant = habits[kind](style, radius, float(soil.bounds()[1, 2]) - 0.004)
    return part("potted_plant", pot, leaf("soil", soil, "soil"), part("plant", plant))


def _pot(style: Style, radius: float) -> tuple[Part, Solid]:
    """The pot, and the soil that fills it almost to its rim."""
    kind = style.pick("pot", {"clay": 2, "tapered": 1, "drum": 1, "bowl": 1, "belly": 1})
    sides = int(style.pick("sides", {"32": 5, "4": 1, "6": 0.7}))
    material = style.pick("material", {"ceramic": 4, "plastic": 1, "metal": 0.6})
    tall = radius * style.number("pot height", 1.5, 1.9) * {"bowl": 0.65}.get(kind, 1.0)
    profile, wall = profile_of("pots", kind, radius, tall), 0.0018 if material == "metal" else 0.0055
    body = vessel(profile, wall, segments=sides)
    parts, low = [], 0.0
    if style.maybe("saucer", 0.5):
        low, wide = 0.006, 1.25 * float(profile[0, 0]) + 0.01
        dish = vessel(
            np.array([[0.85 * wide, 0.0], [0.95 * wide, 0.008], [wide, 0.02]]), 0.003, segments=sides, floor=0.0064
        )
        parts.append(leaf("saucer", dish, material))
    parts.append(leaf("container", body.at(z=low), material))
    if sides == 32 and kind == "clay":
        turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        path = np.stack(
            [1.015 * radius * np.cos(turns), 1.015 * radius * np.sin(turns), 0 * turns + low + 0.94 * tall], 1
        )
        collar = tube(path, 0.06 * radius, segments=8, closed=True)
        parts.append(leaf("rim", collar, material))
    level = style.number("soil level", 0.84, 0.92) * tall
    grown = 1 / np.cos(np.pi / sides)
    shares = [(0.55 * tall, 1.0), (level, 1.0), (level + 0.004, 0.6), (level + 0.006, 0.05)]
    out = [float(np.interp(min(z, level), profile[:, 1], profile[:, 0])) - 0.8 * wall for z, _ in shares]
    earth = blob([(grown * r * share, low + z) for r, (z, share) in zip(out, shares, strict=True)], segments=sides)
    return part("pot", parts), earth.turned(z=180 / sides)


def _ribbed(ribs: int, depth: float, segments: int = 48) -> Floats:
    return 1 + depth * np.cos(ribs * np.linspace(0, 2 * np.pi, segments, endpoint=False))


def _cactus(style: Style, radius: float, low: float) -> list[Part]:
    """A ribbed column, with arms that reach out and up."""
    thick, tall = radius * style.number("thickness", 0.32, 0.45), radius * style.number("height", 2.5, 4.5)
    heights = np.array([0, 0.1, 0.3, 0.5, 0.7, 0.86, 0.94, 0.985, 1.0])
    girth = np.array([0.85, 0.95, 1, 1, 1, 0.95, 0.75, 0.45, 0.08])
    ripple = _ribbed(style.count("ribs", 8, 12), 0.09)
    column = blob(np.stack([thick * girth, low + tall * heights], 1), ripple=ripple, segments=48)
    made = [leaf("stem", column, "plant")]
    for k in range(style.count("arms", 0, 3)):
        z, up = low + tall * style.number(f"arm {k}", 0.3, 0.55), tall * style.number(f"arm rise {k}", 0.2, 0.35)
        out = 2.1 * thick
        path = bent([(0.6 * thick, 0, z), (out, 0, z), (out, 0, z + 0.3 * up), (out, 0, z + up)], rounds=2)
        tip = path[-1] + np.array([[0, 0, 0.3], [0, 0, 0.42], [0, 0, 0.48]]) * thick
        girth = 0.5 * thick * np.array([1.0] * len(path) + [0.8, 0.5, 0.1])
        arm = tube(np.concatenate([path, tip]), girth, segments=10)
        made.append(leaf("stem", arm.turned(z=style.number(f"arm way {k}", -50, 30) + 180 * (k % 2)), "plant"))
    return made + _crown(style, low + tall, thick)


def _crown(style: Style, z: float, size: float) -> list[Part]:
    """A flower on top of a cactus, for some."""
    if not style.maybe("in bloom", 0.4):
        return []
    petal = blade(0.9 * size, 0.42 * size, thick=0.0015, rise=60, droop=40, fold=0.2)
    petals = [petal.turned(z=way).at(z=z - 0.002) for way in around(7)]
    center = sphere(0.22 * size, (0, 0, z + 0.1 * size), segments=12)
    return [part("flower", [leaf("petal", each, "plant") for each in petals], leaf("center", center, "plant"))]


def _ball(style: Style, radius: float, low: float) -> list[Part]:
    """A ribbed ball, maybe with young ones at its foot."""
    size, turns = radius * style.number("size", 0.62, 0.78), np.linspace(0.3, np.pi - 0.05, 12)
    flat = style.number("flatness", 0.8, 1.2)
    ripple = _ribbed(style.count("ribs", 9, 13), 0.08)

    def ball(share: float) -> Solid:
        profile = np.stack([share * size * np.sin(turns), share * size * flat * (0.9 - np.cos(turns))], 1)
        return blob(profile, ripple=ripple, segments=48)

    made = [leaf("stem", ball(1.0).at(z=low), "plant")]
    for k in range(style.count("young", 0, 3)):
        way = np.radians(-90 + 70 * (k - 1))
        made.append(leaf("stem", ball(0.3).at(0.72 * radius * np.cos(way), 0.72 * radius * np.sin(way), low), "plant"))
    return made + _crown(style, low + 1.85 * size * flat, 0.6 * size)


def _fern(style: Style, radius: float, low: float) -> list[Part]:
    """Fronds that arch out of the middle of the pot."""
    count, long = style.count("fronds", 13, 20), radius * style.number("length", 2.4, 3.4)
    frond = blade(
        long, 0.26 * long, thick=0.0014, rise=78, droop=style.number("droop", 95, 130), fold=0.05, widest=0.35, teeth=11
    )
    made = []
    for k in range(count):
        share = 0.7 + 0.3 * ((k * 0.618) % 1)
        one = frond.scaled(share, share, share).turned(y=-9 * (k % 3)).at(x=0.012).turned(z=k * _GOLDEN)
        made.append(leaf("leaf", one.at(z=low), "plant"))
    return made


def _rubber(style: Style, radius: float, low: float) -> list[Part]:
    """A stem with large leaves by turns."""
    count, tall = style.count("leaves", 8, 14), radius * style.number("height", 3.5, 5.5)
    sway = 0.2 * radius
    stem = tube(
        bent([(0, 0, low - 0.01), (sway, 0, low + 0.35 * tall), (-0.3 * sway, 0.3 * sway, low + tall)], rounds=2),
        0.055 * radius + 0.002,
        segments=10,
    )
    long = radius * style.number("leaf length", 1.9, 2.5)
    big = blade(
        long,
        long * style.number("leaf width", 0.42, 0.6),
        thick=0.0022,
        rise=style.number("rise", 25, 55),
        droop=style.number("droop", 40, 80),
        fold=0.2,
    )
    made = [leaf("stem", stem, "plant")]
    for k in range(count):
        z = 0.18 + 0.82 * k / (count - 1)
        x = sway * (1 - (2 * min(z, 1.0) - 0.8) ** 2) * 0.55
        share = 1.05 - 0.4 * z
        one = big.scaled(share, share, share).turned(y=-28 * z)
        made.append(leaf("leaf", one.turned(z=k * _GOLDEN).at(x, 0, low + z * tall), "plant"))
    return made


def _rosette(style: Style, radius: float, low: float) -> list[Part]:
    """Thick leaves in a spiral, the young ones upright in the middle."""
    count, long = style.count("leaves", 18, 30), radius * style.number("length", 0.95, 1.3)
    fat, slim = style.number("fatness", 0.1, 0.2), style.number("leaf width", 0.32, 0.6)
    widest = style.number("widest", 0.35, 0.7)
    made = []
    plump = blade(long, slim * long, thick=fat * long, rise=0, droop=-25, fold=0.12, widest=widest)
    for k in range(count):
        age = k / (count - 1)
        share = 0.38 + 0.62 * age
        one = plump.scaled(share, share, share).turned(y=-(78 - 66 * age)).at(x=0.006 + 0.1 * radius * age)
        made.append(leaf("leaf", one.turned(z=k * _GOLDEN).at(z=low + 0.35 * radius * (1 - age) + 0.006), "plant"))
    stem = lathe([(0.22 * radius, -0.01), (0.26 * radius, 0.1 * radius), (0.12 * radius, 0.45 * radius)], segments=14)
    return [leaf("stem", stem.at(z=low), "plant"), *made]


def _swords(style: Style, radius: float, low: float) -> list[Part]:
    """Stiff upright leaves, as of a snake plant or aloe."""
    count, tall = style.count("leaves", 6, 11), radius * style.number("height", 3.0, 5.0)
    sword = blade(
        tall,
        radius * style.number("leaf width", 0.36, 0.5),
        thick=0.0035,
        rise=90,
        droop=style.number("droop", 4, 16),
        fold=0.35,
        widest=0.4,
    )
    made = []
    for k in range(count):
        share, out = 0.62 + 0.38 * ((k * 0.618 + 0.4) % 1), 0.12 + 0.4 * np.sqrt((k + 0.5) / count)
        one = sword.scaled(share, share, share).turned(y=3 + 14 * out).at(x=0.8 * out * radius)
        made.append(leaf("leaf", one.turned(z=k * _GOLDEN).at(z=low - 0.004), "plant"))
    return made


def _tulips(style: Style, radius: float, low: float) -> list[Part]:
    """Flowers on stems of their own, long leaves around them."""
    count, tall = style.count("flowers", 2, 6), radius * style.number("height", 2.6, 3.6)
    size, opened = radius * style.number("bloom", 0.75, 1.0), style.number("opened", 0, 28)
    petal = blade(size, 0.62 * size, thick=0.0018, rise=30, droop=-80 + opened, fold=0.3, widest=0.5)
    made = []
    for k in range(count):
        way, out = np.radians(k * _GOLDEN + 20), 0.45 * radius * np.sqrt((k + 0.3) / count)
        high, far = low + tall * (0.78 + 0.22 * ((k * 0.618) % 1)), out * 2.4 + 0.006
        foot, top = (out * np.cos(way), out * np.sin(way), low - 0.006), (far * np.cos(way), far * np.sin(way), high)
        bow = (0.75 * foot[0] + 0.25 * top[0], 0.75 * foot[1] + 0.25 * top[1], 0.5 * (low + high))
        made.append(leaf("stem", tube(bent([foot, bow, top], rounds=2), 0.0035, segments=8), "plant"))
        petals = [petal.at(x=0.002).turned(z=turn).at(*top) for turn in around(6)]
        center = sphere(0.005, top, segments=10)
        made.append(part("flower", [leaf("petal", each, "plant") for each in petals], leaf("center", center, "plant")))
    green = blade(
        0.75 * tall, 0.3 * radius, thick=0.002, rise=82, droop=style.number("droop", 25, 70), fold=0.5, widest=0.35
    )
    return [
        *made,
        *(
            leaf("leaf", green.at(x=0.3 * radius).turned(z=way).at(z=low - 0.004), "plant")
            for way in around(count + 3, 15)
        ),
    ]


def _tree(style: Style, radius: float, low: float) -> list[Part]:
    """A trunk with clipped heads of foliage."""
    tall, heads = radius * style.number("height", 2.4, 3.6), style.count("heads", 1, 3)
    turns, way = np.linspace(0.06, np.pi - 0.06, 15), np.linspace(0, 2 * np.pi, 30, endpoint=False)
    bumps = style.number("bumps", 0.02, 0.07)
    rough = 1 + bumps * np.cos(6 * turns)[:, None] * np.cos(5 * way)
    if heads == 1 and style.maybe("cone", 0.4):
        profile = np.stack(
            [radius * np.sin(turns) ** 0.8 * (0.55 - 0.42 * -np.cos(turns)), -1.2 * radius * np.cos(turns)], 1
        )
        crowns = [blob(profile * (1.4, 1.0), ripple=rough, segments=30).at(z=low + tall)]
    else:
        sizes = radius * np.linspace(1.0, 0.55, heads) * (1.05 if heads == 1 else 0.8)
        places = low + tall * np.linspace(0.55 if heads > 1 else 1.0, 1.35 if heads > 1 else 1.0, heads)
        crowns = [
            blob(np.stack([s * np.sin(turns), -s * np.cos(turns)], 1), ripple=rough, segments=30).at(z=z)
            for s, z in zip(sizes, places, strict=True)
        ]
    trunk = tube(
        [(0, 0, low - 0.01), (0.05 * radius, 0, low + 0.5 * tall), (0, 0, low + tall * (1.35 if heads > 1 else 1.0))],
        0.075 * radius,
        segments=10,
    )
    return [leaf("stem", trunk, "wood"), *(leaf("leaf", crown, "plant") for crown in crowns)]


def _palm(style: Style, radius: float, low: float) -> list[Part]:
    """A trunk with rings, and fronds at its top."""
    tall, count = radius * style.number("height", 1.5, 3.2), style.count("fronds", 8, 13)
    rings = [(0.2 - 0.05 * z + 0.02 * (k % 2), z) for k, z in enumerate(np.linspace(0, 1, 10))]
    trunk = lathe([(radius * r, low - 0.008 + tall * z) for r, z in rings], segments=14)
    long = radius * style.number("length", 2.0, 2.8)
    frond = blade(
        long, 0.32 * long, thick=0.0018, rise=60, droop=style.number("droop", 80, 120), fold=-0.12, widest=0.4, teeth=10
    )
    made = [leaf("stem", trunk, "wood")]
    for k in range(count):
        share = 0.75 + 0.25 * ((k * 0.618) % 1)
        one = frond.scaled(share, share, share).turned(y=-22 + 18 * (k % 3)).at(x=0.06 * radius).turned(z=k * _GOLDEN)
        made.append(leaf("leaf", one.at(z=low + tall - 0.012), "plant"))
    return made
