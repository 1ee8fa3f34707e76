"""Meshes made fit to be parts: closed, with every triangle facing outwards; or refused with the reason."""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput, MissingExtra
from mereo.shapes.mesh import Floats, Mesh

__all__ = ["closed", "hull_corners"]

_LARGEST_HOLES = 0.1
"""The share of the surface that holes may have together to be filled."""
_WELD = 1e-6
"""How near vertices are the same, as a share of the size."""

Ints = NDArray[np.int64]


def hull_corners(mesh: Mesh) -> Floats:
    """The corners of the convex hull, or all vertices where they lie in one plane. (k, 3) float"""
    try:
        from manifold3d import Manifold
    except ImportError:
        raise MissingExtra("convex hulls", "scenes") from None
    hull = Manifold.hull_points(mesh.vertices)
    corners: Floats = np.asarray(hull.to_mesh64().vert_properties, np.float64)[:, :3]
    return corners if len(corners) else np.array(mesh.vertices)


def closed(mesh: Mesh) -> Mesh:
    """The same surface, welded, consistently wound, with small holes filled and facing outwards."""
    if not len(mesh.faces):
        raise BadInput("has no triangles")
    if not np.isfinite(mesh.vertices).all():
        raise BadInput("has coordinates that are not finite numbers")
    area = float(mesh.face_areas().sum())
    if not area > 0:
        raise BadInput("has no area")
    vertices, faces = _welded(mesh)
    if not len(faces):
        raise BadInput("has no area")
    faces, body = _wound(faces)
    vertices, faces, body = _filled(vertices, faces, body, area)
    found = _outward(vertices, faces, body)
    if not found.is_watertight():
        raise BadInput("is not closed and cannot be repaired")
    if not found.volume() > 1e-9 * area**1.5:
        raise BadInput("encloses no volume")
    return found


def _welded(mesh: Mesh) -> tuple[Floats, Ints]:
    """Vertices at one place made one; triangles that vanish or repeat left out."""
    size = float(np.ptp(mesh.vertices[mesh.faces.ravel()], axis=0).max())
    cells = np.round((mesh.vertices - mesh.vertices.min(0)) / (_WELD * size)).astype(np.int64)
    _, first, back = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    faces: Ints = back.reshape(-1)[mesh.faces].astype(np.int64)
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(1)]
    _, kept = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    faces = faces[np.sort(kept)]
    used, faces = np.unique(faces, return_inverse=True)
    return mesh.vertices[first[used]], faces.reshape(-1, 3)


def _edges(faces: Ints) -> dict[tuple[int, int], list[tuple[int, bool]]]:
    """By edge, the triangles that have it, and whether they run along it from its lower to its higher vertex."""
    found: dict[tuple[int, int], list[tuple[int, bool]]] = defaultdict(list)
    for number, (a, b, c) in enumerate(faces.tolist()):
        for start, end in ((a, b), (b, c), (c, a)):
            found[min(start, end), max(start, end)].append((number, start < end))
    return found


def _wound(faces: Ints) -> tuple[Ints, Ints]:
    """Triangles turned to run the same way as their neighbors, and the connected body that each belongs to."""
    edges = _edges(faces)
    crowded = sum(len(around) > 2 for around in edges.values())
    if crowded:
        raise BadInput(f"has {crowded:,} edges with more than two triangles, so that inside and outside are not clear")
    beside: list[list[tuple[int, bool]]] = [[] for _ in faces]
    for around in edges.values():
        if len(around) == 2:
            (one, along), (two, also) = around
            beside[one].append((two, along == also))
            beside[two].append((one, along == also))
    body = np.full(len(faces), -1)
    turned = np.zeros(len(faces), bool)
    for start in range(len(faces)):
        if body[start] >= 0:
            continue
        body[start] = start
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for there, against in beside[here]:
                should = bool(turned[here]) != against
                if body[there] < 0:
                    body[there], turned[there] = start, should
                    waiting.append(there)
                elif bool(turned[there]) != should:
                    raise BadInput("is one-sided, as a Möbius strip is")
    return np.where(turned[:, None], faces[:, ::-1], faces), body


def _filled(vertices: Floats, faces: Ints, body: Ints, area: float) -> tuple[Floats, Ints, Ints]:
    """Holes closed with fans around their middle, if they are small."""
    after: dict[int, tuple[int, int]] = {}
    for (low, high), around in _edges(faces).items():
        if len(around) == 1:
            number, along = around[0]
            start, end = (high, low) if along else (low, high)  # a hole runs against the triangles at its rim
            if start in after:
                raise BadInput("is not closed, and its holes touch")
            after[start] = (end, int(body[number]))
    points, new, owners, lost = [vertices], [faces], [body], 0.0
    count = len(vertices)
    while after:
        start, (here, owner) = after.popitem()
        loop = [start]
        while here != start:
            loop.append(here)
            here = after.pop(here)[0]
        middle = vertices[loop].mean(0)
        rim = np.array(loop)
        fan = np.stack([rim, np.roll(rim, -1), np.full(len(rim), count)], 1) if len(loop) > 3 else rim[None]
        patch = Mesh.of(np.vstack([vertices, middle]), np.where(fan == count, len(vertices), fan))
        lost += float(patch.face_areas().sum())
        if len(loop) > 3:
            points.append(middle[None])
            count += 1
        new.append(fan)
        owners.append(np.full(len(fan), owner))
    if lost > _LARGEST_HOLES * area:
        share = lost / (area + lost)
        raise BadInput(f"is not closed: its holes are {share:.0%} of the surface, too much to be filled by guessing")
    return np.concatenate(points), np.concatenate(new), np.concatenate(owners)


def _outward(vertices: Floats, faces: Ints, body: Ints) -> Mesh:
    """Bodies that are inside out turned; a hollow inside another keeps facing the other way."""
    mesh = Mesh.of(vertices, faces)
    if mesh.volume() < 0:
        faces = faces[:, ::-1].copy()
    names = np.unique(body)
    bodies = {name: Mesh.of(vertices, faces[body == name]) for name in names.tolist()}
    boxes = {name: np.array([one.triangles.min((0, 1)), one.triangles.max((0, 1))]) for name, one in bodies.items()}
    for name, one in bodies.items():
        low, high = boxes[name]
        hollow = any((box[0] < low).all() and (box[1] > high).all() for box in boxes.values())
        if one.volume() < 0 and not hollow:
            faces[body == name] = faces[body == name][:, ::-1]
    return Mesh.of(vertices, faces)
