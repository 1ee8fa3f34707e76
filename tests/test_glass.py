"""Glass: what is behind it shows through, bent and colored; it counts as itself; and it makes no sparks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mereo.scenes.assemble import all_materials, assemble
from mereo.scenes.render import Set
from mereo.scenes.scene import Camera, Light, Paint, Placed, Scene, Stage
from scenery import GRAY, RED, thing

Array = NDArray[Any]

CLEAR = Paint("glass", (1.0, 1.0, 1.0))
GREEN = Paint("glass", (0.3, 0.9, 0.4))
LAMPS = (
    Light((-3.0, -4.0, 6.0), (0.0, 0.0, 0.0), 3.0, (9.0, 9.0, 9.0)),
    Light((3.0, -4.0, 5.0), (0.0, 0.0, 0.0), 3.0, (5.0, 5.0, 5.0)),
)
CAMERA = Camera((0.0, -8.0, 1.0), (0.0, 0.0, 0.8), 24.0, 96, 64)


def shot(*objects: Placed) -> Set:
    return Set(Scene(Stage(), objects, LAMPS, CAMERA))


def mean_color(stage: Set, number: int) -> Array:
    """The mean color where an object is seen."""
    mean: Array = stage.picture(samples=32, seed=1)[stage.frame().object == number].mean(0)
    return mean


def test_what_stands_behind_clear_glass_is_seen_through_it() -> None:
    # A pane: a cube is two by two by two, so it is glass all the way, and the red one behind it is as wide.
    wall = thing("cube", 0.0, 4.0, scale=1.4, paint=RED)
    through = mean_color(shot(thing("cube", 0.0, 0.0, scale=0.5, paint=CLEAR), wall), 0)
    opaque = mean_color(shot(thing("cube", 0.0, 0.0, scale=0.5, paint=GRAY), wall), 0)
    assert through[0] > 1.5 * through[1]
    assert opaque[0] < 1.2 * opaque[1]


def test_a_ball_of_glass_shows_left_and_right_exchanged() -> None:
    ball = thing("sphere", 0.0, 0.0, scale=0.8, paint=CLEAR)
    blue = Paint("rubber", (0.1, 0.15, 0.7))
    stage = shot(ball, thing("cube", -2.3, 5.0, scale=1.4, paint=RED), thing("cube", 2.3, 5.0, scale=1.4, paint=blue))
    picture = stage.picture(samples=64, seed=1).astype(float)
    rows, columns = np.nonzero(stage.frame().object == 0)
    middle = round(float(rows.mean()))
    left, right = int(columns.min()), int(columns.max())
    third = (right - left) // 3
    warmth = picture[middle - 4 : middle + 5, :, 0] - picture[middle - 4 : middle + 5, :, 2]
    # Red stands to the left of the ball and is seen in its right half.
    assert warmth[:, left + 2 : left + third].mean() < 0 < warmth[:, right - third : right - 1].mean()


def test_colored_glass_lets_its_own_color_through() -> None:
    wall = thing("cube", 0.0, 4.0, scale=1.4, paint=Paint("rubber", (0.8, 0.8, 0.8)))
    clear, green = (
        mean_color(shot(thing("cube", 0.0, 0.0, scale=0.5, paint=paint), wall), 0) for paint in (CLEAR, GREEN)
    )
    assert clear.max() < 1.12 * clear.min()
    assert green[1] > 1.3 * max(green[0], green[2])


def test_glass_counts_as_the_object_and_hides_what_is_behind_it_from_masks() -> None:
    objects = [thing("sphere", 0.0, 3.0, scale=0.5, paint=RED), thing("cube", -2.0, 1.0, scale=0.4)]
    frames = [shot(thing("cube", 0.0, 0.0, scale=0.5, paint=paint), *objects).frame() for paint in (CLEAR, GRAY)]
    for name in ("object", "part", "depth", "normal"):
        assert np.array_equal(getattr(frames[0], name), getattr(frames[1], name))
    assert (frames[0].object == 0).any()


def test_there_is_some_light_in_the_shadow_of_glass() -> None:
    lamp = Light((-5.0, 0.0, 5.0), (0.0, 0.0, 0.0), 0.8, (60.0, 60.0, 60.0))
    above = Camera((0.0, -0.01, 9.0), (0.0, 0.0, 0.0), 40.0, 96, 64)
    pixel = 2 * 9.0 * np.tan(np.radians(20)) / 96

    def brightness(*objects: Placed) -> float:
        """Of the ground where the shadow of a cube in the middle falls."""
        stage = Set(Scene(Stage(), (*objects, thing("cube", 0.0, 3.0, scale=0.1)), (lamp,), above))
        row, column = 32, round(48 + 0.95 / pixel - 0.5)
        assert stage.frame().object[row, column] == -1
        return float(stage.picture(samples=32, seed=1)[row - 1 : row + 2, column - 1 : column + 2].mean())

    dark, dim = (brightness(thing("cube", 0.0, 0.0, scale=0.5, paint=paint)) for paint in (GRAY, CLEAR))
    assert 1.1 * dark < dim < 0.95 * brightness()


def test_glass_makes_no_sparks_beside_it_and_repeats() -> None:
    stage = shot(thing("sphere", 0.0, 0.0, scale=0.7, paint=CLEAR), thing("cube", 1.6, 0.5, scale=0.5, paint=RED))
    one, other = (stage.picture(samples=64, seed=seed).astype(float).mean(-1) for seed in (1, 2))
    ground = stage.frame().object == -1
    assert np.abs(one - other)[ground].max() < 30, "light that glass gathers would differ by more"
    assert stage.picture(samples=64, seed=2).astype(float).mean(-1).tolist() == other.tolist()


def test_only_faces_of_glass_let_light_through() -> None:
    found = assemble(Scene(Stage(), (thing("cube", 0.0, 0.0, paint=CLEAR), thing("cube", 3.0, 0.0)), LAMPS, CAMERA))
    assert set(found.transmission[found.object == 0]) == {1.0}
    assert set(found.transmission[found.object == 1]) == {0.0}
    assert [name for name, look in all_materials().items() if look.get("transmission")] == ["glass"]


@pytest.mark.parametrize("paint", [CLEAR, GRAY])
def test_a_scene_of_nothing_but_one_object_can_be_pictured(paint: Paint) -> None:
    picture = shot(thing("cylinder", 0.0, 0.0, scale=0.6, paint=paint)).picture(samples=8)
    assert 20 < picture.mean() < 250
