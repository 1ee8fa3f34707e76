"""What CRIC's report shows besides tables: scores over the size of questions, and what the paper reports of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mereo.benchmarks.cric.tables import SIZES, WORDS
from mereo.evaluation.page import Section
from mereo.evaluation.plots import by_number
from mereo.evaluation.tabulate import Grid, GridRow, html
from mereo.files import converted, read_toml

if TYPE_CHECKING:
    from mereo.evaluation.reported import Report

__all__ = ["published", "sections"]

_OVER = {SIZES: "relations, attributes and items of knowledge that a question takes", WORDS: "words"}


@cache
def published() -> Mapping[str, Mapping[str, list[float | str]]]:
    """The paper's tables by name: columns, and a row of figures for each model, shorter where there are no more."""
    path = Path(__file__).with_name("published.toml")
    return converted(read_toml(path), file=path, type=dict[str, dict[str, list[float | str]]])


def sections(report: Report) -> Sequence[Section]:
    """Figure 14 of the runs that are reported, and Tables 2 and 3 of the paper."""
    runs = [(color, run.result) for color, run in report.ordered]
    curves = [
        by_number(runs, table, title=f"{measure.capitalize()} by {table}", axis=axis, measure=measure)
        for table, axis in _OVER.items()
        for measure in ("answer", "grounding")
    ]
    found = []
    if any(curves):
        about = "How answering and pointing fare as questions grow, in what they take from the two graphs and in words."
        charts = f'<div class="grid2">{"".join(curves)}</div>'
        found.append(Section.of("sizes", "Size of questions", charts, about=about))
    about = "What the paper reports for the models of its time, in per cent, on photographs and questions of its own."
    tables = "".join(f'<div class="scroll">{html(_grid(name))}</div>' for name in published())
    return [*found, Section.of("published", "In the paper", tables, about=about)]


def _grid(name: str) -> Grid:
    own = published()[name]
    columns = [str(column) for column in own["columns"]]
    rows = []
    for row, figures in own.items():
        if row != "columns":
            cells = [f"{cell:.2f}" for cell in figures] + ["–"] * (len(columns) - len(figures))
            rows.append(GridRow("", (row, *cells), ()))
    return Grid(name, ("", *columns), tuple(rows))
