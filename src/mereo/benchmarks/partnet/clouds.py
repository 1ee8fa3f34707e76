"""Shapes as rows: a cloud of points in columns of bytes, and in the record what they are points of.

    points   n x 3 little-endian float32, PartNet's frame (y up, front towards +z), the farthest at radius 1
    normals  n x 3 little-endian float32, unit, where they were asked for
    leaf     n little-endian int32, the number of the leaf that each point lies on
    labels   3 x n uint8, the label of each point at levels 1 to 3, from 1; 0 is unlabeled

Labels of all tasks follow from the leaves, since a part is a set of leaves; those of levels stand there for whoever
reads the files without us.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mereo.benchmarks.partnet.labels import CategoryLabels
from mereo.benchmarks.partnet.metrics import Instances, true_instances
from mereo.benchmarks.partnet.names import LEVELS
from mereo.datasets.columns import json_of
from mereo.datasets.rows import scene_row
from mereo.datasets.store import SCENE_FIELDS
from mereo.errors import BadInput
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.partnet_tree import PartInstance
from mereo.shapes.segmentation import normalized, point_labels

__all__ = [
    "Cloud",
    "CloudRecord",
    "Piece",
    "array_of",
    "cloud_fields",
    "cloud_of",
    "cloud_row",
    "depths_of",
    "level_labels",
    "parents_of",
    "record_of_cloud",
]

_FLOAT, _NUMBER = np.dtype("<f4"), np.dtype("<i4")


class Piece(msgspec.Struct, frozen=True):
    """One part of a shape."""

    label: str
    leaves: tuple[int, ...]
    """The numbers of the leaves that it is made of."""


class CloudRecord(msgspec.Struct, frozen=True):
    """What is told of a shape beside its points."""

    name: str
    """Of the shape; PartNet's `anno_id`."""
    category: str
    family: str
    """What no two splits share: a design of a grammar, or PartNet's `model_id`."""
    points: int
    parts: tuple[Piece, ...]
    """Parents first."""


def cloud_fields(*, normals: bool) -> pa.Schema:
    """The columns of scene shards."""
    names = ["points", *(["normals"] if normals else []), "leaf", "labels"]
    return pa.schema([*SCENE_FIELDS, *((name, pa.binary()) for name in names)])


@dataclass(frozen=True, eq=False)
class Cloud:
    """A shape with the labels of its points."""

    record: CloudRecord
    labels: CategoryLabels
    leaf: NDArray[np.int32]
    """(n,) the number of each point's leaf."""

    def __len__(self) -> int:
        return len(self.leaf)

    def semantic(self, level: int) -> NDArray[np.uint8]:
        """(n,) the label of each point at a level, from 1; 0 for unlabeled ones."""
        return point_labels(self._leaves, self.instances, self.labels.at(level))[self._places]

    def hierarchy(self) -> NDArray[np.bool_]:
        """(n, c) which nodes each point belongs to."""
        places = {path: place for place, path in enumerate(self.labels.nodes)}
        table = np.zeros((len(self._leaves), len(places)), bool)
        for part in self.record.parts:
            if part.label in places:
                table[:, places[part.label]] |= np.isin(self._leaves, part.leaves)
        return table[self._places]

    def true(self, level: int) -> tuple[Instances, NDArray[np.bool_]]:
        """The instances at a level that have a point, and (n,) bool, the points of none."""
        places = {path: place for place, path in enumerate(self.labels.at(level))}
        own = [part for part in self.record.parts if part.label in places]
        table = np.array([np.isin(self._leaves, part.leaves) for part in own], bool).reshape(len(own), -1)
        return true_instances(table[:, self._places], np.array([places[part.label] for part in own], np.int64))

    @property
    def instances(self) -> list[PartInstance]:
        """All parts, as those who segment shapes have them."""
        return [PartInstance(part.label, part.leaves) for part in self.record.parts]

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        return np.unique(self.leaf, return_inverse=True)

    @property
    def _leaves(self) -> NDArray[np.int32]:
        """The leaves that have points, a few: what is worked out of these serves all points."""
        return self._distinct[0]

    @property
    def _places(self) -> NDArray[np.intp]:
        return self._distinct[1]


def cloud_row(
    split: str, index: int, record: CloudRecord, sample: PointSample, labels: CategoryLabels, *, normals: bool
) -> dict[str, Any]:
    """A shape as a row of a scene shard. sample : of its points, PartNet's frame"""
    cloud = Cloud(record, labels, sample.leaf.astype(_NUMBER))
    told = np.zeros((len(LEVELS), len(cloud)), np.uint8)
    for level in labels.levels:
        told[level - 1] = cloud.semantic(level)
    row = scene_row(f"{split}-{index:06d}", split, index, objects=len(record.parts), record=msgspec.to_builtins(record))
    row |= {"points": normalized(sample.points).astype(_FLOAT).tobytes(), "leaf": cloud.leaf.tobytes()}
    row |= {"normals": sample.normals.astype(_FLOAT).tobytes()} if normals else {}
    return {**row, "labels": told.tobytes()}


def record_of_cloud(row: Mapping[str, Any]) -> CloudRecord:
    """What is told of the shape of a row."""
    return json_of(row, "scene", type=CloudRecord)


def cloud_of(row: Mapping[str, Any], labels: Mapping[str, CategoryLabels]) -> Cloud:
    """The shape of a row, with the labels of its points. labels : by category"""
    record = record_of_cloud(row)
    if record.category not in labels:
        raise BadInput(f"nothing says which parts a {record.category} has", record=f"scene '{row.get('scene_id')}'")
    leaf = np.frombuffer(_bytes(row, "leaf", record.points * _NUMBER.itemsize), _NUMBER)
    return Cloud(record, labels[record.category], leaf)


def array_of(row: Mapping[str, Any], column: str, points: int) -> NDArray[np.float32]:
    """(n, 3) float32: what the column `points` or `normals` of a row holds."""
    return np.frombuffer(_bytes(row, column, points * 3 * _FLOAT.itemsize), _FLOAT).reshape(points, 3)


def level_labels(row: Mapping[str, Any], points: int) -> NDArray[np.uint8]:
    """(3, n) uint8: what the column `labels` of a row holds."""
    return np.frombuffer(_bytes(row, "labels", points * len(LEVELS)), np.uint8).reshape(len(LEVELS), points)


def _bytes(row: Mapping[str, Any], column: str, size: int) -> bytes:
    found = row.get(column)
    if not isinstance(found, bytes) or len(found) != size:
        told = f"{len(found):,} bytes" if isinstance(found, bytes) else "nothing"
        raise BadInput(f"holds {told}, not {size:,} bytes", record=f"scene '{row.get('scene_id')}'", field=column)
    return found


def parents_of(parts: Sequence[Piece]) -> list[int]:
    """For each part the place of the one that it is a part of, -1 for the whole."""
    found = []
    for place, part in enumerate(parts):
        above, own = part.label.rpartition("/")[0], set(part.leaves)
        wholes = (k for k in range(place - 1, -1, -1) if parts[k].label == above and own <= set(parts[k].leaves))
        found.append(next(wholes, -1))
    return found


def depths_of(parents: Sequence[int]) -> list[int]:
    """How many steps each node is below the root. parents : of each, all of which come before it, -1 for the root"""
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths
