"""Meshes made fit to be parts: welded, wound one way, small holes filled, facing outwards.

What cannot be closed without guessing is left open, and said: pictures and boxes need no volume.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mereo.errors import BadInput
from mereo.shapes.findings import Finding
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.surface import Bools, Edges, Ints, connected, edges, rims, weld

__all__ = ["Mended", "NoArea", "mended"]

_LARGEST_HOLES = 0.1
"""The share of a body's surface that its holes may have together to be filled."""
_LARGEST = 1e50
"""Meters: with more, areas and volumes are numbers no longer."""
_MOST_OUTER = 1_000
"""In how many bodies, the largest ones, others may be hollows."""
_BULGING = 0.01
"""Volume by area to the power 1.5, from which an open body has an inside; a ball has 0.094, a sheet 0."""


class NoArea(BadInput):
    """A mesh of points and lines."""


class Mended(NamedTuple):
    """A mesh, and what was found and done to it."""

    mesh: Mesh
    findings: tuple[Finding, ...]
    holes: int
    """How many it had before any was filled."""


class _Bodies(NamedTuple):
    """The faces of a mesh by the body they belong to, every body with vertices of its own.

    faces : (m, 3) int
    body : (m,) int, numbered from 0
    """

    vertices: Floats
    faces: Ints
    body: Ints

    @property
    def number(self) -> int:
        """How many there are."""
        return int(self.body.max(initial=-1)) + 1

    def mesh(self) -> Mesh:
        """All of them."""
        return Mesh.of(self.vertices, self.faces)


def mended(mesh: Mesh, *, dropped: int = 0) -> Mended:
    """The same surface, as sound as it can be made without guessing. Refused are numbers that are none, and no area.

    dropped : how many faces the file had besides that are no triangles
    """
    if not len(mesh.faces):
        raise NoArea("has no triangles")
    if not np.isfinite(mesh.vertices).all():
        raise BadInput("has coordinates that are not finite numbers")
    if np.abs(mesh.vertices).max() > _LARGEST:
        raise BadInput(f"has coordinates beyond {_LARGEST:g} meters")
    welded = weld(mesh)
    area = float(Mesh.of(welded.vertices, welded.faces).face_areas().sum())
    if not area > 0:
        raise NoArea("has no area")
    sides = edges(welded.faces)
    crowded = int((sides.shared > 2).sum())
    parted, turned, one_sided = _parted(welded.vertices, welded.faces, sides)
    filled, closed, holes, filled_holes = _filled(parted, edges(parted.faces) if crowded else sides.turned(turned))
    found = _outward(filled, closed)
    original, ours = mesh.faces[welded.kept], found.vertices[found.faces[: len(welded.faces)]]
    counts = {
        "vanished": welded.vanished + dropped,
        "repeated": welded.repeated,
        "turned": _turned(mesh.vertices[original], ours),
        "filled": filled_holes,
        "crowded": crowded,
        "one-sided": one_sided,
        "open": int((~closed).sum()),
    }
    return Mended(found.mesh(), tuple(Finding(what, count) for what, count in counts.items() if count), holes)


def _parted(vertices: Floats, faces: Ints, sides: Edges) -> tuple[_Bodies, Bools, int]:
    """Bodies that hang together by edges of two, each wound one way; the faces turned; how many are one-sided.

    A face and its back are two nodes of a graph in which neighbors that are wound alike are linked side by side, and
    others crosswise. The two sides of a body are then not connected, unless it is one-sided.
    """
    count = len(faces)
    one, other, against = _neighbors(sides)
    cross = np.where(against, count, 0)
    side = connected(
        2 * count, np.concatenate([one, one + count]), np.concatenate([other + cross, other + count - cross])
    )
    front, back = side[:count], side[count:]
    names, body = np.unique(np.minimum(front, back), return_inverse=True)
    body = body.reshape(-1)
    two_sided = front != back
    turned = two_sided & (front != names[body])
    areas = Mesh.of(vertices, faces).face_areas()
    most = np.bincount(body, np.where(turned, areas, -areas)) > 0  # as most of its surface was wound
    turned = two_sided & (turned != most[body])
    faces = np.where(turned[:, None], faces[:, ::-1], faces)
    if (sides.shared > 2).any():  # elsewhere bodies have no edge in common
        own, renumbered = np.unique(body[:, None] * len(vertices) + faces, return_inverse=True)
        vertices, faces = vertices[own % len(vertices)], renumbered.reshape(-1, 3)
    return _Bodies(vertices, faces, body), turned, len(np.unique(body[~two_sided]))


