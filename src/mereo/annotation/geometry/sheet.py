"""The sheet that a drawn path becomes when it is swept along the view, and the two sides that it has.

Everything here is flat: the sheet is seen from where the eye was, so that it is a line, and the piece is a figure
within the circle of radius 1 around the origin. The line goes on straight beyond both ends of the path until it has
left the piece, or returns to where it began if the path does.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.shapes.mesh import Floats, Mesh, cross

__all__ = ["Bools", "Sheet", "View", "distances", "is_loop", "parity", "sheet_of", "view_of"]

Bools = NDArray[np.bool_]

_LOOP = 0.05
"""How near the ends of a path are one, as a share of its length."""
_END = 0.1
"""The share of a path's length that tells where it goes on."""
_OUTSIDE, _AROUND = 4.0, 8.0
"""How far a line goes on, and how far out it is led around the piece."""
_APART = 1e-7
"""How far points of a path lie apart, at least."""
_FINE = 2e-4
"""How far a line may be from the path that it stands for."""


@dataclass(frozen=True, eq=False)
class View:
    """How a piece is seen: from where, and how large.

    axes : (3, 3) float, rows: to the right, upwards, towards the eye
    middle : (3,) float
    """

    axes: Floats
    middle: Floats
    size: float

    def seen(self, points: Floats) -> Floats:
        """(n, 3) float: right, up, towards the eye; the piece is within 1 of the origin. points : (n, 3) float"""
        found: Floats = np.einsum("nd,kd->nk", points - self.middle, self.axes / self.size)
        return found

    def affine(self) -> Floats:
        """(3, 4) float: the way back."""
        return np.hstack([self.size * self.axes.T, self.middle[:, None]])


def view_of(mesh: Mesh, direction: Floats) -> View:
    """How an eye sees a mesh. direction : (3,) float, where it looks"""
    length = float(np.linalg.norm(direction))
    if not 0 < length < np.inf:
        raise BadInput("is no direction", field="direction")
    back = -direction / length
    right = cross(np.eye(3)[np.abs(back).argmin()], back)
    right /= np.linalg.norm(right)
    low, high = mesh.bounds()
    return View(np.stack([right, cross(back, right), back]), (low + high) / 2, float(np.linalg.norm(high - low)) / 2)


@dataclass(frozen=True, eq=False)
class Sheet:
    """A line that divides a plane.

    line : (k, 2) float, its corners; the last is the first again where it is closed
    border : (j, 2) float, the corners of a figure that is bounded by the line and lies on one side of it, beyond the
        piece too: to the left of the path, or within it. A point is in the figure if it is so by the even-odd rule.
    """

    line: Floats
    border: Floats


def is_loop(path: Floats) -> bool:
    """Whether the ends of a path meet, or nearly so. path : (k, 2) float"""
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    return len(path) > 2 and float(np.linalg.norm(path[-1] - path[0])) <= _LOOP * length


def sheet_of(path: Floats, *, loop: bool, corners: Bools | None = None, tolerance: float = _FINE) -> Sheet:
    """The sheet of a path. path : (k, 2) float; corners : (k,) bool, the points that the line must not miss"""
    must = np.zeros(len(path), bool) if corners is None else corners
    apart = np.append(True, np.linalg.norm(np.diff(path, axis=0), axis=1) > _APART)
    path, must = path[apart], must[apart]
    if len(path) < 2:
        raise BadInput("needs two points at least that lie apart as they are seen", field="path")
    if loop:
        line = _loop(path, must, tolerance)
        return Sheet(line, line[:-1])
    walked = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1)))
    back, ahead = (path[end] - _at(path, walked, place) for end, place in ((0, _END), (-1, 1 - _END)))
    first, last = (path[end] + _OUTSIDE * _unit(way) for end, way in ((0, back), (-1, ahead)))
    line = np.concatenate([first[None], _thinned(path, must, tolerance), last[None]])
    return Sheet(line, np.concatenate([line, _around(last, first)]))


def _loop(path: Floats, must: Bools, tolerance: float) -> Floats:
    """The line around a closed path, begun at a point that it must not miss, if there is one."""
    if np.linalg.norm(path[-1] - path[0]) <= _APART:
        path, must = path[:-1], must[:-1] | (np.arange(len(path) - 1) == 0) & must[-1]
    first = int(must.argmax())
    path, must = np.roll(path, -first, axis=0), np.roll(must, -first)
    if must[1:].sum() == 0:
        must[np.linalg.norm(path - path[0], axis=1).argmax()] = True
    return _thinned(np.append(path, path[:1], axis=0), np.append(must, True), tolerance)


def _at(path: Floats, walked: Floats, share: float) -> Floats:
    """The point at a share of a path's length. (2,) float"""
    return np.array([np.interp(share * walked[-1], walked, path[:, axis]) for axis in (0, 1)])


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    if not length > _APART:
        raise BadInput("turns back where it ends, so that it is not known how it goes on", field="path")
    unit: Floats = vector / length
    return unit


def _around(start: Floats, end: Floats) -> Floats:
    """Points far out that lead from one place to another counter-clockwise. (k, 2) float"""
    first, last = (float(np.arctan2(point[1], point[0])) for point in (start, end))
    turns = np.linspace(first, last if last > first else last + 2 * np.pi, 17)
    return _AROUND * np.stack([np.cos(turns), np.sin(turns)], 1)


def _thinned(path: Floats, must: Bools, tolerance: float) -> Floats:
    """A path without the points that it does not need to stay within a tolerance. must : (k,) bool, those to keep"""
    kept = must.copy()
    kept[[0, -1]] = True
    waiting = list(pairwise(np.flatnonzero(kept).tolist()))
    while waiting:
        start, end = waiting.pop()
        if end - start < 2:
            continue
        off = distances(path[start + 1 : end], path[[start, end]])
        worst = int(off.argmax())
        if off[worst] > tolerance:
            middle = start + 1 + worst
            kept[middle] = True
            waiting += [(start, middle), (middle, end)]
    found: Floats = path[kept]
    return found


def distances(points: Floats, line: Floats) -> Floats:
    """How far points are from a line of straight segments. points : (n, d) float; line : (k, d) float; (n,) float"""
    nearest = np.full(len(points), np.inf)
    for start, end in pairwise(line):
        way = end - start
        share = np.clip((points - start) @ way / max(float(way @ way), 1e-300), 0.0, 1.0)
        np.minimum(nearest, np.linalg.norm(points - start - share[:, None] * way, axis=1), out=nearest)
    return nearest


def parity(points: Floats, border: Floats) -> Bools:
    """Whether each point is within a figure, by the even-odd rule. points : (n, 2) float; border : (k, 2) float"""
    order = np.argsort(points[:, 1], kind="stable")
    x, y = points[order].T
    inside = np.zeros(len(points), bool)
    ends = np.roll(border, -1, axis=0)
    low, high = np.minimum(border[:, 1], ends[:, 1]), np.maximum(border[:, 1], ends[:, 1])
    first, last = np.searchsorted(y, low, side="left"), np.searchsorted(y, high, side="left")
    for start, end, begin, stop in zip(border, ends, first.tolist(), last.tolist(), strict=True):
        if begin < stop:
            slope = (end[0] - start[0]) / (end[1] - start[1])
            inside[begin:stop] ^= x[begin:stop] < start[0] + slope * (y[begin:stop] - start[1])
    found: NDArray[Any] = np.empty(len(points), bool)
    found[order] = inside
    return found
