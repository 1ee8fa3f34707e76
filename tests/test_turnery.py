"""Vessels are hollow, what fills them stays within their walls, and what closes them moves."""

from __future__ import annotations

import numpy as np
import pytest
from manifold3d import Manifold

from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.part import Shape
from mereo.shapes.slivers import _flipped
from mereo.shapes.solids import Solid, box
from mereo.shapes.turnery import Vessel, formed, hoop, solid_of

CUP = [(0.03, 0.0), (0.035, 0.0), (0.04, 0.02), (0.042, 0.1)]


def holds(solid: Solid, point: tuple[float, float, float]) -> bool:
    """Whether a point lies in one of the convex pieces."""
    probe = box((1e-4, 1e-4, 1e-4), point).body
    return any((Manifold.hull_points(np.ascontiguousarray(piece)) ^ probe).volume() > 0 for piece in solid.pieces)


@pytest.mark.parametrize("form", ["round", "square", "octagonal", "lobed"])
def test_a_vessel_is_hollow_to_physics_and_has_a_floor_and_walls(form: str) -> None:
    cup = Vessel(CUP, 0.004, 0.006, formed(form)).solid()
    assert not any(holds(cup, (0.0, 0.0, z)) for z in (0.02, 0.05, 0.09))
    assert holds(cup, (0.0, 0.0, 0.003))
    wall = 0.0417 * float(formed(form)(np.zeros(1))[0]) - 0.002
    assert holds(cup, (wall, 0.0, 0.09))


@pytest.mark.parametrize("form", ["round", "square", "octagonal", "lobed"])
def test_what_fills_a_vessel_touches_only_its_floor(form: str) -> None:
    cup = Vessel(CUP, 0.004, 0.006, formed(form))
    drink = cup.filling(0.08)
    shared = cup.solid().body ^ drink.body
    assert 0 < shared.volume() < 0.02 * drink.body.volume()
    assert shared.bounding_box()[5] == pytest.approx(0.006, abs=1e-6)
    assert drink.bounds()[1, 2] == pytest.approx(0.08)


def test_a_vessel_weighs_what_its_walls_do() -> None:
    """A straight one against the two cylinders it is made of."""
    body = Vessel([(0.05, 0.0), (0.05, 0.2)], 0.005, 0.01, segments=200).solid().mesh()
    lip = 2 * np.pi * 0.0475 * 0.005 * (0.35 * 0.005) / 2
    assert body.volume() == pytest.approx(np.pi * (0.05**2 * 0.2 - 0.045**2 * 0.19) + lip, rel=0.02)


def test_a_hoop_is_open_at_both_ends() -> None:
    band = hoop([(0.1, 0.0), (0.1, 0.05)], 0.01)
    assert not holds(band, (0.0, 0.0, 0.025))
    assert holds(band, (0.095, 0.0, 0.025))
    assert band.mesh().is_watertight()


def test_dented_ends_are_closed() -> None:
    star = solid_of([(0.1, 0.0), (0.1, 0.1)], form=formed("lobed"))
    assert star.mesh().is_watertight()
    assert star.mesh().volume() == pytest.approx(0.1 * np.pi * 0.1**2 * (1 + 0.09**2 / 2), rel=0.02)


def test_slivers_whose_corners_lie_on_a_line_are_drawn_the_other_way() -> None:
    """A tetrahedron with a fifth corner in the middle of an edge, which only one of the two faces there knows of."""
    corners = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 0, 0)]
    mesh = Mesh.of(corners, [(0, 2, 4), (4, 2, 1), (0, 4, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    assert mesh.is_watertight()
    assert mesh.face_heights().min() == 0
    mended = _flipped(mesh)
    assert mended.is_watertight()
    assert mended.face_heights().min() > 0.5
    assert mended.volume() == pytest.approx(mesh.volume())


@pytest.mark.parametrize(
    ("category", "label", "kind"),
    [
        ("bottle", "bottle/normal_bottle/lid", "slide"),
        ("vase", "pot/body/lid", "slide"),
        ("trash_can", "trash_can/cover/cover_lid", "hinge"),
        ("trash_can", "trash_can/cover/cover_support", "hinge"),
        ("trash_can", "trash_can/base/foot", "spin"),
        ("pot", "cooking_pot/lid", "slide"),
        ("thermos", "thermos/button", "slide"),
        ("soda_can", "soda_can/tab", "hinge"),
    ],
)
def test_what_moves_in_life_has_a_joint(category: str, label: str, kind: str) -> None:
    assert any(has(make_shape(category, seed=3, family=family), label, kind) for family in range(60))


def has(shape: Shape, label: str, kind: str) -> bool:
    return any(part.label == label and part.joint is not None and part.joint.kind == kind for part in shape.parts())


def test_lids_open_upwards() -> None:
    """Of pedal bins and wheelie bins; shut, they lie on the rim."""
    opened = 0
    for family in range(25):
        can = make_shape("trash_can", seed=3, family=family)
        lids = [part for part in can.parts() if part.name == "cover_lid" and part.joint and part.joint.high == 110.0]
        for lid in lids:
            shut, wide = (top(posed(can, {lid.id: value}), lid.id) for value in (0.0, 80.0))
            assert wide[2] > shut[2] + 0.05
            opened += 1
    assert opened > 3
    assert joints(make_shape("soda_can", seed=3))


def top(shape: Shape, number: int) -> Floats:
    """The highest corner of the box around a part."""
    part = next(part for part in shape.parts() if part.id == number)
    assert part.mesh is not None
    highest: Floats = part.mesh.bounds()[1]
    return highest
