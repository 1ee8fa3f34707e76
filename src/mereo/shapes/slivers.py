"""The surface of a body that solids were made into, without the slivers that are left where planes nearly coincide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mereo.errors import MissingExtra
from mereo.shapes.mesh import Mesh

try:
    from manifold3d import Manifold
except ImportError:
    raise MissingExtra("building shapes", "scenes") from None

__all__ = ["surface_of"]

_THINNEST = 1e-6
"""The height in meters below which a triangle is a sliver."""
_SIMPLER = (1e-5, 5e-5, 2e-4)
"""How far in meters a surface may move to lose its slivers; the farther only if they do not go otherwise."""
_AWAY, _FAR_AWAY = 2.0**21, 2.0**25
"""Where edges of two or of thirty micrometers are collapsed, and numbers still have half a nanometer or seven."""
_CLOSE = 1e-8
"""Whoever loads a mesh takes vertices for one that are closer than this, in meters."""
_APART = 2e-6
"""How far a vertex that another one touches is drawn back, in meters."""


def surface_of(body: Manifold) -> Mesh:
    """The surface of a body; slivers are simplified away, and flipped where they cannot be."""
    return _parted(_without_slivers(body))


def _without_slivers(body: Manifold) -> Mesh:
    found = _surface(body)
    for by in _SIMPLER:
        if not _thin(found).any():
            return found
        found = _surface(_simplified(body, by, away=_AWAY))
    found = _flipped(found)
    return _flipped(_surface(_simplified(body, _SIMPLER[-1], away=_FAR_AWAY))) if _thin(found).any() else found


def _surface(body: Manifold) -> Mesh:
    raw = body.to_mesh64()
    return Mesh.of(np.asarray(raw.vert_properties)[:, :3], np.asarray(raw.tri_verts))


def _thin(mesh: Mesh) -> NDArray[np.bool_]:
    return mesh.face_heights() < _THINNEST


def _simplified(body: Manifold, by: float, *, away: float) -> Manifold:
    """The body without slivers, its parts forgotten, so that they can be removed across their borders.

    The kernel only collapses edges shorter than 1e-12 of the farthest coordinate, so this is done far away.
    """
    return body.as_original().translate((away, 0.0, 0.0)).simplify(by).translate((-away, 0.0, 0.0))


def _flipped(mesh: Mesh) -> Mesh:
    """The mesh with its slivers gone whose corners lie on one line: their longest side is drawn the other way."""
    faces = mesh.faces.copy()
    for _ in range(4):
        thin = np.flatnonzero(_thin(Mesh.of(mesh.vertices, faces)))
        if not len(thin):
            break
        sides = {(int(f[k]), int(f[k - 2])): (n, int(f[k - 1])) for n, f in enumerate(faces) for k in range(3)}
        changed: set[int] = set()
        for here in thin.tolist():
            corners = mesh.vertices[faces[here]]
            longest = int(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1).argmax())
            a, b, c = np.roll(faces[here], -longest).tolist()
            there, d = sides[b, a]
            if changed.isdisjoint((here, there)) and (c, d) not in sides and (d, c) not in sides:
                faces[here], faces[there] = (a, d, c), (d, b, c)
                changed |= {here, there}
    return Mesh.of(mesh.vertices, faces)


def _parted(mesh: Mesh) -> Mesh:
    """The mesh with vertices drawn back, each into its own body, where two of them touch without being one."""
    places = np.round(mesh.vertices / _CLOSE).astype(np.int64)
    order = np.lexsort(places.T)
    same = (places[order][1:] == places[order][:-1]).all(1)
    if not same.any():
        return mesh
    touching = np.union1d(order[1:][same], order[:-1][same])
    corners = mesh.vertices[mesh.faces]
    outward = np.zeros_like(mesh.vertices)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    for k in range(3):
        np.add.at(outward, mesh.faces[:, k], across)
    ways = outward[touching] / np.linalg.norm(outward[touching], axis=1, keepdims=True)
    vertices = mesh.vertices.copy()
    vertices[touching] -= _APART * ways
    return Mesh.of(vertices, mesh.faces)
