"""Datasets as COCO: instances (objects and parts as categories, masks as run lengths) and panoptic maps.

Where only boxes are known, instances are boxes without masks, and there are no panoptic maps. Categories are numbered
as the benchmark lists them, whether they occur or not, so that one number means the same in all its datasets; names
that it does not list come after these, in alphabetical order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mereo.datasets.columns import key_of
from mereo.datasets.export import Progress, Source, exporter, picture_name
from mereo.datasets.picture_bytes import picture_size
from mereo.datasets.seen import masks_of
from mereo.errors import BadInput
from mereo.files import write_bytes
from mereo.masks import Box, Pixels, box_of, encode

__all__ = ["to_coco"]


class _Thing(NamedTuple):
    """What is annotated: an object, or a part of one."""

    label: str
    box: Box
    mask: Pixels | None = None


@exporter("coco")
def to_coco(source: Source, out: Path, progress: Progress) -> None:
    """`images/SPLIT/*`, `annotations/instances_SPLIT.json`, `annotations/panoptic_SPLIT.json` with its pictures."""
    source.need_pictures("COCO")
    found: dict[str, dict[str, list[Any]]] = {}
    for split, rows, _ in source.shards():
        own = found.setdefault(split, {"images": [], "annotations": [], "panoptic": []})
        for row in rows:
            _scene(row, split, out, own, _things(row, source))
            progress(1)
    names = {record["category_id"] for own in found.values() for record in own["annotations"]}
    known = list(source.inspector.categories()) if source.inspector is not None else []
    numbers = {name: place + 1 for place, name in enumerate([*known, *sorted(names.difference(known))])}
    categories = [
        {"id": number, "name": name, "supercategory": name.split("/")[0], "isthing": 1}
        for name, number in numbers.items()
    ]
    for split, own in found.items():
        segments = [segment for record in own["panoptic"] for segment in record["segments_info"]]
        for record in (*own["annotations"], *segments):
            record["category_id"] = numbers[record["category_id"]]
        about = {"description": source.manifest.benchmark, **source.licensed()}
        common = {"info": about, "images": own["images"]}
        kinds = {"instances": own["annotations"], "panoptic": own["panoptic"]}
        for kind, records in kinds.items():
            if kind == "panoptic" and not records:
                continue
            content = {**common, "annotations": records, "categories": categories}
            write_bytes(out / "annotations" / f"{kind}_{split}.json", msgspec.json.encode(content))


def _scene(row: dict[str, Any], split: str, out: Path, own: dict[str, list[Any]], things: list[_Thing]) -> None:
    """Annotate a picture; categories are still names, since not all are known yet."""
    from mereo.datasets.pictures import encode_png

    width, height = picture_size(row["image"]["bytes"])
    name, image = picture_name(row), len(own["images"]) + 1
    write_bytes(out / "images" / split / name, row["image"]["bytes"])
    own["images"].append({"id": image, "file_name": name, "height": height, "width": width})
    segments: list[dict[str, Any]] = []
    colored = np.zeros((height, width, 3), np.uint8)
    for label, box, mask in things:
        if mask is not None and mask.shape != (height, width):
            reason = f"a mask is of {mask.shape[1]}x{mask.shape[0]} pixels, the picture of {width}x{height}"
            raise BadInput(reason, record=row["scene_id"])
        area = box[2] * box[3] if mask is None else int(mask.sum())
        told = {"category_id": label, "bbox": list(box), "area": area, "iscrowd": 0}
        shape = {} if mask is None else {"segmentation": encode(mask)}
        own["annotations"].append({"id": len(own["annotations"]) + 1, "image_id": image, **told, **shape})
        if mask is not None and "/" not in label:
            color = len(segments) + 1
            colored[mask] = (color, 0, 0)
            segments.append({"id": color, **told})
    if not any(thing.mask is None for thing in things):
        panoptic = f"{row['scene_id']}.png"
        write_bytes(out / "annotations" / f"panoptic_{split}" / panoptic, encode_png(colored))
        own["panoptic"].append({"image_id": image, "file_name": panoptic, "segments_info": segments})


def _things(row: dict[str, Any], source: Source) -> list[_Thing]:
    """What is seen in a scene's picture: by its id picture, by the masks that its record has, or by boxes alone."""
    if row.get("instances"):
        labeled = _labeled(key_of(row))
        masks = masks_of(row, [numbers for _, numbers in labeled]) or []
        seen = zip((label for label, _ in labeled), masks, strict=True)
        return [_Thing(label, box, mask) for label, mask in seen if (box := box_of(mask)) is not None]
    eye = source.inspector
    if eye is not None:
        world = eye.world(row)
        shown = eye.masks(row, world)
        boxes = {k: box_of(mask) for k, mask in shown.items()} if shown else eye.boxes(row, world)
        if boxes:
            named = {k: eye.name(world.entities[k]) for k in boxes}
            return [_Thing(named[k], box, shown.get(k)) for k, box in boxes.items() if box is not None]
    raise BadInput("has neither masks nor boxes, which COCO needs", file=source.folder, record=row["scene_id"])


def _labeled(key: list[tuple[int, int, str]]) -> list[tuple[str, list[int]]]:
    """Every object and, where it has more than one part, every part: its label, and the numbers of its instances."""
    found = []
    for number in sorted({owner for owner, _, _ in key}):
        own = {place + 1: label for place, (owner, _, label) in enumerate(key) if owner == number}
        found.append((next(iter(own.values())).split("/")[0], list(own)))
        found += [(label, [place]) for place, label in own.items() if "/" in label]
    return found
