"""The report as one HTML page that needs nothing else: style, script and pictures are inside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from mereo.evaluation.charts import SERIES
from mereo.evaluation.compare import Comparison
from mereo.evaluation.drawing import Drawing
from mereo.evaluation.instructive import Mistake, ShownStep
from mereo.evaluation.tabulate import Grid

__all__ = ["Section", "comparison_table", "figure", "html_table", "key", "mistake_card", "page", "scene"]


def page(title: str, body: str, sections: Mapping[str, str]) -> str:
    """The whole document. sections : what each part is called, by its anchor"""
    style, script = (Path(__file__).with_name(f"report.{kind}").read_text() for kind in ("css", "js"))
    links = "".join(f'<a href="#{anchor}">{escape(name)}</a>' for anchor, name in sections.items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body.replace("<!-- links -->", f"<nav>{links}</nav>", 1)}
</main>
<script>
{script}</script>
</body>
</html>
"""


_PIPS = 10
"""Most entities that a step lists."""


class Section(NamedTuple):
    """A part of the page."""

    anchor: str
    title: str
    content: str

    @staticmethod
    def of(anchor: str, title: str, *content: str, about: str = "") -> Section:
        """A part from its pieces. about : HTML that comes first"""
        lead = f"<p>{about}</p>" if about else ""
        body = "\n".join(content)
        return Section(anchor, title, f'<section id="{anchor}"><h2>{escape(title)}</h2>{lead}\n{body}\n</section>')


def figure(title: str, content: str, note: str = "") -> str:
    """A chart under its title."""
    caption = f'<p class="note">{escape(note)}</p>' if note else ""
    return f'<figure><figcaption class="title">{escape(title)}</figcaption>{content}{caption}</figure>'


def key(names: Sequence[tuple[str, int]]) -> str:
    """Which color is which run."""
    items = "".join(f'<li class="s{color % SERIES}">{escape(name)}</li>' for name, color in names)
    return f'<ul class="key">{items}</ul>'


def html_table(grid: Grid) -> str:
    """A grid of scores; the bar under a score is as long as it is."""
    heads = "".join(
        f"<th>{escape(column).replace('-', '-<wbr>').replace('=', '=<wbr>')}</th>" for column in grid.columns
    )
    lines, group = [], ""
    for row in grid.rows:
        if row.group and row.group != group:
            lines.append(f'<tr class="group"><td colspan="{len(grid.columns)}">{escape(row.group)}</td></tr>')
        group = row.group
        cells = [f"<td>{escape(row.cells[0])}</td><td>{row.cells[1]}</td>"]
        for color, mean in enumerate(row.scores):
            if mean is None:
                cells.append("<td>–</td>")
                continue
            cells.append(
                f'<td class="score s{color % SERIES}" style="--value:{mean.value:.3f}"><b>{100 * mean.value:.1f}</b>'
                f'<span class="range">{100 * mean.low:.1f}–{100 * mean.high:.1f}</span></td>'
            )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return _table("scores", heads, lines)


def comparison_table(comparisons: Sequence[Comparison]) -> str:
    """Pairs of runs, those that differ most surely first."""
    heads = "<th>better</th><th class='word'>than</th><th>by</th><th>95% interval</th><th>p</th><th>p, corrected</th>"
    lines = []
    for pair in sorted(comparisons, key=lambda pair: (pair.adjusted, -abs(pair.difference.value))):
        gain, names = pair.difference, (pair.one, pair.other)
        sign = 1.0
        if gain.value < 0:
            names, sign = (pair.other, pair.one), -1.0
        low, high = sorted((sign * gain.low, sign * gain.high))
        sure = pair.adjusted < 0.05
        lines.append(
            f"<tr><td>{escape(names[0])}</td><td class='word'>{escape(names[1])}</td>"
            f"<td>{'<b>' if sure else ''}{100 * sign * gain.value:.1f}{'</b>' if sure else ''}</td>"
            f"<td>{100 * low:+.1f} to {100 * high:+.1f}</td><td>{gain.p:.3f}</td><td>{pair.adjusted:.3f}</td></tr>"
        )
    return _table("pairs", heads, lines)


def _table(kind: str, heads: str, lines: Sequence[str]) -> str:
    body = "".join(lines)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def scene(drawing: Drawing, name: str, *, entities: Collection[int] = (), lit: Collection[int] = ()) -> str:
    """A drawing that stands once in the page, as `name`, with outlines that the script switches on and off.

    entities : those that have an outline here · lit : those whose outline is on from the start
    """
    shapes = "".join(
        f'<use class="outline{" on" if k in lit else ""}" data-entity="{k}" href="#{escape(name)}-{k}"/>'
        for k in drawing.outlines
        if k in entities
    )
    view = f'viewBox="0 0 {drawing.width} {drawing.height}"'
    return f'<svg class="scene" {view} role="img"><use href="#{escape(name)}"/>{shapes}</svg>'


def mistake_card(mistake: Mistake, drawing: Drawing, name: str, steps: Sequence[ShownStep]) -> str:
    """One wrong answer with the picture and the right way."""
    pointing = [k for k, step in enumerate(steps) if step.referred]
    start = pointing[-1] if pointing else -1
    lines = "".join(_step(step, on=k == start) for k, step in enumerate(steps))
    said = escape(mistake.said) if mistake.said else "no answer"
    known = f"{mistake.others_right} of {mistake.others} other runs knew it" if mistake.others else ""
    raw = ""
    if mistake.raw and mistake.raw.strip() != mistake.said:
        raw = f'<p class="raw">{escape(mistake.raw[:600])}{"…" if len(mistake.raw) > 600 else ""}</p>'
    entities = {entity for step in steps for entity in step.referred}
    picture = scene(drawing, name, entities=entities, lit=steps[start].referred if pointing else ())
    return (
        f'<article class="mistake"><figure>{picture}'
        f"<figcaption>{escape(mistake.question_id)} · {escape(mistake.kind)}</figcaption></figure>"
        f'<div><h4>{escape(mistake.question)}</h4><p class="verdict"><span>right: <b class="right">'
        f'{escape(mistake.truth)}</b></span><span>said: <b class="wrong">{said}</b></span>'
        f'<span class="small">{known}</span></p>{raw}<ol class="steps">{lines}</ol></div></article>'
    )


def _step(step: ShownStep, *, on: bool) -> str:
    """A step as a line, which the script lights up with what it refers to. on : lit from the start"""
    kind = ' class="on"' if on else ""
    lit = f' data-lit="{" ".join(map(str, step.referred))}" tabindex="0"' if step.referred else ""
    came = f'<span class="from"> ← {", ".join(map(str, step.inputs))}</span>' if step.inputs else ""
    pips = "".join(f'<span class="pip">{entity}</span>' for entity in step.referred[:_PIPS])
    if len(step.referred) > _PIPS:
        pips += f'<span class="pip">+{len(step.referred) - _PIPS}</span>'
    value = pips or f"<b>{escape(step.value)}</b>"
    return f"<li{kind}{lit}><span><code>{escape(step.text)}</code>{came}</span><span>{value}</span></li>"
