"""Reasoning: the questions of a scene, and for one of them its program, step by step, on the picture."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from nicegui import ui

from mereo.datasets.inspector import Inspector
from mereo.explorer import look
from mereo.explorer.canvas import Canvas
from mereo.explorer.cards import answers_card, program_card, question_card, questions_card
from mereo.explorer.catalog import Catalog
from mereo.explorer.pages.compared import compare
from mereo.explorer.place import Place
from mereo.world import World

__all__ = ["page"]


def page(catalog: Catalog, dataset: int, scene_id: str, query: Mapping[str, str]) -> None:
    """Build the page. query : `question`, its id, and `step`, counted from 1; `run`, to be held against the truth"""
    row = catalog.scene_row(dataset, scene_id)
    questions = catalog.questions(dataset, scene_id)
    if not questions:
        look.empty("No questions here", "Nothing was asked about this scene. Ask something yourself, under Ask.")
        return
    chosen = next((one for one in questions if one["question_id"] == query.get("question")), questions[0])
    kept = {name: query[name] for name in ("run", "layer", "look") if query.get(name)}
    place = Place("reasoning", dataset, scene_id, {"question": chosen["question_id"], **kept})
    if "run" in kept:
        compare(catalog, row, chosen, place, query.get("step", ""))
        questions_card(questions, chosen, place)
        return
    with ui.element("div").classes("r-page"):
        with ui.element("section").classes("m-stack") as beside:
            stage = Canvas(catalog, dataset, row)
            question_card(chosen)
        with ui.element("aside").classes("m-stack"):
            steps = program_card(catalog, chosen, row, stage, place, query.get("step", ""))
            if steps is not None:
                steps.tell(catalog.bases.key_of(dataset))
                with beside:
                    _drawing(stage.eye.drawing(chosen, steps.world))
            _written(stage.eye, catalog.world(dataset, row), row, chosen)
            answers_card(catalog, chosen, place)
            questions_card(questions, chosen, place)


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
