"""The judge of answers: right means the same as the dataset's answer after normalization."""

from __future__ import annotations

import numpy as np

from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.marks import Marks
from mereo.evaluation.normalize import normalize

__all__ = ["judge_answers"]


def judge_answers(dataset: Asked, predictions: Predictions) -> Marks:
    """Accuracy; a question without an answer is wrong."""
    known: dict[str, str] = {}
    # One copy of each word, however often it is said.
    truth = [known.setdefault(word, word) for word in map(normalize, dataset.words("answer"))]
    words = (normalize(one.answer) if one is not None else "" for one in predictions.given)
    said = [known.setdefault(word, word) for word in words]
    answered = np.fromiter((word != "" for word in said), bool, len(said))
    right = np.fromiter((a == b for a, b in zip(truth, said, strict=True)), bool, len(said)) & answered
    return Marks({"accuracy": right.astype(np.float64)}, answered, said, truth)
