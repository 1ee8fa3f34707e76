"""How the triangles of a mesh hang together: welded corners, shared edges, connected bodies, the rims of holes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.shapes.mesh import Floats, Mesh

__all__ = ["Bools", "Edges", "Ints", "Welded", "bodies", "connected", "edges", "rims", "weld"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_WELD = 1e-6
"""How near vertices are the same, as a share of the size."""


class Welded(NamedTuple):
    """A mesh whose vertices at one place are one.

    vertices : (n, 3) float
    faces : (m, 3) int, each with three different corners, none twice
    kept : (m,) int, which faces of the mesh they were
    vanished : how many faces had no three different corners
    repeated : how many had the same corners as another one
    """

    vertices: Floats
    faces: Ints
    kept: Ints
    vanished: int
    repeated: int


class Edges(NamedTuple):
    """The edges of a mesh, each once, and the three sides of each face.

    edge : (3 m,) int, the edge of each side: first those of all faces from the first corner, then from the second ...
    along : (3 m,) bool, whether the side runs from the lower to the higher vertex
    shared : (k,) int, how many sides each edge has
    """

    edge: Ints
    along: Bools
    shared: Ints

    @property
    def faces(self) -> int:
        """How many faces there are."""
        return len(self.edge) // 3

    def turned(self, turned: Bools) -> Edges:
        """The same edges when some faces are wound the other way: their corners in reverse. turned : (m,) bool"""
        edge, along = self.edge.reshape(3, -1), self.along.reshape(3, -1)
        swapped = [1, 0, 2]
        edge, along = np.where(turned, edge[swapped], edge), np.where(turned, ~along[swapped], along)
        return Edges(edge.ravel(), along.ravel(), self.shared)


def weld(mesh: Mesh) -> Welded:
    """Vertices at one place made one; triangles that vanish or repeat left out."""
    points, number = _used(mesh.vertices, mesh.faces)  # what no face uses must not count for the size
    low, size = points.min(0), float(np.ptp(points, axis=0).max()) or 1.0
    cells = np.round((points - low) / (_WELD * size)).astype(np.int64)
    _, first, back = np.unique(cells @ (2**42, 2**21, 1), return_index=True, return_inverse=True)
    faces: Ints = back.reshape(-1)[number].astype(np.int64)
    whole = np.flatnonzero((faces != np.roll(faces, 1, axis=1)).all(1))
    kept = whole[~_repeats(np.sort(faces[whole], axis=1))]
    vertices, renumbered = _used(points[first], faces[kept])
    return Welded(vertices, renumbered, kept, len(faces) - len(whole), len(whole) - len(kept))


def _used(vertices: Floats, faces: NDArray[Any]) -> tuple[Floats, Ints]:
    """The vertices that faces use, and the faces with their numbers."""
    used = np.zeros(len(vertices), bool)
    used[faces.ravel()] = True
    return vertices[used], (np.cumsum(used) - 1)[faces]


def _repeats(corners: Ints) -> Bools:
    """Which rows another one before them equals. corners : (m, 3) int"""
    mixed = corners.astype(np.uint64) @ np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 1], np.uint64)
    order = np.argsort(mixed, kind="stable")  # one key is sorted several times as fast as three
    again = np.zeros(len(corners), bool)
    again[order[1:]] = (corners[order[1:]] == corners[order[:-1]]).all(1)
    return again


def edges(faces: Ints) -> Edges:
    """The edges of faces. faces : (m, 3) int"""
    start, end = faces.T.ravel(), np.roll(faces, -1, axis=1).T.ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    _, edge, count = np.unique(low * (int(high.max(initial=0)) + 1) + high, return_inverse=True, return_counts=True)
    return Edges(edge.reshape(-1).astype(np.int64), start < end, count)


def connected(count: int, one: Ints, other: Ints) -> Ints:
    """For each of so many things the lowest number it is connected with, over links between one and another."""
    lowest: Ints = np.arange(count)
    while len(one):
        one, other = lowest[one], lowest[other]
        apart = one != other
        one, other = one[apart], other[apart]
        np.minimum.at(lowest, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(below := lowest[lowest], lowest):
            lowest = below
    return lowest


def bodies(mesh: Mesh) -> Ints:
    """For each face the lowest face that it hangs together with through shared vertices. (m,) int"""
    corners = mesh.faces.astype(np.int64)
    body = connected(len(mesh.vertices), corners[:, [0, 1]].ravel(), corners[:, [1, 2]].ravel())[corners[:, 0]]
    _, first, back = np.unique(body, return_index=True, return_inverse=True)
    return first[back.reshape(-1)]


def rims(start: Ints, end: Ints) -> Ints:
    """For each side of a rim the lowest side of the loop it is in. start, end : (k,) int, vertices

    Every vertex must begin as many sides as it ends. No loop comes to one vertex twice.
    """
    follows = np.empty(len(start), np.int64)
    follows[np.argsort(end, kind="stable")] = np.argsort(start, kind="stable")
    loop = connected(len(start), np.arange(len(start)), follows)
    visits, again = np.unique(loop * (int(start.max(initial=0)) + 1) + start, return_inverse=True)
    if len(visits) < len(start):
        twice = (np.bincount(again.reshape(-1)) > 1)[again.reshape(-1)]
        for first in np.unique(loop[twice]).tolist():
            _untangle(first, start, follows, loop)
    return loop


def _untangle(first: int, start: Ints, follows: Ints, loop: Ints) -> None:
    """Take a loop that comes to a vertex twice apart there, as often as that is."""
    walked: list[int] = []
    place: dict[int, int] = {}
    side = first
    while not walked or side != first:
        vertex = int(start[side])
        if vertex in place:
            closed = walked[place[vertex] :]
            loop[closed] = min(closed)
            del walked[-len(closed) :]
            for each in closed:
                del place[int(start[each])]
        place[vertex] = len(walked)
        walked.append(side)
        side = int(follows[side])
    loop[walked] = min(walked)
