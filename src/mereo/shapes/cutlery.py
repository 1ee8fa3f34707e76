"""What is held in the hand and lies on the table: blades and handles along x from their side views, z being thickness.

Side views are lines of corners, (share of the length, share of the height), and are rounded on the way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mereo.shapes.articulation import moved
from mereo.shapes.grammar import leaf, part
from mereo.shapes.mesh import Floats, cross
from mereo.shapes.part import Part, Shape
from mereo.shapes.physical import material_of
from mereo.shapes.skins import curve, loft, oval, ribbon
from mereo.shapes.solids import Solid, hull
from mereo.shapes.style import Style

__all__ = ["Line", "blade", "grip", "laid", "rod", "stem"]

Line = Sequence[Sequence[float]]
"""Corners of a side view: (share of the length, share of the height)."""

_SHARP = 0.0003
"""How thick an edge is, meters."""


def blade(
    spine: Line, edge: Line, size: tuple[float, float, float], *, back: float = 1.0, grind: float = 0.5, teeth: int = 0
) -> Solid:
    """A blade from x = 0 to its tip, around z = 0.

    size : length, height and thickness
    back : how thick the spine is, as a share; a dagger is sharp there, too
    grind : how far up the blade it is at its thickest, as a share of its height
    teeth : how many its edge has
    """
    length, height, thick = size
    shares = np.linspace(0, 1, 2 * teeth + 1) if teeth else np.linspace(0, 1, 25)
    high, low = height * curve(spine, shares), height * curve(edge, shares)
    if teeth:
        low[1::2] += np.minimum(0.0018, 0.3 * (high - low)[1::2])
    full = np.minimum(thick, 0.4 * (high - low)) / 2
    middle, sharp = low + grind * (high - low), np.full_like(low, _SHARP / 2)
    rear = np.maximum(back * full, sharp)
    ys = np.stack([high, middle, low, low, middle, high], 1)
    zs = np.stack([rear, full, sharp, -sharp, -full, -rear], 1)
    return loft(_rings(length * shares, ys, zs))


def grip(
    low: Line,
    high: Line,
    size: tuple[float, float, float],
    *,
    squareness: float = 2.6,
    sides: int = 12,
    thickness: Line = ((0, 0.9), (0.5, 1), (1, 0.92)),
) -> Solid:
    """A handle from x = 0 towards -x, around z = 0. size : length, height and thickness"""
    length, height, thick = size
    shares = _with_soft_ends(np.linspace(0, 1, 17))
    bottom, top, deep = height * curve(low, shares), height * curve(high, shares), thick * curve(thickness, shares)
    ends = np.ones_like(shares)
    ends[[0, -1]] = 0.82
    rings = []
    for x, a, b, t, end in zip(-length * shares, bottom, top, deep, ends, strict=True):
        ring = end * oval(b - a, t, squareness=squareness, sides=sides)
        rings.append(np.column_stack([np.full(len(ring), x), ring[:, 0] + (a + b) / 2, ring[:, 1]]))
    return loft(rings)


def rod(path: Floats, widths: Floats | float, thicks: Floats | float, *, squareness: float = 2.6) -> Solid:
    """A flat bar along a line in the plane of x and z, as wide along y as it says. path : (k, 2) float, x and z"""
    line = np.column_stack([path[:, 0], np.zeros(len(path)), path[:, 1]])
    return ribbon(line, widths, thicks, across=(0, 1, 0), squareness=squareness, sides=10)


_HANDLES: dict[str, Line] = {
    "fiddle": [[0, 0.3], [0.35, 0.28], [0.6, 0.7], [0.9, 1], [1, 0.75]],
    "straight": [[0, 0.55], [0.5, 0.6], [1, 0.7]],
    "spatula": [[0, 0.4], [0.6, 0.5], [0.85, 1], [1, 0.8]],
    "waisted": [[0, 0.8], [0.2, 0.35], [0.6, 0.6], [1, 1]],
    "pointed": [[0, 0.35], [0.5, 0.6], [0.8, 1], [1, 0.25]],
    "drop": [[0, 0.3], [0.6, 0.35], [0.85, 1], [1, 0.5]],
}
"""How wide the handles of forks and spoons are from neck to end, as shares."""


def stem(style: Style, *, high: float, low: float) -> tuple[Part, str]:
    """What a fork or a spoon is held by, from its head at x = 0 towards -x, and what its head is made of.

    high, low : where the middle of the neck and of the end of the handle lie, meters above the table
    """
    made = style.pick("made of", {"metal": 3, "two": 1.4, "wood": 0.8, "plastic": 0.8})
    long, wide = style.number("handle length", 0.11, 0.15), style.number("handle width", 0.016, 0.022)
    thick = style.number("handle thickness", 0.0022, 0.0034) * {"wood": 2.4, "plastic": 1.4}.get(made, 1.0)
    widths = _HANDLES[style.pick("handle", dict.fromkeys(_HANDLES, 1.0))]
    bow = style.number("bow", 0.004, 0.012)
    shares = np.linspace(0, 1, 21)
    heights = high + (low - high) * shares + bow * np.sin(np.pi * shares) ** 2
    path = np.stack([0.004 - long * shares, heights], 1)
    ends = np.where((shares == 0) | (shares == 1), 0.8, 1.0)
    broad = wide * curve(widths, shares) * ends
    if made != "two":
        return part("handle_side", leaf("handle", rod(path, broad, thick), made)), made
    cut = 7
    neck = rod(path[: cut + 2], 0.28 * wide, 2.2 * thick, squareness=2.0)
    round_grip = rod(path[cut:], np.maximum(broad, 0.5 * wide)[cut:] * 0.7, 3.4 * thick, squareness=2.4)
    material = style.pick("handle material", {"wood": 1, "plastic": 1.3, "ceramic": 0.4})
    return part("handle_side", leaf("neck", neck, "metal"), leaf("handle", round_grip, material)), "metal"


def laid(root: Part) -> Part:
    """A thing tilted as it comes to rest on a table: a heavy blade goes down until its tip touches."""
    leaves = Shape.of("", root).leaves()
    center = _center(leaves)
    points = np.concatenate([each.mesh.vertices for each in leaves if each.mesh is not None])
    around = hull(points).body.to_mesh64()
    corners = np.asarray(around.vert_properties)[:, :3][np.asarray(around.tri_verts)] - center
    normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-18)
    turn = np.eye(3)
    for _ in range(8):
        below = _facet_below(corners @ turn.T)
        step = _onto_floor(turn @ normals[below])
        turn = step @ turn
        if step[2, 2] > 1 - 1e-9:
            break
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    return moved(root, matrix)


def _center(leaves: Sequence[Part]) -> Floats:
    """The center of mass of closed leaves, as `physical.mass_of` has it, and quicker: it asks for no more."""
    masses, centers = [], []
    for each in leaves:
        assert each.mesh is not None
        corners, material = each.mesh.triangles, material_of(each)
        a, b, c = np.moveaxis(corners, 1, 0)
        volumes = np.einsum("ni,ni->n", a, cross(b, c)) / 6
        volume = float(volumes.sum())
        masses.append(material.density * min(volume, material.wall * float(each.mesh.face_areas().sum())))
        centers.append(volumes @ corners.sum(1) / 4 / volume)
    middle: Floats = np.array(masses) @ np.array(centers) / sum(masses)
    return middle


def _facet_below(corners: Floats) -> int:
    """The triangle that a plumb line from the origin leaves a convex body by. corners : (m, 3, 3) float"""
    a, b, c = np.moveaxis(corners[..., :2], 1, 0)

    def side(one: Floats, other: Floats) -> Floats:
        return one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]

    least = np.minimum(np.minimum(-side(a, b), -side(b, c)), -side(c, a))
    area = side(b - a, c - a)
    return int(np.argmax(np.where(area < 0, least / np.maximum(-area, 1e-18), -np.inf)))


def _onto_floor(normal: Floats) -> Floats:
    """(3, 3) float: the shortest turn of a direction to straight down."""
    axis, cosine = np.cross(normal, (0.0, 0.0, -1.0)), -float(normal[2])
    skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn: Floats = np.eye(3) + skew + skew @ skew / (1 + cosine)
    return turn


def _with_soft_ends(shares: Floats) -> Floats:
    return np.concatenate([shares[:1], [0.015], shares[1:-1], [0.985], shares[-1:]])


def _rings(xs: Floats, ys: Floats, zs: Floats) -> list[Floats]:
    return [np.column_stack([np.full(len(y), x), y, z]) for x, y, z in zip(xs, ys, zs, strict=True)]
