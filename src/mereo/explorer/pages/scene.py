"""Scene: the picture with its layers, the tree of parts beside it, and the record to copy."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec
from nicegui import ui

from mereo.explorer import look
from mereo.explorer.canvas import Canvas
from mereo.explorer.catalog import Catalog
from mereo.explorer.pictures import layers_of, picture_address
from mereo.explorer.place import Place
from mereo.explorer.standing import Standing
from mereo.explorer.switches import layer_switches
from mereo.explorer.tree import tree_html
from mereo.world import World, members

__all__ = ["page"]


def page(catalog: Catalog, dataset: int, scene_id: str, query: Mapping[str, str]) -> None:
    """Build the page of a scene. query : `layer` and `entity`, the ones to begin with"""
    row = catalog.scene_row(dataset, scene_id)
    world = catalog.world(dataset, row)
    layers = layers_of(catalog, dataset, row)
    place = Place("scene", dataset, scene_id, {name: query[name] for name in ("layer", "entity") if name in query})
    with ui.element("div").classes("c-page"):
        with ui.element("section").classes("m-stack"):
            switches = ui.element("div").classes("m-row").props('role="group" aria-label="Layers"')
            switches.set_visibility(bool(layers))
            stage = Canvas(catalog, dataset, row)
            with switches:
                layer_switches(
                    layers,
                    query.get("layer", ""),
                    lay=lambda layer: stage.lay(picture_address(dataset, layer, scene_id) if layer else ""),
                    moved=lambda layer: place.change("layer", layer),
                )
            _facts(row)
            _record(row)
        with ui.element("aside").classes("m-stack"):
            standing = None
            if world.vocabulary.relations:
                standing = Standing(
                    stage, world, moved=lambda entity: place.change("entity", "" if entity is None else str(entity))
                )
            with ui.element("div").classes("m-card c-side"):
                look.text(_count(world), kind="m-label")
                tree = ui.html(tree_html(world, stage.eye, stage.eye.written(row)), sanitize=False).classes("c-tree")
    if standing is not None:
        standing.follow(tree)
        begun = query.get("entity", "")
        standing.show(int(begun) if begun.isdecimal() and len(begun) < 6 else None)


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
