"""From a scene row with pictures to a record in CLEVR-Ref+'s form: masks, boxes of whole objects, and visibility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.refer.describe import VISIBLE
from mereo.benchmarks.refer.language import WORDS
from mereo.benchmarks.refer.visibility import covering, recorded_masks, visibility
from mereo.datasets.columns import record_of
from mereo.datasets.seen import masks_of
from mereo.masks import Pixels, row_runs

__all__ = ["annotated", "visible_masks"]


def annotated(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of CLEVR's whose record tells masks, boxes and visibility too; one without pictures stays as it is."""
    record = record_of(row)
    masks = masks_of(row, len(record["objects"]))
    if masks is None or "obj_mask" in record:
        return dict(row)
    height, width = masks[0].shape
    record |= {"width": width, "height": height}
    record["obj_mask"] = {str(k + 1): row_runs(mask) for k, mask in enumerate(masks)}
    record["obj_bbox"] = {str(k + 1): box for k, box in enumerate(_whole_boxes(row["layout"], width, height))}
    words = visibility(covering(record), WORDS["extra"]["visible"])
    for k, thing in enumerate(record["objects"]):
        thing["idx"] = k + 1
        if words and words[k] is not None:
            thing[VISIBLE] = words[k]
    return {**row, "scene": msgspec.json.encode(record).decode()}


def visible_masks(row: Mapping[str, Any]) -> list[Pixels] | None:
    """What is visible of each object, from the id picture or from the record; None where neither is there."""
    record = record_of(row)
    masks = masks_of(row, len(record["objects"]))
    return recorded_masks(record) if masks is None and isinstance(record.get("obj_mask"), dict) else masks


def _whole_boxes(layout: str, width: int, height: int) -> Sequence[list[int]]:
    """Column, row, width and height of every object with all that is hidden of it, within the picture."""
    from mereo.scenes.assemble import assemble
    from mereo.scenes.observe import projected
    from mereo.scenes.scene import scene_from_json

    scene = scene_from_json(layout.encode())
    triangles = assemble(scene)
    seen = projected(scene, triangles.vertices.tolist())[:, :2]
    boxes = []
    for number in range(len(scene.objects)):
        own = seen[np.unique(triangles.faces[triangles.object == number])]
        low = np.clip(np.floor(own.min(0)), 0, (width, height))
        high = np.clip(np.ceil(own.max(0)), 0, (width, height))
        boxes.append([int(side) for side in (*low, *(high - low))])
    return boxes
