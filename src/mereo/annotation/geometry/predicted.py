"""What networks said of points of a shape, from a folder of HDF5 files.

    FOLDER/ins_seg_h5/Chair/train-00.h5      pts (B, N, 3), as annotations and datasets are written for networks
    FOLDER/instance/Chair-3/train-00.h5      mask (B, K, N), label (B, K) from 0, valid (B, K), conf (B, K)

Beside the points lies `train-00.json` with the `anno_id` of each row; beside the predictions too, or they have the same
rows. The finest level that there is counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mereo.annotation.geometry.proposals import Instances
from mereo.errors import BadInput
from mereo.shapes.frames import PARTNET
from mereo.shapes.partnet import partnet_name
from mereo.shapes.partnet_h5 import read_h5, read_records
from mereo.shapes.segmentation import level_names
from mereo.shapes.template import AndOrTemplate

__all__ = ["read_instances"]

_LEVELS = (3, 2, 1)


def read_instances(folder: Path, name: str, template: AndOrTemplate) -> Instances:
    """What is said of the shape of a name."""
    category = partnet_name(template.category)
    place = folder / "ins_seg_h5" / category
    row = next((row for row in _rows(place) if row.name == name), None)
    if row is None:
        raise BadInput(f"has no points of '{name}': there is no record of it in ins_seg_h5/{category}", file=folder)
    files = {level: folder / "instance" / f"{category}-{level}" / row.path.name for level in _LEVELS}
    level = next((level for level, path in files.items() if path.is_file()), None)
    if level is None:
        raise BadInput(f"has no predictions: there is no instance/{category}-3/{row.path.name}", file=folder)
    points = read_h5(row.path, "instance", rows=row.rows)["pts"][0].astype(np.float64)
    return _said(files[level], row, PARTNET.to_ours(points), level_names(template, level))


class _Row(NamedTuple):
    """Where a shape stands."""

    path: Path
    place: int
    name: str

    @property
    def rows(self) -> slice:
        """It alone."""
        return slice(self.place, self.place + 1)


def _rows(place: Path) -> Iterator[_Row]:
    """The shapes in the files of a folder."""
    for path in sorted(place.glob("*.h5")):
        for number, record in enumerate(read_records(path)):
            yield _Row(path, number, str(record.get("anno_id")))


def _said(
    path: Path, row: _Row, points: np.ndarray[tuple[int, int], np.dtype[np.float64]], names: list[str]
) -> Instances:
    if path.with_suffix(".json").is_file():
        own = [one for one in _rows(path.parent) if one.path == path and one.name == row.name]
        if not own:
            raise BadInput(f"has no record of '{row.name}'", file=path.with_suffix(".json"))
        row = own[0]
    found = {field: values[0] for field, values in read_h5(path, "predictions", rows=row.rows).items() if len(values)}
    record = f"shape {row.place}"
    if not found:
        raise BadInput("has no such row", file=path, record=record)
    valid = found["valid"] & found["mask"].any(1)
    masks, labels, confidence = found["mask"][valid], found["label"][valid], found["conf"][valid].astype(np.float64)
    if masks.shape[1] != len(points):
        raise BadInput(f"is of {masks.shape[1]:,} points, not {len(points):,}", file=path, record=record, field="mask")
    if labels.max(initial=0) >= len(names):
        raise BadInput(f"{labels.max()} is none of the {len(names)} labels", file=path, record=record, field="label")
    if not np.isfinite(confidence).all():
        raise BadInput("holds what is no number", file=path, record=record, field="conf")
    return Instances(points, masks, [names[label] for label in labels.tolist()], confidence)
