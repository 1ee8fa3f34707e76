"""How rows of PartNet answer: set by set, the shapes of a split in the judge's format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from mereo.benchmarks.partnet.learning.every_set import EverySetSource
from mereo.benchmarks.partnet.learning.set_source import SetSource
from mereo.benchmarks.partnet.metrics import Instances
from mereo.benchmarks.partnet.names import AskedSet
from mereo.benchmarks.partnet.said import saying
from mereo.datasets.asked import Selection
from mereo.datasets.predictions import Prediction
from mereo.models.kinds import Batch
from mereo.training.device import mixed
from mereo.training.row import Desk

__all__ = ["AT_ONCE", "Told", "answered", "asked_about", "told_instances"]

AT_ONCE = 8
"""Shapes that are answered about at once."""


class Told(NamedTuple):
    """What is told of one shape of n points."""

    places: Sequence[int]
    """Of each mask's part among those of the set, from 0."""
    masks: NDArray[Any]
    """(k, n) bool"""
    confidence: Sequence[float] | None = None
    """Where instances are asked for."""
    slots: Sequence[int] | None = None
    """Which of a network's masks each is, where it fills the same ones for every shape."""

    @staticmethod
    def of_labels(labels: NDArray[Any]) -> Told:
        """Where each point has one part. labels : (n,) int, the place of its part among those of the set"""
        there = np.unique(labels)
        return Told(there.tolist(), labels == there[:, None])

    def said(self, question: str, names: Sequence[str]) -> Prediction:
        """The answer to a question. names : of the parts of the set"""
        return saying(question, [names[place] for place in self.places], self.masks, self.confidence, self.slots)


def told_instances(found: Instances, *, same: bool = False) -> Told:
    """Instances that are valid. same : whether the k-th is the same mask on every shape"""
    valid = found.valid
    slots = valid.nonzero()[0].tolist() if same else None
    return Told(found.label[valid].tolist(), found.mask[valid], found.confidence[valid].tolist(), slots)


def asked_about(desk: Desk, split: str) -> Mapping[tuple[str, str], str]:
    """By scene and by what is asked of it, as `semantic chair-3`, the question of a split."""
    asked = desk.corpus.asked.take(desk.corpus.asked.chosen(Selection((split,))))
    columns = (asked.ids, asked.words("scene_id"), asked.words("subtype"))
    return {(scene, own): question for question, scene, own in zip(*columns, strict=True)}


def answered(
    desk: Desk,
    split: str,
    source: SetSource | EverySetSource,
    names: Callable[[AskedSet], Sequence[str]],
    tell: Callable[[int, Batch], Iterator[Told]],
) -> Iterator[Prediction]:
    """Predictions for the questions about the sets of a source.

    names : of the parts of a set · tell : of the shapes of a batch, given the number of its set
    """
    questions = asked_about(desk, split)
    for number, own in enumerate(source.sets):
        known = names(own)
        every = source.places(number)
        for places in every.split(AT_ONCE) if len(every) else ():
            with mixed(desk.device), torch.inference_mode():
                told = list(tell(number, source.batch(places)))
            for place, one in zip(places.tolist(), told, strict=True):
                question = questions.get((source.name(place), own.name))
                if question is not None:
                    yield one.said(question, known)
