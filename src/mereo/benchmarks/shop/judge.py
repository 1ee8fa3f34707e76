"""The judge of answers about household objects: words as everywhere, and lists of labels in whatever order.

`query_attribute` is answered by all labels of an object. Whoever reads a description has no reason to name them in the
dataset's order, so two lists are the same if they hold the same labels.
"""

from __future__ import annotations

import re

import numpy as np

from mereo.benchmarks.shop.published import answers_section
from mereo.benchmarks.shop.tables import TABLES
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.answers import judge_answers
from mereo.evaluation.judging import Judging
from mereo.evaluation.marks import Marks
from mereo.evaluation.normalize import normalize

__all__ = ["JUDGING", "judge_household"]

_LISTED = "query_attribute"
_BETWEEN = re.compile(r"[,;\n]+|\band\b")


def judge_household(dataset: Asked, predictions: Predictions) -> Marks:
    """Accuracy; a question without an answer is wrong."""
    marks = judge_answers(dataset, predictions)
    functions = dataset.coded("function")
    listed = np.array([name == _LISTED for name in functions.names], bool)[functions.codes]
    if not listed.any() or marks.truth is None or marks.said is None:
        return marks
    truth, said, right = list(marks.truth), list(marks.said), marks.main.copy()
    for place in np.flatnonzero(listed).tolist():
        truth[place], said[place] = _in_order(truth[place]), _in_order(said[place])
        right[place] = marks.answered[place] and truth[place] == said[place]
    return Marks({"accuracy": right}, marks.answered, said, truth)


def _in_order(answer: str) -> str:
    """A list of labels, each once, by the alphabet."""
    return ", ".join(sorted({normalize(label) for label in _BETWEEN.split(answer)} - {""}))


JUDGING = Judging(judge_household, tables=TABLES, sections=answers_section)
"""How SHOP-VRB's predictions are marked and shown."""
