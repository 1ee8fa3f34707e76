"""Shapes as examples: their points, the labels of these, and their pyramids; of one category at a level, or all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
from mereo.models.points.pyramid import Look, Rise, fields_of
from mereo.training.corpus import Corpus

__all__ = ["AllShapesSource", "ShapeSource"]

_TOGETHER = 16
"""Shapes whose pyramids are made at once."""


class _Shape(NamedTuple):
    """A shape of a dataset."""

    name: str
    """The id of its scene."""
    points: NDArray[np.float32]
    cloud: Cloud


def _shapes(corpus: Corpus, split: str, labels: Mapping[str, CategoryLabels]) -> Iterator[_Shape]:
    """The shapes of a split, in order."""
    for row in split_rows(corpus.folder, corpus.manifest, [split], heavy=("points", "leaf")):
        cloud = cloud_of(row, labels)
        yield _Shape(row["scene_id"], array_of(row, "points", len(cloud)), cloud)


def _check_parts(corpus: Corpus, own: AskedSet, labels: Mapping[str, CategoryLabels], parts: Sequence[str]) -> None:
    """See that a dataset tells the same parts apart as a network does."""
    if labels[own.category].at(own.level or 0) != list(parts):
        raise BadInput(f"tells apart other parts of {own.category} than its template", file=corpus.folder)


class _Examples:
    """Fields of shapes on a device, by the ids of their scenes."""

    def __init__(self, names: Sequence[str], fields: Batch):
        self.names, self._fields = names, fields

    def __len__(self) -> int:
        return len(self.names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The shapes at some places, as they are."""
        return {name: values[places.to(values.device)] for name, values in self._fields.items()}

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self.names[place]


class ShapeSource(_Examples):
    """Shapes of a split: `cloud` (b, n, 3), `label` (b, n) from 1 with 0 for unlabeled points, and a pyramid's fields.

    chosen : the category, and the level of its labels
    parts : the labels as the network has them, which must be those of the dataset
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        chosen: AskedSet,
        parts: Sequence[str],
        rises: Sequence[Rise],
        looks: Sequence[Look] = (),
    ):
        labels = read_labels(corpus.manifest)
        if chosen.category not in labels:
            raise UnknownName("category in this dataset named", chosen.category, labels)
        _check_parts(corpus, chosen, labels, parts)
        own = [one for one in _shapes(corpus, split, labels) if one.cloud.record.category == chosen.category]
        told = [one.cloud.semantic(chosen.level or 0).astype(np.int64) for one in own]
        if len({len(one) for one in told}) > 1:
            raise BadInput(f"has {chosen.category} shapes of different numbers of points", file=corpus.folder)
        fields: Batch = {}
        if own:
            cloud = torch.from_numpy(np.stack([one.points for one in own])).to(corpus.device)
            made = [fields_of(some, rises, looks) for some in cloud.split(_TOGETHER)]
            pyramid = {name: torch.cat([part[name] for part in made]) for name in made[0]}
            fields = {"cloud": cloud, "label": torch.from_numpy(np.stack(told)).to(corpus.device), **pyramid}
        super().__init__([one.name for one in own], fields)


class AllShapesSource(_Examples):
    """Shapes of all categories of a split: `cloud` (b, n, 3), `category` (b,) and `labels` (b, levels, n).

    sets : the labels of each category and level as the network has them, which must be those of the dataset; the place
        of a category among them is its number
    """

    def __init__(self, corpus: Corpus, split: str, sets: Mapping[AskedSet, Sequence[str]]):
        labels = read_labels(corpus.manifest)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(own.category for own in sets))}
        for name in labels:
            if name not in numbers:
                raise UnknownName("category with a template named", name, numbers)
        for own, parts in sets.items():
            if own.category in labels:
                _check_parts(corpus, own, labels, parts)
        every = [*_shapes(corpus, split, labels)]
        if len({len(one.points) for one in every}) > 1:
            raise BadInput("has shapes of different numbers of points", file=corpus.folder)
        self.categories = [one.cloud.record.category for one in every]
        fields: Batch = {}
        if every:
            made: dict[str, NDArray[Any]] = {
                "cloud": np.stack([one.points for one in every]),
                "category": np.array([numbers[name] for name in self.categories]),
                "labels": np.stack([_at_all_levels(one.cloud) for one in every]),
            }
            fields = {name: torch.from_numpy(values).to(corpus.device) for name, values in made.items()}
        super().__init__([one.name for one in every], fields)


def _at_all_levels(cloud: Cloud) -> NDArray[np.uint8]:
    """(levels, n): the label of each point at every level, from 1; 0 where it has none or there is no level."""
    nothing = np.zeros(len(cloud), np.uint8)
    return np.stack([cloud.semantic(level) if level in cloud.labels.levels else nothing for level in LEVELS.values()])
