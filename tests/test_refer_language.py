"""Two languages to refer in: CLEVR-Ref+'s with all its habits, and ours without them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import referred
from mereo.benchmarks.refer.language import CLEVR_REF, LANGUAGE, refer_world
from mereo.benchmarks.refer.official import FORMAT
from mereo.benchmarks.refer.ordinals import ranked
from mereo.benchmarks.refer.visibility import covering, official_visibility, size_of, visibility
from mereo.datasets.format import SceneRecord
from mereo.errors import BadInput
from mereo.programs import NothingReferred, NoValue, execute
from mereo.world import World

WORDS = ("fully visible", "partially visible")


def record(*columns: float, depths: tuple[float, ...] = (), size: int = 480, **more: Any) -> dict[str, Any]:
    """A row of red cubes at these columns of the picture."""
    things = [
        {
            "size": "large",
            "color": "red",
            "material": "metal",
            "shape": "cube",
            "3d_coords": [float(k), float(k), 0.7],
            "pixel_coords": [column, 100, depths[k] if depths else 5.0 + k],
        }
        for k, column in enumerate(columns)
    ]
    directions = {"left": [-1, 0, 0], "right": [1, 0, 0], "front": [0, -1, 0], "behind": [0, 1, 0]}
    return {"objects": things, "directions": directions, "width": size, "height": size * 2 // 3, **more}


def official(content: dict[str, Any]) -> World:
    return FORMAT.world(SceneRecord(content, Path("scenes.json"), "scene 0"))


def answer(program: str, world: World) -> Any:
    return execute(program, world, CLEVR_REF if "one of the" in program or " visible" in program else LANGUAGE).answer


# Ordinals


@pytest.mark.parametrize(
    ("number", "side", "found"),
    [("first", "left", "1"), ("third", "left", "0"), ("first", "right", "0"), ("second", "front", "1")],
)
def test_ordinals_count_from_a_side(number: str, side: str, found: str) -> None:
    world = refer_world(record(300, 20, 150))
    assert answer(f"filter_ordinal[{number}, {side}](scene())", world) == [found]


def test_objects_too_near_each_other_have_no_order_but_the_others_still_do() -> None:
    world = refer_world(record(300, 150, 153, 20))
    assert ranked(world, 0b1111, "left") == [3, None, None, 0]
    with pytest.raises(NoValue, match="another is too near to tell which is second"):
        answer("filter_ordinal[second, left](scene())", world)
    assert answer("filter_ordinal[first, left](scene())", world) == ["3"]


def test_near_is_a_matter_of_the_picture_not_of_pixels() -> None:
    assert ranked(refer_world(record(30, 40, size=480)), 0b11, "left") == [0, 1]
    assert ranked(refer_world(record(30, 40, size=960)), 0b11, "left") == [None, None]


def test_the_first_of_one_is_that_one_and_there_is_no_second() -> None:
    world = refer_world(record(20))
    assert answer("filter_ordinal[first, right](scene())", world) == ["0"]
    with pytest.raises(NothingReferred, match="there are only 1, so none is second"):
        answer("filter_ordinal[second, right](scene())", world)


def test_without_pixels_nothing_can_be_counted() -> None:
    content = record(20, 40)
    for thing in content["objects"]:
        del thing["pixel_coords"]
    with pytest.raises(NoValue, match="these are in no order"):
        answer("filter_ordinal[first, right](scene())", refer_world(content))


def test_clevr_ref_fails_on_a_set_of_one_and_turns_ties_around_from_the_right() -> None:
    with pytest.raises(NoValue):
        answer("filter_ordinal[the first one of the, from left](scene())", official(record(20)))
    tied = official(record(50, 50, 50))
    left = [answer(f"filter_ordinal[the {n} one of the, from left](scene())", tied) for n in ("first", "third")]
    right = [answer(f"filter_ordinal[the {n} one of the, from right](scene())", tied) for n in ("first", "third")]
    assert (left, right) == ([["0"], ["2"]], [["2"], ["0"]])
    with pytest.raises(NothingReferred):
        answer("filter_ordinal[the fourth one of the, from left](scene())", tied)


# Visibility


def with_masks(near: tuple[int, int, int, int], far: list[int], *, size: tuple[int, int] = (30, 20)) -> dict[str, Any]:
    """Two objects: a near one that is a block of pixels, and a far one with a box."""
    width, height = size
    left, top, across, down = near
    mask = [left <= k % width < left + across and top <= k // width < top + down for k in range(width * height)]
    content = record(5.0, 20.0, depths=(4.0, 9.0))
    content |= {"width": width, "height": height}
    content["obj_mask"] = {"1": referred.runs(mask), "2": referred.runs([False] * (width * height))}
    content["obj_bbox"] = {"1": list(near), "2": far}
    return content


@pytest.mark.parametrize(
    ("near", "ours", "theirs"),
    [
        ((0, 0, 5, 5), "fully", [None, None]),
        ((8, 0, 4, 10), "partially", [*WORDS]),
        ((8, 0, 3, 10), None, [None, None]),
    ],
)
def test_an_object_is_partially_visible_from_a_fifth_of_its_box_on(
    near: tuple[int, int, int, int], ours: str | None, theirs: list[str | None]
) -> None:
    content = with_masks(near, [10, 0, 9, 10])
    assert visibility(covering(content), ("fully", "partially")) == ["fully", ours]
    assert official_visibility(covering(content), WORDS) == theirs


def test_just_a_fifth_is_partial_for_clevr_ref_and_doubtful_for_us() -> None:
    content = with_masks((8, 0, 4, 10), [10, 0, 10, 10])
    assert covering(content) == [[0, 0], [0.2, 0]]
    assert official_visibility(covering(content), WORDS) == list(WORDS)
    assert visibility(covering(content), WORDS) == [WORDS[0], None]


def test_visibility_fails_while_one_object_is_in_doubt() -> None:
    world = refer_world(with_masks((8, 0, 3, 10), [10, 0, 9, 10]))
    with pytest.raises(NoValue, match="how visible every object is"):
        answer("filter_visible[fully](scene())", world)


def test_the_visible_ones_of_none_are_none_for_us_and_fail_in_clevr_ref() -> None:
    content = with_masks((8, 0, 4, 10), [10, 0, 9, 10])
    nothing = "filter_color[blue](scene())"
    assert answer(f"filter_visible[fully]({nothing})", refer_world(content)) == []
    with pytest.raises(NothingReferred):
        answer(f"filter_visible[fully visible]({nothing})", official(content))


@pytest.mark.parametrize("index", range(12))
def test_what_covers_what_is_what_counting_pixels_says(index: int) -> None:
    content = referred.scene(index, seed=11)
    ours = covering(content)
    assert ours is not None
    theirs = referred.shares(content)
    for far, row in enumerate(ours):
        for near, share in enumerate(row):
            assert share == pytest.approx(theirs.get((far, near), 0.0))


# Masks in scene records


def test_the_size_of_a_picture_is_told_or_follows_from_its_masks() -> None:
    assert size_of({"width": 7, "height": 5}) == (7, 5)
    assert size_of({"obj_mask": {"1": "153000,600"}}) == (480, 320)
    assert size_of({"obj_mask": {"1": str(320 * 240)}}) == (320, 240)
    assert size_of({"obj_mask": {"1": str(96 * 64)}}) == (96, 64)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"obj_mask": {"1": "3,x", "2": "600"}}, "field 'obj_mask': must be run lengths, as '12,3,4'"),
        ({"obj_mask": {"1": "3,4", "2": "600"}}, "field 'obj_mask': covers 7 pixels, the picture has 600"),
        ({"obj_mask": {"1": "600"}}, "object 1, field 'obj_mask': has no entry '2'"),
        ({"obj_bbox": {"1": [1, 2, 3], "2": [0, 0, 1, 1]}}, "object 0, field 'obj_bbox': must be four numbers"),
    ],
)
def test_a_wrong_mask_or_box_is_named(change: dict[str, Any], sentence: str) -> None:
    content = with_masks((8, 0, 4, 10), [10, 0, 9, 10]) | change
    with pytest.raises(BadInput, match=re.escape(f"scenes.json, scene 0, {sentence}")):
        official(content)
