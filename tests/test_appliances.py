"""Machines of the house: what opens does so before them, what is shut fits, and keys lie side by side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from mereo.shapes.appliances import cabinet, soft
from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import make_shape
from mereo.shapes.joint import Joint
from mereo.shapes.keys import keys_of
from mereo.shapes.outlines import rectangle
from mereo.shapes.part import Part, Shape

SEED = 31


def machines(category: str, count: int = 16) -> Iterator[Shape]:
    """Shapes of different families with all that moves at rest."""
    for family in range(count):
        shape = make_shape(category, seed=SEED, family=family)
        yield posed(shape, {number: 0.0 for number, joint in joints(shape).items() if joint.kind != "spin"})


def moving(shape: Shape, name: str) -> dict[int, Joint]:
    """The joints of the parts of a name."""
    return {part.id: part.joint for part in shape.parts() if part.name == name and part.joint is not None}


def front(shape: Shape) -> float:
    return float(shape.bounds()[0, 1])


@pytest.mark.parametrize("category", ["dishwasher", "microwave"])
def test_doors_open_towards_the_viewer_and_stay_above_the_ground(category: str) -> None:
    for shape in machines(category):
        doors = moving(shape, "door")
        assert doors
        opened = posed(shape, {number: joint.high for number, joint in doors.items()})
        assert front(opened) < front(shape) - 0.15
        assert opened.bounds()[0, 2] > -1e-6


def test_racks_slide_out_of_an_open_dishwasher() -> None:
    """They are leaves of the frame, since PartNet has no name for them."""
    racked = [shape for shape in machines("dishwasher") if shape.facts["choices"]["kind"] != "drawers"]
    for shape in racked:
        racks = [joint for joint in moving(shape, "frame").values() if joint.kind == "slide"]
        assert len(racks) == (1 if shape.facts["choices"]["kind"] == "counter" else 2)
        assert all(joint.axis == (0, -1, 0) for joint in racks)


def test_a_shut_laptop_is_flat_and_its_sides_do_not_meet() -> None:
    for shape in machines("laptop"):
        screen, base = shape.root.children
        hinge = screen.joint
        assert hinge is not None
        assert hinge.kind == "hinge"
        assert np.ptp(shape.bounds()[:, 2]) < 0.3 * np.ptp(shape.bounds()[:, 1])
        keys = next(part for part in base.children if part.name == "keyboard")
        assert height(keys)[1] < height(screen)[0]
        assert np.ptp(posed(shape, {screen.id: 110.0}).bounds()[:, 2]) > 0.1


def height(part: Part) -> tuple[float, float]:
    """The lowest and the highest point of a part."""
    zs = np.concatenate([leaf.mesh.vertices[:, 2] for leaf in part.leaves() if leaf.mesh is not None])
    return float(zs.min()), float(zs.max())


def test_hands_of_clocks_turn_clockwise_for_the_viewer() -> None:
    """About an axis that points away from the viewer, who stands at -y."""
    seen = 0
    for shape in machines("clock", 24):
        hands = [joint for joint in joints(shape).values() if joint.kind == "spin"]
        assert all(joint.axis == pytest.approx((0, 1, 0)) for joint in hands)
        digital = shape.facts["choices"]["kind"] == "digital"
        assert len(hands) == 0 if digital else len(hands) in (2, 3)
        seen += bool(hands)
    assert seen > 10


def test_a_pendulum_swings_within_its_case() -> None:
    tall = [shape for shape in machines("clock", 40) if moving(shape, "pendulum_body")]
    assert tall
    for shape in tall:
        number = next(iter(moving(shape, "pendulum_body")))
        for side in (-4.0, 4.0):
            assert posed(shape, {number: side}).bounds() == pytest.approx(shape.bounds())


def test_every_key_of_a_keyboard_can_be_pressed() -> None:
    for shape in machines("keyboard", 6):
        keys = [part for part in shape.parts() if part.name == "key"]
        assert 50 <= len(keys) <= 110
        assert all(key.joint is not None and key.joint.axis[2] < -0.9 for key in keys)


@pytest.mark.parametrize("layout", ["full", "media", "tenkeyless", "compact", "column", "laptop", "wide_laptop"])
def test_keys_lie_side_by_side(layout: str) -> None:
    keys, (across, away) = keys_of(layout)
    for one, other in combinations(keys, 2):
        beside = abs(one.x - other.x) >= (one.width + other.width) / 2 - 1e-9
        assert beside or abs(one.y - other.y) >= 1 - 1e-9
    assert max(abs(key.x) + key.width / 2 for key in keys) == pytest.approx(across / 2)
    assert max(abs(key.y) + 0.5 for key in keys) == pytest.approx(away / 2)


@pytest.mark.parametrize(("category", "name"), [("kettle", "lid"), ("toaster", "lever"), ("blender", "jar")])
def test_lids_levers_and_jars_move(category: str, name: str) -> None:
    for shape in machines(category, 8):
        assert moving(shape, name)


def test_a_cabinet_is_hollow_behind_its_opening() -> None:
    case = cabinet((-0.3, 0.3), 0.5, (0.0, 0.8), ((-0.25, 0.25), (0.1, 0.7)), 0.4, corner=0.0)
    assert case.body.volume() == pytest.approx(0.6 * 0.5 * 0.8 - 0.5 * 0.4 * 0.6)
    inside = np.array([0.0, 0.2, 0.4])
    assert not any((piece.min(0) < inside).all() and (inside < piece.max(0)).all() for piece in case.pieces)


def test_a_soft_block_is_round_above_and_keeps_its_size() -> None:
    """Also where the rounding uses up the corners of its outline."""
    block = soft(rectangle(0.2, 0.1, corner=0.004), 0.05, 0.004)
    assert np.ptp(block.bounds(), axis=0) == pytest.approx((0.2, 0.1, 0.05))
    assert block.mesh().face_heights().min() > 1e-6
    assert block.body.volume() < 0.2 * 0.1 * 0.05
