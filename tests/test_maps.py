"""What stands for a picture, and where one points, when a benchmark tells little of its scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mereo.datasets.inspector import Inspector
from mereo.evaluation.drawing import draw_map, reach_of
from mereo.world import Attribute, Entity, Vocabulary, World, make_world


class Plain(Inspector):
    """Knows only what every inspector knows."""

    def world(self, row: Mapping[str, Any]) -> World:
        raise NotImplementedError


def world_of(*numbers: Mapping[str, Any]) -> World:
    vocabulary = Vocabulary.of([Attribute("name", None)])
    names: tuple[dict[str, str], ...] = ({"name": "cup"}, {})
    return make_world([Entity(f"e{k}", attributes=names[k % 2], numbers=n) for k, n in enumerate(numbers)], vocabulary)


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_without_boxes_and_directions_every_sign_has_a_place_of_its_own(count: int) -> None:
    drawing = draw_map({}, world_of(*[{}] * count), Plain())
    places = {(left, top) for left, top, _, _ in drawing.reach.values()}
    assert len(places) == count == len(drawing.outlines)
    assert all(0 <= left < drawing.width and 0 <= top < drawing.height for left, top in places)


def test_boxes_are_the_map_where_there_are_any() -> None:
    drawing = draw_map({}, world_of({"box": (10, 20, 30, 40)}, {"box": (60, 5, 20, 20)}), Plain())
    assert drawing.reach == {0: (10, 20, 30, 40), 1: (60, 5, 20, 20)}
    assert (drawing.width, drawing.height) >= (80, 60)
    assert ">cup</text>" in drawing.picture
    assert ">e1</text>" in drawing.picture


def test_a_point_gets_a_ring_unless_there_is_a_box() -> None:
    world = world_of({"pixel": (100, 50, 3.0)}, {"pixel": (10, 10, 1.0), "box": (5, 5, 10, 10)}, {})
    reach = reach_of({}, world, Plain())
    assert dict(reach.boxes) == {1: (5, 5, 10, 10)}
    ((left, top, wide, tall),) = reach.rings.values()
    assert (left + wide / 2, top + tall / 2) == (100, 50)
