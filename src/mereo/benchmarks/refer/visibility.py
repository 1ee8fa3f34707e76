"""How much of each object others hide, from masks and boxes, and what that makes it be called.

A scene record in CLEVR-Ref+'s form holds for every object the mask of what is visible of it and the box of all of it,
hidden parts included. What stands nearer may cover a share of that box. CLEVR-Ref+ looks at pairs of objects and gives
up on the whole scene as soon as one pair is in doubt; mereo adds up all that stands in front of an object, as the paper
says, and doubts objects one by one. It is as careful as CLEVR-Ref+, though: an object of which anything covers just a
little is in doubt too, so that what is said of visibility holds by either reckoning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mereo.errors import BadInput
from mereo.masks import Pixels, mask_of_row_runs, row_lengths

__all__ = ["PARTIAL", "covering", "official_visibility", "recorded_masks", "size_of", "visibility"]

PARTIAL = 0.2
"""The share of its box from which on an object is partially visible."""
_SIZES = {480 * 320: (480, 320), 320 * 240: (320, 240)}

Covering = Sequence[Sequence[float]]
"""covering[far][near]: the share of one object's box that the visible pixels of a nearer one take up."""


def recorded_masks(record: Mapping[str, Any]) -> list[Pixels]:
    """(height, width) each: what is visible of every object, as a record says."""
    width, height = size_of(record)
    try:
        texts = [record["obj_mask"][str(k + 1)] for k in range(len(record["objects"]))]
        return [mask_of_row_runs(text, width=width, height=height) for text in texts]
    except BadInput as error:
        raise error.within(field="obj_mask") from None


def size_of(record: Mapping[str, Any]) -> tuple[int, int]:
    """Width and height of a record's picture: as it says, or as the lengths of its masks tell."""
    if isinstance(record.get("width"), int) and isinstance(record.get("height"), int):
        return record["width"], record["height"]
    try:
        total = sum(row_lengths(next(iter(record["obj_mask"].values()), "")))
    except BadInput as error:
        raise error.within(field="obj_mask") from None
    if total in _SIZES:
        return _SIZES[total]
    height = math.isqrt(total * 2 // 3)
    if not total or 3 * height * height != 2 * total:
        raise BadInput(f"covers {total} pixels, which is no picture of 3:2", field="obj_mask")
    return total // height, height


def covering(record: Mapping[str, Any]) -> Covering | None:
    """What covers what in a record; None where it holds no masks and boxes, or two objects are equally far."""
    masks, boxes, objects = record.get("obj_mask"), record.get("obj_bbox"), record["objects"]
    if not isinstance(masks, dict) or not isinstance(boxes, dict):
        return None
    names = [str(k + 1) for k in range(len(objects))]
    depths = []
    for name, thing in zip(names, objects, strict=True):
        if name not in masks or name not in boxes:
            missing = "obj_bbox" if name in masks else "obj_mask"
            raise BadInput(f"has no entry '{name}'", record=f"object {int(name) - 1}", field=missing)
        pixel = thing.get("pixel_coords")
        if not isinstance(pixel, list) or len(pixel) != 3:
            raise BadInput("must be three numbers", record=f"object {int(name) - 1}", field="pixel_coords")
        depths.append(pixel[2])
    if len(set(depths)) < len(depths):
        return None
    seen = [np.nonzero(mask) for mask in recorded_masks(record)]
    shares = [[0.0] * len(objects) for _ in objects]
    for far, name in enumerate(names):
        left, top, across, down = _box(boxes[name], far)
        for near, (rows, columns) in enumerate(seen):
            if depths[near] < depths[far] and across * down:
                inside = (rows >= top) & (rows < top + down) & (columns >= left) & (columns < left + across)
                shares[far][near] = float(np.count_nonzero(inside)) / (across * down)
    return shares


def _box(box: Any, number: int) -> tuple[int, int, int, int]:
    if not isinstance(box, list) or len(box) != 4 or not all(isinstance(side, int | float) for side in box):
        raise BadInput("must be four numbers", record=f"object {number}", field="obj_bbox")
    left, top, across, down = box
    return left, top, across, down


def official_visibility(shares: Covering | None, words: Sequence[str]) -> list[str | None]:
    """What CLEVR-Ref+ calls each object; nothing at all where one pair is in doubt or all objects would be alike."""
    if shares is None:
        return []
    if any(0 < share < PARTIAL for row in shares for share in row):
        return [None] * len(shares)
    hidden = [any(share >= PARTIAL for share in row) for row in shares]
    if all(hidden) or not any(hidden):
        return [None] * len(shares)
    return [words[is_hidden] for is_hidden in hidden]


def visibility(shares: Covering | None, words: Sequence[str]) -> list[str | None]:
    """What mereo calls each object: fully visible, partially visible, or nothing where it is neither clearly."""
    if shares is None:
        return []
    found: list[str | None] = []
    for row in shares:
        total, nibbled = sum(row), any(0 < share < PARTIAL for share in row)
        found.append(words[0] if total == 0 else words[1] if total > PARTIAL and not nibbled else None)
    return found
