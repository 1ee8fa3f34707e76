"""Colors of PTR's parts in pictures: told by their names, painted anew where they look like others."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from mereo.benchmarks.ptr.inspect import PtrInspector
from mereo.benchmarks.ptr.looks import Looks
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.paint import colors_of
from mereo.benchmarks.ptr.pictured import seen_colors
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.benchmarks.ptr.record import record_of
from mereo.benchmarks.ptr.scenes import Shown, Wanted, ordinary_scene
from mereo.benchmarks.ptr.seen_colors import better_painted, misread, rendered_colors
from mereo.benchmarks.ptr.world import ptr_world
from mereo.chance import generator
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import decode_picture, encode_png
from mereo.scenes.assemble import linear, shape_of
from mereo.scenes.render import Frame
from mereo.scenes.scene import Scene
from mereo.world import World


@pytest.fixture(scope="module")
def shown() -> Shown:
    return ordinary_scene(Wanted("test", width=240, height=160), generator(5, "colors"))


def in_light(shown: Shown, light: float, tint: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> NDArray[np.uint8]:
    """A picture of paints under one light everywhere, with a glare of a tint."""
    height, width = shown.frame.object.shape
    picture = np.full((height, width, 3), 200, np.uint8)
    for number, placed in enumerate(shown.scene.objects):
        for leaf in shape_of(placed.shape).leaves():
            seen = np.clip(light * linear(placed.paint(leaf.label).color) + np.array(tint), 0, 1)
            srgb = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * np.maximum(seen, 1e-9) ** (1 / 2.4) - 0.055)
            picture[(shown.frame.object == number) & (shown.frame.part == leaf.id)] = np.rint(255 * srgb)
    return picture


def wrong(scene: Scene, frame: Frame, picture: NDArray[np.uint8]) -> list[dict[str, str]]:
    return misread(scene, rendered_colors(scene, frame, picture))


def repainted(scene: Scene, frame: Frame, picture: NDArray[np.uint8]) -> Scene:
    seen = rendered_colors(scene, frame, picture)
    return better_painted(scene, seen, misread(scene, seen), generator(1))


@pytest.mark.parametrize("light", [0.45, 0.7, 1.0, 1.3])
def test_a_color_is_read_as_itself_in_usual_light(shown: Shown, light: float) -> None:
    assert not any(wrong(*shown, in_light(shown, light)))


def painted(shown: Shown, color: tuple[int, int, int]) -> tuple[NDArray[np.uint8], str, int]:
    """A picture in which one part of an object has a color, the part's name and the object's number."""
    picture = in_light(shown, 1.0)
    names = [(number, name) for number, names in enumerate(rendered_colors(*shown, picture)) for name in names]
    number, name = next((k, n) for k, n in names if n in ("seat", "top", "sleep area", "body", "door"))
    record = record_of(*shown)["objects"][number]
    leaves = [leaf for part in record["parts"] if part["part"] == name for leaf in part["leaves"]]
    picture[(shown.frame.object == number) & np.isin(shown.frame.part, leaves)] = color
    return picture, name, number


def test_a_part_whose_color_looks_like_another_is_found(shown: Shown) -> None:
    for color, paint in NUMBERS["paint"]["colors"].items():
        picture, name, number = painted(shown, tuple(paint))
        own = colors_of(shown.scene.objects[number])[name]
        found = wrong(*shown, picture)
        assert found[number] == ({} if own == color else {name: color})
        assert not any(found[:number] + found[number + 1 :])


def test_cyan_in_deep_shade_is_no_longer_cyan(shown: Shown) -> None:
    picture, name, number = painted(shown, (16, 85, 75))
    assert wrong(*shown, picture)[number][name] != "cyan"


def test_a_part_that_looks_like_another_gets_a_color_that_can_be_read_there(shown: Shown) -> None:
    # A blue glare: whatever is dark or red looks purple, blue or gray.
    glare = (0.06, 0.06, 0.3)
    picture = in_light(shown, 0.5, glare)
    before = wrong(*shown, picture)
    assert any(before)
    better = repainted(*shown, picture)
    after = wrong(better, shown.frame, in_light(Shown(better, shown.frame), 0.5, glare))
    assert sum(map(len, after)) < sum(map(len, before))
    for old, new, names in zip(shown.scene.objects, better.objects, before, strict=True):
        was, now = colors_of(old), colors_of(new)
        assert {name for name in was if was[name] != now[name]} <= set(names)
        assert all(now[name] in NUMBERS["paint"]["colors"] for name in names)
        assert old.pose == new.pose
    again = repainted(*shown, picture)
    assert again == better


def test_a_scene_that_is_read_right_keeps_its_paint(shown: Shown) -> None:
    assert repainted(*shown, in_light(shown, 1.0)) is shown.scene


def test_a_color_in_doubt_is_in_no_question_but_in_the_ways_to_see_a_scene(shown: Shown) -> None:
    picture, name, number = painted(shown, (16, 85, 75))
    unread = wrong(*shown, picture)
    told = msgspec.json.decode(msgspec.json.encode(record_of(*shown, unread=unread)))
    assert {part["color"] for part in told["objects"][number]["parts"] if part["part"] == name} == {None}
    assert told["objects"][number]["colors"][name]
    own = f"{told['objects'][number]['category']}-{number}/{name.replace(' ', '-')}-1"

    def color(world: World) -> Any:
        return world.entities[world.index(own)].attributes.get("color")

    assert color(ptr_world(told)) is None
    assert told["objects"][number]["colors"][name] in {color(world) for world in ptr_readings(told).by_eye}


@pytest.fixture(scope="module")
def row() -> dict[str, Any]:
    view = PictureSettings(width=240, height=160, samples=8)
    return PtrRecipe(seed=3, questions_per_scene=0, view=view, pictures=True).scene("train", 0)


def test_a_picture_shows_every_color_as_the_record_says(row: dict[str, Any]) -> None:
    assert list(PtrInspector().picture(row)) == []
    colors = list(seen_colors(row))
    assert len(colors) > 5
    assert all(color.seen == color.said for color in colors)


def test_an_audit_finds_a_picture_whose_colors_are_not_those_of_its_record(row: dict[str, Any]) -> None:
    dark = (decode_picture(row["image"]["bytes"]) // 5).astype(np.uint8)
    changed = {**row, "image": {**row["image"], "bytes": encode_png(dark)}}
    faults = list(PtrInspector().picture(changed))
    assert faults
    assert any(color.seen != color.said for color in seen_colors(changed))
    for shown, met in ((row, True), (changed, False)):
        watch = Looks()
        watch.look(shown, [])
        assert [gate.met for gate in watch.gates()] == [met]
    assert all(fault.startswith(("parts of object", "faint of object", "hidden of object")) for fault in faults)
