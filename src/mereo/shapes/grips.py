"""Handles of vessels and tools: bands along a curve, ears on a wall, sticks and knobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from mereo.shapes.joinery import Span, sized
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point
from mereo.shapes.solids import Solid, bent, skinned
from mereo.shapes.turnery import PROFILES, Form, Vessel, round_form, solid_of

__all__ = ["ear", "knob", "lid_with_grip", "loop", "stick", "strap"]

_EARS: Mapping[str, Sequence[Span]] = {
    "C": [(0.8, 0.0), (1, 0.18), (1, 0.82), (0.8, 1.0)],
    "D": [(1, 0.0), (1, 1.0)],
    "ear": [(0.25, 0.02), (0.55, 0.2), (1.05, 0.6), (1.1, 1.12), (0.4, 1.12)],
    "square": [(0.9, 0.0), (1, 0.0), (1, 0.1), (1, 0.9), (1, 1.0), (0.9, 1.0)],
    "angled": [(0.2, 0.05), (1.0, 0.85), (1, 1.0), (0.85, 1.0)],
    "ring": [(0.5, -0.2), (1.05, -0.1), (1.2, 0.5), (1.05, 1.1), (0.5, 1.2)],
}
"""Corners of handles by their shares of how far they stand out and of their height."""


def strap(path: Floats | Sequence[Point], width: float, thick: float, *, ends: float = 1.0, corners: int = 12) -> Solid:
    """A band along a curve in the plane y = 0. width : along y; thick : across; ends : as wide as the middle or more"""
    line = np.asarray(path, np.float64)
    tangents = np.gradient(line, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    across = np.stack([-tangents[:, 2], np.zeros(len(line)), tangents[:, 0]], 1)
    turns = 2 * np.pi * (np.arange(corners) + 0.5) / corners  # no corner in the plane y = 0, where vessels have theirs
    sizes = 1 + (ends - 1) * (2 * np.linspace(0, 1, len(line)) - 1) ** 4
    side = np.sign(np.cos(turns)) * np.abs(np.cos(turns)) ** 0.7 * width / 2
    level = np.sin(turns) * thick / 2
    rings = line[:, None] + sizes[:, None, None] * (
        side[None, :, None] * np.array([0.0, 1.0, 0.0]) + level[None, :, None] * across[:, None]
    )
    pieces = tuple(np.concatenate([low, high]) for low, high in pairwise(rings))
    return Solid(skinned(rings, middles=True), pieces)


def ear(kind: str, low: Span, high: Span, *, out: float) -> Floats:
    """The middle line of a handle on a wall, both ends given as (distance from the axis, height). (k, 3) float

    out : how far it stands out from the upper end
    """
    (x0, z0), (x1, z1) = low, high
    far, tall = max(x0, x1) + out, z1 - z0
    near = (x0 + x1) / 2
    corners = [(near + s * (far - near), 0.0, z0 + t * tall) for s, t in _EARS[kind]]
    return bent([(x0, 0.0, z0), *corners, (x1, 0.0, z1)])


def loop(width: float, reach: float, *, square: float = 0.8) -> Floats:
    """The middle line of a grip on a wall at x = 0, out towards +x; lay it down by a turn. (k, 3) float, y = 0"""
    half, bend = width / 2, square * reach
    side = [(0.0, 0.0, -half), (bend, 0.0, -half), (reach, 0.0, -half), (reach, 0.0, (square - 1) * half)]
    return bent([*side, *((x, 0.0, -z) for x, _, z in reversed(side))])


def knob(name: str, radius: float, height: float) -> Solid:
    """A knob from `turnery.toml`, on the middle of its foot."""
    return solid_of(sized(PROFILES.group("knob")[name], radius, height), segments=20)


def stick(
    wall: float, z: float, *, length: float, rise: float, width: float, thick: float, neck: float
) -> tuple[Solid, Solid]:
    """A long handle out from a wall towards +x: what holds it, and the grip.

    wall : how far the wall is from the axis; neck : how much of the length lies bare between the two
    """
    along = np.array([(0.0, 0.0), (0.12, 0.04), (0.3, 0.3), (0.65, 0.8), (1.0, 1.0)]) * (length, rise)
    line = bent([(wall + x, 0.0, z + h) for x, h in along])
    bare = np.flatnonzero(line[:, 0] <= wall + neck + 0.02)
    held = np.flatnonzero(line[:, 0] >= wall + neck)
    return strap(line[bare], 0.75 * width, 0.5 * thick, ends=1.0), strap(line[held], width, thick, ends=0.9)


def lid_with_grip(
    design: str, radius: float, z: float, *, tall: float, wall: float, form: Form = round_form
) -> tuple[Solid, Solid]:
    """A hollow dome over a rim at a height, and what it is lifted by: one of the knobs, or a strap."""
    profile = [
        (0.25 * radius, 0.0),
        (0.6 * radius, 0.12 * tall),
        (0.85 * radius, 0.42 * tall),
        (0.97 * radius, 0.85 * tall),
    ]
    dome = Vessel([*profile, (radius, tall), (radius, tall + 0.004)], wall, wall, form).solid(sectors=6)
    top = z + tall + 0.003
    if design == "strap":
        grip = strap(loop(0.55 * radius, 0.032), 0.016, 0.008).turned(y=-90)
    else:
        grip = knob(design, max(0.14 * radius, 0.014), 0.03)
    return dome.mirrored("z").at(z=top), grip.at(z=top - 0.0015)
