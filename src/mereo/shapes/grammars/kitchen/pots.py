"""Teapots, and dishes for the oven."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import ear, profile_of, smooth, vessel
from mereo.shapes.joinery import around, sized
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import blob, level_ring
from mereo.shapes.outlines import rectangle
from mereo.shapes.part import Part
from mereo.shapes.skins import loft
from mereo.shapes.solids import Solid, bent, board, lathe, ring, sphere, tube
from mereo.shapes.style import Style


@grammar("teapot")
def teapot(style: Style) -> Part:
    """A belly with a spout to the right, a handle to the left or above, and a lid that lifts off."""
    kind = style.pick("kind", {"globe": 2, "pear": 1.2, "squat": 1.2, "drum": 1, "cone": 1, "urn": 1})
    radius = style.number("radius", 0.065, 0.09)
    tall = radius * style.number("height", 1.1, 1.25) * {"squat": 1.0, "pear": 1.9, "urn": 1.8}.get(kind, 1.5)
    material = style.pick("material", {"ceramic": 4, "metal": 1.5, "glass": 1})
    sides = int(style.pick("sides", {"36": 4, "8": 1, "6": 0.5}))
    profile = profile_of("teapots", kind, radius, tall)
    base, low = _pot_base(style, float(profile[0, 0]), material)
    wall = 0.0016 if material == "metal" else 0.004
    body = leaf("body", vessel(profile, wall, segments=sides).at(z=low), material)
    spout = leaf("spout", _spout(style, profile, low), material)
    handle = leaf(
        "handle",
        _pot_handle(style, profile, low),
        style.pick("handle material", {"same": 3, "wood": 1}).replace("same", material),
    )
    return part("teapot", body, spout, handle, base, _pot_lid(style, profile, low, material, sides))


def _out(profile: Floats, z: float) -> float:
    """How far out the wall is at a height."""
    return float(np.interp(z, profile[:, 1], profile[:, 0]))


def _pot_base(style: Style, radius: float, material: str) -> tuple[Part | None, float]:
    design = style.pick("base", {"ring": 2, "feet": 1, "none": 1})
    if design == "none":
        return None, 0.0
    if design == "ring":
        high = style.number("base height", 0.004, 0.014)
        foot = lathe([(1.1 * radius, 0), (1.1 * radius, 0.3 * high), (0.85 * radius, high + 0.002)])
        return part("base", leaf("foot_ring", foot, material)), high
    high = 0.014
    feet = [
        sphere(0.009, (0.8 * radius, 0, 0.009), segments=14).turned(z=way)
        for way in around(style.count("feet", 3, 4), 30)
    ]
    return part("base", [leaf("foot", foot, material) for foot in feet]), high


def _spout(style: Style, profile: Floats, low: float) -> Solid:
    """From the belly outwards and up to the height of the rim; its mouth is sunk."""
    tall, thick = float(profile[-1, 1]), style.number("spout thickness", 0.011, 0.015)
    design = style.pick("spout", {"swan": 2, "straight": 1.5, "beak": 1})
    start = {"swan": 0.3, "straight": 0.42, "beak": 0.7}[design] * tall
    out = _out(profile, start) - 0.004
    far = float(profile[:, 0].max()) + {"swan": 0.055, "straight": 0.05, "beak": 0.02}[design]
    end = (far, 0.0, low + tall * style.number("spout height", 0.88, 1.0))
    if design == "swan":
        middle = (0.5 * (out + far), 0.0, low + 1.1 * start)
        path = bent([(out, 0, low + start), middle, (0.2 * out + 0.8 * far, 0, low + 0.75 * tall), end], rounds=2)
    else:
        path = bent([(out, 0, low + start), (0.5 * (out + far), 0, 0.5 * (low + start + end[2])), end], rounds=2)
    girth = np.linspace(1.5 if design != "beak" else 1.3, 0.72, len(path)) * thick
    mouth = tube(path[-3:] + (path[-1] - path[-2]) * 0.3, 0.75 * girth[-3:], segments=12)
    return tube(path, girth, segments=14).minus(mouth)


def _pot_handle(style: Style, profile: Floats, low: float) -> Solid:
    design = style.pick("handle", {"loop": 3, "square": 1, "bail": 1.6, "stick": 0.6})
    tall, wide = float(profile[-1, 1]), float(profile[:, 0].max())
    thick = style.number("handle thickness", 0.009, 0.013)
    if design == "bail":
        z, reach = 0.86 * tall, style.number("bail height", 0.8, 1.15) * wide
        out, top = _out(profile, z) - 0.003, low + tall + reach
        arch = [(-out, 0, low + z), (-1.05 * out, 0, top), (1.05 * out, 0, top), (out, 0, low + z)]
        return tube(bent(arch, rounds=3), 0.45 * thick, segments=10)
    if design == "stick":
        z = 0.62 * tall
        start, far = _out(profile, z) - 0.003, wide + 0.07
        return tube([(0, -start, low + z), (0, -far, low + z + 0.03)], thick * np.array([0.8, 1.15]), segments=12)
    high, deep = 0.8 * tall, 0.25 * tall
    ends = [(_out(profile, z) - 0.002, 0.0, low + z) for z in (high, deep)]
    reach = style.number("handle reach", 0.035, 0.05)
    return ear(ends[0], ends[1], reach, thick, square=design == "square").mirrored("x")


def _pot_lid(style: Style, profile: Floats, low: float, material: str, sides: int) -> Part:
    """A cap that covers the mouth, with a knob; it lifts off, or swings back on a hinge over the handle."""
    mouth, top = float(profile[-1, 0]) + 0.003, low + float(profile[-1, 1]) - 0.001
    rise = mouth * {"dome": 0.5, "flat": 0.12, "cone": 0.6}[style.pick("lid", {"dome": 2, "flat": 1, "cone": 0.7})]
    cap = blob(
        smooth([(1.0, 0), (1.0, 0.12), (0.8, 0.62), (0.4, 0.94), (0.1, 1.0)], mouth, rise + 0.004), segments=sides
    )
    knob = _knob(style).at(z=top + rise + 0.003)
    lid = part("lid", leaf("lid_surface", cap.at(z=top), material), leaf("knob", knob, material))
    if material == "metal":
        swung = style.number("lid open", 40, 75) * style.maybe("open", 0.3)
        return turning(lid, (0, -1, 0), (-mouth, 0, top), (0, 80), stands=swung)
    return sliding(lid, (0, 0, 1), (0, 0.08))


def _knob(style: Style) -> Solid:
    """What a lid is held by, around z, a little sunk."""
    design = style.pick("knob", {"ball": 2, "mushroom": 1, "ring": 0.8, "spire": 0.8})
    size = style.number("knob size", 0.008, 0.012)
    if design == "ball":
        return sphere(size, (0, 0, 0.8 * size), segments=16)
    if design == "ring":
        return ring(size, 0.45 * size, segments=8).turned(x=90).at(z=size)
    turned = {
        "mushroom": [(0.5, -0.2), (0.5, 0.8), (1.3, 1), (0.9, 1.7)],
        "spire": [(0.5, -0.2), (0.9, 0.7), (0.4, 1.4), (0.1, 2.6)],
    }
    return lathe(sized(turned[design], size, size), segments=18)


@grammar("oven_dish")
def oven_dish(style: Style) -> Part:
    """A dish with low walls, ears to carry it by, maybe a lid, maybe a gratin in it."""
    kind = style.pick("kind", {"rectangle": 2, "oval": 1.5, "quiche": 1.2, "ramekin": 1, "casserole": 1.0})
    half = style.number("size", *{"ramekin": (0.042, 0.055), "casserole": (0.1, 0.14)}.get(kind, (0.12, 0.17)))
    tall = half * {"ramekin": 1.0, "casserole": 0.62, "quiche": 0.24}.get(kind, style.number("height", 0.33, 0.48))
    depth = style.number("depth", 0.62, 0.8) if kind in ("rectangle", "oval") else 1.0
    square = style.number("squareness", 6, 10) if kind == "rectangle" else 2.0
    material = style.pick("material", {"ceramic": 3, "glass": 1.5, "metal": 0.8})
    flare, wall = {"ramekin": 0.97, "casserole": 0.94}.get(kind, 0.86), {"metal": 0.0025}.get(material, 0.005)
    profile = smooth([(flare - 0.06, 0), (flare, 0.03), (flare + 0.02, 0.25), (1, 1)], half, tall)
    flutes = (24, 0.018) if kind in ("quiche", "ramekin") and style.maybe("fluted", 0.7) else (0, 0.0)
    dish = {"depth": depth, "squareness": square}
    body = vessel(profile, wall, segments=96 if flutes[0] else 40, flutes=flutes, **dish)
    parts = [leaf("body", body, material)]
    if kind != "ramekin" and (kind == "casserole" or style.maybe("ears", 0.7)):
        parts += [leaf("handle", solid, material) for solid in _ears(style, half, tall, depth)]
    covered = kind == "casserole"
    if not covered and style.maybe("filled", 0.45):
        parts.append(leaf("containing_things", _gratin(profile, wall, dish), "food"))
    return part("oven_dish", parts, _dish_lid(style, half, tall, depth) if covered else None)


def _ears(style: Style, half: float, tall: float, depth: float) -> list[Solid]:
    """A flat ear or a loop at either end, just below the rim."""
    wide, out = half * depth * style.number("ear width", 0.5, 0.8), style.number("ear reach", 0.022, 0.032)
    if style.maybe("loops", 0.5):
        x, z = half - 0.004, 0.82 * tall
        y, near = wide / 2, _rim(half, depth, wide)
        path = [(near, -y, z), (x + out, -y, z), (x + out, y, z), (near, y, z)]
        one = tube(bent(path, rounds=2), 0.0055, segments=8)
    else:
        flat = rectangle(2 * out + 0.02, wide, corner=0.012).minus(rectangle(0.08, wide + 0.02).at(-0.04 - 0.012))
        one = board(flat, 0.007, (half - 0.004, 0, 0.84 * tall))
    return [one, one.mirrored("x")]


def _rim(half: float, depth: float, wide: float) -> float:
    """Where the ends of a loop meet an oval wall, and a straight one a little inside of it."""
    return half * float(np.sqrt(max(1 - (0.5 * wide / (half * depth)) ** 2, 0.0))) - 0.008


def _gratin(profile: Floats, wall: float, dish: dict[str, float]) -> Solid:
    """What is baked in a dish: up to three quarters of it, a little higher in its middle."""
    tall, depth = float(profile[-1, 1]), dish["depth"]
    rings = []
    for share, z in ((1.0, 0.55), (1.0, 0.74), (0.8, 0.8), (0.4, 0.83), (0.05, 0.84)):
        out = _out(profile, min(z, 0.74) * tall) - 0.9 * wall
        size = (2 * share * out, 2 * share * (depth * (out + 0.9 * wall) - 0.9 * wall))
        rings.append(level_ring(*size, z * tall, squareness=dish["squareness"], segments=40))
    return loft(rings, blocks=1)


def _dish_lid(style: Style, half: float, tall: float, depth: float) -> Part:
    """A domed lid that lifts off, with a knob or a bow to hold it by."""
    material, rise = (
        style.pick("lid material", {"ceramic": 2, "glass": 1.5}),
        half * style.number("lid rise", 0.22, 0.4),
    )
    shares = smooth([(1.03, 0.0), (1.03, 0.1), (0.86, 0.55), (0.45, 0.93), (0.08, 1.0)], half, rise)
    cap = loft([level_ring(2 * r, 2 * depth * r, z, segments=36) for r, z in shares], blocks=1).at(z=tall + 0.0008)
    top = tall + rise
    if style.maybe("bow", 0.5):
        knob = tube(
            bent([(-0.025, 0, top - 0.004), (-0.02, 0, top + 0.025), (0.02, 0, top + 0.025), (0.025, 0, top - 0.004)]),
            0.005,
            segments=10,
        )
    else:
        knob = lathe([(0.009, -0.003), (0.009, 0.008), (0.018, 0.012), (0.015, 0.022)], segments=18).at(z=top)
    lid = part(
        "lid",
        leaf("lid_surface", cap, material),
        leaf("knob", knob, style.pick("knob material", {"ceramic": 1, "metal": 1})),
    )
    return sliding(lid, (0, 0, 1), (0, 0.15))
