"""What grew, was kneaded or blown: organic solids, and the things of a kitchen that are made of them."""

from __future__ import annotations

import numpy as np
import pytest
from manifold3d import Manifold, OpType

from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import make_shape
from mereo.shapes.grammars.kitchen.making import smooth, vessel
from mereo.shapes.organic import blade, blob, cut, level_ring
from mereo.shapes.part import Part, Shape
from mereo.shapes.physical import all_materials
from mereo.shapes.skins import loft
from mereo.shapes.solids import Solid, sphere, tube

SPINDLE = np.array([(0.2, 0.0), (1.0, 0.5), (0.2, 1.0)])


def filled(solid: Solid) -> float:
    """The volume of all convex pieces together."""
    bodies = [Manifold.hull_points(np.ascontiguousarray(piece)) for piece in solid.pieces]
    return float(Manifold.batch_boolean(bodies, OpType.Add).volume())


def found(category: str, **wanted: object) -> Shape:
    """The first shape of a category with these choices."""
    shapes = (make_shape(category, seed=4, family=k) for k in range(300))
    return next(shape for shape in shapes if wanted.items() <= dict(shape.facts["choices"]).items())


def named(shape: Shape, name: str) -> Part:
    return next(part for part in shape.parts() if part.name == name)


def test_a_tube_is_as_thick_as_it_is_told_to_be_at_each_point() -> None:
    cone = tube([(0, 0, 0), (0, 0, 1), (0, 0, 2)], np.array([0.1, 0.3, 0.2]), segments=64).mesh()
    for z, radius in ((0, 0.1), (1, 0.3), (2, 0.2)):
        at = cone.vertices[np.abs(cone.vertices[:, 2] - z) < 1e-9]
        assert np.linalg.norm(at[:, :2], axis=1) == pytest.approx(radius)


def test_a_ripple_moves_the_skin_of_a_blob_in_and_out() -> None:
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    radii = np.linalg.norm(
        blob(SPINDLE, ripple=1 + 0.25 * np.cos(4 * turns), segments=40).mesh().vertices[:, :2], axis=1
    )
    assert (radii.min(), radii.max()) == pytest.approx((0.15, 1.25))


def test_a_ring_is_an_ellipse_or_nearly_a_rectangle() -> None:
    round, square = (level_ring(4, 2, 0.5, squareness=power, segments=400) for power in (2.0, 20.0))
    assert np.hypot(round[:, 0] / 2, round[:, 1]) == pytest.approx(1.0)
    assert (np.maximum(np.abs(square[:, 0]) / 2, np.abs(square[:, 1])) > 0.95).all()


def test_the_two_sides_of_a_cut_make_the_whole() -> None:
    ball = sphere(1.0).turned(x=11, y=7)
    one, other = cut(ball, (1, 2, 0), 0.3), cut(ball, (-1, -2, 0), -0.3)
    assert one.mesh().volume() + other.mesh().volume() == pytest.approx(ball.mesh().volume())
    assert filled(one) == pytest.approx(one.mesh().volume(), rel=1e-3)
    assert (one.mesh().vertices @ (np.array([1, 2, 0]) / np.sqrt(5)) > 0.3 - 1e-9).all()


def test_a_leaf_rises_and_droops_as_it_is_told() -> None:
    stiff, limp = (blade(1.0, 0.2, rise=80, droop=droop).bounds() for droop in (0, 170))
    assert stiff[1, 2] == pytest.approx(np.sin(np.radians(80)), abs=0.05)
    assert limp[1, 2] < 0.6 < limp[1, 0]


@pytest.mark.parametrize("squareness", [2.0, 8.0])
def test_vessels_are_hollow_also_to_what_falls_into_them(squareness: float) -> None:
    pot = vessel(smooth([(0.7, 0), (0.8, 0.1), (1, 1)], 0.1, 0.15), 0.005, squareness=squareness)
    around = loft([level_ring(0.2, 0.2, z, squareness=squareness) for z in (0.0, 0.15)])
    assert 0 < pot.mesh().volume() < 0.25 * around.mesh().volume()
    assert filled(pot) < 0.35 * around.mesh().volume()
    floor = Manifold.hull_points(np.ascontiguousarray(pot.pieces[0])).volume()
    assert floor == pytest.approx(0.14**2 * 0.005 * (np.pi / 4 if squareness == 2 else 1), rel=0.35)


def test_a_book_opens_flat_on_the_table_and_shuts_again() -> None:
    lying = found("book", state="shut", kind="hard")
    binding, front = named(lying, "binding").id, named(lying, "front").id
    opened = posed(lying, {binding: 90, front: 90})
    cover = named(opened, "front").children[0].mesh
    back = named(opened, "back").children[0].mesh
    assert cover is not None
    assert back is not None
    assert cover.bounds()[:, 2] == pytest.approx(back.bounds()[:, 2], abs=1e-6)
    assert cover.bounds()[1, 0] < back.bounds()[0, 0]
    assert posed(opened, {binding: 0, front: 0}).bounds() == pytest.approx(lying.bounds(), abs=1e-9)


def test_an_open_book_can_be_shut() -> None:
    book = found("book", state="open", kind="hard")
    shut = posed(book, dict.fromkeys(joints(book), 0.0))
    assert np.ptp(shut.bounds()[:, 0]) < 0.55 * np.ptp(book.bounds()[:, 0])


def test_a_frame_stands_on_its_lower_edge_and_its_strut() -> None:
    frame = found("picture_frame", kind="flat")
    stand = named(frame, "stand").mesh
    edge = min(leaf.mesh.bounds()[0, 2] for leaf in frame.leaves() if leaf.mesh and leaf.name == "frame_horizontal_bar")
    assert stand is not None
    assert stand.bounds()[0, 2] == pytest.approx(edge, abs=0.004)
    assert stand.bounds()[1, 1] == pytest.approx(frame.bounds()[1, 1])


def test_knives_are_drawn_out_of_their_block() -> None:
    block = found("knife_block", kind="slanted")
    top = block.bounds()[1, 2]
    for number, joint in joints(block).items():
        knife = next(part for part in posed(block, {number: joint.high}).parts() if part.id == number)
        assert min(leaf.mesh.bounds()[0, 2] for leaf in knife.leaves() if leaf.mesh) > 0.4 * top


@pytest.mark.parametrize("category", ["apple", "bread_loaf", "cake", "candle", "egg", "potted_plant"])
def test_every_part_of_what_we_eat_and_grow_says_what_it_is_made_of(category: str) -> None:
    for family in range(5):
        assert {leaf.material for leaf in make_shape(category, seed=1, family=family).leaves()} <= set(all_materials())
