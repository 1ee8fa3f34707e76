"""Cups with saucers, and eggs with what they are served in."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import ear, profile_of, smooth, vessel
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import blob, cut, level_ring
from mereo.shapes.outlines import ellipse
from mereo.shapes.part import Part
from mereo.shapes.skins import loft
from mereo.shapes.solids import Solid, bent, board, lathe, ring, sphere, tube, union
from mereo.shapes.style import Style


@grammar("cup_and_saucer")
def cup_and_saucer(style: Style) -> Part:
    """A cup on its saucer, with or without tea and a spoon."""
    kind = style.pick("kind", {"bowl": 1.5, "cone": 1, "tulip": 1.2, "straight": 1, "flared": 1, "squat": 1})
    radius = style.number("radius", 0.034, 0.052)
    tall = radius * style.number("height", 1.15, 1.6)
    sides = int(style.pick("sides", {"32": 4, "8": 1, "6": 0.6}))
    material = style.pick("material", {"ceramic": 4, "glass": 1})
    profile = profile_of("cups", kind, radius, tall)
    low = 0.0075
    body = vessel(profile, 0.0026, segments=sides).at(z=low)
    cup = [leaf("body", body, material), *_cup_handles(style, profile, low, material, sides)]
    if style.maybe("filled", 0.4):
        level = style.number("level", 0.6, 0.86) * tall
        grown = 1 / np.cos(np.pi / sides)
        inside = grown * (float(np.interp(level, profile[:, 1], profile[:, 0])) - 0.0022)
        below = grown * (float(np.interp(0.9 * level, profile[:, 1], profile[:, 0])) - 0.0022)
        wet = [level_ring(2 * below, 2 * below, low + 0.9 * level, segments=sides)]
        wet.append(level_ring(2 * inside, 2 * inside, low + level, segments=sides))
        cup.append(leaf("containing_things", loft(wet, blocks=1), "food"))
    return part("cup_and_saucer", part("cup", cup), _saucer(style, radius, material), _spoon(style, radius))


def _cup_handles(style: Style, profile: Floats, low: float, material: str, sides: int) -> list[Part]:
    design = style.pick("handle", {"loop": 3, "square": 1, "ring": 1, "pair": 0.5, "none": 0.6})
    if design == "none":
        return []
    tall, thick = float(profile[-1, 1]), style.number("handle thickness", 0.005, 0.008)
    high, deep = style.number("handle top", 0.72, 0.9) * tall, style.number("handle foot", 0.2, 0.4) * tall
    wall = [float(np.interp(z, profile[:, 1], profile[:, 0])) - 0.001 for z in (high, deep)]
    if design == "ring":
        size = 0.22 * tall
        at = float(np.interp(0.6 * tall, profile[:, 1], profile[:, 0]))
        loop = ring(size, thick, segments=8).turned(x=90).at(at + size - 0.002, 0, low + 0.6 * tall)
    else:
        reach = style.number("handle reach", 0.3, 0.42) * tall
        loop = ear((wall[0], 0, low + high), (wall[1], 0, low + deep), reach, thick, square=design == "square")
    side = 360 / sides
    turned = loop.turned(z=side * round(style.number("handle way", -70, 40) / side))
    return [
        leaf("handle", solid, material) for solid in ([turned, turned.turned(z=180)] if design == "pair" else [turned])
    ]


def _saucer(style: Style, radius: float, material: str) -> Part:
    """A dish that rises to its rim around the well that the cup stands in."""
    kind = style.pick("saucer", {"round": 3, "square": 1, "scalloped": 1, "oval": 0.6})
    wide = radius * style.number("saucer size", 1.6, 1.95)
    profile = smooth(
        [(0.5, 0.0), (0.62, 0.002), (0.8, 0.35), (1.0, 1.0)], wide, style.number("saucer height", 0.014, 0.022)
    )
    rim = {"square": {"squareness": 5.0}, "oval": {"depth": 0.75}}.get(kind, {})
    flutes = (12, 0.035) if kind == "scalloped" else (0, 0.0)
    plate = vessel(profile, 0.003, flutes=flutes, segments=48 if flutes[0] else 32, floor=0.0046, **rim).at(z=0.0032)
    foot = board(ellipse(0.9 * wide, 0.9 * wide * rim.get("depth", 1.0)), 0.0036)
    return part("saucer", leaf("plate", plate, material), leaf("foot_ring", foot, material))


def _spoon(style: Style, radius: float) -> Part | None:
    """A teaspoon that lies before the cup, its bowl on the saucer and its handle over the rim."""
    if not style.maybe("spoon", 0.4):
        return None
    y, x = -1.22 * radius, style.number("spoon at", -0.3, 0.1) * radius
    bowl = sphere(1.0, segments=16).scaled(0.015, 0.0095, 0.003).at(x, y, 0.0155)
    handle = tube(
        bent([(x + 0.01, y, 0.016), (x + 0.04, y - 0.002, 0.024), (x + 0.085, y - 0.006, 0.031)]), 0.0018, segments=8
    )
    return leaf("spoon", union(bowl, handle), "metal")


_EGG = np.linspace(0.06, np.pi - 0.06, 17)


@grammar("egg")
def egg(style: Style) -> Part:
    """One that lies, stands in its cup, is opened there, is boiled and halved, or fried."""
    state = style.pick("state", {"lying": 1.5, "cup": 3, "opened": 1.5, "halved": 1.2, "fried": 1.2})
    radius, blunt = style.number("radius", 0.02, 0.0235), style.number("bluntness", 0.08, 0.17)
    tall = radius * style.number("length", 1.3, 1.42)
    body = blob(np.stack([radius * np.sin(_EGG) * (1 + blunt * np.cos(_EGG)), -tall * np.cos(_EGG)], 1))
    if state == "fried":
        return part("egg", *_fried(style))
    if state == "lying":
        return part("egg", leaf("shell", body.turned(x=83), "egg"))
    if state == "halved":
        return part("egg", *_halved(body, radius))
    cup, seat = _egg_cup(style, radius, tall)
    if state == "cup":
        return part("egg", leaf("shell", body.at(z=seat), "egg"), cup)
    return part("egg", *_open_egg(style, body, radius, tall, seat), cup)


def _fried(style: Style) -> list[Part]:
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    size, ways = style.number("spread", 0.045, 0.06), [style.number(f"lobe {k}", 0, 2 * np.pi) for k in range(3)]
    wavy = 1 + sum(0.09 * np.cos((k + 2) * turns + way) for k, way in enumerate(ways))
    profile = [
        (0.9 * size, 0.0),
        (size, 0.0015),
        (0.97 * size, 0.003),
        (0.7 * size, 0.0045),
        (0.3 * size, 0.0055),
        (0.03 * size, 0.006),
    ]
    center = np.array([1.0, 1.0, 1.0, 0.8, 0.3, 0.0])[:, None]
    white = blob(
        [(0.05 * size, -0.0), *profile], ripple=1 + np.concatenate([[[0.0]], center]) * (wavy - 1), segments=40
    )
    aside = style.number("yolk aside", -0.2, 0.2) * size
    yolk = sphere(1.0, segments=24).scaled(0.021, 0.021, 0.013).at(aside, -0.5 * aside, 0.0065)
    return [leaf("white", white, "egg"), leaf("yolk", yolk, "egg")]


def _halved(body: Solid, radius: float) -> list[Part]:
    half = cut(body.turned(x=90, z=7), (0, 0, -1))
    yolk = cut(sphere(0.6 * radius, (0, 0.1 * radius, 0), segments=22).turned(z=3), (0, 0, -1), -0.0012)
    return [leaf("white", half, "egg"), leaf("yolk", yolk, "egg")]


def _open_egg(style: Style, body: Solid, radius: float, tall: float, seat: float) -> list[Part]:
    """Its top cut off, which lies beside the cup upside down; white and yolk show."""
    at = style.number("cut at", 0.3, 0.5) * tall
    turned = body.turned(z=2)
    inner = turned.scaled(0.955, 0.955, 0.955)
    shell = cut(turned, (0, 0, -1), -at).minus(inner)
    white = cut(inner.scaled(1.01, 1.01, 1.0), (0, 0, -1), -(at - 0.003))
    yolk = sphere(1.0, segments=20).scaled(0.5 * radius, 0.5 * radius, 0.003).at(z=at - 0.0025)
    cap = cut(turned, (0, 0, 1), at).minus(inner).at(z=-at).turned(x=180)
    cap = cap.at(style.number("cap at", 0.034, 0.04), -0.026, -float(cap.bounds()[0, 2]))
    parts = {"shell": shell.at(z=seat), "white": white.at(z=seat), "yolk": yolk.at(z=seat), "shell_cap": cap}
    return [leaf(name, solid, "egg") for name, solid in parts.items()]


def _egg_cup(style: Style, radius: float, tall: float) -> tuple[Part, float]:
    """A bowl on a foot, and at which height the middle of the egg is."""
    kind, material = (
        style.pick("bowl", {"round": 1, "straight": 1, "flared": 1}),
        style.pick("material", {"ceramic": 3, "wood": 1.2, "metal": 1, "plastic": 0.8}),
    )
    deep, stem = (
        style.number("bowl depth", 0.024, 0.034),
        style.number("stem", 0.006, 0.03) * style.maybe("stemmed", 0.65),
    )
    low = 0.005 + stem
    foot = lathe([(0.021, 0), (0.022, 0.002), (0.014 if stem else 0.02, 0.006 if not stem else 0.0055)], segments=24)
    if style.maybe("plate", 0.25):
        foot = lathe([(0.04, 0), (0.055, 0.006), (0.053, 0.0075), (0.03, 0.0055)], segments=28)
    bowl = vessel(profile_of("egg_cups", kind, radius + 0.0042, deep), 0.0024, segments=24, floor=0.003).at(z=low)
    parts = [leaf("bowl", bowl, material), leaf("foot", foot, material)]
    if stem:
        waist = style.number("waist", 0.004, 0.007)
        parts.append(
            leaf(
                "stem",
                lathe([(waist + 0.003, 0.004), (waist, 0.004 + 0.5 * stem), (waist + 0.002, low + 0.001)], segments=18),
                material,
            )
        )
    return part("egg_cup", parts), low + 0.0025 + tall
