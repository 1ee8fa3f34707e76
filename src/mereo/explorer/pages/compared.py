"""A question with the truth on the left, and on the right what a run saw of the scene and made of the question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from mereo.errors import MereoError
from mereo.explorer import look
from mereo.explorer.beside import Beside
from mereo.explorer.canvas import Canvas
from mereo.explorer.cards import answers_card, program_card, question_card
from mereo.explorer.catalog import Catalog
from mereo.explorer.pictures import layers_of, picture_address
from mereo.explorer.place import Place
from mereo.explorer.steps import Fault
from mereo.explorer.switches import layer_switches

__all__ = ["compare"]


def compare(catalog: Catalog, row: Mapping[str, Any], chosen: Mapping[str, Any], place: Place, step: str) -> None:
    """The truth on the left, and on the right what a run saw and made of it."""
    beside = Beside(catalog, place.dataset, row, chosen, place.query["run"])
    with ui.element("div").classes("r-both"):
        question_card(chosen)
        with ui.element("div").classes("m-stack"):
            answers_card(catalog, chosen, place)
            beside.others()
            beside.said()
        switches = ui.element("div").classes("m-row r-wide").props('role="group" aria-label="Layers"')
        stage = Canvas(catalog, place.dataset, row)
        with ui.element("div"):
            beside.picture()
        _layers(switches, catalog, row, stage, beside, place)
        found, fault = None, None
        try:
            found = beside.understood()
        except MereoError as error:
            fault = str(error)
        lacking = None if found is None else found.lacking
        marks = {} if lacking is None else {lacking: Fault("–", f"{beside.run} does not ask for this")}
        program_card(catalog, chosen, row, stage, place, step, marks=marks)
        with ui.element("div").classes("m-stack"):
            if fault is not None:
                look.fault(f"The program of {beside.run} cannot be run", fault)
            if found is not None:
                with ui.element("div").classes("m-card r-program"):
                    beside.program(found, stage)
            if beside.looks is not None:
                beside.strip(place)
        if beside.seen is not None:
            beside.scenes()


def _layers(
    switches: ui.element, catalog: Catalog, row: Mapping[str, Any], stage: Canvas, beside: Beside, place: Place
) -> None:
    """Buttons for what lies over both pictures: what is there over the one, what was seen over the other."""
    known = [layer for layer in layers_of(catalog, place.dataset, row) if layer in beside.layers() or not beside.seen]
    switches.set_visibility(bool(known))

    def lay(layer: str) -> None:
        stage.lay(picture_address(place.dataset, layer, place.scene_id) if layer else "")
        beside.lay(layer)

    with switches:
        begun = place.query.get("layer", "")
        layer_switches(known, begun, lay=lay, moved=lambda layer: place.change("layer", layer))
