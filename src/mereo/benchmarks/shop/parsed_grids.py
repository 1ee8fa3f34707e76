"""What parses are worth, as tables that people read: on the screen, as JSON, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from mereo.benchmarks.shop.parsed import NUMBERS, ParseResult, ParseRow, ParseTable
from mereo.evaluation.intervals import Mean
from mereo.evaluation.tabulate import Grid, GridRow, csv_text, markdown, percent
from mereo.files import write_bytes

__all__ = ["FORMS", "grids_of", "written"]


def grids_of(result: ParseResult) -> list[Grid]:
    """Every table with a column for each split and threshold, and the paper's figures at the end."""
    return [_grid(table) for table in result.tables]


def _grid(table: ParseTable) -> Grid:
    paper = [column for column in table.columns if any(column in row.paper for row in table.rows)]
    rows = []
    for row in table.rows:
        scores = [row.scores.get(column) for column in table.columns]
        cells = (row.name, _counts(row), *(_said(row.name, score) for score in scores))
        theirs = (_number(row.name, row.paper.get(column)) for column in paper)
        rows.append(GridRow("", (*cells, *theirs), (*scores, *(None for _ in paper))))
    return Grid(table.name, ("", "objects", *table.columns, *(f"paper: {column}" for column in paper)), tuple(rows))


def _counts(row: ParseRow) -> str:
    counts = {score.count for score in row.scores.values()}
    return f"{max(counts):,}" if len(counts) == 1 else f"{min(counts):,}–{max(counts):,}"


def _said(row: str, score: Mean | None) -> str:
    if score is None or row not in NUMBERS:
        return percent(score)
    return f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]"


def _number(row: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if row in NUMBERS else f"{100 * value:.1f}"


def _json(result: ParseResult) -> str:
    return msgspec.json.format(msgspec.json.encode(result), indent=1).decode() + "\n"


def _markdown(result: ParseResult) -> str:
    return "\n".join(f"## {grid.name.capitalize()}\n\n{markdown(grid)}" for grid in grids_of(result))


FORMS: Mapping[str, Callable[[ParseResult], str]] = {
    ".json": _json,
    ".md": _markdown,
    ".csv": lambda result: csv_text(grids_of(result)),
}
"""How tables are written, by the ending of the file."""


def written(path: str | Path, result: ParseResult) -> None:
    """Write all tables into a file."""
    write_bytes(path, FORMS[Path(path).suffix](result).encode())
