"""The parts of a report that are about runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from mereo.evaluation.charts import dots
from mereo.evaluation.compare import Comparison
from mereo.evaluation.instructive import Mistake, shown_steps
from mereo.evaluation.page import Section, comparison_table, html_table, mistake_card
from mereo.evaluation.plots import by_length, mixed_up, under_noise
from mereo.evaluation.reported import KINDS, Drawn, Report, kind_of
from mereo.evaluation.result import Result
from mereo.evaluation.tabulate import Grid

__all__ = ["error_section", "glance_section", "pair_section", "plot_section", "table_section"]

_LONG = 16
"""Rows from which on a table is folded away."""


def glance_section(report: Report) -> Section | None:
    """The overall scores of all runs."""
    if not report.runs:
        return None
    groups = []
    for kind, heading in KINDS.items():
        rows = []
        for color, run in report.ordered:
            mean = run.result.overall.scores.get(run.result.measures[0])
            if kind_of(run) == kind and mean is not None:
                rows.append((run.result.run, color, mean))
        if rows:
            groups.append((heading, rows))
    about = (
        f"Each dot is the {escape(report.runs[0].result.measures[0])} of a run over all questions that it was asked, "
        "each bar its 95% interval. Intervals draw whole scenes: questions about one scene stand or fall together."
    )
    told = "".join(
        f"<li><b>{escape(run.result.run)}</b> left {run.result.overall.unanswered:,} of "
        f"{run.result.overall.questions:,} questions without an answer, which counts as wrong</li>"
        for _, run in report.ordered
        if run.result.overall.unanswered
    )
    unanswered = f'<ul class="plain">{told}</ul>' if told else ""
    chart = f'<div class="scroll">{dots(groups, label="scores of all runs")}</div>'
    return Section.of("glance", "At a glance", chart, unanswered, about=about)


def table_section(report: Report, tables: Sequence[Grid]) -> Section | None:
    """All tables of scores."""
    if not report.runs:
        return None
    about = (
        "Each score in per cent over its 95% interval; the line below is as long as the score is high. The same tables "
        "are in <code>report.md</code>, <code>report.tex</code> and <code>report.csv</code>."
    )
    parts = []
    for grid in tables[1:]:
        title, content = escape(grid.name.capitalize()), html_table(grid)
        if len(grid.rows) >= _LONG:
            content = f'<details class="more"><summary>{len(grid.rows)} rows</summary>{content}</details>'
        parts.append(f"<h3>{title}</h3>{content}")
    return Section.of("tables", "Scores", *parts, _consistency([run.result for _, run in report.ordered]), about=about)


def _consistency(results: Sequence[Result]) -> str:
    items = []
    for result in results:
        for found in result.consistency:
            same = f", one answer throughout in {found.same_answer.value:.1%}" if found.same_answer is not None else ""
            items.append(
                f"<li><b>{escape(result.run)}</b>, {found.kind} groups ({found.groups:,}): all right in "
                f"{found.all_right.value:.1%} [{found.all_right.low:.1%}, {found.all_right.high:.1%}]{same}</li>"
            )
    return f'<h3>Consistency</h3><ul class="plain">{"".join(items)}</ul>' if items else ""


def plot_section(report: Report) -> Section | None:
    """Scores by program length, the oracle under noise, and mixed-up answers."""
    lengths = by_length([(color, run.result) for color, run in report.ordered])
    figures = [part for part in (lengths, under_noise(report.curves)) if part]
    looking = [(color, run) for color, run in report.ordered if kind_of(run) != "baseline"]
    maps = "".join(mixed_up(run.result, color) for color, run in looking or report.ordered)
    if not figures and not maps:
        return None
    about = "Shades are shares of a row: what was said where the row's answer is right. Right answers are gray."
    confusions = f'<h3>Mixed-up answers</h3><p class="note">{about}</p><div class="grid2">{maps}</div>' if maps else ""
    return Section.of("plots", "Where runs fail", f'<div class="grid2">{"".join(figures)}</div>', confusions)


def pair_section(comparisons: Sequence[Comparison]) -> Section | None:
    """Which differences are more than chance."""
    if not comparisons:
        return None
    about = (
        "Runs on the questions that both were asked. p is how often chance gives as large a difference when, scene by "
        "scene, it is drawn which run is which; corrected by Holm's method for the number of pairs. Bold: below 0.05."
    )
    return Section.of("pairs", "Pairs of runs", comparison_table(comparisons), about=about)


def error_section(report: Report, mistakes: Mapping[str, Sequence[Mistake]], drawn: Drawn) -> Section | None:
    """The errors of each run that teach most, with the right way to the answer."""
    inspector, parts = report.inspector, list[str]()
    for _, run in report.ordered if inspector is not None else []:
        own = mistakes[run.result.run]
        if not own or inspector is None:
            continue
        cards = []
        for mistake in own:
            name = mistake.scene_id
            steps = shown_steps(mistake.program, inspector, drawn.worlds[name])
            cards.append(mistake_card(mistake, drawn.drawings[name], name, steps))
        wrong = int((run.marks.main < 1).sum())
        title = f"{escape(run.result.run)}<span>{len(own)} of {wrong:,} errors</span>"
        parts.append(f"<details{'' if parts else ' open'}><summary>{title}</summary>{''.join(cards)}</details>")
    about = (
        "Wrong answers that teach most: other runs knew better, the program is short, and no two are of one kind if "
        "that can be helped. Point at a step to see what it refers to."
    )
    return Section.of("errors", "Instructive errors", *parts, about=about) if parts else None
