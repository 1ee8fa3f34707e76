"""Symbolic scenes keep CLEVR's rules of distance and margin, measured here from the finished records."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from kit import scene
from mereo.chance import generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.strewing import CONDITIONS, Strewing, strewn_scene
from mereo.errors import MereoError

SCENES = [scene(index) for index in range(250)]
RADIUS = {"large": 0.7, "small": 0.35}
RELATIONS = ("left", "right", "front", "behind")


def test_there_are_three_to_ten_objects_each_number_about_as_often() -> None:
    numbers = Counter(len(record["objects"]) for record in SCENES)
    assert set(numbers) == set(range(3, 11))
    assert min(numbers.values()) > 250 / 8 / 3


def test_objects_lie_on_the_ground_within_the_stage() -> None:
    for record in SCENES:
        for thing in record["objects"]:
            x, y, z = thing["3d_coords"]
            assert -3 <= x <= 3
            assert -3 <= y <= 3
            assert z == RADIUS[thing["size"]]
            assert 0 <= thing["rotation"] < 360


def test_rims_are_a_quarter_apart_and_centers_beyond_doubt_along_every_direction() -> None:
    for record in SCENES:
        for one, other in combinations(record["objects"], 2):
            between = np.subtract(one["3d_coords"], other["3d_coords"])[:2]
            assert math.hypot(*between) - RADIUS[one["size"]] - RADIUS[other["size"]] >= 0.25 - 1e-9
            for relation in RELATIONS:
                assert abs(np.dot(between, record["directions"][relation][:2])) >= 0.4 - 1e-9


def test_directions_are_unit_vectors_on_the_ground_as_the_camera_sees_them() -> None:
    for record in SCENES:
        directions = {name: np.array(vector) for name, vector in record["directions"].items()}
        assert set(directions) == {*RELATIONS, "above", "below"}
        for one, other in (("left", "right"), ("front", "behind"), ("above", "below")):
            assert np.allclose(directions[one], -directions[other])
            assert math.isclose(float(np.linalg.norm(directions[one])), 1.0)
        assert abs(np.dot(directions["left"], directions["front"])) < 1e-9
        # Looking away from the camera, right is to the right: behind x right points down.
        assert np.allclose(np.cross(directions["behind"], directions["right"]), directions["below"])
        toward_camera = np.array([*record["camera"][:2], 0.0])
        assert np.allclose(toward_camera / np.linalg.norm(toward_camera), directions["front"])


def test_stored_relations_follow_from_places() -> None:
    for record in SCENES:
        places = [np.array(thing["3d_coords"]) for thing in record["objects"]]
        for relation in RELATIONS:
            stored = record["relationships"][relation]
            for i, row in enumerate(stored):
                ahead = [float(np.dot(place - places[i], record["directions"][relation])) for place in places]
                assert row == [j for j, reach in enumerate(ahead) if reach > 0.2]


def test_any_two_objects_stand_in_two_relations() -> None:
    """The margin sees to it: one is left or right of the other, and in front of or behind it."""
    for record in SCENES:
        for i, j in combinations(range(len(record["objects"])), 2):
            held = {relation for relation in RELATIONS if j in record["relationships"][relation][i]}
            assert len(held & {"left", "right"}) == 1
            assert len(held & {"front", "behind"}) == 1


def test_every_value_occurs_about_as_often_as_the_others() -> None:
    things = [thing for record in SCENES for thing in record["objects"]]
    for attribute in VOCABULARY.attributes:
        counts = Counter(thing[attribute] for thing in things)
        assert set(counts) == set(VOCABULARY.words(attribute))
        share = len(things) / len(counts)
        # Large objects are refused a little more often, for lack of room.
        assert all(0.75 * share < count < 1.25 * share for count in counts.values()), counts


@pytest.mark.parametrize(
    ("condition", "cubes", "cylinders"),
    [
        ("A", {"gray", "blue", "brown", "yellow"}, {"red", "green", "purple", "cyan"}),
        ("B", {"red", "green", "purple", "cyan"}, {"gray", "blue", "brown", "yellow"}),
    ],
)
def test_cogents_conditions_hold(condition: str, cubes: set[str], cylinders: set[str]) -> None:
    seen: dict[str, set[str]] = {"cube": set(), "cylinder": set(), "sphere": set()}
    for index in range(120):
        for thing in scene(index, condition=condition)["objects"]:
            seen[thing["shape"]].add(thing["color"])
    assert seen == {"cube": cubes, "cylinder": cylinders, "sphere": cubes | cylinders}
    assert set(CONDITIONS) == {"", "A", "B"}


def test_a_scene_is_the_same_whoever_samples_it() -> None:
    again = [strewn_scene(generator(2, "test", index)) for index in reversed(range(5))]
    assert again == SCENES[4::-1]
    assert scene(0, seed=3) != SCENES[0]
    assert json.loads(json.dumps(SCENES[0])) == SCENES[0]


def test_a_stage_without_room_is_refused_in_a_sentence() -> None:
    crowded = Strewing(fewest=10, most=10, reach=0.5, restarts=3)
    with pytest.raises(MereoError, match=r"^10 objects found no places 0\.4 apart in 3 attempts$"):
        strewn_scene(generator(0, "crowded"), strewing=crowded)
