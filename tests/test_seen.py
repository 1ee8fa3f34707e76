"""Which pixels show which entity is what the id picture says, pixel by pixel."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mereo.datasets.pictures import encode_png
from mereo.datasets.seen import masks_of, object_instances

KEY = [[0, 0, "table/top"], [0, 1, "table/leg"], [2, 0, "chair/seat"], [0, 2, "table/leg"]]
pictures = arrays(np.uint16, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 4))


def row(ids: Any) -> dict[str, Any]:
    return {"instances": {"bytes": encode_png(ids)}, "instance_key": json.dumps(KEY)}


@given(pictures, st.lists(st.lists(st.integers(1, 9), unique=True), max_size=4))
def test_an_entity_is_seen_where_one_of_its_instances_is(ids: Any, instances: list[list[int]]) -> None:
    masks = masks_of(row(ids), instances)
    assert masks is not None
    expected = [[[int(number) in own for number in line] for line in ids] for own in instances]
    assert [mask.tolist() for mask in masks] == expected


@given(pictures)
def test_objects_are_entities_where_nothing_else_is_said(ids: Any) -> None:
    assert object_instances(row(ids), 4) == [[1, 2, 4], [], [3], []]
    by_number, by_instances = masks_of(row(ids), 3), masks_of(row(ids), [[1, 2, 4], [], [3]])
    assert by_number is not None
    assert by_instances is not None
    assert np.array_equal(by_number, by_instances)


@pytest.mark.parametrize("row", [{}, {"instances": None, "instance_key": None}])
def test_without_an_id_picture_nothing_is_told(row: dict[str, Any]) -> None:
    assert masks_of(row, 3) is None
