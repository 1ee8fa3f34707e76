"""Which questions of a dataset are about which shape, and labels of points as an answer to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.said import saying
from mereo.datasets.asked import Selection
from mereo.datasets.predictions import Prediction
from mereo.training.row import Desk

__all__ = ["asked_about", "telling"]


def asked_about(desk: Desk, split: str) -> Mapping[tuple[str, str], str]:
    """By scene and by what is asked of it, as `semantic chair-3`, the question of a split."""
    asked = desk.corpus.asked.take(desk.corpus.asked.chosen(Selection((split,))))
    columns = (asked.ids, asked.words("scene_id"), asked.words("subtype"))
    return {(scene, own): question for question, scene, own in zip(*columns, strict=True)}


def telling(question: str, names: Sequence[str], labels: NDArray[Any]) -> Prediction:
    """The part of every point as a prediction. labels : (n,) int, places among the names"""
    there = np.unique(labels).tolist()
    return saying(question, [names[place] for place in there], [labels == place for place in there])
