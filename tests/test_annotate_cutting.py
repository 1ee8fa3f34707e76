"""Cutting pieces: both sides of a solid are solids, open meshes keep their triangles, and edges are followed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from kit import complaint
from mereo.annotation.geometry.cutting import cut, merged
from mereo.annotation.geometry.sheet import parity
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.solids import box, cylinder, ring, union

Place = tuple[float, float]

sizes = st.floats(0.05, 3.0)
unit = st.floats(-1.0, 1.0)
places = st.tuples(unit, unit)
directions = st.tuples(unit, unit, unit).filter(lambda way: np.linalg.norm(way) > 0.1)


def single(mesh: Mesh) -> Mesh:
    """A mesh as a piece has it."""
    return Mesh.of(mesh.vertices.astype(np.float32), mesh.faces)


@st.composite
def bodies(draw: st.DrawFn) -> Mesh:
    """Boxes, drums, rings, and two of them apart, anywhere."""
    kind = draw(st.sampled_from(["box", "cylinder", "torus", "pair"]))
    a, b, c = draw(sizes), draw(sizes), draw(sizes)
    solid = {
        "box": lambda: box((a, b, c)),
        "cylinder": lambda: cylinder(a, b, top=c),
        "torus": lambda: ring(a + b, b),
        "pair": lambda: union(box((a, b, c)), cylinder(a, b).at(x=3 * a)),
    }[kind]()
    return single(solid.at(draw(unit), draw(unit), draw(unit)).mesh())


@st.composite
def paths(draw: st.DrawFn, mesh: Mesh) -> Floats:
    """A line or a loop through the box of a mesh."""
    low, high = mesh.bounds()
    points = np.array(draw(st.lists(st.tuples(unit, unit, unit), min_size=2, max_size=8)))
    if draw(st.booleans()):
        points = np.append(points, points[:1], axis=0)
    drawn: Floats = (low + high) / 2 + 0.6 * points * (high - low)
    return drawn


def grid(count: int = 8, *, bent: float = 0.0) -> Mesh:
    """An open sheet of squares of side 1 over the plane, bent upwards."""
    x, y = (each.ravel().astype(np.float64) for each in np.meshgrid(np.arange(count + 1), np.arange(count + 1)))
    corner = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    a, b, c, d = corner, corner + 1, corner + count + 2, corner + count + 1
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return single(Mesh.of(np.stack([x, y, bent * (x - count / 2) ** 2], 1), faces))


def area(mesh: Mesh) -> float:
    return float(mesh.face_areas().sum())


def rims(mesh: Mesh) -> float:
    """How long the edges are together that have one triangle."""
    sides = np.sort(np.concatenate([mesh.faces[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
    found, count = np.unique(sides, axis=0, return_counts=True)
    once = mesh.vertices[found[count == 1]]
    return float(np.linalg.norm(once[:, 0] - once[:, 1], axis=1).sum())


@settings(max_examples=80)
@given(st.data())
def test_both_sides_of_a_solid_are_watertight_and_have_its_volume_together(data: st.DataObject) -> None:
    mesh = data.draw(bodies())
    path, way = data.draw(paths(mesh)), data.draw(directions)
    try:
        sides = cut(mesh, path, way)
    except ValueError as error:
        assert "path" in str(error)  # noqa: PT017  a path drawn by chance may miss the piece or turn back
        return
    for side in sides:
        assert trimesh.Trimesh(side.vertices, side.faces, process=False).is_watertight
        assert side.volume() > 0
    assert sum(side.volume() for side in sides) == pytest.approx(mesh.volume(), rel=1e-4)


@settings(max_examples=40)
@given(st.data())
def test_of_an_open_mesh_nothing_is_lost_and_no_seam_opens(data: st.DataObject) -> None:
    whole = data.draw(bodies())
    keep = np.ones(len(whole.faces), bool)
    keep[data.draw(st.integers(0, len(whole.faces) - 1))] = False
    mesh = Mesh.of(whole.vertices, whole.faces[keep])
    path, way = data.draw(paths(mesh)), np.array(data.draw(directions))
    try:
        sides = cut(mesh, path, way)
    except ValueError as error:
        assert "path" in str(error)  # noqa: PT017  as above
        return
    assert sum(map(area, sides)) == pytest.approx(area(mesh), rel=1e-4)
    together = merged(Mesh.of(*stacked(sides)))
    assert rims(together) == pytest.approx(rims(mesh), rel=1e-3)


def stacked(sides: tuple[Mesh, Mesh]) -> tuple[ArrayLike, ArrayLike]:
    one, other = sides
    return np.concatenate([one.vertices, other.vertices]), np.concatenate([one.faces, other.faces + len(one.vertices)])


def test_left_comes_first_as_the_eye_sees_it() -> None:
    left, right = cut(single(box((2, 1, 1)).mesh()), [(0.5, -0.5, -0.4), (0.5, -0.5, 0.4)], (0, 1, 0))
    assert left.bounds()[:, 0].tolist() == pytest.approx([-1, 0.5])
    assert right.bounds()[:, 0].tolist() == pytest.approx([0.5, 1])


def test_a_loop_cuts_out_a_tube_and_what_is_within_comes_first() -> None:
    turns = np.linspace(0, 2 * np.pi, 40)[:-1]
    loop = np.stack([0.3 * np.cos(turns), 0.3 * np.sin(turns), np.full_like(turns, 0.5)], 1)
    inner, outer = cut(single(box((2, 2, 1)).mesh()), loop, (0, 0, -1))
    assert inner.volume() == pytest.approx(np.pi * 0.09, rel=0.02)
    assert inner.volume() + outer.volume() == pytest.approx(4)
    assert trimesh.Trimesh(outer.vertices, outer.faces).euler_number == 0  # a hole goes through it


def test_a_solid_that_is_inside_out_stays_so() -> None:
    mesh = single(box((2, 1, 1)).mesh())
    sides = cut(Mesh.of(mesh.vertices, mesh.faces[:, ::-1]), [(0, -0.5, -1), (0, -0.5, 1)], (0, 1, 0))
    assert [side.volume() for side in sides] == pytest.approx([-1, -1])


def test_a_solid_whose_corners_are_written_for_each_triangle_is_a_solid() -> None:
    mesh = single(box((2, 1, 1)).mesh())
    loose = Mesh.of(mesh.triangles.reshape(-1, 3), np.arange(3 * len(mesh.faces)).reshape(-1, 3))
    assert all(side.is_watertight() for side in cut(loose, [(0, -0.5, -1), (0, -0.5, 1)], (0, 1, 0)))


@pytest.mark.parametrize("bent", [0.0, 0.1])
def test_where_a_path_follows_edges_no_triangle_is_divided(bent: float) -> None:
    mesh, rng = grid(bent=bent), np.random.default_rng(3)
    places = np.linspace(-0.1, 8.1, 60)
    row = np.stack([places, np.full(60, 3.0), bent * (places - 4) ** 2], 1) + rng.normal(0, 0.01, (60, 3))
    left, right = cut(mesh, row, (0, 0, -1))
    assert len(left.faces) + len(right.faces) == len(mesh.faces)
    assert left.bounds()[:, 1].tolist() == [3, 8]
    assert right.bounds()[:, 1].tolist() == [0, 3]


def test_a_loop_along_edges_takes_out_whole_triangles() -> None:
    corners = np.array([(2, 2), (5, 2), (5, 6), (2, 6), (2, 2)], float)
    dense = np.concatenate([np.linspace(a, b, 20, endpoint=False) for a, b in pairwise(corners)])
    inner, outer = cut(grid(), np.column_stack([dense + 0.01, np.zeros(len(dense))]), (0, 0, -1))
    assert (len(inner.faces), len(outer.faces)) == (2 * 12, 2 * (64 - 12))


def test_across_triangles_the_border_is_where_the_path_is() -> None:
    left, right = cut(grid(), [(0.5, 3.4, 0), (7.5, 3.4, 0)], (0, 0, -1))
    assert area(left) == pytest.approx(8 * 4.6, rel=1e-5)
    assert area(right) == pytest.approx(8 * 3.4, rel=1e-5)


def test_a_loop_within_one_triangle_is_cut_out() -> None:
    flat = Mesh.of([(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(0, 1, 2)])
    inner, _ = cut(flat, [(0.5, 0.5, 0), (1.5, 0.5, 0), (1, 1.5, 0), (0.5, 0.5, 0)], (0, 0, -1))
    assert area(inner) == pytest.approx(0.5)


def test_walls_that_are_seen_from_their_edge_stay_in_one_piece() -> None:
    mesh = single(box((2, 2, 1)).mesh())
    lidded = Mesh.of(mesh.vertices, mesh.faces[mesh.face_normals()[:, 2] > -0.5])
    rim = np.array([(-1, -1, 0.5), (1, -1, 0.5), (1, 1, 0.5), (-1, 1, 0.5), (-1, -1, 0.5)])
    lid, walls = cut(lidded, rim, (0, 0, -1))
    assert area(lid) == pytest.approx(4)
    assert area(walls) == pytest.approx(8)


@settings(max_examples=40)
@given(st.lists(st.tuples(unit, unit), min_size=3, max_size=7), st.lists(st.tuples(unit, unit), min_size=1))
def test_even_and_odd_are_counted_as_by_hand(
    corners: list[tuple[float, float]], points: list[tuple[float, float]]
) -> None:
    def crossings(x: float, y: float) -> int:
        count = 0
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            count += (ay <= y) != (by <= y) and x < ax + (bx - ax) / (by - ay) * (y - ay)
        return count

    found = parity(np.array(points), np.array(corners))
    assert found.tolist() == [crossings(x, y) % 2 == 1 for x, y in points]


@pytest.mark.parametrize(
    ("path", "direction", "said"),
    [
        ([], (0, 1, 0), "has 0 points"),
        ([(0, 0, 0)], (0, 1, 0), "has 1 points"),
        ([(0, 0, 0), (0, 1, 0)], (0, 1, 0), "two points at least that lie apart"),
        ([(0, 0, 0), (0, 0, float("nan"))], (0, 1, 0), "not finite"),
        ([(0, 0, 0), (0, 0, 1)], (0, 0, 0), "is no direction"),
        ([(0, 0, 0), (0, 0, 1)], (0, float("inf"), 0), "is no direction"),
        ([(5, 0, 0), (5, 0, 1)], (0, 1, 0), "does not divide the piece"),
        ([(5, 0, 0), (6, 0, 0), (5, 0, 1), (5, 0, 0)], (0, 1, 0), "does not divide the piece"),
        ([(0, 0, 0)] * 10_001, (0, 1, 0), "has 10,001 points"),
    ],
)
@pytest.mark.parametrize("mesh", [box((1, 1, 1)).mesh(), grid(1)], ids=["closed", "open"])
def test_what_cannot_be_cut_is_refused_in_a_sentence(
    mesh: Mesh, path: list[tuple[float, float, float]], direction: tuple[float, float, float], said: str
) -> None:
    assert said in (complaint(lambda: cut(mesh, path, direction)) or "")


@pytest.mark.parametrize(
    "mesh",
    [
        Mesh.of(np.zeros((0, 3)), np.zeros((0, 3), int)),
        Mesh.of([(1, 1, 1)] * 3, [(0, 1, 2)]),
        Mesh.of([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)]),
        Mesh.of(box((1e-3, 1e-3, 1e-3), (5e3, 0, 0)).mesh().vertices, box((1, 1, 1)).mesh().faces),
    ],
    ids=["nothing", "point", "line", "far away"],
)
def test_what_is_too_small_is_refused(mesh: Mesh) -> None:
    assert "too small" in (complaint(lambda: cut(mesh, [(0, 0, 0), (0, 0, 1)], (0, 1, 0))) or "")
