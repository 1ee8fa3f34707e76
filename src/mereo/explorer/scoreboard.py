"""The scores of runs as the explorer shows them: every number with the view of the questions behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mereo.evaluation.intervals import Mean
from mereo.evaluation.result import Result
from mereo.evaluation.tables import Table
from mereo.evaluation.tabulate import grids
from mereo.explorer.address import MARK, QUESTION_FACETS, View

__all__ = ["Board", "BoardRow", "Cell", "boards"]

_MARKS = ("right", "wrong", "unanswered")
_STEPS = re.compile(r"(\d+)(?:–(\d+))? steps")


@dataclass(frozen=True)
class Cell:
    """A score of one run."""

    score: Mean | None
    best: bool
    wrong: View | None
    """The questions behind it that the run did not get right; None where no filter tells them."""


@dataclass(frozen=True)
class BoardRow:
    """One line: what it is about, how many questions, and a score for every run and measure."""

    group: str
    name: str
    questions: str
    behind: View | None
    """All its questions."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Board:
    """A table of scores."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[BoardRow, ...]


def boards(results: Sequence[Result], dataset: int, tables: Sequence[Table]) -> list[Board]:
    """All tables of some runs of one dataset, side by side. tables : as the benchmark declares them"""
    runs = [(result.run, measure) for result in results for measure in result.measures]
    found = []
    for grid in grids(results):
        rows = []
        for line in grid.rows:
            where = _where(grid.name, line.group, line.cells[0], tables)
            behind = None if where is None else _view(dataset, where, results)
            best = _best(line.scores, runs)
            cells = tuple(
                Cell(score, place in best, _marked(behind, run) if score is not None and score.value < 1 else behind)
                for place, (score, (run, _)) in enumerate(zip(line.scores, runs, strict=True))
            )
            rows.append(BoardRow(line.group, line.cells[0], line.cells[1], behind, cells))
        found.append(Board(grid.name, grid.columns[2:], tuple(rows)))
    return found


def _best(scores: Sequence[Mean | None], runs: Sequence[tuple[str, str]]) -> set[int]:
    """The places of the highest score of each measure, where not all are alike."""
    found = set()
    for measure in {measure for _, measure in runs}:
        places = [k for k, (_, own) in enumerate(runs) if own == measure and scores[k] is not None]
        values = {k: score.value for k in places if (score := scores[k]) is not None}
        if len(set(values.values())) > 1:
            found |= {k for k in places if values[k] == max(values.values())}
    return found


def _where(table: str, group: str, name: str, tables: Sequence[Table]) -> Mapping[str, tuple[str, ...]] | None:
    """The question fields that put a question into a row, if they can be filtered by."""
    for known in tables:
        for row in known.rows:
            if (known.name, row.group, row.name) == (table, group, name):
                return row.where if set(row.where) <= set(QUESTION_FACETS) else None
    if table == "overall":
        return {}
    if table == "functions":
        return {"uses": (name,)}
    if table == "program length" and (steps := _STEPS.fullmatch(name)):
        first, last = int(steps[1]), int(steps[2] or steps[1])
        return {"length": tuple(map(str, range(first, last + 1)))}
    if table == "types":
        return {"type": (name,)}
    return {"type": (group,), "subtype": (name,)} if table == "subtypes" else None


def _view(dataset: int, where: Mapping[str, tuple[str, ...]], results: Sequence[Result]) -> View:
    """The questions of a row, of the splits that any of the runs was judged on; of some only, those with marks."""
    splits = tuple(dict.fromkeys(split for result in results for split in result.selection.splits))
    chosen = {"dataset": (str(dataset),), **where, **({"split": splits} if splits else {})}
    partial = next((result.run for result in results if result.selection.limit is not None), None)
    return View({**chosen, MARK + partial: _MARKS} if partial else chosen)


def _marked(view: View | None, run: str) -> View | None:
    return None if view is None else View({**view.chosen, MARK + run: _MARKS[1:]})
