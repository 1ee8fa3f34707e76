"""How a gripper takes hold of things: the geometry, what is in the way, the lift itself, and the questions."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from mereo.benchmarks.shop.grasp_functions import Ways, read_grasps
from mereo.benchmarks.shop.grasp_questions import grasp_questions
from mereo.benchmarks.shop.language import LANGUAGE, SHOP_VRB, shop_world
from mereo.errors import BadInput
from mereo.programs import NoValue, execute
from mereo.questions.generate import Asker
from mereo.questions.rules import Rules
from mereo.scenes.grasping import Grasp, grasp_records, grasps_in
from mereo.scenes.lifting import lifted
from mereo.scenes.observe import projected
from mereo.scenes.scene import Camera, Paint, Placed, Pose, Scene, ShapeRef, Stage
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grasps import Grasps, grasps_of
from mereo.shapes.hand import HAND
from mereo.shapes.part import Shape
from mereo.shapes.physical import mass_of
from mereo.shapes.pinches import GRIPS, pinches_of, surface_points
from mereo.shapes.solids import Solid, box

CAMERA = Camera((0.0, -1.2, 0.6), (0.0, 0.0, 0.05), 37.0)
CUBE = ShapeRef("cube")
"""Two meters wide; a scale of 0.025 makes it five centimeters."""


def ways(**solids: Solid) -> Grasps:
    """How a thing of these leaves is taken."""
    shape = Shape.of("thing", part("thing", *(leaf(name, solid) for name, solid in solids.items())))
    return grasps_of(pinches_of(shape), surface_points(shape), mass_of(shape))


def table(*things: tuple[ShapeRef, float, float, float]) -> Scene:
    """A scene of shapes: each with its scale, and where it stands."""
    paints = {"": Paint("plastic", (0.5, 0.5, 0.5))}
    objects = tuple(Placed(shape, Pose((x, y, 0.0)), scale, paints) for shape, scale, x, y in things)
    return Scene(Stage(), objects, (), CAMERA)


def only(scene: Scene, number: int = 0) -> Grasp:
    grasp = grasps_in(scene)[number]
    assert grasp is not None
    return grasp


def test_a_box_is_taken_across_its_narrow_side() -> None:
    found = ways(body=box((0.2, 0.05, 0.1), (0.0, 0.0, 0.05)))
    assert GRIPS[found.grip[0]] == "body"
    assert found.holds[0]
    assert found.width[0] == pytest.approx(0.05)
    assert np.abs(found.axes[0, 0]) == pytest.approx([0.0, 1.0, 0.0])
    assert (np.abs(found.axes[:, 0, 1]) > 0.9).all(), "no other side is narrow enough"


def test_what_is_wider_than_the_hand_opens_cannot_be_taken() -> None:
    assert not len(ways(body=box((0.2, 0.2, 0.2), (0.0, 0.0, 0.1))).width)


def test_a_handle_comes_before_a_body() -> None:
    body, handle = box((0.06, 0.06, 0.1), (0.0, 0.0, 0.05)), box((0.015, 0.02, 0.06), (0.08, 0.0, 0.06))
    found = ways(body=body, handle=handle)
    assert GRIPS[found.grip[0]] == "handle"
    assert "body" in {GRIPS[grip] for grip in ways(body=body, lid=handle).grip}, "and a lid is no place to lift by"
    assert "handle" not in {GRIPS[grip] for grip in ways(body=body, lid=handle).grip}


def test_the_hand_stays_above_the_ground_and_out_of_what_it_takes() -> None:
    body = box((0.12, 0.04, 0.03), (0.0, 0.0, 0.015))
    found = ways(body=body)
    boxes = HAND.boxes(HAND.opened(found.width))
    for point, axes, own in zip(found.point, found.axes, boxes, strict=True):
        corners = np.stack([np.where(choice, own[:, 1], own[:, 0]) for choice in np.ndindex(2, 2, 2)], 1)
        world = corners.reshape(-1, 3) @ axes + point
        assert world[:, 2].min() > 0
    assert found.axes[:, 2, 2].max() < 0.1, "nor does it come from below"


def test_weight_far_from_the_hand_is_too_much_for_it() -> None:
    anvil = box((0.3, 0.3, 0.3), (0.45, 0.0, 0.15))
    found = ways(body=anvil, handle=box((0.3, 0.02, 0.02), (0.16, 0.0, 0.15)))
    assert len(found.width)
    assert not found.holds.any()


def test_a_neighbor_at_the_fingers_place_is_in_the_way_and_one_far_off_is_not() -> None:
    near = only(table((CUBE, 0.025, 0.0, 0.0), (CUBE, 0.2, 0.226, 0.0), (CUBE, 0.2, -0.226, 0.0)))
    free = only(table((CUBE, 0.025, 0.0, 0.0), (CUBE, 0.2, 0.7, 0.0)))
    walled = [(CUBE, 0.2, x, y) for x, y in ((0.226, 0.0), (-0.226, 0.0), (0.0, 0.226), (0.0, -0.226))]
    shut_in = only(table((CUBE, 0.025, 0.0, 0.0), *walled))
    assert free.free
    assert free.blockers == ()
    assert set(near.blockers) <= {1, 2}
    assert not shut_in.free
    assert set() < set(shut_in.blockers) <= {1, 2, 3, 4}


def test_a_grasp_is_told_as_the_camera_sees_it() -> None:
    scene = table((CUBE, 0.025, 0.1, 0.05))
    grasp = only(scene)
    (told,) = grasp_records(scene)
    assert told is not None
    x, y, depth = told["point"]
    scale = CAMERA.width / 2 / np.tan(np.radians(CAMERA.field) / 2)
    seen = [CAMERA.width / 2 + scale * x / depth, CAMERA.height / 2 + scale * y / depth, depth]
    assert seen == pytest.approx(projected(scene, [grasp.point])[0], abs=0.05)
    assert np.dot(told["approach"], told["closing"]) == pytest.approx(0.0, abs=1e-4)
    assert told["approach"][1] > 0, "from above is down in the picture"
    assert json.loads(json.dumps(told)) == told


def test_the_gripper_lifts_a_small_cube_and_not_one_that_it_misses() -> None:
    scene = table((CUBE, 0.025, 0.0, 0.0), (CUBE, 0.025, 0.25, 0.0))
    good = only(scene)
    assert lifted(scene, 0, good).succeeded
    astray = Grasp(good.grip, (0.0, 0.2, 0.02), good.approach, good.closing, good.width, holds=True)
    missed = lifted(scene, 0, astray)
    assert not missed.succeeded
    assert missed.raised < 0.01


def test_the_gripper_pushes_what_is_in_its_way() -> None:
    scene = table((CUBE, 0.025, 0.0, 0.0), (CUBE, 0.025, 0.058, 0.0))
    across = Grasp("body", (0.0, 0.0, 0.02), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), 0.05, holds=True, blockers=(1,))
    assert lifted(scene, 0, across).disturbed


def looks(name: str, color: str, **more: Any) -> dict[str, Any]:
    """An object's record."""
    plain = {"size": "small", "weight": "light", "material": "metal", "movability": "portable", "shape": "cylindrical"}
    return {"name": name, "color": color, "3d_coords": [0.0, 0.0, 0.0], **plain, **more}


