"""The shapes of one category as examples: their points, the labels of these at a level, and their pyramids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.partnet.clouds import array_of, cloud_of
from mereo.benchmarks.partnet.labels import read_labels
from mereo.benchmarks.partnet.names import AskedSet
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput, UnknownName
from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone
from mereo.models.points.pyramid import fields_of
from mereo.training.corpus import Corpus

__all__ = ["ShapeSource"]

_TOGETHER = 16
"""Shapes whose pyramids are made at once."""


class ShapeSource:
    """Shapes of a split: `cloud` (b, n, 3), `label` (b, n) from 1 with 0 for unlabeled points, and a pyramid's fields.

    chosen : the category, and the level of its labels
    parts : the labels as the network has them, which must be those of the dataset
    backbone : what looks at the points
    """

    def __init__(self, corpus: Corpus, split: str, chosen: AskedSet, parts: Sequence[str], backbone: type[Backbone]):
        labels = read_labels(corpus.manifest)
        if chosen.category not in labels:
            raise UnknownName("category in this dataset named", chosen.category, labels)
        if labels[chosen.category].at(chosen.level or 0) != list(parts):
            raise BadInput(f"tells apart other parts of {chosen.category} than its template", file=corpus.folder)
        points, told = [], []
        self.names: list[str] = []
        for row in split_rows(corpus.folder, corpus.manifest, [split], heavy=("points", "leaf")):
            cloud = cloud_of(row, labels)
            if cloud.record.category == chosen.category:
                points.append(array_of(row, "points", len(cloud)))
                told.append(cloud.semantic(chosen.level or 0).astype(np.int64))
                self.names.append(row["scene_id"])
        if len({len(one) for one in told}) > 1:
            raise BadInput(f"has {chosen.category} shapes of different numbers of points", file=corpus.folder)
        self._fields = self._made(points, told, backbone, corpus.device) if points else {}

    @staticmethod
    def _made(
        points: Sequence[NDArray[Any]], told: Sequence[NDArray[Any]], backbone: type[Backbone], device: torch.device
    ) -> Batch:
        cloud = torch.from_numpy(np.stack(points)).to(device)
        parts = [fields_of(some, backbone.rises, backbone.looks) for some in cloud.split(_TOGETHER)]
        pyramid = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
        return {"cloud": cloud, "label": torch.from_numpy(np.stack(told)).to(device), **pyramid}

    def __len__(self) -> int:
        return len(self.names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The shapes at some places, as they are."""
        return {name: values[places.to(values.device)] for name, values in self._fields.items()}

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self.names[place]
