"""Datasets as COCO: instances (objects and parts as categories, masks as run lengths) and panoptic maps.

Where only boxes are known, instances are boxes without masks, and there are no panoptic maps.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mereo.datasets.export import Progress, Source, exporter
from mereo.errors import BadInput
from mereo.files import write_bytes

__all__ = ["to_coco"]


class _Categories:
    """Numbers for category names, in the order in which they turn up."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers) + 1)

    def records(self) -> list[dict[str, Any]]:
        return [
            {"id": number, "name": name, "supercategory": name.split("/")[0], "isthing": 1}
            for name, number in self.numbers.items()
        ]


@exporter("coco")
def to_coco(source: Source, out: Path, progress: Progress) -> None:
    """`images/SPLIT/*`, `annotations/instances_SPLIT.json`, `annotations/panoptic_SPLIT.json` with its pictures."""
    source.need_pictures("COCO")
    categories = _Categories()
    found: dict[str, dict[str, list[Any]]] = {}
    for split, rows, _ in source.shards():
        own = found.setdefault(split, {"images": [], "annotations": [], "panoptic": []})
        for row in rows:
            if row.get("instances"):
                _scene(row, split, out, own, categories)
            else:
                _boxed_scene(row, split, out, own, categories, source)
            progress(1)
    for split, own in found.items():
        common = {"info": {"description": source.manifest.benchmark}, "images": own["images"]}
        kinds = {"instances": own["annotations"], "panoptic": own["panoptic"]}
        for kind, records in kinds.items():
            if kind == "panoptic" and not records:
                continue
            record = {**common, "annotations": records, "categories": categories.records()}
            write_bytes(out / "annotations" / f"{kind}_{split}.json", msgspec.json.encode(record))


def _scene(row: dict[str, Any], split: str, out: Path, own: dict[str, list[Any]], categories: _Categories) -> None:
    from mereo.datasets.pictures import decode_png, encode_png

    ids = decode_png(row["instances"]["bytes"])
    key = [tuple(entry) for entry in msgspec.json.decode(row["instance_key"])]
    name, image = f"{row['scene_id']}{Path(row['image']['path']).suffix}", len(own["images"]) + 1
    write_bytes(out / "images" / split / name, row["image"]["bytes"])
    own["images"].append({"id": image, "file_name": name, "height": ids.shape[0], "width": ids.shape[1]})
    segments: list[dict[str, Any]] = []
    colored = np.zeros((*ids.shape, 3), np.uint8)
    for label, mask in _masks(ids, key):
        annotation = _annotation(mask, categories.number(label))
        number = len(own["annotations"]) + 1
        own["annotations"].append({"id": number, "image_id": image, **annotation})
        if "/" not in label:
            color = len(segments) + 1
            colored[mask] = (color, 0, 0)
            fields = ("category_id", "bbox", "area", "iscrowd")
            segments.append({"id": color, **{field: annotation[field] for field in fields}})
    panoptic = f"{row['scene_id']}.png"
    write_bytes(out / "annotations" / f"panoptic_{split}" / panoptic, encode_png(colored))
    own["panoptic"].append({"image_id": image, "file_name": panoptic, "segments_info": segments})


def _boxed_scene(
    row: dict[str, Any], split: str, out: Path, own: dict[str, list[Any]], categories: _Categories, source: Source
) -> None:
    """A scene of which boxes are known, but no pixels."""
    from mereo.datasets.pictures import pillow

    eye = source.inspector
    world = eye.world(row) if eye is not None else None
    if eye is None or world is None or not (boxes := eye.boxes(row, world)):
        raise BadInput("has neither masks nor boxes, which COCO needs", file=source.folder, record=row["scene_id"])
    with pillow("Image").open(io.BytesIO(row["image"]["bytes"])) as picture:
        width, height = picture.size
    name, image = f"{row['scene_id']}{Path(row['image']['path']).suffix}", len(own["images"]) + 1
    write_bytes(out / "images" / split / name, row["image"]["bytes"])
    own["images"].append({"id": image, "file_name": name, "height": height, "width": width})
    for k, box in boxes.items():
        category = categories.number(eye.name(world.entities[k]))
        told = {"category_id": category, "bbox": list(box), "area": box[2] * box[3], "iscrowd": 0}
        own["annotations"].append({"id": len(own["annotations"]) + 1, "image_id": image, **told})


def _masks(ids: Any, key: list[tuple[int, int, str]]) -> Iterator[tuple[str, Any]]:
    """Every object and every part of more than one that shows, with its mask."""
    owners = np.array([-1, *(owner for owner, _, _ in key)])
    objects = owners[ids]
    for number in sorted({owner for owner, _, _ in key}):
        own = objects == number
        if own.any():
            yield next(label for owner, _, label in key if owner == number).split("/")[0], own
        for place, (owner, _, label) in enumerate(key):
            part = ids == place + 1
            if owner == number and "/" in label and part.any():
                yield label, part


def _annotation(mask: Any, category: int) -> dict[str, Any]:
    from mereo.scenes.observe import encode_mask

    rows, columns = np.nonzero(mask)
    left, top = int(columns.min()), int(rows.min())
    return {
        "category_id": category,
        "segmentation": encode_mask(mask),
        "bbox": [left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1],
        "area": len(rows),
        "iscrowd": 0,
    }
