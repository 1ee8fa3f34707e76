"""The cards of a question: its words, its program step by step, what runs answered, and the others about its scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

from nicegui import run, ui

from mereo.errors import MereoError
from mereo.explorer import look
from mereo.explorer.address import scene_address
from mereo.explorer.canvas import Canvas
from mereo.explorer.catalog import Catalog
from mereo.explorer.place import Place
from mereo.explorer.steps import Fault, Steps
from mereo.programs import execute

__all__ = ["answers_card", "numbered", "program_card", "question_card", "questions_card"]

_SAID = ("type", "subtype", "template", "subset", "number", "topology", "false_premise")
"""The columns that say what kind of question it is, where a dataset has them."""
_MOST_RUNS = 12


def question_card(chosen: Mapping[str, Any]) -> None:
    """What is asked, its answer, and what kind of question it is."""
    said = [name.replace("_", " ") if chosen[name] is True else chosen[name] for name in _SAID if chosen.get(name)]
    told = " · ".join(escape(word) for word in dict.fromkeys(map(str, said)))
    ui.html(
        f'<h2 class="r-words">{escape(chosen["question"])}</h2>'
        f'<div class="r-answer">{escape(chosen["answer"])}</div><div class="m-small">{told}</div>',
        sanitize=False,
    ).classes("m-card r-question")


def program_card(
    catalog: Catalog,
    chosen: Mapping[str, Any],
    row: Mapping[str, Any],
    stage: Canvas,
    place: Place,
    step: str,
    *,
    marks: Mapping[int, Fault] = MappingProxyType({}),
) -> Steps | None:
    """Its program in the true world. marks : what is wrong with some steps"""
    with ui.element("div").classes("m-card r-program"):
        language = catalog.dataset(place.dataset).language
        if language is None:
            look.fault("The program cannot be run", "the benchmark of this dataset has no language")
            return None
        try:
            trace = execute(chosen["program"], catalog.world(place.dataset, row), language)
        except MereoError as error:
            look.fault("The program has no answer here", str(error))
            look.text(chosen["program"], kind="m-mono")
            return None
        begun = numbered(step)
        return Steps(trace, stage, begun=begun, moved=lambda at: place.change("step", str(at + 1)), marks=marks)


def answers_card(catalog: Catalog, chosen: Mapping[str, Any], place: Place) -> None:
    """What the evaluated runs said. Judging a run takes a moment the first time, so the page does not wait for it."""
    every = [one.name for one in catalog.runs(place.dataset) if one.fault is None]
    names = [name for k, name in enumerate(every) if k < _MOST_RUNS or name == place.query.get("run")]
    if not names:
        return
    with ui.element("div").classes("m-card r-runs"):
        look.text("What runs answered", kind="m-label")
        holder = ui.html('<div class="m-small">looking …</div>', sanitize=False)

    async def fill() -> None:
        lines = []
        for name in names:
            try:
                told = await run.io_bound(catalog.answer, place.dataset, name, chosen["question_id"])
            except MereoError as error:
                told = "unknown", str(error)
            lines.append(_answer(name, *(told or ("unknown", None)), place))
        holder.set_content("".join(lines))

    ui.timer(0.05, fill, once=True)


def _answer(name: str, mark: str, said: str | None, place: Place) -> str:
    """A line that leads to what the run saw, or back from there."""
    sign, on = {"right": "✓", "wrong": "✗"}.get(mark, "–"), name == place.query.get("run")
    query = {"question": place.query["question"], **({} if on else {"run": name})}
    return (
        f'<a class="r-run {mark}{" on" if on else ""}" href="'
        f'{escape(scene_address("reasoning", place.dataset, place.scene_id, **query))}" '
        f'title="{"The truth alone" if on else "What it saw and understood"}">'
        f"<i>{sign}</i><span>{escape(name)}</span><b>{escape(said or mark)}</b></a>"
    )


def questions_card(questions: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any], place: Place) -> None:
    """All questions about the scene; with a run, each leads to what that made of it."""
    lines = []
    for question in questions:
        query = {"question": question["question_id"], **_run(place)}
        address = scene_address("reasoning", place.dataset, place.scene_id, **query)
        on = ' class="on" aria-current="true"' if question is chosen else ""
        lines.append(
            f'<a href="{escape(address)}"{on}><span>{escape(question["question"])}</span>'
            f"<small>{escape(question['type'])} · {escape(question['answer'])}</small></a>"
        )
    title = f'<h2 class="m-label">{len(questions)} questions about this scene</h2>'
    ui.html(title + "".join(lines), sanitize=False).classes("m-card r-list")


def _run(place: Place) -> dict[str, str]:
    return {"run": place.query["run"]} if "run" in place.query else {}


def numbered(step: str) -> int | None:
    """A step of an address, which counts from 1; None where it is none."""
    return int(step) - 1 if step.isdecimal() and len(step) < 6 else None
