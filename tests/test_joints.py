"""Joints: parts turn, slide and spin within their range, and what hangs on them goes along."""

from __future__ import annotations

import numpy as np
import pytest

from kit import complaint
from mereo.shapes.articulation import joints, posed, sliding, spinning, turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part, Shape
from mereo.shapes.physical import material_of
from mereo.shapes.plain import plain_shape, shape_of_plain
from mereo.shapes.solids import box, cylinder


def cupboard(*, opened: float = 0.0, drawn: float = 0.0) -> Shape:
    """A case with a door, hinged on its left edge, that carries a knob which spins; and a drawer."""
    knob = spinning(leaf("knob", cylinder(0.02, 0.03, (0.2, -0.3, 0.5)), "metal"), (0, 0, 1), (0.2, -0.3, 0))
    door = part("door", leaf("panel", box((0.6, 0.02, 0.9), (0, -0.25, 0.5))), knob)
    drawer = part("drawer", leaf("front", box((0.6, 0.5, 0.1), (0, 0, 0.05))))
    root = part(
        "cupboard",
        leaf("case", box((0.6, 0.4, 0.9), (0, 0, 0.55))),
        turning(door, (0, 0, -2), (-0.3, -0.25, 0), (0, 110), stands=opened),
        sliding(drawer, (0, -1, 0), (0, 0.4), stands=drawn),
    )
    return Shape.of("cupboard", root, name="cupboard-1")


def corners(shape: Shape) -> Floats:
    return shape.mesh().vertices


def named(shape: Shape, name: str) -> Part:
    return next(part for part in shape.parts() if part.name == name)


def test_a_hinge_turns_by_the_right_hand_about_its_axis() -> None:
    """About -z, with its hinges on the left, a door opens towards the viewer."""
    door = named(posed(cupboard(), {named(cupboard(), "door").id: 90.0}), "panel")
    assert door.mesh is not None
    low, high = door.mesh.bounds()
    assert low == pytest.approx((-0.31, -0.85, 0.05))
    assert high == pytest.approx((-0.29, -0.25, 0.95))


def test_what_is_left_open_can_be_shut() -> None:
    shut, ajar = cupboard(), cupboard(opened=70.0, drawn=0.2)
    back = {named(ajar, "door").id: 0.0, named(ajar, "drawer").id: 0.0}
    assert not np.allclose(corners(ajar), corners(shut))
    assert corners(posed(ajar, back)) == pytest.approx(corners(shut), abs=1e-12)
    assert [joint.at for joint in joints(ajar).values()] == [70.0, 0.0, 0.2]
    for one, other in zip(joints(shut).values(), joints(posed(ajar, back)).values(), strict=True):
        assert one.origin == pytest.approx(other.origin)


def test_what_hangs_on_a_part_goes_along_with_its_own_joint() -> None:
    shape = cupboard()
    door, knob = named(shape, "door").id, named(shape, "knob").id
    open_ = posed(shape, {door: 90.0})
    joint = joints(open_)[knob]
    assert joint.origin == pytest.approx((-0.35, -0.75, 0.0))
    both = posed(open_, {knob: 180.0})
    assert corners(both) == pytest.approx(corners(posed(shape, {door: 90.0, knob: 180.0})), abs=1e-12)
    middle = named(both, "knob").pieces[0].mean(0)
    assert middle[:2] == pytest.approx((-0.35, -0.75))


def test_pieces_move_with_the_mesh() -> None:
    shape = posed(cupboard(), {named(cupboard(), "door").id: 40.0})
    panel = named(shape, "panel")
    assert panel.mesh is not None
    assert panel.pieces[0].min(0) == pytest.approx(panel.mesh.bounds()[0])


def test_the_stock_keeps_joints_and_materials() -> None:
    shape = cupboard(opened=30.0)
    again = shape_of_plain(plain_shape(shape))
    assert joints(again) == joints(shape)
    assert material_of(named(again, "knob")).name == "metal"
    assert corners(again).tobytes() == corners(shape).tobytes()


@pytest.mark.parametrize(
    ("number", "value", "sentence"),
    [
        ("door", 120.0, "cannot be at 120 degrees: it goes from 0 to 110"),
        ("drawer", -0.1, "cannot be at -0.1 m: it goes from 0 to 0.4"),
        ("case", 1.0, "has no joint (the parts that have one: 2, 4, 5)"),
    ],
)
def test_what_cannot_be_is_refused(number: str, value: float, sentence: str) -> None:
    shape = cupboard()
    assert sentence in (complaint(lambda: posed(shape, {named(shape, number).id: value})) or "")


def test_spinning_has_no_end() -> None:
    shape = cupboard()
    knob = named(shape, "knob").id
    assert corners(posed(shape, {knob: 720.0})) == pytest.approx(corners(shape), abs=1e-12)
