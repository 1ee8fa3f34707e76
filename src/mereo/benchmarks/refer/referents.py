"""What pictures show of each entity, as boxes and masks, for whoever has to point at it.

Everything is read off the id picture of a scene row. Masks are COCO's compressed run lengths of what is visible; boxes
are column, row, width and height of the visible pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pyarrow as pa

from mereo.datasets.store import QUESTION_FIELDS, with_text
from mereo.masks import Encoded, Pixels, box_of, encode, union

__all__ = ["EXPRESSION_FIELDS", "Referents", "stored_entities", "with_entities"]

EXPRESSION_FIELDS = pa.schema(
    [
        *QUESTION_FIELDS,
        ("number", pa.int32()),
        ("subset", pa.string()),
        ("false_premise", pa.bool_()),
        ("relations", pa.int32()),
        ("topology", pa.string()),
        ("boxes", pa.list_(pa.list_(pa.list_(pa.int32())))),
        ("masks", pa.list_(pa.string())),
        ("size", pa.list_(pa.int32())),
    ]
)
"""Columns of a shard of referring expressions.

number: how many are referred to at the end, which is `answer` too · subset: single, multi or none · relations: spatial
ones in the program · topology: chain, or tree where branches join · boxes: for every step one box for each entity that
it refers to and that can be seen · masks: for every step the run lengths of all it refers to · size: height and width.
"""


def with_entities(fields: pa.Schema) -> pa.Schema:
    """The columns of scene shards with `entities`: JSON, for every entity its box and its mask."""
    return fields if "entities" in fields.names else with_text(fields, "entities")


def stored_entities(masks: Iterable[Pixels]) -> str:
    """The `entities` column of a scene."""
    return msgspec.json.encode([{"box": box_of(mask), "mask": encode(mask)} for mask in masks]).decode()


class Referents:
    """Boxes and masks of the sets that the steps of programs about one scene refer to, each worked out once."""

    def __init__(self, masks: Sequence[Pixels] | None):
        self._boxes = [box_of(mask) for mask in masks or ()]
        self._masks: list[Encoded] = [encode(mask) for mask in masks or ()]
        self._letters: dict[tuple[int, ...], str] = {}

    def columns(self, referred: Sequence[Sequence[int]]) -> dict[str, Any]:
        """`boxes`, `masks` and `size` of an expression; empty where there is no picture."""
        if not self._masks:
            return {"boxes": [], "masks": [], "size": []}
        return {
            "boxes": [[box for k in step if (box := self._boxes[k]) is not None] for step in referred],
            "masks": [self._together(step) for step in referred],
            "size": self._masks[0]["size"],
        }

    def _together(self, members: Sequence[int]) -> str:
        """The run lengths of everything that shows one of these entities."""
        key = tuple(members)
        if key not in self._letters:
            self._letters[key] = union([self._masks[k] for k in key], size=self._masks[0]["size"])["counts"]
        return self._letters[key]
