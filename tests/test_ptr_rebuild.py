"""Rooms rebuilt from what is known of their objects do what the rooms themselves do."""

from __future__ import annotations

import numpy as np
import pytest

from mereo.benchmarks.ptr.behavior import SIDES, Behavior
from mereo.benchmarks.ptr.learning.rebuild.fitting import fitting
from mereo.benchmarks.ptr.learning.rebuild.library import Library, shelved
from mereo.benchmarks.ptr.learning.rebuild.numbers import UPRIGHT
from mereo.benchmarks.ptr.learning.rebuild.outline import outline_of
from mereo.benchmarks.ptr.learning.rebuild.posed import posed, turn_of
from mereo.benchmarks.ptr.learning.rebuild.room import Sighted, Walls, quaternion_of, rebuilt
from mereo.benchmarks.ptr.learning.rebuild.standing import straightened
from mereo.benchmarks.ptr.learning.rebuild.verdicts import verdicts
from mereo.benchmarks.ptr.physical import physical_scene
from mereo.benchmarks.ptr.scenes import Wanted
from mereo.chance import generator
from mereo.scenes.observe import directions
from mereo.scenes.scene import Room, Scene, ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats


@pytest.fixture(scope="module")
def falling() -> list[tuple[Scene, list[Behavior]]]:
    """Two physical rooms, and what everything in them does."""
    wanted = Wanted("test", seed=5, width=160, height=107)
    found = [physical_scene(wanted, generator(5, "rebuilt", number)) for number in range(2)]
    return [(shown.scene, behaviors) for shown, behaviors in found]


def sighted(scene: Scene) -> tuple[list[Sighted], Walls]:
    """All of a scene as if it had been seen without error."""
    foot = np.array([*scene.camera.position[:2], 0.0])
    things = []
    for placed in scene.objects:
        outline, middle = outline_of(placed.shape)
        turn = rotation_matrix(placed.pose.rotation)
        place = np.array(placed.pose.position) + turn @ (placed.scale * middle) - foot
        things.append(Sighted(placed.shape.category, place, turn, outline.scaled(placed.scale)))
    assert isinstance(scene.setting, Room)
    half, behind = scene.setting.width / 2, directions(scene)["behind"]
    yaw = float(np.arctan2(-behind[0], behind[1]))
    return things, Walls(half + foot[0], half - foot[0], scene.setting.depth / 2 - foot[1], yaw)


def own_shelf(scene: Scene) -> dict[str, Library]:
    """A library of just the shapes of a scene."""
    shapes = [placed.shape for placed in scene.objects]
    categories = {one.category for one in shapes}
    return {known: shelved(known, [one for one in shapes if one.category == known]) for known in categories}


def test_with_the_right_shapes_at_hand_all_verdicts_are_the_truth(falling: list[tuple[Scene, list[Behavior]]]) -> None:
    unstable = 0
    for scene, truth in falling:
        things, walls = sighted(scene)
        again = rebuilt(things, walls, shelf=own_shelf(scene))
        assert [placed.shape for placed in again.objects] == [placed.shape for placed in scene.objects]
        for side in SIDES:
            assert directions(again)[side] == pytest.approx(directions(scene)[side])
        found = verdicts(again)
        assert [one.stable for one in found] == [one.stable for one in truth]
        assert [set(one.changes) for one in found] == [set(one.changes) for one in truth]
        unstable += sum(not one.stable for one in found)
    assert unstable


def test_what_was_seen_a_little_wrong_is_put_where_it_stands(falling: list[tuple[Scene, list[Behavior]]]) -> None:
    scene, _ = falling[0]
    things, walls = sighted(scene)
    lifted = [thing._replace(place=thing.place + (0.0, 0.0, 0.04)) for thing in things]
    again = rebuilt(lifted, walls, shelf=own_shelf(scene))
    for one, other in zip(again.objects, scene.objects, strict=True):
        assert one.pose.position[2] == pytest.approx(other.pose.position[2], abs=0.01)


def test_the_nearest_shape_is_the_shape_itself_at_its_size() -> None:
    shapes = [ShapeRef("chair", 0, "train", family) for family in range(6)]
    among = shelved("chair", shapes)
    for shape in shapes:
        fit = fitting(outline_of(shape)[0].scaled(1.3), among)
        assert fit.reference == shape
        assert fit.scale == pytest.approx(1.3)
        assert fit.misfit == pytest.approx(0.0, abs=1e-6)


def turned(axis: Floats, angle: float) -> Floats:
    """(3, 3) float: a rotation about an axis, by Rodrigues's formula."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    rotation: Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return rotation


def angle_between(one: Floats, other: Floats) -> float:
    """Degrees of the turn from one rotation to another."""
    return float(np.degrees(np.arccos(np.clip((np.trace(one.T @ other) - 1) / 2, -1.0, 1.0))))


@pytest.mark.parametrize("tilt", [0.0, 12.0, 40.0, 90.0, 150.0])
def test_a_turn_told_in_words_is_nearly_that_turn(tilt: float) -> None:
    up = np.array([0.0, 0.0, 1.0])
    for yaw in range(0, 360, 30):
        for around in (0, 90, 180, 270):
            axis = np.array([np.cos(np.radians(around)), np.sin(np.radians(around)), 0.0])
            turn = turned(up, np.radians(yaw)) @ turned(axis, np.radians(tilt))
            told = posed(turn)
            assert (told.leaning == UPRIGHT) == (tilt == 0.0)
            words = {"turned": told.turned, "leaning": told.leaning}
            assert angle_between(turn_of(words, [told.tilt]), turn) < 0.01
            jittered = turned(up, np.radians(2.5)) @ turn
            assert posed(jittered)[:2] == told[:2]
            assert angle_between(turn_of(words, [told.tilt]), jittered) == pytest.approx(2.5, abs=0.01)


def test_quaternions_are_those_of_their_rotations() -> None:
    rng = np.random.default_rng(0)
    for angle in (0.0, 1e-9, 1.0, 3.0, np.pi):
        rotation = turned(rng.normal(size=3), angle)
        assert rotation_matrix(quaternion_of(rotation)) == pytest.approx(rotation, abs=1e-7)


def test_only_what_nearly_stands_upright_is_made_to() -> None:
    yaw = turned(np.array([0.0, 0.0, 1.0]), 0.7)
    nearly, clearly = (turned(np.array([1.0, 0.2, 0.0]), np.radians(angle)) @ yaw for angle in (6, 20))
    assert straightened(clearly) is clearly
    made = straightened(nearly)
    assert made[:, 2] == pytest.approx([0, 0, 1])
    assert made @ made.T == pytest.approx(np.eye(3))
    assert np.linalg.det(made) == pytest.approx(1.0)
    assert made[0, 0] == pytest.approx(yaw[0, 0], abs=0.1)
