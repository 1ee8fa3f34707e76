"""Code is compiled for the first few scenes of a kind and serves all that follow, whatever their sizes and looks."""

from __future__ import annotations

import gc
from collections.abc import Callable

import drjit
import pytest

from mereo.chance import generator
from mereo.scenes.render import Set
from mereo.scenes.renderer import VARIANTS, mitsuba_with
from mereo.scenes.scene import Camera, Light, Paint, Room, Scene, Surface
from mereo.scenes.table_top import TABLE_LOOKS, WALL_LOOKS, table_scene
from scenery import GRAY, thing

CAMERA = Camera((0.6, -6.0, 2.2), (0.0, 0.4, 0.6), 50.0, 24, 16)
FLOORS = ("oak_planks", "checker_tiles", "beige_carpet", "light_concrete")
DRAWN = 2
"""How often each look is drawn, which takes longer than a picture: a scene differs from the last one all the same."""


def furnished(number: int) -> Scene:
    """Rooms that differ in all their numbers and looks."""
    floor, walls = Surface(FLOORS[number % 4]), [Surface(look, number % DRAWN) for look in WALL_LOOKS[:3]]
    room = Room(5.0 + number / 7, 4.0 + number / 9, 2.5 + number / 11, floor, *walls)
    lamp = Light((0.1 * number, 0.0, 2.4), (0.0, 0.0, 0.0), 1.0 + number / 10, (14.0, 14.0, 10.0 + number))
    objects = [thing("chair", k - 1.0, 0.2 * number, family=number + k) for k in range(1 + number % 3)]
    return Scene(room, tuple(objects), (lamp,), CAMERA, sky=(0.3, 0.3, 0.3 + number / 100))


def glazed(number: int) -> Scene:
    """Table tops with a thing of glass and a thing that is none."""
    glass = thing("cylinder", -0.1, 0.0, scale=0.05 + number / 900, paint=Paint("glass", (0.5, 0.6, number / 20)))
    return table_scene(
        [glass, thing("cube", 0.1, 0.05, scale=0.04, paint=GRAY)],
        top=Surface(TABLE_LOOKS[number % 4], number % DRAWN),
        wall=Surface(WALL_LOOKS[number % 3]),
        rng=generator(number, "kernels"),
        width=24,
        height=16,
    )


@pytest.mark.parametrize("scene", [furnished, glazed])
def test_later_scenes_are_rendered_with_the_code_of_earlier_ones(scene: Callable[[int], Scene]) -> None:
    if mitsuba_with().variant() == VARIANTS["scalar"]:
        pytest.skip("this variant compiles nothing")

    def code(number: int) -> set[str]:
        """What is run for a scene, which is gone afterwards as a worker's is."""
        gc.collect()  # what is still alive shows in the code, so that it must not go at whatever moment
        shot = Set(scene(number))
        shot.frame()
        shot.picture(samples=8)
        shot.radiance(samples=8, seed=0)
        shot.guides()
        return {str(kernel["hash"]) for kernel in drjit.kernel_history([drjit.KernelType.JIT])}

    gc.collect()
    gc.freeze()  # what other tests left is not looked through for every scene
    with drjit.scoped_set_flag(drjit.JitFlag.KernelHistory):
        drjit.kernel_history_clear()
        used = [code(number) for number in range(12)]
    assert all(used)
    # How much is alive from before, and in which order it was numbered, shows in the code, so there is more than one.
    fresh = [bool(own - set().union(*used[:number])) for number, own in enumerate(used)]
    assert sum(fresh) <= 6
