"""Point clouds: points lie on the surface, uniformly, with the right normals and leaves, and thin out evenly."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
import pytest

from kit import complaint
from mereo.chance import generator
from mereo.shapes.grammar import leaf, make_shape, part
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.part import Shape
from mereo.shapes.points import cloud, farthest, sample_mesh, sample_points
from mereo.shapes.solids import box, sphere


def two_blocks() -> Shape:
    """A block with a surface of 6 square meters, and one with 24."""
    return Shape.of(
        "blocks", part("blocks", leaf("small", box((1, 1, 1))), leaf("large", box((2, 2, 2), (0.0, 3.0, 0.5))))
    )


def test_points_lie_in_their_triangles() -> None:
    mesh = make_shape("chair", seed=3).mesh()
    found = sample_mesh(mesh, 4000, generator(0))
    corners = mesh.triangles[found.faces]
    for a, b in ((0, 1), (1, 2), (2, 0)):
        inwards = np.cross(found.normals, corners[:, b] - corners[:, a])
        assert (np.einsum("ni,ni->n", inwards, found.points - corners[:, a]) > -1e-9).all()
    heights = np.einsum("ni,ni->n", found.normals, found.points - corners[:, 0])
    assert np.abs(heights).max() < 1e-9
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)


def test_points_are_uniform_within_a_triangle() -> None:
    triangle = Mesh.of([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    points = sample_mesh(triangle, 100_000, generator(1)).points
    for least in (0.1, 0.5, 0.9):  # the part of the triangle with x above this is a triangle too
        assert np.mean(points[:, 0] > least) == pytest.approx((1 - least) ** 2, abs=0.005)
        assert np.mean(points[:, 1] > least) == pytest.approx((1 - least) ** 2, abs=0.005)


def test_leaves_get_points_by_their_area() -> None:
    found = sample_points(two_blocks(), 20_000, generator(2))
    assert np.mean(found.leaf == 1) == pytest.approx(24 / 30, abs=0.01)


def test_every_point_lies_on_the_leaf_it_names() -> None:
    found = sample_points(two_blocks(), 2_000, generator(3))
    assert len(found) == 2_000
    middles, halves = np.array([(0, 0, 0), (0, 3, 0.5)]), np.array([0.5, 1.0])
    offsets = np.abs(found.points - middles[found.leaf])
    assert np.allclose(offsets.max(1), halves[found.leaf])


def test_normals_point_outwards() -> None:
    ball = sample_mesh(sphere(1.0).mesh(), 500, generator(4))
    assert (np.einsum("ni,ni->n", ball.points, ball.normals) > 0.9).all()


def test_triangles_without_area_get_no_points() -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 0, 0)]
    found = sample_mesh(Mesh.of(corners, [(0, 1, 3), (0, 1, 2), (3, 3, 3)]), 1000, generator(5))
    assert set(found.faces.tolist()) == {1}


@pytest.mark.parametrize("faces", [[(0, 0, 1)], []])
def test_a_mesh_without_area_is_refused(faces: list[tuple[int, int, int]]) -> None:
    mesh = Mesh.of([(0, 0, 0), (1, 0, 0)], faces)
    assert "without area" in (complaint(lambda: sample_mesh(mesh, 10, generator(0))) or "")


def gaps(points: Floats, order: np.ndarray) -> tuple[Floats, Floats]:
    """For each point after the first: how far it lies from those before it, and how far it could have lain."""
    away = np.full(len(points), np.inf)
    own, best = [], []
    for index in order:
        own.append(away[index])
        best.append(away.max())
        away = np.minimum(away, np.linalg.norm(points - points[index], axis=1))
    return np.array(own[1:]), np.array(best[1:])


@pytest.mark.parametrize(("number", "count"), [(2, 2), (3, 2), (100, 100), (5_000, 700)])
def test_each_chosen_point_is_the_farthest_from_those_before_it(number: int, count: int) -> None:
    points = generator(6, number).normal(size=(number, 3)) + (100.0, 0.0, 0.0)
    order = farthest(points, count)
    own, best = gaps(points, order)
    assert len(set(order.tolist())) == count
    assert np.allclose(own, best, rtol=1e-4)


def test_copies_of_points_are_chosen_once_each() -> None:
    points = np.repeat(generator(7).random((40, 3)), 25, axis=0)
    order = farthest(points, 100)
    assert len(set(order.tolist())) == 100
    assert len(np.unique(points[order[:40]], axis=0)) == 40


@pytest.mark.parametrize(
    ("points", "count", "words"),
    [
        (np.zeros((3, 3)), 4, "4 of 3 points"),
        (np.zeros((3, 3)), -1, "-1 of 3 points"),
        (np.array([[0.0, 0, 0], [np.nan, 0, 0]]), 1, "finite"),
    ],
)
def test_what_cannot_be_chosen_is_refused(points: Floats, count: int, words: str) -> None:
    assert words in (complaint(lambda: farthest(points, count)) or "")


def test_no_points_and_one_point_are_no_special_cases() -> None:
    assert farthest(np.zeros((0, 3)), 0).tolist() == []
    assert farthest(np.zeros((5, 3)), 0).tolist() == []
    assert farthest(np.ones((1, 3)), 1).tolist() == [0]


def test_a_cloud_covers_a_shape_more_evenly_than_chance() -> None:
    shape = make_shape("chair", seed=1)
    even, random = cloud(shape, 1_000, rng=generator(8)), sample_points(shape, 1_000, generator(8))
    assert len(even) == 1_000
    assert nearest(even.points).min() > np.median(nearest(random.points))


def nearest(points: Floats) -> Floats:
    """How far each point is from its nearest neighbor."""
    away = np.linalg.norm(points[:, None] - points[None], axis=-1)
    np.fill_diagonal(away, np.inf)
    return np.asarray(away.min(1))


def test_the_same_generator_gives_the_same_cloud() -> None:
    shape = make_shape("chair", seed=1)
    one, same, other = (cloud(shape, 500, rng=generator(seed)) for seed in (9, 9, 10))
    assert one.points.tobytes() == same.points.tobytes()
    assert one.leaf.tobytes() == same.leaf.tobytes()
    assert one.points.tobytes() != other.points.tobytes()


def test_which_points_are_chosen_is_the_same_with_every_python_and_every_version_that_is_allowed() -> None:
    order = farthest(generator(11).normal(size=(3_000, 3)), 300)
    assert order[:8].tolist() == [2999, 2134, 726, 261, 1856, 108, 336, 101]
    assert int(order @ np.arange(300)) == 66169667


if find_spec("fpsample"):  # there are Pythons without wheels of it

    @pytest.mark.parametrize("number", [2, 3, 50, 700, 20_000])
    def test_the_same_points_are_chosen_without_fpsample(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
        points = generator(11, number).normal(size=(number, 3)) * (1.0, 3.0, 0.5) + (0.0, 50.0, 0.0)
        quickly = farthest(points, number // 10 + 1)
        monkeypatch.setitem(sys.modules, "fpsample", None)
        assert farthest(points, number // 10 + 1).tolist() == quickly.tolist()

    @pytest.mark.parametrize("category", ["chair", "cart"])
    def test_a_cloud_is_the_same_without_fpsample(category: str, monkeypatch: pytest.MonkeyPatch) -> None:
        shape = make_shape(category, seed=2)
        quickly = cloud(shape, 2_000, rng=generator(12))
        monkeypatch.setitem(sys.modules, "fpsample", None)
        assert cloud(shape, 2_000, rng=generator(12)).points.tobytes() == quickly.points.tobytes()