def grasp(grip: str, *blockers: int, holds: bool = True) -> dict[str, Any]:
    """An object's grasp as a record has it."""
    vectors = {"point": [0.0, 0.0, 1.0], "approach": [0.0, 1.0, 0.0], "closing": [1.0, 0.0, 0.0]}
    free = holds and not blockers
    return {"grip": grip, **vectors, "width": 0.02, "holds": holds, "free": free, "blockers": list(blockers)}


OBJECTS = [
    looks("mug", "red", grasp=grasp("handle", 1)),
    looks("kettle", "blue", grasp=grasp("handle")),
    looks("pan", "black", grasp=grasp("handle", holds=False)),
    looks("bowl", "white", grasp=grasp("rim", 0, 1)),
    looks("toaster", "metallic"),
]


def record(objects: list[dict[str, Any]]) -> dict[str, Any]:
    empty: list[list[int]] = [[] for _ in objects]
    return {"objects": objects, "relationships": dict.fromkeys(("left", "right", "behind", "front"), empty)}


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("query_grip(unique(filter_name[bowl](scene())))", "rim"),
        ("query_reach(unique(filter_name[pan](scene())))", "too heavy"),
        ("count(filter_reach[free](scene()))", 1),
        ("graspable(unique(filter_name[kettle](scene())))", True),
        ("graspable(unique(filter_name[toaster](scene())))", False),
        ("query_name(unique(blockers(unique(filter_name[mug](scene())))))", "kettle"),
        ("count(blockers(unique(filter_name[bowl](scene()))))", 2),
        ("hinders(unique(filter_name[mug](scene())), unique(filter_name[bowl](scene())))", True),
        ("hinders(unique(filter_name[bowl](scene())), unique(filter_name[mug](scene())))", False),
        ("count(unhindered_by(unique(filter_name[kettle](scene()))))", 0),
        ("count(filter_grip[handle](unhindered_by(unique(filter_name[bowl](scene())))))", 2),
        ("count(unhindered_by(unique(filter_name[mug](scene()))))", 1),
    ],
)
def test_programs_about_grasps_say_what_the_record_says(program: str, answer: Any) -> None:
    assert execute(program, shop_world(record(OBJECTS)), LANGUAGE).values[-1] == answer


