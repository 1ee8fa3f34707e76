"""What a tilt gives away in PTR's physical scenes: the gates that the audit prints, on records made by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mereo.benchmarks.ptr.footing import contrast
from mereo.benchmarks.ptr.physical import with_walls
from mereo.benchmarks.ptr.scenes import bare_frame
from mereo.benchmarks.ptr.tilt import tilt_of
from mereo.chance import generator
from mereo.scenes.scene import Paint, Placed, Pose, ShapeRef
from mereo.scenes.textures import all_looks
from scenery import room
from tilted import leaning_in_doubt, tilt_tells, tilted_on_wheels

SIZE = [480, 320]


def thing(degrees: float, *, stable: bool, **more: Any) -> dict[str, Any]:
    half = math.radians(degrees) / 2
    gaps = {"back wall": 1.0, "left wall": 1.0, "right wall": 1.0}
    known = {"wheels": False, "gaps": gaps, "contact": 0, "contrast": 50.0}
    rotation = [math.cos(half), math.sin(half), 0.0, 0.0]
    return {"rotation": rotation, "stability": "stable" if stable else "unstable", **known, **more}


def record(*things: dict[str, Any], physical: bool = True) -> dict[str, Any]:
    return {"physical": physical, "size": SIZE, "objects": list(things)}


@pytest.mark.parametrize("degrees", [0.0, 17.0, 90.0, 150.0])
def test_a_tilt_is_how_far_the_upright_leans(degrees: float) -> None:
    half = math.radians(degrees) / 2
    assert tilt_of((math.cos(half), 0.0, math.sin(half), 0.0)) == pytest.approx(degrees, abs=1e-4)


def test_a_tilt_tells_all_where_only_what_is_tilted_falls() -> None:
    assert tilt_tells([record(thing(0, stable=True), thing(20, stable=False))]) == 1.0
    assert tilt_tells([record(thing(0, stable=False), thing(20, stable=True))]) == 1.0, (
        "the opposite rule tells as much"
    )


def test_a_tilt_tells_nothing_where_both_are_tilted_alike() -> None:
    assert tilt_tells([record(*(thing(tilt, stable=stays) for tilt in (0, 20) for stays in (True, False)))]) == 0.5
    assert tilt_tells([record(thing(20, stable=True))]) == 0.5
    assert tilt_tells([record(thing(0, stable=True), physical=False)]) == 0.5


def test_a_tilt_tells_what_the_best_bound_does() -> None:
    rng = np.random.default_rng(3)
    things = [thing(float(rng.integers(90)), stable=bool(rng.random() < 0.6)) for _ in range(60)]
    tilts = np.array([tilt_of(tuple(each["rotation"])) for each in things])
    falls = np.array([each["stability"] == "unstable" for each in things])
    by_hand = []
    for bound in np.arange(-0.5, 91):
        right = ((tilts > bound)[falls].mean() + (tilts <= bound)[~falls].mean()) / 2
        by_hand += [right, 1 - right]
    assert tilt_tells([record(*things)]) == pytest.approx(max(by_hand))


def test_what_is_tilted_and_stable_on_wheels_is_counted() -> None:
    things = [thing(20, stable=True, wheels=True), thing(20, stable=True), thing(0, stable=True, wheels=True)]
    assert tilted_on_wheels([record(*things, thing(20, stable=False, wheels=True))]) == (1, 2)


def test_what_leaves_open_whether_it_touches_a_wall_is_counted() -> None:
    near, touching = {"back wall": 0.3, "left wall": 2.0}, {"back wall": 0.0, "left wall": 2.0}
    doubtful = [
        thing(20, stable=False, gaps=near),
        thing(20, stable=False, contrast=5.0),
        thing(20, stable=True, gaps=touching, contact=3),
    ]
    clear = [thing(20, stable=False), thing(20, stable=True, gaps=touching, contact=40), thing(20, stable=True)]
    assert leaning_in_doubt([record(*doubtful, *clear, thing(0, stable=False, gaps=near))]) == (3, 6)


def test_walls_are_chosen_so_that_what_is_tilted_stands_out() -> None:
    """The walls of the room are white, as is what stands before them."""
    assert all_looks()["white_plaster"]["colors"][0] == "#e6e3dc"
    white = Paint("rubber", (0xE6 / 255, 0xE3 / 255, 0xDC / 255))
    tilted = Pose((0.0, 1.0, 0.5), (math.cos(0.2), math.sin(0.2), 0.0, 0.0))
    bright = Placed(ShapeRef("cube"), tilted, 0.4, {"": white})
    scene = room(bright)
    frame = bare_frame(scene, renderer="auto")
    before, after = (contrast(each, frame, 0) for each in (scene, with_walls(scene, frame, generator(1))))
    assert before == pytest.approx(0.0, abs=1e-6)
    assert after is not None
    assert after > 15, "as far as pale walls go"
