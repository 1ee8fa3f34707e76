"""How rows of PartNet answer: set by set, the shapes of a split in the judge's format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray

from mereo.benchmarks.partnet.learning.questions import asked_about
from mereo.benchmarks.partnet.learning.set_source import SetSource
from mereo.benchmarks.partnet.names import AskedSet
from mereo.benchmarks.partnet.said import saying
from mereo.datasets.predictions import Prediction
from mereo.models.kinds import Batch
from mereo.training.device import mixed
from mereo.training.row import Desk

__all__ = ["Told", "answered"]

_AT_ONCE = 8
"""Shapes that are answered about at once."""


class Told(NamedTuple):
    """What is told of one shape of n points."""

    places: Sequence[int]
    """Of each mask's part among those of the set, from 0."""
    masks: NDArray[Any]
    """(k, n) bool"""
    confidence: Sequence[float] | None = None
    """Where instances are asked for."""


def answered(
    desk: Desk,
    split: str,
    source: SetSource,
    names: Callable[[AskedSet], Sequence[str]],
    tell: Callable[[int, Batch], Iterator[Told]],
) -> Iterator[Prediction]:
    """Predictions for the questions about the sets of a source.

    names : of the parts of a set · tell : of the shapes of a batch, given the number of its set
    """
    questions = asked_about(desk, split)
    for number, own in enumerate(source.sets):
        known = names(own)
        for places in source.places(number).split(_AT_ONCE) if source.kinds[number] else ():
            with mixed(desk.device), torch.inference_mode():
                told = list(tell(number, source.batch(places)))
            for place, one in zip(places.tolist(), told, strict=True):
                question = questions.get((source.name(place), own.name))
                if question is not None:
                    yield saying(question, [known[k] for k in one.places], one.masks, one.confidence)
