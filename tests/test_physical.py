"""Weights and collision pieces: as the formulas of schoolbooks and another library have them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold

from kit import complaint
from mereo.chance import generator
from mereo.shapes.grammar import leaf, make_shape, part
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.part import Part, Shape
from mereo.shapes.physical import all_materials, collision_pieces, mass_of, material_of
from mereo.shapes.points import sample_mesh
from mereo.shapes.solids import Solid, bar, box, cylinder, lathe, ring, sphere, tube, union
from mereo.shapes.template import all_templates

RUBBER = all_materials()["rubber"].density
"""Rubber bodies are solid, which makes sums easy."""


def one_body(solid: Solid) -> Shape:
    return Shape.of("thing", leaf("thing", solid))


def in_rubber(shape: Shape) -> dict[int, str]:
    return {leaf.id: "rubber" for leaf in shape.leaves()}


def test_a_box_weighs_what_its_sides_say() -> None:
    shape = one_body(box((0.2, 0.3, 0.5), (1.0, -2.0, 3.0)))
    mass, center, inertia = mass_of(shape, in_rubber(shape))
    assert mass == pytest.approx(RUBBER * 0.2 * 0.3 * 0.5)
    assert np.allclose(center, (1, -2, 3))
    squares = np.array([0.3**2 + 0.5**2, 0.2**2 + 0.5**2, 0.2**2 + 0.3**2])
    assert np.allclose(inertia, np.diag(mass * squares / 12))


def test_a_cylinder_weighs_what_its_radius_says() -> None:
    radius, height, sides = 0.3, 0.8, 28
    shape = one_body(cylinder(radius, height, (0.5, 0.0, 0.1)))
    mass, center, inertia = mass_of(shape, in_rubber(shape))
    polygon = sides * radius**2 * math.sin(2 * math.pi / sides) / 2
    assert mass == pytest.approx(RUBBER * polygon * height)
    assert np.allclose(center, (0.5, 0.0, 0.5))
    assert inertia[2, 2] == pytest.approx(mass * radius**2 / 2, rel=0.02)


SOLIDS: dict[str, Callable[[], Solid]] = {
    "ball": lambda: sphere(0.4, (3, 2, 1)),
    "vase": lambda: lathe([(0.1, 0), (0.2, 0.1), (0.05, 0.4), (0.1, 0.5)]).turned(x=30, y=20).at(1, 1, 1),
    "ring": lambda: ring(0.3, 0.06, (0, 0, 1)),
    "bent rod": lambda: tube([(0, 0, 0), (0.4, 0, 0), (0.4, 0.4, 0.3)], 0.03),
    "drilled block": lambda: box((0.4, 0.4, 0.4)).minus(cylinder(0.1, 1, (0.1, 0, -0.5))),
    "cross": lambda: union(box((1, 0.1, 0.1)), box((0.1, 0.7, 0.1))),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_bodies_weigh_the_same_in_trimesh(name: str) -> None:
    shape = one_body(SOLIDS[name]())
    mass, center, inertia = mass_of(shape, in_rubber(shape))
    mesh = shape.mesh()
    other = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    assert mass == pytest.approx(RUBBER * other.volume)
    assert mesh.volume() == pytest.approx(other.volume)
    assert np.allclose(center, other.center_mass)
    assert np.allclose(mesh.center_of_mass(), other.center_mass)
    assert np.allclose(inertia, RUBBER * other.moment_inertia, rtol=1e-6, atol=1e-9 * mass)


def test_a_shape_weighs_as_its_leaves_together() -> None:
    """Two halves of a block, one of them far lighter, against the lever rule; whole, against the block."""
    halves = [box((0.5, 1, 1), (x, 0, 0.5)) for x in (-0.25, 0.25)]
    shape = Shape.of("thing", part("thing", [leaf("half", half) for half in halves]))
    left, right = (each.id for each in shape.leaves())
    whole = mass_of(shape, {left: "rubber", right: "rubber"})
    block = one_body(box((1, 1, 1), (0, 0, 0.5)))
    same = mass_of(block, in_rubber(block))
    assert whole.mass == pytest.approx(same.mass)
    assert np.allclose(whole.center, same.center)
    assert np.allclose(whole.inertia, same.inertia)
    light = all_materials()["foam"].density
    uneven = mass_of(shape, {left: "rubber", right: "foam"})
    assert uneven.center[0] == pytest.approx(0.25 * (light - RUBBER) / (light + RUBBER))


def test_thick_bodies_are_hollow_and_thin_ones_solid() -> None:
    wood = all_materials()["wood"]
    block, plank = box((1, 1, 1)), box((1, 0.2, 0.02))
    walls = mass_of(one_body(block), {0: "wood"}).mass
    assert walls == pytest.approx(wood.density * wood.wall * 6)
    assert mass_of(one_body(plank), {0: "wood"}).mass == pytest.approx(wood.density * 1 * 0.2 * 0.02)
    assert mass_of(one_body(block), {0: "foam"}).mass == pytest.approx(all_materials()["foam"].density)


def test_a_body_turned_inside_out_is_refused() -> None:
    mesh = box((1, 1, 1)).mesh()
    shape = Shape.of("thing", Part("thing", mesh=Mesh.of(mesh.vertices, mesh.faces[:, ::-1])))
    assert "part 0 (thing): encloses no volume" in (complaint(lambda: mass_of(shape)) or "")


def test_an_unknown_material_is_named() -> None:
    shape = one_body(box((1, 1, 1)))
    assert "no material 'rubbber' (did you mean 'rubber'?)" in (complaint(lambda: mass_of(shape, {0: "rubbber"})) or "")


def test_every_label_has_a_material() -> None:
    mesh = box((0.1, 0.1, 0.1)).mesh()
    for template in all_templates().values():
        for label in template.labels:
            assert material_of(Part("", mesh=mesh, label=label)).name in all_materials()


def test_mattresses_are_soft_and_wheels_grip() -> None:
    mesh = box((0.5, 0.5, 0.12)).mesh()
    labels = {
        "bed/bed_unit/bed_sleep_area/mattress": "foam",
        "chair/chair_base/star_leg_base/star_leg_set/caster/wheel": "rubber",
        "chair/chair_seat/seat_surface/seat_single_surface": "foam",
        "chair/chair_base/regular_leg_base/leg": "wood",
        "refrigerator/body/door/door_frame": "metal",
    }
    assert {label: material_of(Part("", mesh=mesh, label=label)).name for label in labels} == labels
    board = box((0.4, 0.4, 0.03)).mesh()
    assert material_of(Part("", mesh=board, label="chair/chair_seat/seat_surface/seat_single_surface")).name == "wood"


def test_a_chair_has_about_twenty_pieces() -> None:
    shapes = [make_shape("chair", seed=9, family=family) for family in range(30)]
    counts = [len(collision_pieces(shape)) for shape in shapes]
    assert 10 < np.mean(counts) < 25
    assert max(counts) < 60


@pytest.mark.parametrize("most", [1, 3, 6])
@pytest.mark.parametrize("corners", [8, 32])
def test_pieces_are_few_and_small_and_none_is_lost(most: int, corners: int) -> None:
    for family in range(12):
        shape = make_shape("chair", seed=10, family=family)
        pieces = collision_pieces(shape, most=most, corners=corners)
        per_leaf = np.bincount([piece.leaf for piece in pieces], minlength=len(shape.leaves()))
        assert per_leaf.min() >= 1
        assert per_leaf.max() <= most
        assert all(4 <= len(piece.corners) <= corners for piece in pieces)


def outside(points: Floats, corners: Floats) -> Floats:
    """How far points lie outside a convex body, at least: by all planes through its hull's triangles."""
    mesh = Manifold.hull_points(corners).to_mesh64()
    hull = trimesh.Trimesh(mesh.vert_properties[:, :3], mesh.tri_verts, process=False)
    heights = (points[:, None] - hull.triangles[None, :, 0]) * hull.face_normals[None]
    return np.asarray(heights.sum(-1).max(1))


