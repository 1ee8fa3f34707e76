"""The shapes of several sets as examples: their points, what is true of these, and what backbones look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.partnet.clouds import Cloud, array_of, cloud_of
from mereo.benchmarks.partnet.labels import CategoryLabels, read_labels
from mereo.benchmarks.partnet.learning.sets import backbone_of, only_looking, parts_of
from mereo.benchmarks.partnet.names import AskedSet
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput, UnknownName
from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone
from mereo.models.points.pyramid import fields_of_all
from mereo.training.corpus import Corpus
from mereo.training.row import Desk
from mereo.training.shaking import shaken

__all__ = ["SetSource", "Truth", "deepest", "part_instances", "point_labels", "shapes_of", "untold"]

Truth = Callable[[AskedSet, Cloud], Mapping[str, NDArray[Any]]]
"""By field what is true of a shape in a set, whole numbers; the shorter of two is filled up with -1."""


def point_labels(own: AskedSet, cloud: Cloud) -> Mapping[str, NDArray[Any]]:
    """`label` (n,): the part of each point, from 1; 0 for unlabeled points."""
    return {"label": cloud.semantic(own.level or 0)}


def deepest(own: AskedSet, cloud: Cloud) -> Mapping[str, NDArray[Any]]:
    """`node` (n,): the last node on each point's way down the hierarchy, -1 for points of none. Parents come first."""
    nodes = cloud.hierarchy()
    last = nodes.shape[1] - 1 - nodes[:, ::-1].argmax(1)
    return {"node": np.where(nodes.any(1), last, -1)}


def part_instances(own: AskedSet, cloud: Cloud) -> Mapping[str, NDArray[Any]]:
    """`instance` (n,): the number of each point's part, from 1; 0 for none. `part` (k,): what each is, from 0."""
    truth, other = cloud.true(own.level or 0)
    numbers = truth.mask.argmax(0) + 1 if len(truth.mask) else np.zeros(len(cloud), np.int64)
    return {"instance": np.where(other, 0, numbers), "part": truth.label if len(truth.label) else np.array([-1])}


def untold(own: AskedSet, cloud: Cloud) -> Mapping[str, NDArray[Any]]:
    """Nothing, where there is nothing to learn."""
    return {}


