"""What predictions share with the truth, question by question, and what that comes to for each category and level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.clouds import Cloud, cloud_of
from mereo.benchmarks.partnet.intervals import Resampled, resampled_iou, resampled_precision
from mereo.benchmarks.partnet.labels import read_labels
from mereo.benchmarks.partnet.metrics import (
    InstanceScores,
    Overlaps,
    Scores,
    hierarchical,
    instances,
    semantic,
)
from mereo.benchmarks.partnet.names import HIERARCHICAL, INSTANCE, SEMANTIC, AskedSet
from mereo.benchmarks.partnet.said import Said, said_by
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Prediction, Predictions
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput, UnknownName

__all__ = ["Found", "Joint", "found_of", "scored", "together"]

Found = Scores | InstanceScores
"""The scores of one question: those of its task over one shape."""


def found_of(asked: Asked, predictions: Predictions) -> list[Found]:
    """The scores of every question; what cannot be a prediction is named with its question and field."""
    sets = [AskedSet.named(name) for name in asked.words("subtype")]
    waiting: dict[str, list[int]] = {}
    for place, scene in enumerate(asked.words("scene_id")):
        waiting.setdefault(scene, []).append(place)
    found: list[Found | None] = [None] * len(sets)
    for scene, cloud in _clouds(asked):
        for place in waiting.pop(scene, ()):
            try:
                found[place] = scored(sets[place], cloud, predictions.given[place])
            except BadInput as error:
                raise error.within(record=f"prediction for '{asked.ids[place]}'") from None
    if waiting:
        raise BadInput(f"has no scene '{next(iter(waiting))}'", file=asked.folder)
    return [one for one in found if one is not None]


def _clouds(asked: Asked) -> Iterator[tuple[str, Cloud]]:
    labels = read_labels(asked.manifest)
    splits = set(asked.words("split"))
    for row in split_rows(asked.folder, asked.manifest, splits, heavy=("leaf",)):
        yield row["scene_id"], cloud_of(row, labels)


def scored(asked: AskedSet, cloud: Cloud, prediction: Prediction | None) -> Found:
    """The scores of one question."""
    if asked.task not in _TASKS:
        raise UnknownName("task of PartNet named", asked.task, _TASKS)
    names = cloud.labels.told(asked.level)
    return _TASKS[asked.task](asked, cloud, said_by(prediction, names, len(cloud)), len(names))


def _semantic(asked: AskedSet, cloud: Cloud, said: Said, count: int) -> Found:
    return semantic([cloud.semantic(asked.level or 0)], [said.labels()], count)


def _hierarchical(asked: AskedSet, cloud: Cloud, said: Said, count: int) -> Found:
    return hierarchical([cloud.hierarchy()], [said.nodes(count)], cloud.labels.parents)


def _instances(asked: AskedSet, cloud: Cloud, said: Said, count: int) -> Found:
    truth, other = cloud.true(asked.level or 0)
    return instances([truth], [said.instances()], [other], count)


_TASKS = {SEMANTIC: _semantic, HIERARCHICAL: _hierarchical, INSTANCE: _instances}


class Joint(NamedTuple):
    """What the shapes of a set score together."""

    part: Resampled
    shape: Resampled
    undefined: int
    """How many parts no shape has and no prediction says; for instances, that no shape has."""
    parts: int
    """Of how many."""


def together(found: Sequence[Found]) -> Joint:
    """The scores of all shapes of a set, with resamples of the shapes."""
    shapes = np.array([one.shapes[0] for one in found])
    overlaps = [one.overlaps for one in found if isinstance(one, Scores)]
    if overlaps:
        shared, joined = (np.concatenate(parts) for parts in zip(*overlaps, strict=True))
        part, shape = resampled_iou(Overlaps(shared, joined), shapes)
        return Joint(part, shape, int((joined.sum(0) == 0).sum()), joined.shape[1])
    own = [one for one in found if isinstance(one, InstanceScores)]
    truths: NDArray[np.int64] = np.concatenate([one.truths for one in own])
    part, shape = resampled_precision([one.matches[0] for one in own], truths, shapes)
    return Joint(part, shape, int((truths.sum(0) == 0).sum()), truths.shape[1])
