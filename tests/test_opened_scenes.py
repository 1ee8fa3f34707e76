"""Scenes that open things: a reference says where joints stand, and pictures and physics follow."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from kit import complaint
from mereo.scenes.assemble import assemble, shape_of
from mereo.scenes.layout import footprint
from mereo.scenes.physics import Simulation, collision_corners, mass_properties, substance
from mereo.scenes.scene import Scene, ShapeRef, scene_from_json, scene_to_json
from mereo.shapes.articulation import joints, posed
from scenery import room, thing

CUPBOARD = ShapeRef("storage_furniture", seed=20, family=0)


def opened(reference: ShapeRef, share: float) -> ShapeRef:
    """With all that has a range moved to a share of it."""
    known = joints(shape_of(reference))
    return reference.opened({number: share * each.high for number, each in known.items() if each.kind != "spin"})


def scene_with(reference: ShapeRef) -> Scene:
    return room(msgspec.structs.replace(thing("storage_furniture", 0.0, 0.0), shape=reference))


def test_a_scene_shows_what_it_opens() -> None:
    shut, wide = opened(CUPBOARD, 0.0), opened(CUPBOARD, 1.0)
    depths = [np.ptp(assemble(scene_with(reference)).vertices[:, 1]) for reference in (shut, wide)]
    assert depths[1] > depths[0] + 0.2
    values = dict(wide.joints or ())
    wanted = posed(shape_of(CUPBOARD), values).mesh().vertices
    assert shape_of(wide).mesh().vertices == pytest.approx(wanted, abs=1e-12)


def test_one_pose_is_not_taken_for_another() -> None:
    """Whatever is asked for first, of what is remembered and of what is kept on disk."""
    wide, shut = opened(CUPBOARD, 1.0), opened(CUPBOARD, 0.0)
    for remembered in (shape_of, substance):
        remembered.cache_clear()
    for _ in range(2):
        reaches = [-collision_corners(reference)[:, 1].min() for reference in (wide, CUPBOARD, shut)]
        assert reaches[0] > reaches[2] + 0.2
        assert -shape_of(wide).bounds()[0, 1] == pytest.approx(reaches[0], abs=1e-3)
        assert -shape_of(shut).bounds()[0, 1] == pytest.approx(reaches[2], abs=1e-3)
        substance.cache_clear()
    forward = [mass_properties(reference).center[1] for reference in (shut, wide)]
    assert forward[1] < forward[0] - 0.02
    assert mass_properties(wide).mass == pytest.approx(mass_properties(shut).mass)


def test_what_stands_open_needs_more_room_and_is_bumped_into() -> None:
    shut, wide = opened(CUPBOARD, 0.0), opened(CUPBOARD, 1.0)
    upright = (1.0, 0.0, 0.0, 0.0)
    assert footprint(wide, 1.0, upright).area() > 1.1 * footprint(shut, 1.0, upright).area()
    before = float(shape_of(shut).bounds()[0, 1]) - 0.25
    cube = thing("cube", 0.0, before, scale=0.2)
    deep = []
    for reference in (shut, wide):
        furniture = msgspec.structs.replace(thing("storage_furniture", 0.0, 0.0), shape=reference)
        deep.append(Simulation(room(furniture, cube)).overlap(1))
    assert deep[0] == pytest.approx(0.0, abs=1e-3)
    assert deep[1] > 0.005


def test_a_scene_file_says_what_stands_open() -> None:
    scene = scene_with(opened(CUPBOARD, 0.5))
    written = scene_to_json(scene)
    assert json.loads(written)["scene"] == 4
    assert scene_from_json(written).objects == scene.objects


def test_a_scene_that_opens_nothing_is_written_as_it_was() -> None:
    scene = scene_with(CUPBOARD)
    content = json.loads(scene_to_json(scene))
    assert content["scene"] == 2
    assert "joints" not in content["objects"][0]["shape"]
    assert CUPBOARD.opened({}) == CUPBOARD
    assert hash(CUPBOARD.opened({3: 1.0})) != hash(CUPBOARD)


@pytest.mark.parametrize(
    ("part", "value", "sentence"),
    [
        ("cabinet_door", 500.0, "cannot be at 500 degrees: it goes from 0 to 110"),
        ("cabinet_door", float("nan"), "cannot be at nan degrees"),
        ("shelf", 1.0, "has no joint (the parts that have one: "),
    ],
)
def test_what_cannot_be_opened_so_is_said_in_one_sentence(part: str, value: float, sentence: str) -> None:
    number = next(each.id for each in shape_of(CUPBOARD).parts() if each.name == part)
    scene = scene_with(CUPBOARD.opened({number: value}))
    said = complaint(lambda: assemble(scene)) or ""
    assert sentence in said
    assert f"storage_furniture-00000-0, part {number}" in said
    assert "\n" not in said