def test_what_no_hand_can_take_has_nothing_in_its_way() -> None:
    with pytest.raises(NoValue):
        execute("blockers(unique(filter_name[toaster](scene())))", shop_world(record(OBJECTS)), LANGUAGE)


def test_a_record_without_grasps_is_one_of_shop_vrb() -> None:
    plain = [{key: value for key, value in thing.items() if key != "grasp"} for thing in OBJECTS]
    world = shop_world(record(plain))
    assert "grip" not in world.vocabulary.attributes
    assert execute("count(filter_material[metal](scene()))", world, SHOP_VRB).values[-1] == 5
    assert execute("count(filter_material[metal](scene()))", shop_world(record(OBJECTS)), SHOP_VRB).values[-1] == 5


def test_where_nothing_can_be_taken_little_is_asked_and_nothing_fails() -> None:
    objects = [looks("toaster", "metallic", grasp=None), looks("blender", "red", grasp=None)]
    asked = Asker(grasp_questions(), LANGUAGE, Rules(balanced=False)).ask(
        shop_world(record(objects)), 10, chance=random.Random(0)
    )
    assert not any(question.answer for question in asked)


def test_what_is_in_the_way_goes_with_a_world_that_is_made_anew() -> None:
    ways = Ways.of(read_grasps(OBJECTS)).kept([3, 1])
    assert ways == Ways((0b10, 0), 0b11)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"blockers": [7], "free": False}, "there is no other object 7"),
        ({"blockers": [0], "free": False}, "there is no other object 0"),
        ({"blockers": [1]}, "is free although something hinders it"),
        ({"width": "wide"}, "grasp.width"),
        ({"grip": "nose"}, "nose"),
    ],
)
def test_a_grasp_that_cannot_be_is_refused(change: dict[str, Any], said: str) -> None:
    objects = [looks("mug", "red", grasp=grasp("handle") | change), *OBJECTS[1:]]
    with pytest.raises(BadInput, match=said):
        shop_world(record(objects))


def test_the_words_for_grips_are_those_of_the_geometry() -> None:
    assert LANGUAGE.vocabulary.words("grip") == GRIPS


def test_all_ten_templates_are_asked_and_answered() -> None:
    questions = grasp_questions()
    assert len(questions.templates) == 10
    asker = Asker(questions, LANGUAGE, Rules(balanced=False))
    asked: Counter[str] = Counter()
    for turn in range(12):
        objects = [OBJECTS[0], OBJECTS[1 + turn % 2], *OBJECTS[2:4], looks("wine glass", "cyan", grasp=grasp("stem"))]
        for question in asker.ask(shop_world(record(objects)), 10, chance=random.Random(turn)):
            asked[question.template.name] += 1
            assert question.text[0].isupper()
            assert question.text.endswith("?")
            assert execute(question.program, question.trace.world, LANGUAGE).values[-1] == question.answer
    assert set(asked) == {template.name for template in questions.templates}
