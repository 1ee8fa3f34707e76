"""What pictures show of each entity, as boxes and masks, for whoever has to point at it.

Everything is read off the id picture of a scene row. Masks are COCO's compressed run lengths of what is visible; boxes
are column, row, width and height of the visible pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mereo.datasets.store import QUESTION_FIELDS

__all__ = ["EXPRESSION_FIELDS", "Referents", "object_masks", "stored_entities", "with_entities"]

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

Mask = NDArray[np.bool_]


def with_entities(fields: pa.Schema) -> pa.Schema:
    """The columns of scene shards with `entities`: JSON, for every entity its box and its mask."""
    if "entities" in fields.names:
        return fields
    wider = fields.append(pa.field("entities", pa.string()))
    note = (fields.metadata or {}).get(b"huggingface")
    if note is None:
        return wider
    content = msgspec.json.decode(note)
    content["info"]["features"]["entities"] = {"dtype": "string", "_type": "Value"}
    return wider.with_metadata({"huggingface": msgspec.json.encode(content)})


def object_masks(
    row: Mapping[str, Any], count: int, *, instances: Sequence[Sequence[int]] | None = None
) -> list[Mask] | None:
    """For each entity of a scene row the mask of what is visible of it; None where the row has no id picture.

    instances : for each entity the numbers of the part instances that show it; object k shows entity k by default
    """
    if not row.get("instances"):
        return None
    from mereo.datasets.pictures import decode_png

    ids = decode_png(row["instances"]["bytes"])
    if instances is None:
        owners = [owner for owner, _, _ in msgspec.json.decode(row["instance_key"])]
        instances = [[place + 1 for place, owner in enumerate(owners) if owner == k] for k in range(count)]
    return [np.isin(ids, numbers) for numbers in instances]


def box_of(mask: Mask) -> list[int] | None:
    """Column, row, width and height of a mask; None where it is empty."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return None
    left, top = int(columns[0]), int(rows[0])
    return [left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1]


def stored_entities(masks: Iterable[Mask]) -> str:
    """The `entities` column of a scene."""
    from mereo.scenes.observe import encode_mask

    return msgspec.json.encode([{"box": box_of(mask), "mask": encode_mask(mask)} for mask in masks]).decode()


class Referents:
    """Boxes and masks of the sets that the steps of programs about one scene refer to, each worked out once."""

    def __init__(self, masks: Sequence[Mask] | None):
        self.masks = masks
        self._boxes = [box_of(mask) for mask in masks or ()]
        self._encoded: dict[tuple[int, ...], str] = {}

    def columns(self, referred: Sequence[Sequence[int]]) -> dict[str, Any]:
        """`boxes`, `masks` and `size` of an expression; empty where there is no picture."""
        if not self.masks:
            return {"boxes": [], "masks": [], "size": []}
        return {
            "boxes": [[box for k in step if (box := self._boxes[k]) is not None] for step in referred],
            "masks": [self.encoded(step) for step in referred],
            "size": list(self.masks[0].shape),
        }

    def encoded(self, members: Sequence[int]) -> str:
        """The run lengths of everything that shows one of these entities."""
        from mereo.scenes.observe import encode_mask

        assert self.masks
        key = tuple(members)
        if key not in self._encoded:
            union = np.zeros_like(self.masks[0])
            for k in members:
                union |= self.masks[k]
            self._encoded[key] = encode_mask(union)["counts"]
        return self._encoded[key]
