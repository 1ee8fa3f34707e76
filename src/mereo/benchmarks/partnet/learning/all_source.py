"""The shapes of all categories as examples: their points, which category each is of, and the labels of all levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.partnet.clouds import Cloud, array_of, cloud_of
from mereo.benchmarks.partnet.labels import CategoryLabels, read_labels
from mereo.benchmarks.partnet.names import LEVELS, AskedSet
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput, UnknownName
from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone
from mereo.models.points.pyramid import fields_of_all
from mereo.training.corpus import Corpus
from mereo.training.shaking import shaken

__all__ = ["AllShapesSource"]


class AllShapesSource:
    """Shapes of a split: `cloud` (b, n, 3), `category` (b,), `labels` (b, levels, n), and a backbone's pyramid.

    Labels count from 1; 0 is for unlabeled points, and for levels that a category lacks.

    sets : the parts of each category and level as the network has them, which must be those of the dataset; categories
        are numbered in the order in which they come there
    backbone : what it looks at of the pyramids of shapes is made, if it looks at any
    shaking : whether shapes are a little changed where they are drawn by chance, on the pyramids that they have
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        sets: Mapping[AskedSet, Sequence[str]],
        backbone: Backbone,
        *,
        shaking: bool = True,
    ):
        self.shaking = shaking
        labels = read_labels(corpus.manifest)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(own.category for own in sets))}
        for category, own in labels.items():
            _check(corpus, category, own, sets, numbers)
        points, told = [], []
        self.names: list[str] = []
        self.categories: list[str] = []
        for row in split_rows(corpus.folder, corpus.manifest, [split], heavy=("points", "leaf")):
            cloud = cloud_of(row, labels)
            points.append(array_of(row, "points", len(cloud)))
            told.append(_at_all_levels(cloud))
            self.names.append(row["scene_id"])
            self.categories.append(cloud.record.category)
        if len({len(one) for one in points}) > 1:
            raise BadInput("has shapes of different numbers of points", file=corpus.folder)
        self._fields: Batch = {}
        if points:
            kinds = np.array([numbers[name] for name in self.categories])
            made = {"cloud": np.stack(points), "category": kinds, "labels": np.stack(told)}
            self._fields = {name: torch.from_numpy(values).to(corpus.device) for name, values in made.items()}
            self._fields |= fields_of_all(self._fields["cloud"], backbone.rises, backbone.looks)

    def __len__(self) -> int:
        return len(self.names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The shapes at some places; with chance a little changed."""
        found = {name: values[places.to(values.device)] for name, values in self._fields.items()}
        if self.shaking and chance is not None:
            found["cloud"] = shaken(found["cloud"], chance)
        return found

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self.names[place]


def _check(
    corpus: Corpus,
    category: str,
    own: CategoryLabels,
    sets: Mapping[AskedSet, Sequence[str]],
    numbers: Mapping[str, int],
) -> None:
    """See that a dataset tells the same parts of a category apart as a network does."""
    if category not in numbers:
        raise UnknownName("category with a template named", category, numbers)
    known = {one.level: list(parts) for one, parts in sets.items() if one.category == category}
    if own.levels != known:
        raise BadInput(f"tells apart other parts of {category} than its template", file=corpus.folder)


def _at_all_levels(cloud: Cloud) -> NDArray[np.uint8]:
    """(levels, n): the label of each point at every level."""
    nothing = np.zeros(len(cloud), np.uint8)
    return np.stack([cloud.semantic(level) if level in cloud.labels.levels else nothing for level in LEVELS.values()])
