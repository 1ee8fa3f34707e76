"""The judge of CRIC: is the answer right, and does it point at what it is about?

A prediction says a word and points at one of the picture's candidates: by `target`, the number or id of an entity, or
by one box, which chooses the candidate that it overlaps most. Where the answer is "no" there is nothing to point at,
and pointing at nothing is right. A question counts as right where both are.
"""

from __future__ import annotations

import numpy as np

from mereo.benchmarks.cric.figures import sections
from mereo.benchmarks.cric.oracles import told_by
from mereo.benchmarks.cric.tables import TABLES, further_tables
from mereo.benchmarks.cric.truth import Truth
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Prediction, Predictions
from mereo.errors import BadInput
from mereo.evaluation.answers import judge_answers
from mereo.evaluation.judging import Judging
from mereo.evaluation.marks import Marks
from mereo.files import is_finite

__all__ = ["JUDGING", "judge_grounded"]


def judge_grounded(dataset: Asked, predictions: Predictions) -> Marks:
    """Answers, what they point at, and both; a question without a prediction is wrong."""
    truth, said = Truth(dataset), judge_answers(dataset, predictions)
    grounding = np.zeros(len(dataset))
    spoken = said.answered.copy()
    for place, (one, targets) in enumerate(zip(predictions.given, truth.targets, strict=True)):
        points = one is not None and (one.target is not None or one.boxes is not None)
        spoken[place] |= points
        if one is not None and spoken[place]:
            at = _pointed(one, truth, place) if points else None
            grounding[place] = at in targets if targets else at is None
    scores = {"final": said.main * grounding, "answer": said.main, "grounding": grounding}
    return Marks(scores, spoken, said.said, said.truth)


def _pointed(one: Prediction, truth: Truth, place: int) -> int | None:
    """The number of the entity that a prediction points at, if any."""
    candidates, named = truth.candidates[place], f"prediction for '{one.question_id}'"
    if one.target is not None:
        return candidates.place(one.target, record=named, field="target")
    for number, box in enumerate(one.boxes or ()):
        if not all(map(is_finite, box)) or min(box[2:]) < 0:
            raise BadInput(f"{list(box)} is no box", record=named, field=f"boxes[{number}]")
    return candidates.under(one.boxes or ())


JUDGING = Judging(
    judge_grounded,
    tables=TABLES,
    further=further_tables,
    blind="answer",
    told=told_by,
    prompt="boxes",
    sections=sections,
)
"""How CRIC's predictions are marked and shown."""
