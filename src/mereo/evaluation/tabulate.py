"""Scores of several runs as grids of text, and grids as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from mereo.evaluation.intervals import Mean

if TYPE_CHECKING:
    from mereo.evaluation.result import Result, ScoredRow

__all__ = ["Grid", "GridRow", "csv_text", "grids", "html", "latex", "markdown", "percent"]


@dataclass(frozen=True)
class GridRow:
    """One line: its heading's group, the text of every cell, and the scores behind those after the first two."""

    group: str
    cells: tuple[str, ...]
    scores: tuple[Mean | None, ...]


@dataclass(frozen=True)
class Grid:
    """A table of text: what the row is, how many questions, then a column for every run and measure."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]


def percent(mean: Mean | None, *, interval: bool = True) -> str:
    """A score as people read it: `57.5 [55.9, 59.2]`."""
    if mean is None:
        return "–"
    text = f"{100 * mean.value:.1f}"
    return f"{text} [{100 * mean.low:.1f}, {100 * mean.high:.1f}]" if interval else text


def grids(results: Sequence[Result]) -> list[Grid]:
    """The overall scores, then every table that the runs have, with all runs side by side."""
    if not results:
        return []
    columns = ["", "questions"]
    for result in results:
        columns += [_title(result, measure, alone=len(results) == 1) for measure in result.measures]
    found = [Grid("overall", tuple(columns), (_grid_row("all", "", [result.overall for result in results], results),))]
    names = list(dict.fromkeys(table.name for result in results for table in result.tables))
    for name in names:
        tables = [next((table for table in result.tables if table.name == name), None) for result in results]
        keys = list(dict.fromkeys((row.group, row.name) for table in tables if table for row in table.rows))
        rows = []
        for group, row in keys:
            own = [
                next((one for one in table.rows if (one.group, one.name) == (group, row)), None) if table else None
                for table in tables
            ]
            rows.append(_grid_row(row, group, own, results))
        found.append(Grid(name, tuple(columns), tuple(rows)))
    return found


def _title(result: Result, measure: str, *, alone: bool) -> str:
    if alone:
        return measure
    return result.run if len(result.measures) == 1 else f"{result.run} {measure}"


def _grid_row(name: str, group: str, rows: Sequence[ScoredRow | None], results: Sequence[Result]) -> GridRow:
    counts = {row.questions for row in rows if row is not None}
    scores: list[Mean | None] = []
    for row, result in zip(rows, results, strict=True):
        scores += [row.scores.get(measure) if row is not None else None for measure in result.measures]
    asked = f"{max(counts):,}" if len(counts) == 1 else f"{min(counts):,}–{max(counts):,}"
    return GridRow(group, (name, asked, *map(percent, scores)), tuple(scores))


def markdown(grid: Grid) -> str:
    """A table that GitHub shows."""
    lines = [f"| {' | '.join(column or grid.name for column in grid.columns)} |"]
    lines.append("|---|" + "---:|" * (len(grid.columns) - 1))
    for row in grid.rows:
        first = f"{row.group}: {row.cells[0]}" if row.group else row.cells[0]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in (first, *row.cells[1:]))} |")
    return "\n".join(lines) + "\n"


def html(grid: Grid) -> str:
    """A plain table that takes the style of where it stands."""
    lines = ["".join(f"<th>{escape(column or grid.name)}</th>" for column in grid.columns)]
    for row in grid.rows:
        first = f"{row.group}: {row.cells[0]}" if row.group else row.cells[0]
        lines.append("".join(f"<td>{escape(cell)}</td>" for cell in (first, *row.cells[1:])))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


_LATEX = {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "~": r"\textasciitilde{}", "–": "--"}


def latex(grid: Grid) -> str:
    """A tabular for a paper; needs the package booktabs."""

    def said(text: str) -> str:
        return "".join(_LATEX.get(letter, letter) for letter in text)

    lines = [rf"\begin{{tabular}}{{l{'r' * (len(grid.columns) - 1)}}}", r"\toprule"]
    lines += [" & ".join(said(column or grid.name) for column in grid.columns) + r" \\", r"\midrule"]
    group = ""
    for row in grid.rows:
        if row.group != group:
            lines.append(rf"\multicolumn{{{len(grid.columns)}}}{{l}}{{\emph{{{said(row.group)}}}}} \\")
            group = row.group
        scores = [_latex_score(score) for score in row.scores]
        lines.append(" & ".join([said(row.cells[0]), said(row.cells[1]), *scores]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _latex_score(mean: Mean | None) -> str:
    if mean is None:
        return "--"
    return rf"${100 * mean.value:.1f}_{{[{100 * mean.low:.1f}, {100 * mean.high:.1f}]}}$"


def csv_text(tables: Sequence[Grid]) -> str:
    """All tables in one long form: a line for every score, as numbers between 0 and 1."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["table", "group", "row", "column", "questions", "score", "low", "high"])
    for grid in tables:
        for row in grid.rows:
            for column, mean in zip(grid.columns[2:], row.scores, strict=True):
                if mean is not None:
                    numbers = (f"{value:.6f}" for value in (mean.value, mean.low, mean.high))
                    writer.writerow([grid.name, row.group, row.cells[0], column, mean.count, *numbers])
    return file.getvalue()
