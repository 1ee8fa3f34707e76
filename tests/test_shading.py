"""Normals for shading: round things look round, edges stay edges, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

from mereo.scenes.shading import Shaded, shaded
from mereo.shapes.mesh import Mesh
from mereo.shapes.solids import box, cylinder

trimesh = pytest.importorskip("trimesh")


def of(mesh: Mesh) -> Shaded:
    return shaded(mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32))


def corner_normals(found: Shaded) -> np.ndarray:
    return found.normals[found.faces]


def test_the_triangles_stay_where_they_are_and_in_their_order() -> None:
    mesh = cylinder(0.5, 1.0).mesh()
    found = of(mesh)
    assert (found.vertices[found.faces] == mesh.triangles.astype(np.float32)).all()


def test_a_box_keeps_its_edges() -> None:
    mesh = box((1.0, 2.0, 3.0)).mesh()
    assert np.allclose(corner_normals(of(mesh)), mesh.face_normals()[:, None], atol=1e-6)


def test_a_ball_is_round() -> None:
    ball = trimesh.creation.icosphere(subdivisions=3)
    found = shaded(ball.vertices.astype(np.float32), ball.faces.astype(np.uint32))
    assert len(found.vertices) == len(ball.vertices)
    out = found.vertices / np.linalg.norm(found.vertices, axis=1, keepdims=True)
    assert (np.einsum("ij,ij->i", out, found.normals) > np.cos(np.radians(2))).all()


def test_a_drum_is_round_about_and_flat_on_top() -> None:
    mesh = cylinder(0.5, 1.0).mesh()
    normals = corner_normals(of(mesh))
    upright = np.abs(mesh.face_normals()[:, 2]) > 0.5
    assert np.allclose(np.abs(normals[upright][..., 2]), 1, atol=1e-6)
    corners = mesh.triangles[~upright]
    out = corners * (1, 1, 0)
    out /= np.linalg.norm(out, axis=2, keepdims=True)
    assert np.einsum("ijk,ijk->ij", out, normals[~upright]).min() > np.cos(np.radians(6))


def test_an_edge_of_three_faces_stays_sharp() -> None:
    vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0.1), (0, -1, 0.1), (0, -1, -0.1)], np.float32)
    faces = np.array([(0, 1, 2), (1, 0, 3), (1, 0, 4)], np.uint32)
    assert len(shaded(vertices, faces).vertices) == 9


def test_a_face_without_area_breaks_nothing() -> None:
    vertices = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)], np.float32)
    found = shaded(vertices, np.array([(0, 1, 2), (0, 2, 3)], np.uint32))
    assert np.isfinite(found.normals).all()
    assert np.allclose(found.normals[found.faces[1]], (0, 0, 1))
