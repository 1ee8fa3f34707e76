"""What all faucets have: handles, plates, pipes and spouts. The deck is z = 0, the wall is behind, at y = 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import leaf
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point, ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, lathe, ring, tube, union
from mereo.shapes.style import Style

__all__ = ["Handles", "arch", "column", "pipe", "plate", "spout"]

Axis = Literal["up", "front", "left", "right"]
_TURNS: dict[Axis, tuple[dict[str, float], tuple[float, float, float]]] = {
    "up": ({}, (0, 0, 1)),
    "front": ({"x": 90}, (0, -1, 0)),
    "left": ({"y": -90}, (-1, 0, 0)),
    "right": ({"y": 90}, (1, 0, 0)),
}
"""How what is built upwards is turned, and where its axis points then."""


class Handles:
    """The handles of one faucet, which are alike."""

    def __init__(self, style: Style, kinds: dict[str, float]):
        kind, size = style.pick("switch", kinds), style.number("switch size", 0.85, 1.2)
        self.material = style.pick("switch material", {"metal": 4, "ceramic": 0.7, "plastic": 0.5})
        self.solid = _HANDLES[kind]().scaled(size, size, size)
        self.most = 45.0 if kind in ("lever", "paddle", "pin") else 180.0
        self.turned = style.number("switch turn", 0, 30) * style.maybe("switched on", 0.35)

    def on(self, at: Sequence[float], axis: Axis = "up", *, turn: float = 0.0, mirrored: bool = False) -> Part:
        """One of them on its stem. turn : about its own axis, degrees"""
        turns, about = _TURNS[axis]
        solid = self.solid.turned(z=turn).turned(**turns).at(*at)
        reach = (-self.most, self.most)
        part = leaf("switch", solid, self.material)
        return turning(part, about, at, reach, stands=-self.turned if mirrored else self.turned)


def _cross() -> Solid:
    rods = [bar((x, y, 0.032), (-x, -y, 0.032), 0.011, round=True, sides=10) for x, y in ((0.034, 0), (0, 0.034))]
    return union(
        lathe([(0.011, -0.004), (0.009, 0.022), (0.013, 0.026), (0.013, 0.038), (0.006, 0.042)], segments=18), *rods
    )


def _lever() -> Solid:
    arm = bar((0, 0, 0.018), (0, -0.085, 0.034), 0.018, 0.011, taper=0.7, bevel=0.003)
    return union(lathe([(0.015, -0.004), (0.015, 0.02), (0.009, 0.028)], segments=18), arm)


def _paddle() -> Solid:
    arm = bar((0, 0.022, 0.02), (0, -0.1, 0.03), 0.036, 0.009, taper=0.8, bevel=0.003)
    return union(cylinder(0.019, 0.022, (0, 0, -0.004)), arm)


def _pin() -> Solid:
    arm = bar((0, 0, 0.01), (0, -0.035, 0.085), 0.01, round=True, sides=12)
    return union(lathe([(0.019, -0.004), (0.019, 0.012), (0.012, 0.024)], segments=18), arm)


def _knob() -> Solid:
    profile = [(0.01, -0.004), (0.01, 0.008), (0.024, 0.013), (0.022, 0.034), (0.012, 0.04)]
    return lathe(profile, segments=12)


def _ball() -> Solid:
    return lathe(
        [(0.009, -0.004), (0.009, 0.01), (0.02, 0.018), (0.025, 0.03), (0.02, 0.044), (0.009, 0.05)], segments=18
    )


def _wheel() -> Solid:
    rods = [bar((x, y, 0.026), (-x, -y, 0.026), 0.006, round=True, sides=8) for x, y in ((0.028, 0), (0, 0.028))]
    return union(ring(0.028, 0.009, (0, 0, 0.026), segments=8), cylinder(0.008, 0.036, (0, 0, -0.004)), *rods)


def _wing() -> Solid:
    return union(cylinder(0.01, 0.026, (0, 0, -0.004)), box((0.07, 0.008, 0.022), (0, 0, 0.028), bevel=0.003))


_HANDLES = {"cross": _cross, "lever": _lever, "paddle": _paddle, "pin": _pin, "knob": _knob, "ball": _ball}
_HANDLES |= {"wheel": _wheel, "wing": _wing}


def plate(style: Style, width: float, depth: float, thick: float = 0.008) -> Part:
    """What covers the hole in the deck: round if it is as wide as deep, else oblong."""
    square = style.maybe("square plate", 0.3)
    if square:
        outline = rectangle(width, depth, corner=0.006)
    elif width == depth:
        outline = ellipse(width, depth, segments=28)
    else:
        outline = rectangle(width, depth, corner=0.48 * depth)
    return leaf("surface_base", board(outline, thick, bevel=0.003), "metal")


def column(style: Style, height: float, radius: float, *, low: float = 0.004) -> Solid:
    """The body on the deck: straight, tapered, bellied, or square."""
    kind = style.pick("body", {"straight": 2, "tapered": 1.5, "bellied": 1, "square": 1})
    if kind == "square":
        return box((2 * radius, 2 * radius, height - low), (0, 0, (height + low) / 2), bevel=0.003)
    shares: dict[str, list[tuple[float, float]]] = {
        "straight": [(1, 0), (1, 1)],
        "tapered": [(1.15, 0), (0.8, 1)],
        "bellied": [(0.9, 0), (0.65, 0.2), (1.1, 0.55), (0.8, 0.85), (0.95, 1)],
    }
    profile = [(radius * r, low + (height - low) * z) for r, z in shares[kind]]
    return lathe(profile, segments=24)


def pipe(*corners: Point, radius: float, rounds: int = 2) -> Solid:
    """A pipe along corners, which are rounded."""
    return tube(bent(corners, rounds=rounds), radius, segments=14)


def arch(rise: float, reach: float, drop: float) -> list[Floats]:
    """A goose neck from the origin up, over and down again."""
    turns = np.linspace(0, np.pi, 13)
    half = reach / 2
    bow = [np.array([0.0, half * np.cos(turn) - half, rise + half * np.sin(turn)]) for turn in turns]
    return [np.zeros(3), *bow, bow[-1] - (0, 0, drop)]


def spout(style: Style, kinds: dict[str, float], size: float = 1.0) -> Solid:
    """From the origin, where it turns, up and towards -y."""
    kind, radius = style.pick("spout", kinds), size * style.number("spout radius", 0.009, 0.013)
    reach = size * style.number("reach", 0.11, 0.17)
    if kind == "arch":
        line = arch(size * style.number("rise", 0.1, 0.24), reach * 1.2, size * style.number("drop", 0.01, 0.06))
        end = line[-1]
        return union(tube(np.array(line), radius, segments=14), cylinder(1.25 * radius, 0.02, end - (0, 0, 0.012)))
    if kind == "swan":
        path = [(0, 0, 0), (0, 0, 0.5 * reach), (0, -0.45 * reach, 0.75 * reach), (0, -reach, 0.55 * reach)]
        return union(pipe(*path, (0, -reach, 0.2 * reach), radius=radius), _mouth(0, -reach, 0.2 * reach, radius))
    if kind == "low":
        path = [(0, 0, 0), (0, -0.2 * reach, 0.3 * reach), (0, -0.7 * reach, 0.42 * reach), (0, -reach, 0.2 * reach)]
        return pipe(*path, (0, -reach, 0.02), radius=1.1 * radius)
    if kind == "angular":
        up = size * style.number("rise", 0.08, 0.2)
        post = bar((0, 0, 0), (0, 0, up), 2 * radius, bevel=0.002)
        over = bar((0, radius, up), (0, -reach, up), 2 * radius, 1.5 * radius, bevel=0.002)
        return union(post, over, box((1.4 * radius, 1.4 * radius, 0.014), (0, radius - reach, up - 0.9 * radius)))
    if kind == "slab":
        slab = bar((0, 0.02, 0.02), (0, -reach, 0.012), 0.045 * size, 0.02, bevel=0.003)
        return union(slab, cylinder(0.011, 0.012, (0, 0.018 - reach, -0.005)))
    tray = bar((0, 0.02, 0.02), (0, -reach, 0.01), 0.075 * size, 0.02)
    return tray.minus(bar((0, 0.004, 0.026), (0, -reach - 0.01, 0.016), 0.06 * size, 0.018))


def _mouth(x: float, y: float, z: float, radius: float) -> Solid:
    return cylinder(1.25 * radius, 0.018, (x, y, z - 0.009))
