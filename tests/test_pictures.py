"""Pictures: the same scene gives the same light up to noise, things look like what they are, textures repeat."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from mereo.errors import UnknownName
from mereo.scenes.render import Set
from mereo.scenes.scene import Camera, Paint, Scene, Surface
from mereo.scenes.textures import all_looks, texture
from scenery import GRAY, LAMP, RED, STEEL, stage, thing

Array = NDArray[Any]

SCENE = stage(
    thing("cube", -0.9, 0.3, scale=0.6, turn=30.0, paint=RED),
    thing("sphere", 0.7, 0.6, scale=0.7, paint=STEEL),
    thing("cylinder", 0.3, -0.9, scale=0.35),
)
BLOCK = 8
GREEN = Paint("metal", (0.1, 0.5, 0.1))


@pytest.fixture(scope="module")
def shot() -> Set:
    """A scene with rubber and metal, ready to be pictured."""
    return Set(SCENE)


@pytest.fixture(scope="module")
def pictures(shot: Set) -> list[Array]:
    """Pictures that differ in nothing but the seed of the noise."""
    return [shot.picture(samples=16, seed=seed) for seed in range(8)]


def test_new_paint_on_a_stage_is_that_of_a_stage_built_anew() -> None:
    changed = msgspec.structs.replace(
        SCENE, objects=(SCENE.objects[0], thing("sphere", 0.7, 0.6, scale=0.7, paint=GREEN))
    )
    anew, before = Set(changed), Set(msgspec.structs.replace(SCENE, objects=SCENE.objects[:2]))
    old = before.picture(samples=8, seed=1)
    before.repaint(changed)
    assert (before.picture(samples=8, seed=1) == anew.picture(samples=8, seed=1)).all()
    assert (before.picture(samples=8, seed=1) != old).any()
    assert (before.glance(samples=4, seed=2) == anew.glance(samples=4, seed=2)).all()


def blocks(picture: Array) -> Array:
    """(rows, columns, 3): means of blocks of 8x8 pixels."""
    height, width, _ = picture.shape
    parted = picture.astype(float).reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3)
    means: Array = parted.mean((1, 3))
    return means


def brighter(picture: Array, by: float) -> Array:
    """The picture in a light that is stronger by a share."""
    value = picture / 255
    light = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4) * (1 + by)
    curve = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    developed: Array = np.rint(255 * np.clip(curve, 0, 1)).astype(np.uint8)
    return developed


def disagreement(one: Array, other: Array, noise: Array) -> float:
    """The root mean square of z over all blocks: 1 where two pictures differ by noise alone."""
    z = (blocks(one) - blocks(other)) / (np.sqrt(2) * noise)
    return float(np.sqrt((z**2).mean()))


BOUND = 2.0
"""Noise alone gives 1.0 to 1.2, as its own size is known from six pictures only; 5% more or less light gives 4.4."""


def test_two_pictures_of_one_scene_differ_by_noise_alone(pictures: list[Array]) -> None:
    one, other, *rest = pictures
    spread = np.stack([blocks(picture) for picture in rest]).var(0, ddof=1)
    # Where a block is almost free of noise its spread is badly known; what all blocks have in common steadies it.
    noise = np.sqrt((5 * spread + 3 * spread.mean()) / 8)
    assert not np.array_equal(one, other)
    assert disagreement(one, other, noise) < BOUND
    assert disagreement(one, brighter(other, 0.05), noise) > BOUND, "the test would see 5% more light"
    assert disagreement(one, brighter(other, -0.05), noise) > BOUND, "the test would see 5% less light"


def test_the_same_seed_gives_the_same_bytes(shot: Set, pictures: list[Array]) -> None:
    assert shot.picture(samples=16, seed=3).tobytes() == pictures[3].tobytes()
    assert Set(SCENE).picture(samples=16, seed=3).tobytes() == pictures[3].tobytes()


def sparks(picture: Array, calm: Array) -> int:
    """Pixels far brighter than the median of their 3x3 neighbors and than anything there in a calm picture."""
    light, expected = (each.astype(float).mean(-1) for each in (picture, calm))
    shifts = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    usual = np.median([np.roll(light, shift, (0, 1)) for shift in shifts], 0)
    # A highlight on metal is a few pixels wide here, so what is truly bright nearby is no spark.
    bright = np.max([np.roll(expected, shift, (0, 1)) for shift in shifts], 0)
    return int((light > np.maximum(usual, bright) + 30).sum())


def test_no_pixel_is_a_spark(shot: Set, pictures: list[Array]) -> None:
    calm = shot.picture(samples=512, seed=99)
    assert (shot.frame().object == 1).sum() > 300, "much of what is looked at is metal"
    assert [sparks(picture, calm) for picture in pictures] == [0] * len(pictures)
    planted = pictures[0].copy()
    planted[60, 10] = 255
    assert sparks(planted, calm) == 1, "the test would see one"


def test_a_red_object_is_red_and_a_gray_one_is_not(shot: Set, pictures: list[Array]) -> None:
    ids = shot.frame().object
    red, _, gray = (np.mean(pictures, 0)[ids == number].mean(0) for number in range(3))
    assert red[0] > 1.8 * max(red[1], red[2])
    assert gray.max() < 1.15 * gray.min()


def test_it_is_darker_in_a_shadow_than_beside_it() -> None:
    # The lamp stands to the left, straight above the line from left to right: the shadow falls to the right.
    left = type(LAMP)((-5.0, 0.0, 5.0), (0.0, 0.0, 0.0), 0.8, (60.0, 60.0, 60.0))
    above = Camera((0.0, -0.01, 9.0), (0.0, 0.0, 0.0), 40.0, 96, 64)
    scene = stage(thing("cube", 0.0, 0.0, scale=0.5, paint=GRAY), camera=above, lights=[left])
    shot = Set(scene)
    picture, pixel = shot.picture(samples=16, seed=1).astype(float).mean(-1), 2 * 9.0 * np.tan(np.radians(20)) / 96

    def brightness(x: float, y: float) -> float:
        """The mean of 3x3 pixels around a point of the ground."""
        column, row = round(48 + x / pixel - 0.5), round(32 - y / pixel - 0.5)
        assert (shot.frame().object[row - 1 : row + 2, column - 1 : column + 2] == -1).all()
        return float(picture[row - 1 : row + 2, column - 1 : column + 2].mean())

    shaded, *lit = brightness(0.95, 0.0), brightness(-0.95, 0.0), brightness(0.95, 1.3), brightness(0.95, -1.3)
    assert shaded < 0.8 * min(lit)


def test_pictures_of_a_darker_scene_are_darker(pictures: list[Array]) -> None:
    dim = type(LAMP)(LAMP.position, LAMP.target, LAMP.side, (12.0, 12.0, 12.0))
    darker = Set(Scene(SCENE.setting, SCENE.objects, (dim,), SCENE.camera, sky=(0.15, 0.15, 0.15)))
    assert darker.picture(samples=16).mean() < 0.85 * pictures[0].mean()


# Textures

LOOKS = sorted(all_looks())


@cache
def drawn(look: str) -> tuple[tuple[float, ...], tuple[Array, Array]]:
    """Of a texture, which takes long to draw: its mean color, and its steps from row to row and column to column."""
    picture = texture(Surface(look, 7)).astype(float)
    down, across = (np.abs(picture - np.roll(picture, 1, axis)).mean((1 - axis, 2)) for axis in (0, 1))
    return tuple(picture.mean((0, 1)).round(3)), (down, across)


def test_there_are_at_least_24_looks_and_they_differ() -> None:
    assert len(LOOKS) >= 24
    assert len({drawn(look)[0] for look in LOOKS}) == len(LOOKS)


@pytest.mark.parametrize("look", LOOKS)
def test_a_texture_repeats_without_a_seam(look: str) -> None:
    for steps in drawn(look)[1]:
        # The step over the seam, from last to first, is like one of the other steps: joints and boards included.
        assert steps[0] <= steps[1:].max() * 1.05


def test_a_texture_follows_from_look_and_seed() -> None:
    one = texture(Surface("oak_planks", 1)).copy()
    assert np.array_equal(texture(Surface("oak_planks", 1)), one)
    assert not np.array_equal(texture(Surface("oak_planks", 2)), one)
    assert one.min() >= 0
    assert one.max() <= 1


def test_an_unknown_look_is_named_with_the_nearest() -> None:
    with pytest.raises(
        UnknownName, match=r"there is no look of floors and walls 'oak_plank' \(did you mean 'oak_planks'"
    ):
        texture(Surface("oak_plank"))
