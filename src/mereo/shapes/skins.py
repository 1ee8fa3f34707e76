"""Bodies drawn by hand: lofts through rings of points, and sheets between an upper and a lower grid of points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mereo.errors import MissingExtra
from mereo.shapes.mesh import Floats, cross
from mereo.shapes.solids import Solid, bent, skinned

try:
    from manifold3d import Manifold, Mesh64
except ImportError:
    raise MissingExtra("building shapes", "scenes") from None

__all__ = ["curve", "hollow", "loft", "oval", "ribbon", "sheet"]


def curve(points: Sequence[Sequence[float]], at: Floats, *, rounds: int = 2) -> Floats:
    """The heights of a line through corners, which are rounded. points : (along, up), along ever farther"""
    line = bent([(along, up, 0.0) for along, up in points], rounds=rounds)
    heights: Floats = np.interp(at, line[:, 0], line[:, 1])
    return heights


def oval(width: float, depth: float, *, squareness: float = 2.0, sides: int = 16) -> Floats:
    """(sides, 2) float: a ring around the origin; 2 is an ellipse, the larger the squareness, the more a rectangle."""
    turns = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    power = 2 / squareness
    across, along = np.cos(turns), np.sin(turns)
    x, y = np.sign(across) * np.abs(across) ** power, np.sign(along) * np.abs(along) ** power
    return np.stack([x * width / 2, y * depth / 2], 1)


def loft(rings: Sequence[Floats], *, blocks: int = 8) -> Solid:
    """The body through rings of equally many points, each (k, 3) float; the two ends are flat and convex.

    blocks : into how many convex pieces it is cut at most
    """
    body = skinned(rings)
    if body.volume() < 0:
        body = skinned([ring[::-1] for ring in rings])
    cuts = _cuts(len(rings), blocks)
    pieces = tuple(np.concatenate(rings[a : b + 1]) for a, b in pairwise(cuts))
    return Solid(body, pieces)


def hollow(plan: Floats, rows: Sequence[tuple[float, float]], thick: float, *, sectors: int = 12) -> Solid:
    """A body without a lid, such as a tin or a tote.

    plan : (n, 2) float, a ring around the origin
    rows : how large it is there, as a share, and how high that is, meters; from the middle of the bottom to the rim
    """
    outer = np.stack([np.column_stack([share * plan, np.full(len(plan), high)]) for share, high in rows])
    inner = outer.copy()
    inner[..., :2] *= 1 - 2 * thick / np.ptp(plan, axis=0).min()
    inner[..., 2] = np.maximum(inner[..., 2], thick)
    return sheet(outer, inner, around=True, pole=True, blocks=(len(rows) - 1, sectors))


def ribbon(
    line: Floats,
    widths: Floats | float,
    thicks: Floats | float,
    *,
    across: tuple[float, float, float],
    squareness: float = 3.5,
    sides: int = 12,
) -> Solid:
    """A strip along a curve, such as a strap. line : (k, 3) float; across : where its width points, all along"""
    side, ahead = np.array(across), np.gradient(line, axis=0)
    normals = cross(ahead, np.broadcast_to(side, ahead.shape))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rings, count = [], len(line)
    for at, normal, wide, thick in zip(
        line, normals, np.broadcast_to(widths, count), np.broadcast_to(thicks, count), strict=True
    ):
        flat = oval(float(wide), float(thick), squareness=squareness, sides=sides)
        rings.append(at + flat[:, :1] * side + flat[:, 1:] * normal)
    return loft(rings)


def sheet(
    upper: Floats, lower: Floats, *, around: bool = False, pole: bool = False, blocks: tuple[int, int] = (4, 4)
) -> Solid:
    """The body between two grids of points, such as a brim or the bowl of a spoon.

    upper, lower : (m, n, 3) float
    around : whether the end of every row joins its beginning
    pole : whether the first row is a small ring that is closed by a lid, as at the top of a crown
    blocks : into how many convex pieces it is cut along rows and columns
    """
    m, n = upper.shape[:2]
    top = np.arange(m * n).reshape(m, n)
    under = top + m * n
    if around:
        rims = [_quads(np.stack([top[-1], under[-1]]), around=True)]
        if not pole:
            rims.append(_quads(np.stack([under[0], top[0]]), around=True))
    else:
        border = np.concatenate([top[0, :-1], top[:-1, -1], top[-1, :0:-1], top[:0:-1, 0]])
        rims = [_quads(np.stack([border + m * n, border]), around=True)]
    if pole:
        fan = np.arange(1, n - 1)
        first = np.zeros_like(fan)
        rims += [np.stack([first, fan + 1, fan], 1), np.stack([first, fan, fan + 1], 1) + m * n]
    faces = np.concatenate([_quads(top, around=around), _quads(under, around=around)[:, ::-1], *rims])
    body = _closed(np.concatenate([upper.reshape(-1, 3), lower.reshape(-1, 3)]), faces)
    return Solid(body, tuple(_cells(upper, lower, around=around, blocks=blocks)))


def _quads(numbers: NDArray[np.int64], *, around: bool) -> NDArray[np.int64]:
    """Two triangles for each cell of a grid of corners."""
    here, beside = (numbers, np.roll(numbers, -1, 1)) if around else (numbers[:, :-1], numbers[:, 1:])
    one = np.stack([here[:-1], beside[:-1], beside[1:]], -1)
    other = np.stack([here[:-1], beside[1:], here[1:]], -1)
    return np.concatenate([one.reshape(-1, 3), other.reshape(-1, 3)])


def _closed(points: Floats, faces: NDArray[np.int64]) -> Manifold:
    """The body, turned inside out if that is how it came."""
    body = Manifold(Mesh64(np.ascontiguousarray(points, np.float64), faces.astype(np.uint64)))
    if body.volume() > 0:
        return body
    return Manifold(Mesh64(np.ascontiguousarray(points, np.float64), faces[:, ::-1].astype(np.uint64)))


def _cells(upper: Floats, lower: Floats, *, around: bool, blocks: tuple[int, int]) -> list[Floats]:
    if around:
        upper, lower = (np.concatenate([grid, grid[:, :1]], 1) for grid in (upper, lower))
    rows, columns = (_cuts(count, most) for count, most in zip(upper.shape, blocks, strict=False))
    return [
        np.concatenate([grid[a : b + 1, c : d + 1].reshape(-1, 3) for grid in (upper, lower)])
        for a, b in pairwise(rows)
        for c, d in pairwise(columns)
    ]


def _cuts(count: int, blocks: int) -> list[int]:
    """Where a row of so many is cut into blocks, from its first to its last."""
    return sorted({round(k * (count - 1) / blocks) for k in range(blocks + 1)})
