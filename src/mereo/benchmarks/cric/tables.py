"""How CRIC's predictions are broken down: as its Table 2, its Figures 14 and 15 and its Table 3 are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.question import TYPES, SubGraph
from mereo.benchmarks.cric.truth import Truth
from mereo.datasets.asked import Asked
from mereo.datasets.columns import json_of
from mereo.datasets.predictions import Prediction, Predictions
from mereo.errors import BadInput
from mereo.evaluation.intervals import means
from mereo.evaluation.marks import Marks
from mereo.evaluation.result import ScoredRow, ScoredTable, scored_tables
from mereo.evaluation.tables import Row, Table, number_table, rows_by
from mereo.programs import compile_program

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

    Nothing where no prediction tells its steps; where some do, the steps of the others count as wrong.
    """
    if all(one is None or one.referred is None for one in predictions.given):
        return []
    found = list(_step_scores(truth, predictions, marks))
    names = np.array([one.function for one in found])
    places = np.array([one.place for one in found])
    known = [name for name in LANGUAGE.functions if (names == name).any()]
    members = [names == name for name in known]
    scores = [np.array([one.overlap for one in found]), np.array([one.right for one in found])]
    rows = []
    for name, inside, own in zip(known, members, means(scores, members, truth.asked.scenes[places]), strict=True):
        using = np.unique(places[inside])
        unanswered = int((~marks.answered[using]).sum())
        scored = {measure: mean for measure, mean in zip(("grounding", "answer"), own, strict=True) if mean.count}
        rows.append(ScoredRow(name, "", len(using), unanswered, scored))
    return [ScoredTable(STEPS, rows)]


def _step_scores(truth: Truth, predictions: Predictions, marks: Marks) -> Iterator[_StepScore]:
    right = marks.scores["answer"]
    referred: list[list[list[int]]] = truth.table.column("referred").to_pylist()
    for place, (one, steps) in enumerate(zip(predictions.given, _functions(truth.asked), strict=True)):
        if len(referred[place]) != len(steps):
            reason = f"tells of {len(referred[place])} steps, the program has {len(steps)}"
            named = f"question '{truth.asked.ids[place]}'"
            raise BadInput(reason, file=truth.asked.folder, record=named, field="referred")
        told = _told(one, truth, place, len(steps))
        for (function, finds), own, true in zip(steps, told, referred[place], strict=True):
            overlap = _overlap(own, set(true)) if finds else np.nan
            yield _StepScore(function, place, overlap, np.nan if finds else float(right[place]))


def _functions(asked: Asked) -> Iterator[list[tuple[str, bool]]]:
    """For every question its functions in order, and whether each finds entities or gives an answer.

    Programs that differ only in their words have the same functions, and reading one takes longer than judging it.
    """
    known: dict[int, list[tuple[str, bool]]] = {}
    for program, form in zip(asked.words("program"), asked.forms.codes.tolist(), strict=True):
        if form not in known:
            compiled = compile_program(program, LANGUAGE)
            names = (step.function for step in compiled.program.steps)
            known[form] = [(name, type.form == "entities") for name, type in zip(names, compiled.types, strict=True)]
        yield known[form]


def _told(one: Prediction | None, truth: Truth, place: int, count: int) -> Sequence[set[int] | None]:
    """The entities that each step is said to refer to; None where nothing is said. count : of the program's steps"""
    if one is None or one.referred is None:
        return [None] * count
    named, candidates = f"prediction for '{one.question_id}'", truth.candidates[place]
    if len(one.referred) != count:
        reason = f"tells of {len(one.referred)} steps, the program has {count}"
        raise BadInput(reason, record=named, field="referred")
    return [
        {candidates.place(entity, record=named, field=f"referred[{number}]") for entity in entities}
        for number, entities in enumerate(one.referred)
    ]


def _overlap(own: set[int] | None, true: set[int]) -> float:
    """Intersection over union; two empty sets are the same."""
    if own is None:
        return 0.0
    return len(own & true) / len(own | true) if own | true else 1.0
