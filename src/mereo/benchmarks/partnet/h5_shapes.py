"""Shapes in the HDF5 files of PartNet's release that hold leaves, `ins_seg_h5/Chair/train-00.h5`, with their records.

What is told of parts stands in the records beside each file: every part with its label and the numbers of its leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.clouds import CloudRecord, Piece
from mereo.errors import BadInput
from mereo.files import read_json
from mereo.shapes.partnet import partnet_name
from mereo.shapes.partnet_h5 import read_h5
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.points import farthest

__all__ = ["H5Shape", "h5_files", "h5_shapes"]

_FOLDER = "ins_seg_h5"


class _Part(msgspec.Struct):
    part_name: str
    leaf_id_list: list[int]


class _Record(msgspec.Struct):
    """What is told of one row."""

    anno_id: str
    ins_seg: list[_Part]
    model_id: str = ""


@dataclass(frozen=True)
class H5Shape:
    """One row of a file."""

    path: Path
    row: int
    category: str
    name: str
    family: str
    parts: tuple[Piece, ...]

    def cloud(self, *, points: int, seed: int) -> tuple[CloudRecord, PointSample]:
        """Its own points; of more than are wanted those that are farthest apart."""
        arrays = _read(self.path)
        own = {name: values[self.row] for name, values in arrays.items()}
        count = len(own["pts"])
        if count < points:
            reason = f"has {count:,} points, not {points:,}: choose fewer with --points"
            raise BadInput(reason, file=self.path, record=f"shape {self.row}")
        kept = farthest(own["pts"].astype(np.float64), points) if count > points else np.arange(count)
        sample = PointSample(
            own["pts"][kept].astype(np.float64),
            own["nor"][kept].astype(np.float64),
            own["rgb"][kept],
            own["opacity"][kept].astype(np.float64),
            own["label"][kept],
        )
        return CloudRecord(self.name, self.category, self.family, points, self.parts), sample


def h5_files(path: Path, chosen: Sequence[str]) -> list[tuple[str, Path]]:
    """Category and path of each file of some categories in a folder, or in its folder `ins_seg_h5`."""
    places = [(name, folder / partnet_name(name)) for name in chosen for folder in (path, path / _FOLDER)]
    return [(name, file) for name, place in places for file in sorted(place.glob("*-[0-9][0-9].h5"))]


def h5_shapes(files: Sequence[tuple[str, Path]]) -> Iterator[tuple[str, str, H5Shape]]:
    """Split, name and shape of every row of files."""
    for category, path in files:
        records = read_json(path.with_suffix(".json"), type=list[_Record])
        for row, record in enumerate(records):
            parts = tuple(Piece(part.part_name, tuple(part.leaf_id_list)) for part in record.ins_seg)
            family = record.model_id or record.anno_id
            yield (
                path.name.rpartition("-")[0],
                record.anno_id,
                H5Shape(path, row, category, record.anno_id, family, parts),
            )


@lru_cache(maxsize=1)
def _read(path: Path) -> Mapping[str, NDArray[Any]]:
    """A file is kept until the next is wanted, since shapes are asked for one by one."""
    arrays = read_h5(path, "instance")
    told = len(read_json(path.with_suffix(".json"), type=list[_Record]))
    if told != len(arrays["pts"]):
        raise BadInput(f"has {len(arrays['pts']):,} shapes, the records beside it tell of {told:,}", file=path)
    return arrays