@pytest.mark.parametrize("family", range(12))
def test_pieces_cover_the_surface(family: int) -> None:
    """Every point of the surface lies in a piece of its leaf, but for a hundredth of the leaf's size or so."""
    shape = make_shape("chair", seed=11, family=family)
    pieces = collision_pieces(shape)
    for place, each in enumerate(shape.leaves()):
        assert each.mesh is not None
        points = sample_mesh(each.mesh, 60, generator(place)).points
        away = np.min([outside(points, piece.corners) for piece in pieces if piece.leaf == place], axis=0)
        assert away.max() < 0.012 * np.linalg.norm(np.ptp(each.mesh.vertices, axis=0))


def test_pieces_stand_where_the_shape_stands() -> None:
    for family in range(30):
        shape = make_shape("chair", seed=12, family=family)
        assert min(piece.corners[:, 2].min() for piece in collision_pieces(shape)) == pytest.approx(0, abs=1e-6)


def test_joining_pieces_follows_the_body() -> None:
    """A square frame is cut into strips by its maker; what is left are its four sides, not a filled square."""
    along = [box((1, 0.05, 0.05), (0, y, 0)) for y in (-0.5, 0.5)]
    across = [box((0.05, 1, 0.05), (x, 0, 0)) for x in (-0.5, 0.5)]
    strips = [bar((a, y, 0), (a + 0.25, y, 0), 0.05) for y in (-0.5, 0.5) for a in (-0.5, -0.25, 0, 0.25)]
    pieces = tuple(piece for solid in (*strips, *across) for piece in solid.pieces)
    frame = one_body(Solid(union(*along, *across).body, pieces))
    found = collision_pieces(frame, most=4)
    assert len(found) == 4
    assert all(np.sort(np.ptp(piece.corners, axis=0))[:2] == pytest.approx(0.05) for piece in found)


def test_two_pieces_in_one_place_are_two() -> None:
    """Among many pieces only neighbors are joined, and a piece is not its own neighbor."""
    row = [box((0.1, 0.1, 0.1), (0.3 * k, 0, 0)) for k in range(20)]
    twice = tuple(piece for solid in (*row, row[7]) for piece in solid.pieces)
    assert 1 <= len(collision_pieces(one_body(Solid(union(*row).body, twice)), most=8)) <= 8


def test_a_leaf_without_pieces_collides_as_its_hull() -> None:
    shape = Shape.of("thing", Part("thing", mesh=ring(0.3, 0.05).mesh()))
    (piece,) = collision_pieces(shape)
    assert np.allclose(np.ptp(piece.corners, axis=0), (0.65, 0.65, 0.05), atol=0.01)


def test_no_pieces_at_all_are_refused() -> None:
    shape = one_body(box((1, 1, 1)))
    assert "at least 1 piece" in (complaint(lambda: collision_pieces(shape, most=0)) or "")
