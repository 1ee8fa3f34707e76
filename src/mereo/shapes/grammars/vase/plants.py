"""What grows in pots and stands in vases."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf
from mereo.shapes.grips import strap
from mereo.shapes.joinery import around
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, cylinder, sphere, tube, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import Vessel, fluted, solid_of

__all__ = ["flowers", "green"]

_TURN = 137.5
"""Degrees from one leaf of a plant to the next."""


def flowers(style: Style, vessel: Vessel) -> list[Part]:
    """Cut flowers or bare twigs that stand on the floor and lean on the rim."""
    design = style.pick("flowers", {"tulips": 1.0, "daisies": 1.0, "balls": 1.0, "twigs": 0.8, "reeds": 0.7})
    count = style.count("stems", 1, 3) if vessel.rim > 0.45 else style.count("stems", 3, 7)
    tall, spread = vessel.rim * style.number("stem height", 1.4, 1.8), style.number("spread", 0.3, 0.65)
    narrow = float(vessel.inside()[:, 0].min())
    size = min(0.042, 0.2 * vessel.rim)
    made = []
    for k in range(count):
        high = tall * (0.82 + 0.18 * ((k * 0.618) % 1))
        lean = spread * (high - vessel.rim) * (0.35 + 0.65 * ((k * 0.382) % 1)) * (count > 1)
        near = 0.55 * narrow if count > 1 else 0.0
        path = [(0.3 * near, 0, vessel.floor - 0.0005), (near, 0, vessel.rim), (near + lean, 0, high)]
        made.append(_stem(design, bent(path), size, min(0.0028, 0.2 * narrow)).turned(z=_TURN * k))
    return [leaf("plant", solid, "wood" if design == "twigs" else "foam") for solid in made]


def _stem(design: str, path: Floats, size: float, thick: float) -> Solid:
    """One stalk along a line, with what it bears at its end."""
    stalk, (x, _, z) = tube(path, thick, segments=6), path[-1]
    if design == "twigs":
        start = path[len(path) // 2 + 1]
        sides = [
            bar(
                start,
                (start[0] + s * 2.2 * size, 1.4 * s * size, start[2] + 3.2 * size),
                1.5 * thick,
                round=True,
                taper=0.5,
                sides=6,
            )
            for s in (-1, 1)
        ]
        return union(stalk, *sides)
    if design == "reeds":
        return union(
            stalk,
            solid_of(
                [(0.004, 0), (0.3 * size, 0.2 * size), (0.3 * size, 2.2 * size), (0.002, 2.5 * size)], segments=10
            ).at(x, 0, z - 0.004),
        )
    heads = {
        "tulips": [(0.2, 0), (0.62, 0.25), (0.72, 0.8), (0.5, 1.4), (0.62, 1.7)],
        "daisies": [(0.15, 0), (1.1, 0.3), (1.15, 0.42), (0.5, 0.46), (0.35, 0.62)],
        "balls": [(0.3, 0), (0.8, 0.3), (1, 0.8), (0.8, 1.3), (0.3, 1.6)],
    }
    form = fluted(3 if design == "tulips" else 8, 0.22 if design == "daisies" else 0.1)
    bloom = solid_of([(size * r, size * h) for r, h in heads[design]], form=form, segments=24)
    lean = np.degrees(np.arctan2(x - path[-2][0], z - path[-2][2]))
    return union(stalk, bloom.turned(y=0.7 * lean).at(x, 0, z - 0.002))


def green(style: Style, vessel: Vessel, soil: float) -> list[Part]:
    """A plant that grows out of the soil."""
    designs = {"blades": 1.2, "rosette": 1.0, "cactus": 1.0, "tree": 1.2, "palm": 1.0, "bush": 1.0}
    design, room = style.pick("plant", designs), 0.75 * float(np.interp(soil, *vessel.inside().T[::-1]))
    tall = vessel.rim * style.number("plant height", 0.9, 1.8)
    if design in ("blades", "rosette"):
        return [leaf("plant", solid.at(z=soil), "foam") for solid in _blades(style, design, room, tall)]
    if design == "palm":
        return [leaf("plant", solid.at(z=soil), made) for solid, made in _palm(style, room, tall)]
    if design == "cactus":
        return [leaf("plant", _cactus(style, room, 0.8 * tall).at(z=soil), "plastic")]
    return [leaf("plant", _bush(style, design, room, tall).at(z=soil), "foam")]


def _blades(style: Style, design: str, room: float, tall: float) -> list[Solid]:
    """Long leaves out of one place, upright or spread like a star."""
    count, made = style.count("blades", 7, 12), []
    for k in range(count):
        share, start = (k * 0.618) % 1, 0.6 * room * ((k * 0.382) % 1)
        if design == "blades":
            high, out = tall * (0.6 + 0.4 * share), 0.6 * room * share
            path = [(start, 0, -0.004), (start + 0.2 * out, 0, 0.5 * high), (start + out, 0, high)]
            made.append(strap(bent(path), 0.42 * room, 0.004, ends=0.2, corners=8))
        else:
            long, up = min(1.3 * room, tall), 0.25 + 0.9 * (1 - k / count)
            path = [(0.1 * room, 0, -0.004), (0.5 * long, 0, 0.35 * long * up), (long, 0, 0.75 * long * up)]
            made.append(strap(bent(path), 0.36 * room, 0.009, ends=0.15, corners=8))
    return [solid.turned(z=_TURN * k) for k, solid in enumerate(made)]


def _palm(style: Style, room: float, tall: float) -> list[tuple[Solid, str]]:
    """A trunk, and fronds that hang over."""
    count, trunk = style.count("fronds", 6, 9), 0.55 * tall
    made = [(cylinder(0.16 * room, trunk + 0.004, (0, 0, -0.004), top=0.11 * room), "wood")]
    for k, turn in enumerate(around(count)):
        out, high = 1.5 * room * (0.8 + 0.2 * (k % 2)), 0.45 * tall * (0.7 + 0.3 * (k % 2))
        path = [
            (0, 0, trunk - 0.012),
            (0.3 * out, 0, trunk + high),
            (0.8 * out, 0, trunk + high),
            (out, 0, trunk + 0.2 * high),
        ]
        made.append((strap(bent(path), 0.4 * room, 0.004, ends=0.2, corners=8).turned(z=turn), "foam"))
    return made


def _cactus(style: Style, room: float, tall: float) -> Solid:
    """A ribbed ball, or a ribbed column with arms."""
    form = fluted(10, 0.08)
    if style.maybe("ball", 0.4):
        size = 0.85 * room
        turns = np.radians(np.linspace(-70, 85, 9))
        return solid_of([(size * np.cos(t), 0.8 * size + size * np.sin(t)) for t in turns], form=form, segments=40)
    size = 0.34 * room
    column = [
        (0.85 * size, -0.004),
        (size, 0.2 * tall),
        (size, 0.85 * tall),
        (0.7 * size, 0.96 * tall),
        (0.2 * size, tall),
    ]
    arms = []
    for k in range(style.count("arms", 0, 3)):
        low, out = (0.3 + 0.14 * k) * tall, 0.9 * room
        path = bent([(0, 0, low), (0.7 * out, 0, low), (out, 0, low + 0.02), (out, 0, low + 0.4 * tall)])
        arms.append(tube(path, 0.6 * size, segments=10).turned(z=150 * k))
    return union(solid_of(column, form=form, segments=40), *arms)


def _bush(style: Style, design: str, room: float, tall: float) -> Solid:
    """Balls of leaves upon a trunk, clipped, or many of them without one."""
    if design == "tree":
        crown = min(0.5 * tall, 1.1 * room)
        trunk = cylinder(0.1 * room, tall - crown, (0, 0, -0.004))
        heads = [sphere(crown, (0, 0, tall - crown), segments=20)]
        if style.maybe("two balls", 0.35):
            heads = [
                sphere(0.62 * crown, (0, 0, tall - 0.62 * crown), segments=20),
                sphere(0.8 * crown, (0, 0, 0.45 * tall), segments=20),
            ]
        return union(trunk, *heads)
    balls = [
        sphere(0.55 * room, (0.5 * room, 0, 0.5 * room + 0.25 * room * (k % 3)), segments=14).turned(z=_TURN * k)
        for k in range(7)
    ]
    return union(sphere(0.8 * room, (0, 0, 0.6 * room), segments=14), *balls)
