"""What rows of PartNet mean, and what an audit of them checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mereo.benchmarks.partnet.clouds import array_of, cloud_of, level_labels, record_of_cloud
from mereo.benchmarks.partnet.labels import read_labels
from mereo.benchmarks.partnet.language import LANGUAGE, shape_world
from mereo.benchmarks.partnet.views import said_telling, shape_view
from mereo.datasets.inspector import Inspector
from mereo.datasets.point_views import PointView, Telling
from mereo.datasets.predictions import Prediction
from mereo.datasets.store import Manifest
from mereo.errors import BadInput
from mereo.masks import Box
from mereo.world import World

__all__ = ["PartNetInspector"]

_ALMOST = 1e-3
"""How far a length may be from 1."""


class PartNetInspector(Inspector):
    """Knows shapes by the labels that go with their dataset."""

    language = LANGUAGE
    nouns = ("name",)

    def __init__(self, manifest: Manifest):
        self.labels = read_labels(manifest)

    def world(self, row: Mapping[str, Any]) -> World:
        """The shape of a row, and its parts."""
        record = record_of_cloud(row)
        if record.category not in self.labels:
            raise BadInput(f"nothing says which parts a {record.category} has", record=f"scene '{row.get('scene_id')}'")
        return shape_world(record, self.labels[record.category])

    def categories(self) -> Sequence[str]:
        """The categories of shapes."""
        return list(self.labels)

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int | str]]:
        """The design or model, which must not cross splits."""
        record = record_of_cloud(row)
        yield record.category, record.family

    def facts(self, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """The category, and the labels of its parts."""
        record = record_of_cloud(row)
        yield "category", record.category
        yield from sorted({("label", part.label) for part in record.parts})

    def boxes_asked(self, question: Mapping[str, Any]) -> Sequence[Box]:
        """None at all, and no words either: points are asked for."""
        return ()

    def cloud(self, row: Mapping[str, Any]) -> PointView | None:
        """The shape, and what each task tells of its points."""
        return None if row.get("points") is None else shape_view(row, cloud_of(row, self.labels))

    def told(self, row: Mapping[str, Any], telling: Telling, prediction: Prediction) -> Telling:
        """The parts that a prediction names."""
        return said_telling(cloud_of(row, self.labels), telling, prediction)

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Points must fill their ball, normals be unit, and labels of levels follow from leaves."""
        cloud = cloud_of(row, self.labels)
        count = len(cloud)
        radii = np.linalg.norm(array_of(row, "points", count), axis=1)
        if not abs(float(radii.max()) - 1) < _ALMOST:
            yield f"its farthest point is at radius {radii.max():.3f}, not 1"
        if row.get("normals") is not None:
            lengths = np.linalg.norm(array_of(row, "normals", count), axis=1)
            if not (np.abs(lengths - 1) < _ALMOST).all():
                yield "some of its normals are not of length 1"
        told = level_labels(row, count)
        for level in cloud.labels.levels:
            if not np.array_equal(told[level - 1], cloud.semantic(level)):
                yield f"the labels of level {level} are not those of its parts"
