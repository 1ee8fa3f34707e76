"""Runs: the scores of every evaluated run side by side; behind each number are the questions that it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote, urlencode

from nicegui import ui

from mereo.evaluation.charts import SERIES, dots
from mereo.evaluation.plots import by_length, mixed_up
from mereo.evaluation.result import Result
from mereo.explorer import look
from mereo.explorer.address import View
from mereo.explorer.catalog import Catalog, Opened, Run
from mereo.explorer.pages.views import dress
from mereo.explorer.scoreboard import Board, BoardRow, Cell, boards

__all__ = ["page"]

_OPEN = 2
"""Tables that are open from the beginning; the others are long."""


def page(catalog: Catalog, query: Mapping[str, str]) -> None:
    """Build the page. query : `dataset`, and `without`, names of runs to leave out, with commas"""
    dress()
    usable = [opened for opened in catalog.datasets if opened.fault is None]
    judged = {opened.number: catalog.runs(opened.number) for opened in usable}
    shown = [opened for opened in usable if judged[opened.number]]
    if not shown:
        look.empty(
            "No run to show", "Judge predictions with “mereo evaluate”, or make blind ones with “mereo baseline”."
        )
        return
    wanted = query.get("dataset", "")
    chosen = next((opened for opened in shown if str(opened.number) == wanted), shown[0])
    look.text("Runs", kind="m-title", tag="h1")
    _datasets(shown, chosen)
    _dataset(chosen, judged[chosen.number], [name for name in query.get("without", "").split(",") if name])


def _datasets(shown: Sequence[Opened], chosen: Opened) -> None:
    if len(shown) > 1:
        links = "".join(
            f'<a class="m-button{" on" if opened is chosen else ""}" href="/runs?dataset={opened.number}">'
            f"{escape(opened.name)}</a>"
            for opened in shown
        )
        ui.html(links, sanitize=False, tag="nav").classes("m-row u-switch").props('aria-label="Datasets"')


def _dataset(opened: Opened, runs: Sequence[Run], without: Sequence[str]) -> None:
    every = [run.result for run in runs if run.result is not None]
    results = [(color, result) for color, result in enumerate(every) if result.run not in without]
    for run in runs:
        if run.fault is not None:
            look.fault(f"{run.name} cannot be shown", run.fault)
    if not every:
        return
    _choice(opened, every, without)
    if not results:
        look.empty("Nothing to compare", "Every run is left out; choose one above.")
        return
    _charts(results)
    tables = opened.benchmark.judging.tables if opened.benchmark else ()
    found = boards([result for _, result in results], opened.number, tables)
    colors = [color for color, result in results for _ in result.measures]
    for place, board in enumerate(found):
        with ui.element("details").classes("m-card u-board").props("open" if place < _OPEN else ""):
            ui.html(escape(board.name), sanitize=False, tag="summary").classes("m-label")
            ui.html(_table(board, colors), sanitize=False).classes("u-scroll")
    _confusions(results)
    about = (
        "Bold is the best of a row. A score leads to what was not answered rightly, a row's name to all its questions."
    )
    look.text(f"Intervals: {every[0].interval}. {about}", kind="m-small")


def _choice(opened: Opened, every: Sequence[Result], without: Sequence[str]) -> None:
    """The runs, each to be left out or taken in again."""
    links = []
    for color, result in enumerate(every):
        out = [name for name in without if name != result.run] if result.run in without else [*without, result.run]
        query = urlencode({"dataset": opened.number, **({"without": ",".join(out)} if out else {})}, quote_via=quote)
        on = result.run not in without
        links.append(
            f'<a class="u-run s{color % SERIES}{"" if on else " off"}" href="/runs?{query}" '
            f'title="{"leave out" if on else "take in"}" aria-pressed="{str(on).lower()}">'
            f"<i></i>{escape(result.run)}</a>"
        )
    ui.html("".join(links), sanitize=False, tag="nav").classes("m-row u-runs").props('aria-label="Runs to compare"')


def _charts(results: Sequence[tuple[int, Result]]) -> None:
    groups = []
    for measure in dict.fromkeys(result.measures[0] for _, result in results):
        rows = [
            (result.run, color, result.overall.scores[measure])
            for color, result in results
            if measure in result.overall.scores
        ]
        groups.append((measure, sorted(rows, key=lambda row: -row[2].value)))
    with ui.element("div").classes("u-charts"):
        ui.html(dots(groups, label="overall scores"), sanitize=False).classes("m-card u-scroll")
        lengths = by_length(list(results))
        if lengths:
            ui.html(lengths, sanitize=False).classes("m-card u-scroll")


def _table(board: Board, colors: Sequence[int]) -> str:
    heads = "".join(
        f'<th class="s{color % SERIES}"><i></i>{escape(column)}</th>'
        for column, color in zip(board.columns, colors, strict=True)
    )
    lines, group = [], ""
    for row in board.rows:
        if row.group != group and row.group:
            lines.append(f'<tr class="group"><td colspan="{2 + len(row.cells)}">{escape(row.group)}</td></tr>')
        group = row.group
        lines.append(_line(row, board.columns))
    return f"<table><thead><tr><th></th><th>questions</th>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _line(row: BoardRow, columns: Sequence[str]) -> str:
    name = _linked(escape(row.name), row.behind, f"all questions of {row.name}")
    cells = "".join(_cell(cell, row, column) for cell, column in zip(row.cells, columns, strict=True))
    return f"<tr><td>{name}</td><td>{row.questions}</td>{cells}</tr>"


def _cell(cell: Cell, row: BoardRow, column: str) -> str:
    if cell.score is None:
        return "<td>–</td>"
    shown = f"{100 * cell.score.value:.1f}"
    shown = f"<b>{shown}</b>" if cell.best else shown
    interval = f"<small>{100 * cell.score.low:.1f}–{100 * cell.score.high:.1f}</small>"
    return f"<td>{_linked(shown, cell.wrong, f'{row.name}: what {column} did not answer rightly')}{interval}</td>"


def _linked(shown: str, view: View | None, title: str) -> str:
    return shown if view is None else f'<a href="{escape(view.address())}" title="{escape(title)}">{shown}</a>'


def _confusions(results: Sequence[tuple[int, Result]]) -> None:
    drawn = [chart for color, result in results if (chart := mixed_up(result, color))]
    if drawn:
        with ui.element("details").classes("m-card u-board"):
            ui.html("answers that are mixed up", sanitize=False, tag="summary").classes("m-label")
            ui.html("".join(drawn), sanitize=False).classes("u-heats")