def _neighbors(sides: Edges) -> tuple[Ints, Ints, Bools]:
    """The faces at either side of each edge of two, and whether they run against each other's winding."""
    first, last = np.empty_like(sides.shared), np.empty_like(sides.shared)
    last[sides.edge] = np.arange(len(sides.edge))
    first[sides.edge[::-1]] = np.arange(len(sides.edge))[::-1]
    one, other = first[sides.shared == 2], last[sides.shared == 2]
    return one % sides.faces, other % sides.faces, sides.along[one] == sides.along[other]


def _balanced(sides: Edges) -> Bools:
    """For each edge whether two faces share it, wound one way. (k,) bool"""
    balance = np.bincount(sides.edge, np.where(sides.along, 1, -1), len(sides.shared))
    balanced: Bools = (sides.shared == 2) & (balance == 0)
    return balanced


def _filled(bodies: _Bodies, sides: Edges) -> tuple[_Bodies, Bools, int, int]:
    """Holes closed with fans around their middle where that closes a body and they are small.

    Beside the bodies: which of them are closed, how many holes there were, and how many were filled.
    """
    single, owner = (sides.shared == 1)[sides.edge], np.tile(bodies.body, 3)
    fair = np.ones(bodies.number, bool)
    fair[owner[~single & ~_balanced(sides)[sides.edge]]] = False
    rim = np.flatnonzero(single & fair[owner])
    spoilt = int(np.unique(owner[single & ~fair[owner]]).size)
    owner = owner[rim]
    # A hole runs against the triangles at its rim.
    end, start = bodies.faces.T.ravel()[rim], np.roll(bodies.faces, -1, axis=1).T.ravel()[rim]
    names, loop = np.unique(rims(start, end), return_inverse=True)
    around = np.bincount(loop)
    middle = np.stack([np.bincount(loop, bodies.vertices[start, axis]) for axis in range(3)], 1) / around[:, None]
    fans = np.stack([start, end, len(bodies.vertices) + loop], 1)
    patches = Mesh.of(np.concatenate([bodies.vertices, middle]), fans)
    lost = np.bincount(owner, patches.face_areas(), bodies.number)
    closed = fair & (lost <= _LARGEST_HOLES * np.bincount(bodies.body, bodies.mesh().face_areas()))
    small = closed[owner]
    kept, fans[small, 2] = np.unique(loop[small], return_inverse=True)
    fans[:, 2] += len(bodies.vertices)
    filled = _Bodies(
        np.concatenate([bodies.vertices, middle[kept]]),
        np.concatenate([bodies.faces, fans[small]]),
        np.concatenate([bodies.body, owner[small]]),
    )
    return filled, closed, len(names) + spoilt, len(kept)


def _outward(bodies: _Bodies, closed: Bools) -> _Bodies:
    """Bodies that are inside out turned; a hollow inside another keeps facing the other way."""
    corners = bodies.vertices[bodies.faces]
    faces = np.bincount(bodies.body, minlength=bodies.number)
    middle = np.stack([np.bincount(bodies.body, corners[:, :, axis].mean(1)) for axis in range(3)], 1) / faces[:, None]
    a, b, c = np.moveaxis(corners - middle[bodies.body][:, None], 1, 0)
    volume = np.bincount(bodies.body, np.einsum("ij,ij->i", a, np.cross(b, c)) / 6)
    area = np.bincount(bodies.body, bodies.mesh().face_areas())
    inside_out = bool(volume[closed].sum() < 0)
    inward = closed & (volume > 0 if inside_out else volume < 0)
    low, high = np.full((bodies.number, 3), np.inf), np.full((bodies.number, 3), -np.inf)
    np.minimum.at(low, bodies.body, corners.min(1))
    np.maximum.at(high, bodies.body, corners.max(1))
    outer = np.flatnonzero(closed & ~inward)
    outer = outer[np.argsort(-np.abs(volume[outer]), kind="stable")][:_MOST_OUTER]
    for one in np.flatnonzero(inward):
        inward[one] = not ((low[outer] < low[one]) & (high[outer] > high[one])).all(1).any()
    turned = np.where(closed, inward != inside_out, volume < -_BULGING * area**1.5)
    return bodies._replace(faces=np.where(turned[bodies.body][:, None], bodies.faces[:, ::-1], bodies.faces))


def _turned(before: Floats, after: Floats) -> int:
    """How many triangles are wound the other way round. before, after : (m, 3, 3) float, corners"""
    normals = [np.cross(each[:, 1] - each[:, 0], each[:, 2] - each[:, 0]) for each in (before, after)]
    return int((np.einsum("ij,ij->i", *normals) < 0).sum())
