"""How datasets, scenes, questions and answers show themselves in a notebook: plain HTML that needs nothing else.

A picture stands once in what is shown; every step lays the outlines of what it refers to over it. Text takes the color
of the notebook, so that light and dark ones both do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from itertools import count
from typing import TYPE_CHECKING

from mereo.programs import Trace, format_step
from mereo.programs.types import said

if TYPE_CHECKING:
    from mereo.evaluation.drawing import Drawing
    from mereo.workbench.dataset import Dataset, StoredQuestion, StoredScene
    from mereo.workbench.programs import Answered

__all__ = ["answered_html", "dataset_html", "page", "question_html", "scene_html", "table"]

_NUMBERS = count()
"""Names for pictures, so that two of them on a page are told apart."""
_WIDTH, _SMALL = 360, 200
_BADGES = 8
"""With more entities than these in a small picture their numbers hide what they stand on."""
_STYLE = (
    "<style>.mereo{font:14px/1.45 system-ui,sans-serif;max-width:1060px}.mereo svg{border-radius:6px;display:block}"
    ".mereo .lit{fill:#ffd40040;stroke:#ffb300}.mereo .lit>*{stroke-width:2px;vector-effect:non-scaling-stroke}"
    ".mereo .badge{font:600 11px system-ui,sans-serif;fill:#222;stroke:#fff;stroke-width:3px;paint-order:stroke}"
    ".mereo .lit .badge{font-size:1em;stroke-width:.25em;vector-effect:none}"
    ".mereo .many .badge{display:none}.mereo .idle{opacity:.4}"
    ".mereo .steps{display:flex;flex-wrap:wrap;gap:10px}.mereo figure{margin:0;width:200px}"
    ".mereo figcaption{font-size:12px;overflow-wrap:anywhere}.mereo code{font-size:12px;color:inherit;background:none}"
    ".mereo table{border-collapse:collapse;color:inherit;font:inherit;margin:0 0 8px}"
    ".mereo td,.mereo th{padding:2px 16px 2px 0;text-align:left;vertical-align:top}</style>"
)


def page(*parts: str) -> str:
    """Pieces of HTML with the style that all of them share."""
    return f'{_STYLE}<div class="mereo">{"".join(parts)}</div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of plain text."""
    lines = ["".join(f"<th>{escape(head)}</th>" for head in heads)]
    lines += ["".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def dataset_html(dataset: Dataset) -> str:
    """Its splits, and a few scenes."""
    manifest = dataset.manifest
    head = f"<p><b>{escape(str(dataset.folder))}</b> · {escape(manifest.benchmark)}, seed {manifest.seed}</p>"
    rows = [(split, f"{scenes:,}", f"{manifest.questions[split]:,}") for split, scenes in manifest.scenes.items()]
    shown = "".join(f"<figure>{_picture(scene, _SMALL)}</figure>" for scene in dataset.scenes[:4])
    return page(head, table(("split", "scenes", "questions"), rows), f'<div class="steps">{shown}</div>')


def scene_html(scene: StoredScene) -> str:
    """Its picture and what is asked about it."""
    asked = "".join(f"<li>{escape(one.text)} <b>{escape(one.answer)}</b></li>" for one in scene.questions)
    return page(f"<p><b>{escape(scene.id)}</b></p>", _picture(scene, _WIDTH), f'<ol start="0">{asked}</ol>')


def question_html(question: StoredQuestion) -> str:
    """Its words, its answer, and every step on the picture."""
    program = f"<code>{escape(str(question.program))}</code>"
    head = f"<p><b>{escape(question.text)}</b> {escape(question.answer)}<br>{program}</p>"
    return page(head, _steps(question.run().trace, question.scene))


def answered_html(answered: Answered) -> str:
    """The answer, and every step, on the picture where there is one."""
    return page(f"<p><b>{escape(str(answered))}</b></p>", _steps(answered.trace, answered.scene))


def _picture(scene: StoredScene, width: int) -> str:
    drawing = _drawing(scene, width)
    return f'<svg width="{width}" viewBox="0 0 {drawing.width} {drawing.height}">{drawing.picture}</svg>'


def _drawing(scene: StoredScene, width: int) -> Drawing:
    from mereo.evaluation.drawing import draw_scene

    drawn = draw_scene(scene.whole_row, scene.world, scene.dataset.inspector, width=width)
    # What is used by its name is out of reach of the style sheet.
    return drawn._replace(picture=drawn.picture.replace('class="ground"', 'fill="#ece9e2"'))


def _steps(trace: Trace, scene: StoredScene | None) -> str:
    steps = list(trace.steps())
    if scene is None:
        rows = [(number, format_step(one.step), said(one.value)) for number, one in enumerate(steps)]
        return table(("step", "function", "value"), rows)
    name, drawing = f"mereo-{next(_NUMBERS)}", _drawing(scene, _WIDTH)
    hidden = (
        f'<svg width="0" height="0" style="position:absolute"><defs><g id="{name}">{drawing.picture}</g></defs></svg>'
    )
    figures = []
    for number, one in enumerate(steps):
        value = "" if one.referred else f" <b>{escape(said(one.value))}</b>"
        call = escape(format_step(one.step)).replace("_", "_<wbr>").replace("[", "<wbr>[")
        figures.append(
            f"<figure>{_lit(drawing, name, one.referred)}<figcaption>{number} <code>{call}</code>{value}</figcaption>"
            "</figure>"
        )
    return f'{hidden}<div class="steps">{"".join(figures)}</div>'


def _lit(drawing: Drawing, name: str, entities: Collection[int]) -> str:
    """The picture small, with some of its entities outlined."""
    kind = "lit many" if len(entities) > _BADGES else "lit"
    outlines = "".join(f'<g class="{kind}">{drawing.outlines[k]}</g>' for k in entities if k in drawing.outlines)
    size = f'width="{_SMALL}" viewBox="0 0 {drawing.width} {drawing.height}"'
    # Pictures of all sizes are shown in one, and the numbers on them, too.
    letters = f'style="font-size:{11 * drawing.width / _SMALL:.1f}px"'
    return f'<svg {size} {letters}{"" if outlines else " class=idle"}><use href="#{name}"/>{outlines}</svg>'
