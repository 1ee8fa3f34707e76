"""The parts of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from mereo.datasets.audit import Audit
from mereo.datasets.inspector import Inspector
from mereo.evaluation.asked import Asked
from mereo.evaluation.charts import bars, columns, dots
from mereo.evaluation.compare import Comparison
from mereo.evaluation.curves import Curve
from mereo.evaluation.drawing import Drawing, draw_scene
from mereo.evaluation.instructive import Mistake, stages
from mereo.evaluation.judging import WORDED, Judging
from mereo.evaluation.oracle import scene_rows
from mereo.evaluation.page import Section, comparison_table, figure, html_table, mistake_card, scene
from mereo.evaluation.plots import by_length, mixed_up, under_noise
from mereo.evaluation.result import Judged, Result
from mereo.evaluation.tabulate import Grid
from mereo.world import World

__all__ = [
    "Drawn",
    "Report",
    "audit_section",
    "data_section",
    "error_section",
    "gallery_section",
    "glance_section",
    "pair_section",
    "plot_section",
    "table_section",
]

_PICTURES = 12
_WIDTH, _SMALL, _MANY = 380, 270, 150
"""Pixels of pictures, and of pictures where there are many, so that a page does not grow beyond bounds."""
_COMPLAINTS = 8
_LONG = 16
"""Rows from which on a table is folded away."""
_KINDS = {"oracle": "oracles", "model": "models", "baseline": "blind baselines"}


@dataclass(frozen=True)
class Report:
    """Everything that a report tells of."""

    asked: Asked
    """All questions of the dataset."""
    runs: Sequence[Judged]
    audit: Audit | None
    curves: Sequence[Curve]
    inspector: Inspector | None
    judging: Judging = WORDED

    @cached_property
    def ordered(self) -> list[tuple[int, Judged]]:
        """The runs with the number of their color: oracles, then models, then baselines, the best first."""
        kinds = list(_KINDS)
        ranked = sorted(self.runs, key=lambda run: (kinds.index(_kind(run)), -_score(run), run.result.run))
        return list(enumerate(ranked))


def _kind(run: Judged) -> str:
    kind = run.result.header.kind
    return kind if kind in _KINDS else "model"


def _score(run: Judged) -> float:
    mean = run.result.overall.scores.get(run.result.measures[0])
    return mean.value if mean is not None else 0.0


class Drawn:
    """The scenes that the page shows, each drawn once."""

    def __init__(self, report: Report, wanted: Sequence[str]):
        self.worlds: dict[str, World] = {}
        self.drawings: dict[str, Drawing] = {}
        self.first: list[str] = []
        self.pictures = False
        if report.inspector is None:
            return
        seen = list(dict.fromkeys(report.asked.words("scene_id")))
        self.first = seen[:: max(1, len(seen) // _PICTURES)][:_PICTURES]
        shown = {*wanted, *self.first}
        width = _WIDTH if len(shown) <= _MANY else _SMALL
        for row in scene_rows(report.asked, shown, pictures=True):
            name = row["scene_id"]
            self.worlds[name] = report.inspector.world(row)
            self.drawings[name] = draw_scene(row, self.worlds[name], report.inspector, width=width)
            self.pictures |= bool(row.get("image"))

    @property
    def definitions(self) -> str:
        """What drawings refer to."""
        parts = "".join(
            f'<g id="{escape(name)}">{one.picture}</g>'
            + "".join(f'<g id="{escape(name)}-{k}">{shape}</g>' for k, shape in one.outlines.items())
            for name, one in self.drawings.items()
        )
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{parts}</defs></svg>'


def glance_section(report: Report) -> Section | None:
    """The overall scores of all runs."""
    if not report.runs:
        return None
    groups = []
    for kind, heading in _KINDS.items():
        rows = []
        for color, run in report.ordered:
            mean = run.result.overall.scores.get(run.result.measures[0])
            if _kind(run) == kind and mean is not None:
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


def gallery_section(report: Report, drawn: Drawn) -> Section | None:
    """Some scenes with a question each, of as many kinds as there are."""
    first = [name for name in drawn.first if name in drawn.drawings]
    if not first:
        return None
    asked = report.asked
    kinds, by_scene = asked.words("subtype"), dict[str, list[int]]()
    for place, name in enumerate(asked.words("scene_id")):
        if name in drawn.drawings:
            by_scene.setdefault(name, []).append(place)
    shown: Counter[str] = Counter()
    chosen = []
    for name in first:
        place = min(by_scene[name], key=lambda place: (shown[kinds[place]], place))
        shown[kinds[place]] += 1
        chosen.append(place)
    some = asked.take(chosen).with_columns("question")
    figures = [
        f"<figure>{scene(drawn.drawings[name], name)}<figcaption>{escape(question)} "
        f"<b>{escape(answer)}</b></figcaption></figure>"
        for name, question, answer in zip(first, some.words("question"), some.words("answer"), strict=True)
    ]
    about = "The dataset has no pictures; these maps are drawn from the relations of its worlds."
    title = "Pictures" if drawn.pictures else "Scenes"
    content = f'<div class="gallery">{"".join(figures)}</div>'
    return Section.of("pictures", title, content, about="" if drawn.pictures else about)


def audit_section(report: Report) -> Section:
    """Whether the dataset keeps its word."""
    audit = report.audit
    if audit is None:
        return Section.of("audit", "Audit", about="Not audited here: run <code>mereo audit</code> for that.")
    verdict = '<span class="ok">Nothing is wrong</span>'
    if audit.complaints:
        verdict = f'<span class="not-ok">{len(audit.complaints):,} complaints</span>'
    items = "".join(f"<li>{escape(complaint)}</li>" for complaint in audit.complaints[:_COMPLAINTS])
    about = (
        f"{verdict} with {audit.scenes:,} scenes and {audit.questions:,} questions: checksums, programs run again, "
        "answers, referents, doubles, splits, and how flat answers are. Pictures are checked by "
        "<code>mereo audit</code> only."
    )
    return Section.of("audit", "Audit", f'<ul class="plain">{items}</ul>' if items else "", about=about)


def data_section(report: Report) -> Section:
    """How questions and answers are distributed."""
    asked = report.asked
    lengths = asked.coded("length")
    steps = Counter(int(lengths.names[code]) for code in lengths.codes.tolist())
    words = Counter(len(text.split()) for text in asked.with_columns("question").words("question"))
    per_scene = Counter(Counter(asked.scenes.tolist()).values())
    figures = [
        figure("Steps of programs", columns(_filled(steps), label="program lengths", axis="steps")),
        figure("Words of questions", columns(_filled(words), label="question lengths", axis="words", color=1)),
    ]
    if len(per_scene) > 1:
        content = columns(_filled(per_scene), label="questions per scene", axis="questions per scene", color=2)
        figures.append(figure("Questions per scene", content))
    by_type: dict[str, Counter[str]] = {}
    for type, answer in zip(asked.words("type"), asked.words("answer"), strict=True):
        by_type.setdefault(type, Counter())[answer] += 1
    for number, (type, answers) in enumerate(sorted(by_type.items())):
        common = answers.most_common(12)
        rest = answers.total() - sum(count for _, count in common)
        content = bars([*common, ("others", rest)] if rest else common, label=f"answers of {type}", color=number % 10)
        figures.append(figure(f"Answers: {type.replace('_', ' ')}", content, f"{answers.total():,} questions"))
    return Section.of("data", "What is asked", f'<div class="grid2">{"".join(figures)}</div>')


def _filled(counts: Counter[int]) -> list[tuple[str, int]]:
    return [(str(k), counts[k]) for k in range(min(counts), max(counts) + 1)]


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
    looking = [(color, run) for color, run in report.ordered if _kind(run) != "baseline"]
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
            steps = stages(mistake.program, inspector, drawn.worlds[name])
            cards.append(mistake_card(mistake, drawn.drawings[name], name, steps))
        wrong = int((run.marks.main < 1).sum())
        title = f"{escape(run.result.run)}<span>{len(own)} of {wrong:,} errors</span>"
        parts.append(f"<details{'' if parts else ' open'}><summary>{title}</summary>{''.join(cards)}</details>")
    about = (
        "Wrong answers that teach most: other runs knew better, the program is short, and no two are of one kind if "
        "that can be helped. Point at a step to see what it refers to."
    )
    return Section.of("errors", "Instructive errors", *parts, about=about) if parts else None
