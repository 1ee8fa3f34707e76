"""Open meshes split along a sheet: triangles that it crosses are divided, all others stay as they are.

The line of the sheet is drawn into the triangles as they are seen, layer by layer: first its corners become vertices of
the triangles that they lie in, then every segment divides the edges that it crosses. Whether an edge is divided, and
where, follows from its two ends alone, so the triangles at its sides stay together.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.annotation.geometry.sheet import Bools, Sheet, View, distances, is_loop, parity, sheet_of
from mereo.shapes.mesh import Floats, Mesh

__all__ = ["some_of", "split_along"]

Ints = NDArray[np.int64]

_EXACT = 1e-10
"""What is nearer to a line lies on it; the piece is within 1 of the origin."""
_EDGEWISE = 1e-7
"""What is nearer to the sheet with its middle is seen from the edge."""
_NEAR, _SHARE = 0.01, 0.25
"""How near a path follows an edge: as a share of the piece, and of the middle length of its edges."""


class _Soup(NamedTuple):
    """Triangles in the making.

    points : (n, 3) float
    flat : (n, 2) float, the same as they are seen
    faces : (m, 3) int
    """

    points: Floats
    flat: Floats
    faces: Ints


def split_along(mesh: Mesh, view: View, path: Floats) -> tuple[Mesh, Mesh]:
    """The triangles on either side of the sheet of a path. path : (k, 3) float

    Where the path follows edges, the sheet does so exactly.
    """
    seen = view.seen(mesh.vertices)
    flat, sheet = np.ascontiguousarray(seen[:, :2]), _followed(mesh, seen, view, path)
    faces = mesh.faces.astype(np.int64)
    near = _near(flat[faces], sheet.line)
    soup = _drawn(_Soup(mesh.vertices, flat, faces[near]), sheet.line)
    own = soup.flat[soup.faces].mean(1)
    left = np.concatenate([parity(flat[faces[~near]].mean(1), sheet.border), parity(own, sheet.border)])
    whole = Mesh.of(soup.points.astype(np.float32), np.concatenate([faces[~near], soup.faces]))
    edgewise = np.flatnonzero(distances(own, sheet.line) < _EDGEWISE) + int((~near).sum())
    if len(edgewise):  # they are neither left nor right: they go where there is less
        areas = whole.face_areas()
        areas[edgewise] = 0.0
        left[edgewise] = areas[left].sum() < areas[~left].sum()
    return some_of(whole, left), some_of(whole, ~left)


def some_of(mesh: Mesh, chosen: Bools) -> Mesh:
    """Some faces of a mesh, with the vertices that they use. chosen : (m,) bool"""
    used = np.zeros(len(mesh.vertices), bool)
    used[mesh.faces[chosen].ravel()] = True
    return Mesh.of(mesh.vertices[used], (np.cumsum(used) - 1)[mesh.faces[chosen]])


def _near(corners: Floats, line: Floats) -> Bools:
    """Which triangles a line may touch. corners : (m, 3, 2) float"""
    boxes = _boxes(corners)
    near = np.zeros(len(corners), bool)
    for start, end in pairwise(line):
        some = np.flatnonzero(_reaching(boxes, start, end) & ~near)
        side = _sides(corners[some], start, end)
        near[some] = ~((side > _EDGEWISE).all(1) | (side < -_EDGEWISE).all(1))
    return near


def _boxes(corners: Floats) -> Floats:
    """The boxes around triangles: (2, 2, m) float, the lowest and the highest x and y. corners : (m, 3, 2) float"""
    a, b, c = np.ascontiguousarray(corners.transpose(1, 2, 0))
    return np.stack([np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)])


def _reaching(boxes: Floats, start: Floats, end: Floats) -> Bools:
    """Which boxes are touched by that of a segment."""
    (left, bottom), (right, top) = boxes
    least, most = np.minimum(start, end) - _EDGEWISE, np.maximum(start, end) + _EDGEWISE
    found: Bools = (left <= most[0]) & (right >= least[0]) & (bottom <= most[1]) & (top >= least[1])
    return found


def _sides(points: Floats, start: Floats, end: Floats) -> Floats:
    """How far points are to the left of a directed line. points : (..., 2) float"""
    way = end - start
    away = points - start
    found: Floats = (way[0] * away[..., 1] - way[1] * away[..., 0]) / np.linalg.norm(way)
    return found


def _drawn(soup: _Soup, line: Floats) -> _Soup:
    """The triangles with a line drawn into them."""
    for corner in line:
        soup = _with_corner(soup, corner)
    for start, end in pairwise(line):
        soup = _with_segment(soup, start, end)
    return soup


def _with_corner(soup: _Soup, corner: Floats) -> _Soup:
    """A corner made a vertex of every triangle that it is seen within."""
    some = np.flatnonzero(_reaching(_boxes(soup.flat[soup.faces]), corner, corner))
    triangles = soup.flat[soup.faces[some]]
    away = np.roll(triangles, -1, axis=1) - triangles
    to = corner - triangles
    length = np.maximum(np.linalg.norm(away, axis=2), 1e-300)
    off = (away[..., 0] * to[..., 1] - away[..., 1] * to[..., 0]) / length
    within = (off > _EXACT).all(1) | (off < -_EXACT).all(1)
    some, weights = some[within], (off * length)[within]
    if not len(some):
        return soup
    weights = np.roll(weights, -1, axis=1) / weights.sum(1, keepdims=True)  # an edge weighs the corner opposite to it
    new = np.arange(len(some)) + len(soup.points)
    points = np.einsum("mk,mkd->md", weights, soup.points[soup.faces[some]])
    fans = [np.column_stack([soup.faces[some][:, [k, (k + 1) % 3]], new]) for k in range(3)]
    return _Soup(
        np.concatenate([soup.points, points]),
        np.concatenate([soup.flat, np.broadcast_to(corner, (len(some), 2))]),
        np.concatenate([np.delete(soup.faces, some, axis=0), *fans]),
    )


def _with_segment(soup: _Soup, start: Floats, end: Floats) -> _Soup:
    """Every edge that a segment crosses divided there, and the triangles with it."""
    some = np.flatnonzero(_reaching(_boxes(soup.flat[soup.faces]), start, end))
    ends = np.stack([soup.faces[some], np.roll(soup.faces[some], -1, axis=1)])  # (2, m, 3)
    low, high = ends.min(0), ends.max(0)
    one, other = _sides(soup.flat[low], start, end), _sides(soup.flat[high], start, end)
    crossed = (np.abs(one) > _EXACT) & (np.abs(other) > _EXACT) & ((one > 0) != (other > 0))
    share = np.divide(one, one - other, out=np.zeros_like(one), where=crossed)
    flat = soup.flat[low] + share[..., None] * (soup.flat[high] - soup.flat[low])
    length = float(np.linalg.norm(end - start))
    along = (flat - start) @ ((end - start) / length)
    crossed &= (along >= -_EXACT) & (along <= length + _EXACT)
    if not crossed.any():
        return soup
    _, first, back = np.unique(low[crossed] * len(soup.points) + high[crossed], return_index=True, return_inverse=True)
    number = np.full(crossed.shape, -1)
    number[crossed] = len(soup.points) + back.reshape(-1)
    where, by = (low[crossed][first], high[crossed][first]), share[crossed][first][:, None]
    points = soup.points[where[0]] + by * (soup.points[where[1]] - soup.points[where[0]])
    touched = crossed.any(1)
    return _Soup(
        np.concatenate([soup.points, points]),
        np.concatenate([soup.flat, flat[crossed][first]]),
        np.concatenate([np.delete(soup.faces, some[touched], axis=0), _divided(ends[0][touched], number[touched])]),
    )


def _divided(faces: Ints, number: Ints) -> Ints:
    """Triangles divided at one or two of their edges. number : (m, 3) int, the new vertex of each edge, or -1"""
    crossed = number >= 0
    once = crossed.sum(1) == 1
    first = _turned(faces[once], crossed[once].argmax(1))
    middle = number[once].max(1)
    found = [np.column_stack([first[:, 0], middle, first[:, 2]]), np.column_stack([middle, first[:, 1:]])]
    spared = (~crossed[~once]).argmax(1)
    a, b, tip = _turned(faces[~once], spared).T
    _, x, y = _turned(number[~once], spared).T
    found += [np.stack([x, tip, y], 1), np.stack([a, b, x], 1), np.stack([a, x, y], 1)]
    return np.concatenate(found)


def _turned(rows: Ints, first: NDArray[Any]) -> Ints:
    """Rows of three begun at another place, in the same order."""
    turned: Ints = np.take_along_axis(rows, (first[:, None] + np.arange(3)) % 3, axis=1)
    return turned


def _followed(mesh: Mesh, corners: Floats, view: View, path: Floats) -> Sheet:
    """The sheet of a path, led through the vertices that the path passes by closely.

    corners : (n, 3) float, the vertices as they are seen
    """
    from scipy.spatial import cKDTree

    drawn = view.seen(path)
    edge = corners[mesh.faces[:, 0]] - corners[mesh.faces[:, 1]]
    near = min(_NEAR, _SHARE * float(np.median(np.linalg.norm(edge, axis=1))))
    steps = np.maximum(np.linalg.norm(np.diff(drawn, axis=0), axis=1) / (near + 1e-12), 1.0)
    walked = np.append(0.0, np.cumsum(np.ceil(np.minimum(steps, 1e4))))
    places = np.arange(int(walked[-1]) + 1)
    dense = np.stack([np.interp(places, walked, drawn[:, axis]) for axis in range(3)], 1)
    low, high = dense.min(0) - 2 * near, dense.max(0) + 2 * near
    close = np.flatnonzero(((corners >= low) & (corners <= high)).all(1))
    away, at = cKDTree(dense).query(corners[close], distance_upper_bound=2 * near)
    passed = np.isfinite(away)
    close, at = close[passed], at[passed]
    passed = distances(corners[close], drawn) <= near
    close, at = close[passed], at[passed]
    before = np.clip(at, 1, len(dense) - 1)
    way = dense[before] - dense[before - 1]
    along = ((corners[close] - dense[before - 1]) * way).sum(1) / np.maximum((way * way).sum(1), 1e-300)
    apart = cKDTree(corners[close]).query(drawn)[0] > near if len(close) else np.ones(len(drawn), bool)
    when = np.concatenate([walked[apart], before - 1 + along])
    points = np.concatenate([drawn[apart], corners[close]])[:, :2]
    order = np.argsort(when, kind="stable")
    return sheet_of(points[order], loop=is_loop(drawn[:, :2]), corners=order >= apart.sum(), tolerance=near)
