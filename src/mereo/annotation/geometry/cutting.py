"""Cutting a piece in two along a path that somebody drew on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mereo.annotation.geometry.blobs import Kept, keep_mesh, read_mesh
from mereo.annotation.geometry.sheet import Sheet, View, is_loop, sheet_of, view_of
from mereo.annotation.geometry.splitting import split_along
from mereo.annotation.home import Home
from mereo.errors import BadInput, MissingExtra
from mereo.shapes.mesh import Floats, Mesh

try:
    from manifold3d import CrossSection, Error, FillRule, JoinType, Manifold
    from manifold3d import Mesh as Surface
except ImportError:
    raise MissingExtra("cutting pieces", "annotate") from None

__all__ = ["cut", "cut_kept", "merged"]

_MOST_POINTS = 10_000
_SMALLEST = 1e-5
"""The size of a piece that can be cut, by how far it is from the origin: single precision has no digits for less."""
_LEAST = 1e-6
"""The share of a piece's surface that either side of a cut has, at least."""
_GAP = 1e-5
"""By how much a figure whose corners touch, since its path crosses itself, is drawn back, as a share of the size."""
_FINE = 2.0**20
"""By how much flat figures are enlarged, since the kernel rounds their corners to 1e-8."""


def cut(mesh: Mesh, path: ArrayLike, direction: ArrayLike) -> tuple[Mesh, Mesh]:
    """The two sides of a piece: what is left of the path as the eye saw it and what is right, or inside and outside.

    path : (k, 3) float, points on the surface as they were drawn
    direction : (3,) float, where the eye looked

    The path is swept along the view into a sheet that goes through the whole piece. Beyond its ends it goes on
    straight; if its ends meet, the sheet is a tube. The geometry decides how the sheet divides the piece:

    - A closed solid is divided by a boolean with the body on one side of the sheet. Both sides get a cut face, so they
      are watertight as it was, and their volumes sum up to its volume. Where a path crosses itself, sides change.
    - Of an open mesh the triangles that the sheet crosses are divided, and each side keeps its own. Where the path
      follows edges closely, the sheet goes through them, and no triangle there is divided.

    Positions are single precision, as they are kept.
    """
    drawn = np.asarray(path, np.float64).reshape(-1, 3)
    area = float(mesh.face_areas().sum())
    _check(mesh, drawn, area)
    view = view_of(mesh, np.asarray(direction, np.float64).reshape(3))
    solid, turned = _solid(mesh)
    if solid is None:
        sides = split_along(mesh, view, drawn)
    else:
        flat = view.seen(drawn)[:, :2]
        one, other = solid.split(_beside(sheet_of(flat, loop=is_loop(flat)), view))
        sides = _surface(one, turned), _surface(other, turned)
    if min(float(side.face_areas().sum()) for side in sides) <= _LEAST * area:
        raise BadInput("does not divide the piece: draw it from one side of the piece to another", field="path")
    return sides


def _check(mesh: Mesh, path: Floats, area: float) -> None:
    if not np.isfinite(path).all():
        raise BadInput("has points that are not finite numbers", field="path")
    if not 2 <= len(path) <= _MOST_POINTS:
        raise BadInput(f"has {len(path):,} points, not 2 to {_MOST_POINTS:,}", field="path")
    size = float(np.ptp(mesh.vertices, axis=0).max()) if len(mesh.faces) else 0.0
    if not size > _SMALLEST * float(np.abs(mesh.vertices).max(initial=0.0)) or not area > 0:
        raise BadInput("is too small to be cut", field="piece")


def _solid(mesh: Mesh) -> tuple[Manifold | None, bool]:
    """The body that a mesh bounds, if it bounds one, and whether it had to be turned inside out for that."""
    body = _body(mesh)
    if body is None:
        mesh, before = merged(mesh), mesh
        body = _body(mesh) if len(mesh.vertices) < len(before.vertices) else None
    if body is None or body.volume() >= 0:
        return body, False
    return _body(Mesh.of(mesh.vertices, mesh.faces[:, ::-1])), True


def _body(mesh: Mesh) -> Manifold | None:
    body = Manifold(Surface(mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32)))
    return body if body.status() == Error.NoError and not body.is_empty() else None


def merged(mesh: Mesh) -> Mesh:
    """The mesh with vertices at the same place made one; triangles that have no three corners then are left out."""
    order = np.lexsort(mesh.vertices.T)
    new = np.append(True, (np.diff(mesh.vertices[order], axis=0) != 0).any(1))
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(new) - 1
    faces = number[mesh.faces]
    whole = (faces != np.roll(faces, 1, axis=1)).all(1)
    return Mesh.of(mesh.vertices[order[new]], faces[whole])


def _beside(sheet: Sheet, view: View) -> Manifold:
    """The body on one side of a sheet, as deep as the piece and deeper."""
    section = CrossSection([_FINE * sheet.border], FillRule.EvenOdd)
    corners = np.concatenate([*section.to_polygons(), np.zeros((0, 2))])
    if len(corners) > len(np.unique(np.round(corners / (_FINE * _GAP)), axis=0)):
        section = section.offset(-_FINE * _GAP, JoinType.Miter)
    body = Manifold.extrude(section, 4 * _FINE).translate((0.0, 0.0, -2 * _FINE)).scale((1 / _FINE,) * 3)
    return body.transform(view.affine())


def _surface(body: Manifold, turned: bool) -> Mesh:
    raw = body.to_mesh()
    faces = np.asarray(raw.tri_verts)
    return Mesh.of(np.asarray(raw.vert_properties)[:, :3], faces[:, ::-1] if turned else faces)


def cut_kept(home: Home, digits: str, path: ArrayLike, direction: ArrayLike) -> tuple[Kept, Kept]:
    """Cut the piece that a project keeps under some digits, and keep both sides there."""
    one, other = cut(read_mesh(home, digits), path, direction)
    return keep_mesh(one, home), keep_mesh(other, home)
