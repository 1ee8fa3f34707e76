"""Normals for shading: curved surfaces are many small flat ones, and light should not show where one ends.

Faces that meet at a gentle edge are shaded as one surface, those that meet at a sharp one are not. Only light is
concerned: what a ray meets, and where, stays what the triangles say.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Shaded", "shaded"]

_GENTLE = float(np.cos(np.radians(35.0)))
"""Faces whose normals differ by less are one surface: a tube of eleven sides is round, one of ten has edges."""


class Shaded(NamedTuple):
    """Triangles with a normal at every corner; a vertex on a sharp edge is there once for each side."""

    vertices: NDArray[np.float32]
    """(n, 3)"""
    faces: NDArray[np.uint32]
    """(m, 3)"""
    normals: NDArray[np.float32]
    """(n, 3), unit."""


def shaded(vertices: NDArray[np.float32], faces: NDArray[np.uint32]) -> Shaded:
    """The same triangles, in their order, with normals."""
    spread = _spread(vertices, faces)
    length = np.linalg.norm(spread, axis=1, keepdims=True)
    unit = np.divide(spread, length, out=np.zeros_like(spread), where=length > 0)
    corners = faces.astype(np.int64)
    first, group = np.unique(_fans(_beside(corners, unit)), return_inverse=True)
    # By area: what is cut into slivers is not shaded by the slivers.
    normals = np.stack([np.bincount(group, np.repeat(spread[:, axis], 3)) for axis in range(3)], 1)
    size = np.linalg.norm(normals, axis=1, keepdims=True)
    return Shaded(
        vertices[corners.ravel()[first]],
        group.reshape(-1, 3).astype(np.uint32),
        np.divide(normals, size, out=np.zeros_like(normals), where=size > 0).astype(np.float32),
    )


def _spread(vertices: NDArray[np.float32], faces: NDArray[np.uint32]) -> NDArray[np.float64]:
    """(m, 3): across each face, twice as long as its area is large."""
    a, b, c = vertices[faces.T].astype(np.float64)
    return np.cross(b - a, c - a)


def _beside(corners: NDArray[np.int64], unit: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each corner the corners of the same vertex across the two edges there; itself across a sharp one."""
    here = np.arange(corners.size)
    ahead = here.reshape(-1, 3)[:, [1, 2, 0]].ravel()
    start, stop = corners.ravel(), corners.ravel()[ahead]
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    order = np.argsort(low * (int(high.max()) + 1) + high, kind="stable")
    same = (low[order[1:]] == low[order[:-1]]) & (high[order[1:]] == high[order[:-1]])
    # An edge of more than two faces is left sharp: nobody could say which of them go together.
    alone = same & ~np.append(same[1:], False) & ~np.insert(same[:-1], 0, False)
    one, other = order[:-1][alone], order[1:][alone]
    # Faces of one surface run along their edge in opposite directions: where one starts the other stops.
    gentle = (start[one] == stop[other]) & (np.einsum("ij,ij->i", unit[one // 3], unit[other // 3]) > _GENTLE)
    one, other = one[gentle], other[gentle]
    before, after = here.copy(), here.copy()
    after[one], after[other] = ahead[other], ahead[one]
    before[ahead[one]], before[ahead[other]] = other, one
    return before, after


def _fans(beside: tuple[NDArray[np.int64], NDArray[np.int64]]) -> NDArray[np.int64]:
    """For each corner the first of all that can be reached from it."""
    label = np.arange(len(beside[0]))
    while True:
        least = np.minimum(np.minimum(label, label[beside[0]]), label[beside[1]])
        least = least[least]
        if np.array_equal(least, label):
            return label
        label = least
