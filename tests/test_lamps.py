"""No lamp stands in the pictures of CLEVR's stage: held against points of lamps that are projected one by one, and
against the renderer."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from kit import scene as record_of
from mereo.chance import generator
from mereo.clevr_family.pictures import scene_of_record
from mereo.scenes.lamps import corners_of, is_lamp_in_picture
from mereo.scenes.observe import projected
from mereo.scenes.render import render
from mereo.scenes.scene import Camera, Light, Pose, Scene, Stage

MANY = 600


def seen_points(scene: Scene) -> int:
    """How many of nine hundred points of each lamp the camera would see."""
    count = 0
    for light in scene.lights:
        one, two, _, four = corners_of(light)
        steps = np.linspace(0, 1, 30)
        across, up = np.meshgrid(steps, steps)
        points = one + across.reshape(-1, 1) * (two - one) + up.reshape(-1, 1) * (four - one)
        column, row, depth = projected(scene, points).T
        inside = (column >= 0) & (column < scene.camera.width) & (row >= 0) & (row < scene.camera.height)
        count += int((inside & (depth > 0)).sum())
    return count


def strewn(number: int) -> Scene:
    return scene_of_record(record_of(number), rng=generator(3, "lamps", number), width=96, height=64)


def test_no_lamp_stands_in_a_picture_of_the_stage() -> None:
    assert not any(seen_points(strewn(number)) for number in range(MANY))


def lit_by_chance(number: int) -> Scene:
    """A lamp of a few meters somewhere, a camera that looks at the middle from elsewhere, and a thing far away."""
    chance = generator(4, "lit", number)
    at, eye = chance.uniform((-6, -6, 1), (6, 6, 7), (2, 3))
    far = replace(strewn(0).objects[0], pose=Pose((60.0, 60.0, 0.0)))
    light = Light(tuple(at), (0.0, 0.0, 0.3), float(chance.uniform(0.5, 4)), (9.0, 9.0, 9.0))
    return Scene(Stage(), (far,), (light,), Camera(tuple(eye), (0.0, 0.0, 0.0), 50.0, 96, 64))


def test_a_lamp_is_in_the_picture_where_points_of_it_are() -> None:
    scenes = [lit_by_chance(number) for number in range(MANY)]
    told = np.array([is_lamp_in_picture(scene) for scene in scenes])
    found = np.array([seen_points(scene) > 0 for scene in scenes])
    assert found.mean() > 0.05
    assert not (found & ~told).any()
    assert (told & ~found).mean() < 0.01  # slivers between two points


def middle_of_lamp(scene: Scene) -> tuple[int, int]:
    """Row and column of the pixel that shows it."""
    ((column, row, depth),) = projected(scene, [scene.lights[0].position])
    seen = depth > 0 and 0 <= row < scene.camera.height and 0 <= column < scene.camera.width
    return (int(row), int(column)) if seen else (-1, -1)


@pytest.mark.parametrize("number", [n for n in range(100) if middle_of_lamp(lit_by_chance(n)) != (-1, -1)][:6])
def test_a_lamp_is_black_from_behind_and_bright_from_before_where_its_middle_is_told_to_be(number: int) -> None:
    scene = lit_by_chance(number)
    (light,) = scene.lights
    picture, _ = render(scene, samples=4)
    before = np.subtract(scene.camera.position, light.position) @ np.subtract(light.target, light.position) > 0
    assert (picture[middle_of_lamp(scene)] == (255 if before else 0)).all()