class SetSource:
    """Shapes of a split: `set` (), `cloud` (b, n, 3), the fields of a backbone's pyramid, and those that are true.

    Only shapes of one set stand in a batch together. Clouds and pyramids are kept once for all sets of a category.

    shaking : whether shapes are a little changed where they are drawn by chance, on the pyramids that they have
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        sets: Sequence[AskedSet],
        truth: Truth,
        backbone: Backbone,
        *,
        shaking: bool = False,
    ):
        self.sets, self.corpus, self.shaking = list(sets), corpus, shaking
        labels = read_labels(corpus.manifest)
        for own in self.sets:
            self._check(own, labels)
        points: dict[str, list[NDArray[Any]]] = {own.category: [] for own in self.sets}
        told: list[list[Mapping[str, NDArray[Any]]]] = [[] for _ in self.sets]
        self._names: dict[str, list[str]] = {name: [] for name in points}
        for row in split_rows(corpus.folder, corpus.manifest, [split], heavy=("points", "leaf")):
            cloud = cloud_of(row, labels)
            name = cloud.record.category
            if name in points:
                points[name].append(array_of(row, "points", len(cloud)))
                self._names[name].append(row["scene_id"])
                for own, truths in zip(self.sets, told, strict=True):
                    if own.category == name:
                        truths.append(truth(own, cloud))
        self._clouds = {name: self._laid_out(name, some, backbone) for name, some in points.items() if some}
        self._truths = [self._stacked(some) for some in told]
        self.kinds = [len(self._names[own.category]) for own in self.sets]
        self._starts = [0, *accumulate(self.kinds)]

    def _check(self, own: AskedSet, labels: Mapping[str, CategoryLabels]) -> None:
        """See that a dataset has a category, and tells apart what its network does."""
        if own.category not in labels:
            raise UnknownName("category in this dataset named", own.category, labels)
        if labels[own.category].told(own.level) != parts_of(own):
            raise BadInput(f"tells apart other parts of {own.category} than its template", file=self.corpus.folder)

    def _laid_out(self, name: str, points: Sequence[NDArray[Any]], backbone: Backbone) -> Batch:
        """The clouds of a category, and what a backbone looks at."""
        if len({len(one) for one in points}) > 1:
            raise BadInput(f"has {name} shapes of different numbers of points", file=self.corpus.folder)
        cloud = torch.from_numpy(np.stack(points)).to(self.corpus.device)
        return {"cloud": cloud, **fields_of_all(cloud, backbone.rises, backbone.looks)}

    def _stacked(self, told: Sequence[Mapping[str, NDArray[Any]]]) -> Batch:
        """What is true of all shapes of a set, as int16 to save room."""
        found = {}
        for field in told[0] if told else ():
            values = [np.asarray(one[field], np.int16) for one in told]
            most = max(map(len, values))
            filled = [np.pad(one, (0, most - len(one)), constant_values=-1) for one in values]
            found[field] = torch.from_numpy(np.stack(filled)).to(self.corpus.device)
        return found

    def __len__(self) -> int:
        return self._starts[-1]

    def places(self, number: int) -> Tensor:
        """The places of all shapes of a set."""
        return torch.arange(self._starts[number], self._starts[number + 1])

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The shapes at some places of one set."""
        number = self._number(places[0])
        own = (places - self._starts[number]).to(self.corpus.device)
        clouds = {field: values[own] for field, values in self._clouds[self.sets[number].category].items()}
        if self.shaking and chance is not None:
            clouds["cloud"] = shaken(clouds["cloud"], chance)
        truths = {field: values[own].long() for field, values in self._truths[number].items()}
        return {"set": torch.tensor(number), **clouds, **truths}

    def together(self) -> tuple[Batch, Tensor, Tensor]:
        """All that there is, whatever its set: fields of shapes (s, ...); of each place its shape and set (p,)."""
        every = [*self._clouds.values()]
        fields = {name: torch.cat([one[name] for one in every]) for name in (every[0] if every else ())}
        counts = (len(self._names[name]) for name in self._clouds)
        before = dict(zip(self._clouds, accumulate(counts, initial=0), strict=False))
        known = zip(self.sets, self.kinds, strict=True)
        shapes = torch.cat([before.get(own.category, 0) + torch.arange(count) for own, count in known])
        sets = torch.arange(len(self.sets)).repeat_interleave(torch.tensor(self.kinds))
        return fields, shapes.to(self.corpus.device), sets.to(self.corpus.device)

    def truths(self) -> Batch:
        """What is true at all places (p, ...), filled up with -1."""
        told = [one for one in self._truths if one]
        return {field: _filled_up([one[field] for one in told]) for field in (told[0] if told else ())}

    def _number(self, place: Tensor) -> int:
        """The set of a place, which nobody has to look at where there is one set alone."""
        if len(self.sets) == 1:
            return 0
        return next(number for number, end in enumerate(self._starts[1:]) if int(place) < end)

    def name(self, place: int) -> str:
        """The id of a scene."""
        number = self._number(torch.tensor(place))
        return self._names[self.sets[number].category][place - self._starts[number]]


def _filled_up(tables: Sequence[Tensor]) -> Tensor:
    """Tables one below the other, the narrow filled up with -1."""
    most = max(one.shape[1] for one in tables)
    return torch.cat([torch.nn.functional.pad(one, (0, most - one.shape[1]), value=-1) for one in tables])


def shapes_of(
    desk: Desk, split: str, sets: Sequence[AskedSet], truth: Truth, *, backbone: str = "", shaking: bool = False
) -> SetSource:
    """The shapes of sets with what a backbone looks at. backbone : its name; else the one that was chosen"""
    looking = only_looking(lambda: backbone_of(desk, backbone))
    return SetSource(desk.corpus, split, sets, truth, looking, shaking=shaking)
