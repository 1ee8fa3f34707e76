"""How datasets, scenes, questions and answers show themselves in a notebook: plain HTML that needs nothing else.

A picture stands once in what is shown; every step lays the outlines of what it refers to over it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from itertools import count
from typing import TYPE_CHECKING

from mereo.programs import format_step

if TYPE_CHECKING:
    from mereo.evaluation.drawing import Drawing
    from mereo.workbench.dataset import Dataset, Question, Scene
    from mereo.workbench.programs import Answered

__all__ = ["answered_html", "dataset_html", "question_html", "scene_html"]

_NUMBERS = count()
"""Names for pictures, so that two of them on a page are told apart."""
_WIDTH, _SMALL = 360, 200
_STYLE = (
    "<style>.mereo{font:14px/1.45 system-ui,sans-serif;max-width:980px}.mereo svg{border-radius:6px;display:block}"
    ".mereo .lit{fill:#ffd40040;stroke:#ffb300;stroke-width:2.5}"
    ".mereo .badge{font:600 11px system-ui;fill:#222;stroke:#fff;stroke-width:3;paint-order:stroke}"
    ".mereo .steps{display:flex;flex-wrap:wrap;gap:10px}.mereo figure{margin:0;width:200px}"
    ".mereo figcaption{font-size:12px;overflow-wrap:anywhere}.mereo code{font-size:12px}"
    ".mereo table{border-collapse:collapse}.mereo td,.mereo th{padding:2px 12px 2px 0;text-align:left}</style>"
)


def _page(*parts: str) -> str:
    return f'{_STYLE}<div class="mereo">{"".join(parts)}</div>'


def dataset_html(dataset: Dataset) -> str:
    """Its splits, and a few scenes."""
    manifest = dataset.manifest
    rows = "".join(
        f"<tr><td>{escape(split)}</td><td>{scenes:,}</td><td>{manifest.questions[split]:,}</td></tr>"
        for split, scenes in manifest.scenes.items()
    )
    head = f"<p><b>{escape(str(dataset.folder))}</b> · {escape(manifest.benchmark)}, seed {manifest.seed}</p>"
    table = f"<table><tr><th>split</th><th>scenes</th><th>questions</th></tr>{rows}</table>"
    shown = "".join(f"<figure>{_picture(scene, _SMALL)}</figure>" for scene in dataset.scenes[:4])
    return _page(head, table, f'<div class="steps" style="margin-top:8px">{shown}</div>')


def scene_html(scene: Scene) -> str:
    """Its picture and what is asked about it."""
    asked = "".join(f"<li>{escape(one.text)} <b>{escape(one.answer)}</b></li>" for one in scene.questions)
    return _page(f"<p><b>{escape(scene.id)}</b></p>", _picture(scene, _WIDTH), f"<ol>{asked}</ol>")


def question_html(question: Question) -> str:
    """Its words, its answer, and every step on the picture."""
    program = f"<code>{escape(str(question.program))}</code>"
    head = f"<p><b>{escape(question.text)}</b> {escape(question.answer)}<br>{program}</p>"
    return _page(head, _steps(question.run))


def answered_html(answered: Answered) -> str:
    """The answer, and every step, on the picture where there is one."""
    return _page(f"<p><b>{escape(str(answered.answer))}</b></p>", _steps(answered))


def _picture(scene: Scene, width: int) -> str:
    drawing = _drawing(scene, width)
    return f'<svg width="{width}" viewBox="0 0 {drawing.width} {drawing.height}">{drawing.picture}</svg>'


def _drawing(scene: Scene, width: int) -> Drawing:
    from mereo.evaluation.drawing import draw_scene

    drawn = draw_scene(scene.whole_row, scene.world, scene.dataset.inspector, width=width)
    # What is used by its name is out of reach of the style sheet.
    return drawn._replace(picture=drawn.picture.replace('class="ground"', 'fill="#ece9e2"'))


def _steps(answered: Answered) -> str:
    steps = list(answered.trace.steps())
    if answered.scene is None:
        lines = [f"<li><code>{escape(format_step(one.step))}</code> {escape(_said(one.value))}</li>" for one in steps]
        return f"<ol>{''.join(lines)}</ol>"
    name, drawing = f"mereo-{next(_NUMBERS)}", _drawing(answered.scene, _WIDTH)
    hidden = (
        f'<svg width="0" height="0" style="position:absolute"><defs><g id="{name}">{drawing.picture}</g></defs></svg>'
    )
    figures = []
    for number, one in enumerate(steps):
        said = "" if one.referred else f" <b>{escape(_said(one.value))}</b>"
        figures.append(
            f"<figure>{_lit(drawing, name, one.referred)}<figcaption>{number + 1}. "
            f"<code>{escape(format_step(one.step))}</code>{said}</figcaption></figure>"
        )
    return f'{hidden}<div class="steps">{"".join(figures)}</div>'


def _lit(drawing: Drawing, name: str, entities: Collection[int]) -> str:
    outlines = "".join(f'<g class="lit">{drawing.outlines[k]}</g>' for k in entities if k in drawing.outlines)
    size = f'width="{_SMALL}" viewBox="0 0 {drawing.width} {drawing.height}"'
    return f'<svg {size}><use href="#{name}"/>{outlines}</svg>'


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value)) or "nothing"
    return str(value)
