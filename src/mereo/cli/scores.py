"""How commands show scores: one table for all runs side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mereo.cli.screen import console, plain_table

if TYPE_CHECKING:
    from mereo.evaluation.compare import Comparison
    from mereo.evaluation.result import Judged, Result

__all__ = ["command_line", "show_comparisons", "show_details", "show_scores"]


def command_line(*, secret: str = "", shown: str = "") -> str:
    """The command as it was given, to be kept with what it made. shown : what stands there in place of a secret"""
    import shlex
    import sys

    words = [word.replace(secret, shown) if secret else word for word in sys.argv[1:]]
    return shlex.join(["mereo", *words])


def show_scores(runs: Sequence[Judged], *, tables: int = 2) -> None:
    """The overall score and the first tables of runs that were judged alike."""
    from mereo.evaluation.tabulate import grids

    for grid in grids([run.result for run in runs])[: tables + 1]:
        shown = plain_table(*grid.columns, title=grid.name)
        for column in shown.columns[1:]:
            column.justify = "right"
        names = Counter(row.cells[0] for row in grid.rows)
        for row in grid.rows:
            name = row.cells[0]
            shown.add_row(f"{row.group}: {name}" if names[name] > 1 else name, *row.cells[1:])
        console().print(shown)
        console().print()


def show_details(result: Result) -> None:
    """What else there is to say of a single run: unanswered questions, consistency, confusions, tokens."""
    from rich.markup import escape

    if result.overall.unanswered:
        console().print(f"{result.overall.unanswered:,} of {result.overall.questions:,} not answered, which is wrong")
    for found in result.consistency:
        same = f", one answer throughout {found.same_answer.value:.1%}" if found.same_answer is not None else ""
        console().print(f"{found.kind}: {found.groups:,} groups, all right {found.all_right.value:.1%}{same}")
    wrong = [pair for pair in result.confusion if pair.truth != pair.said][:5]
    if wrong:
        pairs = ", ".join(f"{pair.truth} → {pair.said or 'nothing'} {pair.count:,}" for pair in wrong)
        console().print(escape(f"most confused: {pairs}"))
    if result.tokens is not None:
        console().print(f"tokens: {result.tokens[0]:,} read, {result.tokens[1]:,} written")
    console().print(
        f"[dim]{result.selection}; answers compared by {result.normalization}; intervals {result.interval}[/]"
    )


def show_comparisons(comparisons: Sequence[Comparison]) -> None:
    """Which differences between runs are more than chance."""
    if not comparisons:
        return
    headings = ("first run", "second run", "first better by", "95% interval", "p", "p, corrected")
    shown = plain_table(*headings, title="pairs of runs")
    for pair in comparisons:
        gain = pair.difference
        interval = f"{100 * gain.low:+.1f} to {100 * gain.high:+.1f}"
        shown.add_row(
            pair.one, pair.other, f"{100 * gain.value:+.1f}", interval, f"{gain.p:.3f}", f"{pair.adjusted:.3f}"
        )
    console().print(shown)
