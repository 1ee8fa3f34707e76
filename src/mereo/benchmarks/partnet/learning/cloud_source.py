"""Shapes as examples of nothing but themselves: their first points, which are spread as evenly as all are."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from mereo.benchmarks.partnet.clouds import array_of, record_of_cloud
from mereo.benchmarks.partnet.labels import read_labels
from mereo.benchmarks.partnet.learning.sets import ALL
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput, UnknownName
from mereo.models.kinds import Batch
from mereo.training.corpus import Corpus

__all__ = ["CloudSource"]


class CloudSource:
    """Shapes of a split: `cloud` (b, n, 3).

    category : of the shapes, or `all` · points : how many of each are looked at, at most
    """

    def __init__(self, corpus: Corpus, split: str, category: str, *, points: int):
        known = read_labels(corpus.manifest)
        if category not in (ALL, *known):
            raise UnknownName("category in this dataset named", category, (ALL, *known))
        clouds = []
        self.names: list[str] = []
        for row in split_rows(corpus.folder, corpus.manifest, [split], heavy=("points",)):
            record = record_of_cloud(row)
            if category in (ALL, record.category):
                clouds.append(array_of(row, "points", record.points)[:points])
                self.names.append(row["scene_id"])
        if len({len(one) for one in clouds}) > 1:
            raise BadInput("has shapes of different numbers of points", file=corpus.folder)
        stacked = np.stack(clouds) if clouds else np.zeros((0, points, 3), np.float32)
        self.cloud = torch.from_numpy(stacked).to(corpus.device)

    def __len__(self) -> int:
        return len(self.names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The shapes at some places, as they are."""
        return {"cloud": self.cloud[places.to(self.cloud.device)]}

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self.names[place]
