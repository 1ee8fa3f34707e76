"""Reasoning: the questions of a scene, and for one of them its program, step by step, on the picture."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from nicegui import run, ui

from mereo.datasets.inspector import Inspector
from mereo.errors import MereoError
from mereo.explorer import look
from mereo.explorer.address import scene_address
from mereo.explorer.canvas import Canvas
from mereo.explorer.catalog import Catalog
from mereo.explorer.steps import Steps
from mereo.programs import execute
from mereo.world import World

__all__ = ["page"]

_SAID = ("type", "subtype", "template", "subset", "number", "topology", "false_premise")
"""The columns that say what kind of question it is, where a dataset has them."""
_MOST_RUNS = 12


def page(catalog: Catalog, dataset: int, scene_id: str, query: Mapping[str, str]) -> None:
    """Build the page. query : `question`, its id, and `step`, counted from 1"""
    row = catalog.scene_row(dataset, scene_id)
    questions = catalog.questions(dataset, scene_id)
    if not questions:
        look.empty("No questions here", "Nothing was asked about this scene. Ask something yourself, under Ask.")
        return
    chosen = next((one for one in questions if one["question_id"] == query.get("question")), questions[0])
    with ui.element("div").classes("r-page"):
        with ui.element("section").classes("m-stack") as beside:
            stage = Canvas(catalog, dataset, row)
            _question(chosen)
        with ui.element("aside").classes("m-stack"):
            with ui.element("div").classes("m-card r-program"):
                steps = _program(catalog, dataset, chosen, row, stage, query.get("step", ""))
            if steps is not None:
                steps.tell(catalog.bases.key_of(dataset))
                with beside:
                    _drawing(stage.eye.drawing(chosen, steps.world))
            _written(stage.eye, catalog.world(dataset, row), row, chosen)
            _answers(catalog, dataset, chosen)
            ui.html(_list(dataset, scene_id, questions, chosen), sanitize=False).classes("m-card r-list")


def _question(chosen: Mapping[str, Any]) -> None:
    said = [name.replace("_", " ") if chosen[name] is True else chosen[name] for name in _SAID if chosen.get(name)]
    told = " · ".join(escape(word) for word in dict.fromkeys(map(str, said)))
    ui.html(
        f'<h2 class="r-words">{escape(chosen["question"])}</h2>'
        f'<div class="r-answer">{escape(chosen["answer"])}</div><div class="m-small">{told}</div>',
        sanitize=False,
    ).classes("m-card r-question")


def _program(
    catalog: Catalog, dataset: int, chosen: Mapping[str, Any], row: Mapping[str, Any], stage: Canvas, step: str
) -> Steps | None:
    language = catalog.dataset(dataset).language
    if language is None:
        look.fault("The program cannot be run", "the benchmark of this dataset has no language")
        return None
    try:
        trace = execute(chosen["program"], catalog.world(dataset, row), language)
    except MereoError as error:
        look.fault("The program has no answer here", str(error))
        look.text(chosen["program"], kind="m-mono")
        return None
    begun = int(step) - 1 if step.isdecimal() and len(step) < 6 else None

    def moved(at: int) -> None:
        place = {"question": chosen["question_id"], "step": at + 1}
        ui.navigate.history.replace(scene_address("reasoning", dataset, row["scene_id"], **place))

    return Steps(trace, stage, begun=begun, moved=moved)


def _drawing(drawing: str) -> None:
    """What the question takes from the scene and from what is known."""
    if drawing:
        with ui.element("div").classes("m-card r-drawn"):
            look.text("What it takes from the picture and from what is known", kind="m-label")
            ui.html(drawing, sanitize=False)


def _written(eye: Inspector, world: World, row: Mapping[str, Any], chosen: Mapping[str, Any]) -> None:
    """What is to be read about the entities that the program refers to one by one."""
    single = {referred[0] for referred in chosen.get("referred") or () if len(referred) == 1}
    lines = [
        f"<dt>{escape(eye.called(world.entities[entity]))}</dt><dd>{escape(text)}</dd>"
        for entity, text in eye.written(row).items()
        if entity in single
    ]
    if lines:
        with ui.element("div").classes("m-card r-written"):
            look.text("What is written", kind="m-label")
            ui.html("".join(lines), sanitize=False, tag="dl")


def _answers(catalog: Catalog, dataset: int, chosen: Mapping[str, Any]) -> None:
    """What the evaluated runs said. Judging a run takes a moment the first time, so the page does not wait for it."""
    names = [one.name for one in catalog.runs(dataset) if one.fault is None][:_MOST_RUNS]
    if not names:
        return
    with ui.element("div").classes("m-card r-runs"):
        look.text("What runs answered", kind="m-label")
        holder = ui.html('<div class="m-small">looking …</div>', sanitize=False)

    async def fill() -> None:
        lines = []
        for name in names:
            try:
                told = await run.io_bound(catalog.answer, dataset, name, chosen["question_id"])
            except MereoError as error:
                told = "unknown", str(error)
            mark, said = told or ("unknown", None)
            sign = {"right": "✓", "wrong": "✗"}.get(mark, "–")
            lines.append(
                f'<div class="r-run {mark}"><i>{sign}</i><span>{escape(name)}</span><b>{escape(said or mark)}</b></div>'
            )
        holder.set_content("".join(lines))

    ui.timer(0.05, fill, once=True)


def _list(dataset: int, scene_id: str, questions: list[dict[str, Any]], chosen: Mapping[str, Any]) -> str:
    lines = []
    for question in questions:
        address = scene_address("reasoning", dataset, scene_id, question=question["question_id"])
        on = ' class="on" aria-current="true"' if question is chosen else ""
        lines.append(
            f'<a href="{escape(address)}"{on}><span>{escape(question["question"])}</span>'
            f"<small>{escape(question['type'])} · {escape(question['answer'])}</small></a>"
        )
    return f'<h2 class="m-label">{len(questions)} questions about this scene</h2>{"".join(lines)}'
