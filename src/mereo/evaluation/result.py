"""The result of a run: what it scored where, how sure that is, and how the judging was done."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import msgspec
import numpy as np

from mereo import __version__
from mereo.datasets.asked import Asked, Selection
from mereo.datasets.predictions import Header, Predictions
from mereo.evaluation.confusion import Confusion, confusion
from mereo.evaluation.consistency import Consistency, consistency
from mereo.evaluation.intervals import DRAWS, Mean, means
from mereo.evaluation.judging import WORDED, Judging
from mereo.evaluation.marks import Marks
from mereo.evaluation.normalize import NORMALIZATION
from mereo.evaluation.tables import Members, Row, Table, default_tables, function_table, length_table, members_of

__all__ = ["Judged", "Result", "ScoredRow", "ScoredTable", "judge_run", "scored_tables"]

VERSION = 1
INTERVAL = f"95%, {DRAWS:,} resamples of scenes"


class ScoredRow(msgspec.Struct, frozen=True):
    """One line of a table."""

    name: str
    group: str
    questions: int
    unanswered: int
    scores: dict[str, Mean]
    """By measure."""


class ScoredTable(msgspec.Struct, frozen=True):
    """A table, its rows as they were declared."""

    name: str
    rows: list[ScoredRow]


class Result(msgspec.Struct, frozen=True):
    """Everything that is kept of a judged run: `result.json`."""

    result: int
    """The version of this format."""
    run: str
    header: Header
    benchmark: str
    dataset: str
    """The fingerprint of the dataset."""
    selection: Selection
    normalization: str
    interval: str
    command: str
    mereo: str
    measures: list[str]
    """The first is the one that runs are compared by."""
    overall: ScoredRow
    tables: list[ScoredTable]
    consistency: list[Consistency]
    confusion: list[Confusion]
    tokens: tuple[int, int] | None = None
    """How many were read and written in all."""


class Judged(msgspec.Struct, frozen=True):
    """A run with its marks, question by question."""

    result: Result
    asked: Asked
    predictions: Predictions
    marks: Marks

    @property
    def score(self) -> Mean:
        """The mean over all judged questions by the first measure, between 0 and 1, with its interval."""
        return self.result.overall.scores[self.result.measures[0]]

    def __repr__(self) -> str:
        result, score = self.result, self.score
        missing = f", {result.overall.unanswered:,} of them not answered" if result.overall.unanswered else ""
        return (
            f"{result.run}: {result.measures[0]} {score.value:.1%} [{score.low:.1%}, {score.high:.1%}] "
            f"on {result.overall.questions:,} questions of {result.selection}{missing}"
        )

    def _repr_html_(self) -> str:
        """The overall score and the first table of its benchmark."""
        from mereo.evaluation.tabulate import grids, html

        return f"<p>{escape(repr(self))}</p>{''.join(map(html, grids([self.result])[1:2]))}"


def judge_run(
    asked: Asked,
    predictions: Predictions,
    *,
    run: str,
    judging: Judging = WORDED,
    command: str = "",
) -> Judged:
    """Judge the predictions for some questions."""
    marks = judging.judge(asked, predictions)
    everything = Table("all", (Row("all", {}),))
    shown: list[tuple[Table, list[Members]]] = [(everything, [np.ones(len(asked), bool)])]
    shown += [(table, members_of(table, asked)) for table in (judging.tables or default_tables(asked))]
    shown += [length_table(asked), function_table(asked)]
    (overall, *scored) = scored_tables(shown, asked, marks)
    result = Result(
        result=VERSION,
        run=run,
        header=predictions.header,
        benchmark=asked.manifest.benchmark,
        dataset=asked.checksum,
        selection=asked.selection,
        normalization=NORMALIZATION,
        interval=INTERVAL,
        command=command,
        mereo=__version__,
        measures=list(marks.scores),
        overall=overall.rows[0],
        tables=[*scored, *judging.further(asked, predictions, marks)],
        consistency=consistency(asked, marks),
        confusion=confusion(marks.truth, marks.said) if marks.truth is not None and marks.said is not None else [],
        tokens=_tokens(predictions),
    )
    return Judged(result, asked, predictions, marks)


def scored_tables(shown: Sequence[tuple[Table, list[Members]]], asked: Asked, marks: Marks) -> list[ScoredTable]:
    """Tables with the members of each row, all at once, so that scenes are drawn once."""
    members = [inside for _, rows in shown for inside in rows]
    scores = iter(means(list(marks.scores.values()), members, asked.scenes))
    unanswered = ~marks.answered
    tables = []
    for table, rows in shown:
        scored = []
        for row, inside in zip(table.rows, rows, strict=True):
            own = {name: mean for name, mean in zip(marks.scores, next(scores), strict=True) if mean.count}
            if inside.any():
                missing = int((inside & unanswered).sum())
                scored.append(ScoredRow(row.name, row.group, int(inside.sum()), missing, own))
        tables.append(ScoredTable(table.name, scored))
    return tables


def _tokens(predictions: Predictions) -> tuple[int, int] | None:
    spent: list[Any] = [one.tokens for one in predictions.given if one is not None and one.tokens is not None]
    return (sum(read for read, _ in spent), sum(written for _, written in spent)) if spent else None
