"""How CRIC's predictions are broken down: as its Table 2, its Figures 14 and 15 and its Table 3 are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.question import TYPES, SubGraph
from mereo.benchmarks.cric.truth import Truth
from mereo.datasets.asked import Asked
from mereo.datasets.columns import json_of
from mereo.datasets.predictions import Predictions
from mereo.errors import BadInput
from mereo.evaluation.intervals import means
from mereo.evaluation.marks import Marks
from mereo.evaluation.result import ScoredRow, ScoredTable, scored_tables
from mereo.evaluation.tables import Row, Table, number_table, rows_by
from mereo.programs import parse_program

__all__ = ["SIZES", "STEPS", "TABLES", "WORDS", "further_tables"]

SIZES, WORDS, STEPS = "sub-graph size", "question length", "steps"

TABLES = (
    Table("answers", rows_by("type", {"Verify": ("Verify",), "Recognize": ("Recognize",)})),
    Table(
        "question types",
        tuple(Row(name, {"subtype": (name,)}, "Verify" if "Verify" in name else "Recognize") for name in TYPES),
    ),
)
"""Verify and Recognize (Table 2), and the five types (Figure 15)."""


def further_tables(asked: Asked, predictions: Predictions, marks: Marks) -> list[ScoredTable]:
    """By how much a question takes from the two graphs and by its words (Figure 14), and step by step (Table 3)."""
    truth = Truth(asked)
    ids, graphs = asked.ids, truth.table.column("sub_graph").to_pylist()
    rows = ({"question_id": name, "sub_graph": graph} for name, graph in zip(ids, graphs, strict=True))
    sizes = [json_of(row, "sub_graph", type=SubGraph).size for row in rows]
    words = [len(text.split()) for text in truth.table.column("question").to_pylist()]
    shown = [
        number_table(SIZES, np.array(sizes, np.int64), unit="facts"),
        number_table(WORDS, np.array(words, np.int64), unit="words"),
    ]
    return [*scored_tables(shown, asked, marks), *_step_tables(truth, predictions, marks)]


class _StepScore(NamedTuple):
    function: str
    place: int
    overlap: float
    """Of the set of objects with the true one; NaN where the step gives an answer."""
    right: float
    """Whether the answer is right; NaN where the step gives objects."""


def _step_tables(truth: Truth, predictions: Predictions, marks: Marks) -> list[ScoredTable]:
    """How well each function does: the overlap of what it refers to, or whether it answers rightly.

    Only of predictions that tell their steps; nothing where none does.
    """
    found = list(_step_scores(truth, predictions, marks))
    if not found:
        return []
    names = [one.function for one in found]
    scenes = truth.asked.scenes[[one.place for one in found]]
    known = [name for name in LANGUAGE.functions if name in set(names)]
    members = [np.array([name == own for own in names]) for name in known]
    scores = [np.array([one.overlap for one in found]), np.array([one.right for one in found])]
    rows = []
    for name, (overlap, right) in zip(known, means(scores, members, scenes), strict=True):
        own = {"grounding": overlap} if overlap.count else {"answer": right}
        rows.append(ScoredRow(name, "", len({one.place for one in found if one.function == name}), 0, own))
    return [ScoredTable(STEPS, rows)]


def _step_scores(truth: Truth, predictions: Predictions, marks: Marks) -> Iterator[_StepScore]:
    programs, right = truth.asked.words("program"), marks.scores["answer"]
    referred: list[list[list[int]]] = truth.table.column("referred").to_pylist()
    for place, one in enumerate(predictions.given):
        if one is None or one.referred is None:
            continue
        named, candidates = f"prediction for '{one.question_id}'", truth.candidates[place]
        steps = parse_program(programs[place]).steps
        if not len(one.referred) == len(steps) == len(referred[place]):
            reason = f"tells of {len(one.referred)} steps, the program has {len(steps)}"
            raise BadInput(reason, record=named, field="referred")
        for number, (step, entities, true) in enumerate(zip(steps, one.referred, referred[place], strict=True)):
            own = {candidates.place(entity, record=named, field=f"referred[{number}]") for entity in entities}
            if LANGUAGE.functions[step.function].output.form == "entities":
                both = own | set(true)
                overlap = len(own.intersection(true)) / len(both) if both else 1.0
                yield _StepScore(step.function, place, overlap, np.nan)
            else:
                yield _StepScore(step.function, place, np.nan, float(right[place]))
