"""Datasets as COCO: instances (objects and parts as categories, masks as run lengths) and panoptic maps.

Where only boxes are known, instances are boxes without masks, and there are no panoptic maps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mereo.datasets.columns import key_of
from mereo.datasets.export import Progress, Source, exporter, picture_name
from mereo.datasets.picture_bytes import picture_size
from mereo.datasets.seen import masks_of
from mereo.errors import BadInput
from mereo.files import write_bytes
from mereo.masks import Pixels, box_of, encode

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
    from mereo.datasets.pictures import encode_png

    things = _things(key_of(row))
    masks = masks_of(row, [numbers for _, numbers in things])
    assert masks
    height, width = masks[0].shape
    name, image = picture_name(row), len(own["images"]) + 1
    write_bytes(out / "images" / split / name, row["image"]["bytes"])
    own["images"].append({"id": image, "file_name": name, "height": height, "width": width})
    segments: list[dict[str, Any]] = []
    colored = np.zeros((height, width, 3), np.uint8)
    for (label, _), mask in zip(things, masks, strict=True):
        if not mask.any():
            continue
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
    eye = source.inspector
    world = eye.world(row) if eye is not None else None
    if eye is None or world is None or not (boxes := eye.boxes(row, world)):
        raise BadInput("has neither masks nor boxes, which COCO needs", file=source.folder, record=row["scene_id"])
    width, height = picture_size(row["image"]["bytes"])
    name, image = picture_name(row), len(own["images"]) + 1
    write_bytes(out / "images" / split / name, row["image"]["bytes"])
    own["images"].append({"id": image, "file_name": name, "height": height, "width": width})
    for k, box in boxes.items():
        category = categories.number(eye.name(world.entities[k]))
        told = {"category_id": category, "bbox": list(box), "area": box[2] * box[3], "iscrowd": 0}
        own["annotations"].append({"id": len(own["annotations"]) + 1, "image_id": image, **told})


def _things(key: list[tuple[int, int, str]]) -> list[tuple[str, list[int]]]:
    """Every object and, where it has more than one part, every part: its label, and the numbers of its instances."""
    found = []
    for number in sorted({owner for owner, _, _ in key}):
        own = {place + 1: label for place, (owner, _, label) in enumerate(key) if owner == number}
        found.append((next(iter(own.values())).split("/")[0], list(own)))
        found += [(label, [place]) for place, label in own.items() if "/" in label]
    return found


def _annotation(mask: Pixels, category: int) -> dict[str, Any]:
    return {
        "category_id": category,
        "segmentation": encode(mask),
        "bbox": box_of(mask),
        "area": int(mask.sum()),
        "iscrowd": 0,
    }
