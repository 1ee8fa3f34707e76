"""Answers by type of question alone, from the baselines that datasets are read against."""

from __future__ import annotations

from collections.abc import Iterator

from mereo.chance import generator
from mereo.datasets.asked import Selection, is_training
from mereo.datasets.predictions import Prediction
from mereo.errors import BadInput
from mereo.evaluation.baselines import all_baselines
from mereo.training.row import Desk

__all__ = ["guesses"]


def guesses(baseline: str, desk: Desk, split: str) -> Iterator[Prediction]:
    """What a baseline that learned from the training splits answers to the questions of a split."""
    asked = desk.corpus.asked
    training = tuple(filter(is_training, desk.corpus.splits))
    if not training:
        raise BadInput("has no split to learn from: none begins with 'train'", file=asked.folder)
    learned, judged = (asked.take(asked.chosen(Selection(some))) for some in (training, (split,)))
    found = all_baselines()[baseline].guess(learned, judged, generator(desk.seed, baseline, split))
    return map(Prediction, judged.ids, found)
