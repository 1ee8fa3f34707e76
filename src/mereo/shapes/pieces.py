"""What a mesh falls apart into: pieces that do not touch, and convex bodies that stand for them in physics."""

from __future__ import annotations

import numpy as np

from mereo.errors import BadInput, MissingExtra
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.surface import Ints, bodies, connected, weld

__all__ = ["MOST_PIECES", "are_equal", "convex_pieces", "fallen_apart", "hull_corners"]

MOST_PIECES = 64
"""So many parts one group may be split into."""
_MOST_BODIES = 2_000
"""What falls apart into more is foliage, fur or rubble, and not asked which of it touches."""
_MOST_HULLS = 32
"""A leaf of more bodies collides as one hull."""
_TOUCHING = 1e-3
"""How near boxes touch, as a share of the size of all."""
_EQUAL = 0.02
"""How much sizes may differ, as a share."""
_FLAT, _SHEET = 1e-4, 1e-3
"""Meters: what is thinner is flat, and how thick something flat is taken to be when it collides."""


def fallen_apart(mesh: Mesh) -> list[Mesh]:
    """The pieces of a mesh, in the order of its faces; bodies whose boxes touch are one piece.

    A mesh of very many bodies is one piece.
    """
    welded = weld(mesh)
    if not len(welded.faces):
        return [mesh]
    names, body = np.unique(bodies(Mesh.of(welded.vertices, welded.faces)), return_inverse=True)
    if not 1 < len(names) <= _MOST_BODIES:
        return [mesh]
    corners = welded.vertices[welded.faces]
    low, high = np.full((len(names), 3), np.inf), np.full((len(names), 3), -np.inf)
    np.minimum.at(low, body.reshape(-1), corners.min(1))
    np.maximum.at(high, body.reshape(-1), corners.max(1))
    near = _TOUCHING * float(np.ptp(welded.vertices, axis=0).max())
    touching = (low[:, None] <= high[None] + near).all(-1) & (low[None] <= high[:, None] + near).all(-1)
    one, other = np.nonzero(np.triu(touching, 1))
    piece = connected(len(names), one, other)[body.reshape(-1)]
    found = [_some(mesh, welded.kept[piece == each]) for each in dict.fromkeys(piece.tolist())]
    return [each for each in found if each.face_areas().any()] or [mesh]


def _some(mesh: Mesh, chosen: Ints) -> Mesh:
    used, faces = np.unique(mesh.faces[chosen], return_inverse=True)
    return Mesh.of(mesh.vertices[used], faces)


def are_equal(pieces: list[Mesh]) -> bool:
    """Whether there are several and all are of one size, however they are turned about the axes or mirrored."""
    if not 1 < len(pieces) <= MOST_PIECES:
        return False
    sizes = np.sort([np.ptp(piece.vertices, axis=0) for piece in pieces], axis=1)
    areas = np.array([piece.face_areas().sum() for piece in pieces])
    room = _EQUAL * sizes[:, -1].max()
    return bool((np.ptp(sizes, axis=0) <= room).all() and np.ptp(areas) <= 2 * _EQUAL * areas.max())


def convex_pieces(mesh: Mesh) -> tuple[Floats, ...]:
    """A hull around each body of a mesh, or one around all if they are many. Each (k, 3) float"""
    body = bodies(mesh)
    names = np.unique(body)
    if len(names) > _MOST_HULLS:
        return (hull_corners(mesh.vertices),)
    return tuple(hull_corners(mesh.vertices[np.unique(mesh.faces[body == name])]) for name in names)


def hull_corners(points: Floats) -> Floats:
    """The corners of the convex hull; what is flat is taken to be a millimeter thick. points, corners : (k, 3) float"""
    try:
        from manifold3d import Manifold
    except ImportError:
        raise MissingExtra("convex hulls", "scenes") from None
    if not len(points):
        raise BadInput("has no points to put a hull around")
    hull = Manifold.hull_points(np.ascontiguousarray(_thickened(points), np.float64))
    corners: Floats = np.asarray(hull.to_mesh64().vert_properties, np.float64)[:, :3]
    return corners


def _thickened(points: Floats) -> Floats:
    """The points moved a little to either side, along each axis of theirs in which they hardly extend."""
    away = points - points.mean(0)
    _, axes = np.linalg.eigh(away.T @ away)
    for axis in axes.T:
        if np.ptp(points @ axis) < _FLAT:
            points = np.concatenate([points - _SHEET / 2 * axis, points + _SHEET / 2 * axis])
    return points
