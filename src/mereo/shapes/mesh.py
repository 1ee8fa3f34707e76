"""Triangle meshes as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Group", "Mesh", "cross", "joined"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles, counter-clockwise seen from outside.

    vertices : (n, 3) float, meters, z up
    faces : (m, 3) int, indices of vertices
    """

    vertices: Floats
    faces: Ints

    @staticmethod
    def of(vertices: ArrayLike, faces: ArrayLike) -> Mesh:
        """A mesh from anything array-like; the arrays are made read-only."""
        points, triangles = np.array(vertices, np.float64).reshape(-1, 3), np.array(faces, np.int32).reshape(-1, 3)
        points.flags.writeable = triangles.flags.writeable = False
        return Mesh(points, triangles)

    @property
    def triangles(self) -> Floats:
        """(m, 3, 3) float: the corners of each face."""
        corners: Floats = self.vertices[self.faces]
        return corners

    def bounds(self) -> Floats:
        """(2, 3) float: the lowest and the highest corner of the axis-aligned box."""
        return np.stack([self.vertices.min(0), self.vertices.max(0)])

    def face_normals(self) -> Floats:
        """(m, 3) float: unit normals, zero for a triangle without area."""
        spread = self._spread()
        length = _length(spread)[:, None]
        normals: Floats = np.divide(spread, length, out=np.zeros_like(spread), where=length > 0)
        return normals

    def face_areas(self) -> Floats:
        """(m,) float, square meters."""
        areas: Floats = _length(self._spread()) / 2
        return areas

    def face_heights(self) -> Floats:
        """(m,) float, meters: each triangle's height over its longest side, zero if it has no area."""
        a, b, c = self.vertices[self.faces.T]
        longest = np.maximum(np.maximum(_length(b - a), _length(c - b)), _length(a - c))
        double_area = _length(cross(b - a, c - a))
        heights: Floats = np.divide(double_area, longest, out=np.zeros_like(longest), where=longest > 0)
        return heights

    def volume(self) -> float:
        """Cubic meters enclosed; meaningful for closed meshes only."""
        return float(self._signed_volumes().sum())

    def center_of_mass(self) -> Floats:
        """(3,) float: the centroid of the enclosed volume."""
        volumes = self._signed_volumes()
        centroids = self.triangles.sum(1) / 4
        center: Floats = (centroids * volumes[:, None]).sum(0) / volumes.sum()
        return center

    def is_watertight(self) -> bool:
        """Whether every edge is shared by exactly two faces, in opposite directions."""
        edges = np.concatenate([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]]).astype(np.int64)
        size = len(self.vertices)
        forward, backward = edges[:, 0] * size + edges[:, 1], edges[:, 1] * size + edges[:, 0]
        forward.sort()  # numpy's unique takes ten times as long
        backward.sort()
        return bool((forward[1:] != forward[:-1]).all() and np.array_equal(forward, backward))

    def moved(self, matrix: ArrayLike) -> Mesh:
        """The mesh under an affine map; a mirroring one keeps the faces outside. matrix : (4, 4) float"""
        transform = np.asarray(matrix, np.float64)
        vertices = self.vertices @ transform[:3, :3].T + transform[:3, 3]
        faces = self.faces[:, ::-1] if np.linalg.det(transform[:3, :3]) < 0 else self.faces
        return Mesh.of(vertices, faces)

    def _spread(self) -> Floats:
        """(m, 3) float: normals as long as twice the area."""
        a, b, c = self.vertices[self.faces.T]
        return cross(b - a, c - a)

    def _signed_volumes(self) -> Floats:
        a, b, c = self.vertices[self.faces.T]
        volumes: Floats = np.einsum("ij,ij->i", a, cross(b, c)) / 6
        return volumes


class Group(NamedTuple):
    """What a mesh file holds under one name, its own units and axes."""

    mesh: Mesh
    materials: tuple[str, ...] = ()
    dropped: int = 0
    """How many of its faces have fewer than three corners."""


def cross(one: Floats, other: Floats) -> Floats:
    """Cross products, several times as fast as numpy's for few vectors. one, other : (3,) or (n, 3) float"""
    (a, b, c), (x, y, z) = one.T, other.T
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x]).T


def _length(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def joined(meshes: Sequence[Mesh]) -> tuple[Mesh, NDArray[Any]]:
    """All meshes as one, and for each face of it the number of the mesh it came from."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    faces = np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)])
    source = np.repeat(np.arange(len(meshes)), [len(mesh.faces) for mesh in meshes])
    return Mesh.of(vertices, faces), source
