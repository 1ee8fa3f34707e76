"""Scene: the picture with its layers, the tree of parts beside it, and the record to copy."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from nicegui import ui

from mereo.datasets.inspector import Inspector, listed_words
from mereo.explorer import look
from mereo.explorer.address import scene_address
from mereo.explorer.canvas import Canvas, entity_tree
from mereo.explorer.catalog import Catalog
from mereo.explorer.pictures import layers_of, picture_address
from mereo.explorer.standing import Standing
from mereo.world import World, members

__all__ = ["page", "tree_html"]


def page(catalog: Catalog, dataset: int, scene_id: str, query: Mapping[str, str]) -> None:
    """Build the page of a scene. query : `layer` and `entity`, the ones to begin with"""
    row = catalog.scene_row(dataset, scene_id)
    world = catalog.world(dataset, row)
    layers = layers_of(catalog, dataset, row)
    place = _Place(dataset, scene_id, {name: query[name] for name in ("layer", "entity") if name in query})
    with ui.element("div").classes("c-page"):
        with ui.element("section").classes("m-stack"):
            switches = ui.element("div").classes("m-row").props('role="group" aria-label="Layers"')
            switches.set_visibility(bool(layers))
            stage = Canvas(catalog, dataset, row)
            with switches:
                _switches(stage, layers, place)
            _facts(row)
            _record(row)
        with ui.element("aside").classes("m-stack"):
            standing = Standing(stage, world, moved=place.pick) if world.vocabulary.relations else None
            with ui.element("div").classes("m-card c-side"):
                look.text(_count(world), kind="m-label")
                tree = ui.html(tree_html(world, stage.eye, stage.eye.written(row)), sanitize=False).classes("c-tree")
    if standing is not None:
        standing.follow(tree)
        begun = query.get("entity", "")
        standing.show(int(begun) if begun.isdecimal() and len(begun) < 6 else None)


class _Place(NamedTuple):
    """The address of the page, which tells what is shown."""

    dataset: int
    scene_id: str
    query: dict[str, str]

    def choose(self, layer: str) -> None:
        """Another layer, or none."""
        self._change("layer", layer)

    def pick(self, entity: int | None) -> None:
        """Another thing, or none."""
        self._change("entity", "" if entity is None else str(entity))

    def _change(self, name: str, value: str) -> None:
        self.query.pop(name, None)
        self.query.update({name: value} if value else {})
        ui.navigate.history.replace(scene_address("scene", self.dataset, self.scene_id, **self.query))


def tree_html(world: World, eye: Inspector, written: Mapping[int, str] = MappingProxyType({})) -> str:
    """The tree of parts; each line carries the number of its entity. written : what is to be read about some"""
    lines = []
    for entity, depth in entity_tree(world):
        own = world.entities[entity]
        name, paint = eye.name(own), eye.sign(own).paint
        words = (", ".join(listed_words(value)) for value in own.attributes.values())
        told = ", ".join(escape(said) for said in words if said and said != name)
        dot = f'<i class="c-dot" style="background:{escape(paint)}"></i>' if paint else ""
        lines.append(
            f'<div class="c-line" data-entity="{entity}" tabindex="0" style="--depth:{depth}">{dot}'
            f"<span>{escape(name)}</span><small>{told}</small></div>"
        )
        if entity in written:
            lines.append(f'<p class="c-written" data-written="{entity}">{escape(written[entity])}</p>')
    return "".join(lines)


def _switches(stage: Canvas, layers: list[str], place: _Place) -> None:
    buttons: dict[str, ui.element] = {}
    dataset, scene_id, begun = place.dataset, place.scene_id, place.query.get("layer", "")

    def choose(layer: str) -> None:
        stage.lay(picture_address(dataset, layer, scene_id) if layer else "")
        for name, button in buttons.items():
            button.classes(add="on" if name == layer else "", remove="" if name == layer else "on")
            button.props(f'aria-pressed="{"true" if name == layer else "false"}"')
        place.choose(layer)

    for layer in ("", *layers) if layers else ():
        button = ui.element("button").classes("m-button").props(f'data-layer="{layer or "plain"}"')
        button.on("click", lambda _, layer=layer: choose(layer))
        with button:
            look.text(layer or "picture")
        buttons[layer] = button
    if begun not in layers:
        begun = ""
    if begun in buttons:
        buttons[begun].classes(add="on")
    if begun:
        stage.lay(picture_address(dataset, begun, scene_id))


def _facts(row: Mapping[str, Any]) -> None:
    """What the row says besides its record, pictures and masks."""
    told = {name: value for name, value in row.items() if isinstance(value, str | int) and len(str(value)) < 80}
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in told.items())
    ui.html(lines, sanitize=False, tag="dl").classes("m-card c-facts")


def _record(row: Mapping[str, Any]) -> None:
    formatted = msgspec.json.format(row["scene"].encode(), indent=2).decode()
    with ui.element("details").classes("m-card c-record"):
        ui.html("Scene record (JSON)", sanitize=False, tag="summary")
        copy = ui.element("button").classes("m-button").props('data-action="copy"')
        with copy:
            label = look.text("Copy")
        shown = ui.html(f"<code>{escape(formatted)}</code>", sanitize=False, tag="pre").classes("m-mono")
        # Outside of https a browser has no clipboard to give, so what is shown is selected and copied from there.
        copy.on(
            "click",
            lambda: label.set_content("Copied"),
            js_handler=f"""async () => {{
              const shown = getHtmlElement({shown.id});
              if (navigator.clipboard) await navigator.clipboard.writeText(shown.innerText).catch(() => null);
              else {{ getSelection().selectAllChildren(shown); document.execCommand('copy'); }}
              emit();
            }}""",
        )


def _count(world: World) -> str:
    parts = sum(whole is not None for whole in world.whole)
    objects = sum(world.whole[entity] is None for entity in members(world.objects))
    return f"{objects} objects" + (f", {parts} visible parts" if parts else "")
