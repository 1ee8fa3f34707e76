"""Pinches: pairs of places on a shape that face away from each other, with matter between them.

They are found by lines through the surface, and do not depend on how large the shape is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.chance import generator
from mereo.files import read_toml
from mereo.shapes.label_pattern import fits
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.part import Part, Shape
from mereo.shapes.points import sample_mesh

__all__ = ["GRIPS", "Pinches", "pinches_of", "surface_points"]

GRIPS = ("handle", "stem", "edge", "rim", "body")
"""What a shape may be held by."""


class Pinches(NamedTuple):
    """Pairs of places that two fingers could press towards each other; the shape's frame, meters."""

    middle: Floats
    """(n, 3) float."""
    closing: Floats
    """(n, 3) float, unit."""
    width: Floats
    """(n,) float."""
    quality: Floats
    """(n,) float: the cosine of the angle between the closing axis and the worse of both surface normals."""
    grip: NDArray[np.int64]
    """(n,) int, places in `GRIPS`."""


_SAMPLES = {"handle": 90, "stem": 50, "edge": 120, "": 160}
"""Places tried on the parts of each grip."""
_TILTS = (0.0, 1 / 3, 2 / 3, 1.0)
"""How far the closing axis may be turned from the surface's normal towards the horizontal, as a share."""
_STEEPEST = 0.78
"""The least cosine between closing axis and normal; pads of friction 0.9 hold down to 0.74."""
_THIN = 0.2
"""A wall no thicker than this share of the shape's size is a rim."""
_SPACING, _MOST_POINTS = 0.005, 4_000
"""Meters between the points that stand for a surface, and how many at most."""


@cache
def _table() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("grasps.toml"))


def _grip_of(leaf: Part) -> str | None:
    """The grip that a leaf is by its label, "" if it is nothing special, None if it is to be avoided."""
    for name, patterns in _table()["grips"].items():
        if any(fits(leaf.label, pattern) for pattern in patterns) and not _avoided(leaf):
            return str(name)
    return None if _avoided(leaf) else ""


def _avoided(leaf: Part) -> bool:
    return any(fits(leaf.label, pattern) for pattern in _table()["avoided"])


def surface_points(shape: Shape) -> Floats:
    """(n, 3) float: points that stand for the whole surface, the shape's frame, meters."""
    mesh = shape.mesh()
    count = int(np.clip(mesh.face_areas().sum() / _SPACING**2, 500, _MOST_POINTS))
    return sample_mesh(mesh, count, generator(0, "grasps", "surface")).points


def pinches_of(shape: Shape) -> Pinches:
    """All pinches that were found by chance, the same for the same shape."""
    leaves = shape.leaves()
    names = [_grip_of(leaf) for leaf in leaves]
    meshes = [leaf.mesh for leaf in leaves if leaf.mesh is not None]
    whole, leaf_of = joined(meshes)
    lines = _Lines(whole, leaf_of)
    thin = _THIN * float(np.ptp(shape.bounds(), axis=0)[:2].max())
    rows: list[tuple[Floats, Floats, float, float, int]] = []
    for name, count in _SAMPLES.items():
        own = [mesh for mesh, known in zip(meshes, names, strict=True) if known == name]
        if not own:
            continue
        drawn = sample_mesh(joined(own)[0], count, generator(0, "grasps", name))
        for point, normal in zip(drawn.points, drawn.normals, strict=True):
            for closing in _closings(normal):
                for width, quality, single, far in lines.pinches(point, closing):
                    if names[far] is None or quality < _STEEPEST:
                        continue
                    grip = name if names[far] == name and name else "rim" if single and width < thin else "body"
                    rows.append((point - width / 2 * closing, closing, width, quality, GRIPS.index(grip)))
    if not rows:
        return Pinches(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    middle, axis, wide, good, which = zip(*rows, strict=True)
    return Pinches(np.array(middle), np.array(axis), np.array(wide), np.array(good), np.array(which, np.int64))


def _closings(normal: Floats) -> Iterator[Floats]:
    """The normal itself, and ways between it and the horizontal that pads would still hold."""
    level = np.array([normal[0], normal[1], 0.0])
    length = float(np.linalg.norm(level))
    if length < 0.05 or abs(normal[2]) < 0.05:
        yield normal
        return
    for share in _TILTS:
        turned = (1 - share) * normal + share * level / length
        turned /= np.linalg.norm(turned)
        if turned @ normal >= _STEEPEST:
            yield turned


class _Lines:
    """What lines through a mesh of several closed bodies meet."""

    def __init__(self, mesh: Mesh, leaf_of: NDArray[Any]):
        self.vertices, self.leaf_of, self.normals = mesh.vertices, leaf_of, mesh.face_normals()
        self.corners = np.ascontiguousarray(mesh.faces.T)

    def pinches(self, point: Floats, closing: Floats) -> Iterator[tuple[float, float, bool, int]]:
        """From a place on the surface inwards: width, quality, whether it is one body without a gap, and the far leaf.

        closing : (3,) float, unit, outwards
        """
        distance, face = self._met(point, -closing)
        leaving = self.normals[face] @ closing < 0
        depth = np.cumsum(np.where(leaving, -1, 1))
        before = np.concatenate([[0], depth[:-1]])
        starts, ends = np.flatnonzero((before == 0) & (depth == 1)), np.flatnonzero((before == 1) & (depth == 0))
        if len(starts) != len(ends) or not len(starts):  # a line along an edge counts it twice
            return
        first = int(np.abs(distance[starts]).argmin())
        if abs(distance[starts[first]]) > 1e-4:
            return
        own = float(self.normals[face[starts[first]]] @ closing)
        for place in range(first, min(first + 4, len(ends))):
            end = ends[place]
            width = float(distance[end] - distance[starts[first]])
            if width > 1e-4:
                quality = min(own, -float(self.normals[face[end]] @ closing))
                yield width, quality, place == first, int(self.leaf_of[face[end]])

    def _met(self, point: Floats, way: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """How far along a line each face is met, in order, and the faces."""
        side = _cross(way, (1.0, 0.0, 0.0) if abs(way[0]) < 0.7 else (0.0, 1.0, 0.0))
        side /= np.linalg.norm(side)
        flat = (self.vertices - point) @ np.stack([side, _cross(way, side), way], 1)
        x, y = flat[:, 0][self.corners], flat[:, 1][self.corners]
        turns = x[[1, 2, 0]] * y[[2, 0, 1]] - y[[1, 2, 0]] * x[[2, 0, 1]]
        face = np.flatnonzero((turns > 0).all(0) | (turns < 0).all(0))
        weights = turns[:, face]
        distance = (weights * flat[:, 2][self.corners[:, face]]).sum(0) / weights.sum(0)
        order = np.argsort(distance, kind="stable")
        return distance[order], face[order]


def _cross(one: Sequence[float] | Floats, other: Sequence[float] | Floats) -> Floats:
    """Of two vectors alone, for which NumPy's own takes ten times as long."""
    (a, b, c), (x, y, z) = one, other
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])
