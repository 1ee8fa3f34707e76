"""How answers about photographs are judged: a list by what it shares with the right one, all else by equality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.charts import dots
from mereo.evaluation.intervals import means
from mereo.evaluation.judging import Judging
from mereo.evaluation.marks import Marks
from mereo.evaluation.normalize import normalize
from mereo.evaluation.page import Section
from mereo.evaluation.report import Report
from mereo.evaluation.tables import Table, rows_by

__all__ = ["JUDGING"]

LISTS = ("names", "query_look")
"""The functions whose answers are lists."""


class Shared(NamedTuple):
    """What a list shares with the right one."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def words_in(answer: str | int | bool | None) -> frozenset[str]:
    """The words of an answer with commas, each as it is compared."""
    return frozenset(filter(None, map(normalize, str("" if answer is None else answer).split(","))))


def shared(truth: frozenset[str], said: frozenset[str]) -> Shared:
    """How much of what was said is right, and how much of what is right was said."""
    both = len(truth & said)
    return Shared(both / len(said) if said else 0.0, both / len(truth) if truth else 0.0)


def is_list(dataset: Asked) -> list[bool]:
    """Which questions ask for a list."""
    functions = dataset.coded("function")
    return [functions.names[code] in LISTS for code in functions.codes]


def judge(dataset: Asked, predictions: Predictions) -> Marks:
    """Each question's score; a list that is half right gets half of it."""
    truth, said, scores = [], [], []
    for right, one, listed in zip(dataset.words("answer"), predictions.given, is_list(dataset), strict=True):
        given = one.answer if one is not None else None
        if listed:
            own, theirs = words_in(right), words_in(given)
            scores.append(shared(own, theirs).f1)
            truth.append(", ".join(sorted(own)))
            said.append(", ".join(sorted(theirs)))
        else:
            truth.append(normalize(right))
            said.append(normalize(given))
            scores.append(float(truth[-1] == said[-1]))
    answered = np.array([word != "" for word in said])
    return Marks({"score": np.array(scores) * answered}, answered, said, truth)


def sections(report: Report) -> Sequence[Section]:
    """Where lists go wrong: too much said, or too little."""
    precision, recall = [], []
    for color, run in report.ordered:
        answers = [one.answer if one is not None else None for one in run.predictions.given]
        pairs = zip(run.asked.words("answer"), answers, strict=True)
        found = np.array([shared(words_in(right), words_in(given)) for right, given in pairs])
        sure = means(list(found.T), [np.array(is_list(run.asked))], run.asked.scenes)[0]
        precision.append((run.result.run, color, sure[0]))
        recall.append((run.result.run, color, sure[1]))
    chart = dots([("of what was said, right", precision), ("of what is right, said", recall)], label="lists")
    about = "How much of each list is right, and how much of what is right is on the list."
    return [Section.of("lists", "Lists", f'<div class="scroll">{chart}</div>', about=about)]


TABLES = (
    Table(
        "what is asked for",
        rows_by(
            "function",
            {"a list": LISTS, "a word": ("query_name", "choose"), "a number": ("count",), "yes or no": ("exist",)},
        ),
    ),
)

JUDGING = Judging(judge, TABLES, sections=sections)
