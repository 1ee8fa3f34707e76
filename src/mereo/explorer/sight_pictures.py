"""The addresses of what runs saw: the masks that they found as layers, and where they looked, step by step."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from fastapi import FastAPI, HTTPException
from fastapi.responses import Response

from mereo.datasets.inspector import Inspector
from mereo.datasets.sights import SeenScene
from mereo.errors import BadInput
from mereo.explorer import layers
from mereo.explorer.catalog import Catalog
from mereo.explorer.pictures import objects_picture, parts_picture, sent
from mereo.explorer.thumbnails import Small

__all__ = ["add_sights", "look_address", "sight_address", "sight_layers"]


def sight_address(dataset: int, run: str, layer: str, scene_id: str) -> str:
    """Where a layer is of what a run saw of a scene."""
    return f"/sight/{dataset}/{quote(run, safe='')}/{layer}/{quote(scene_id, safe='')}"


def look_address(dataset: int, run: str, step: int, question_id: str) -> str:
    """Where it is to be seen where a run looked. step : counted from 0"""
    return f"/look/{dataset}/{quote(run, safe='')}/{step}/{quote(question_id, safe='')}"


def sight_layers(seen: SeenScene) -> list[str]:
    """The layers of what was seen."""
    parts = ["parts"] if any(whole is not None for whole in seen.world.whole) else []
    return ["objects", *parts, "boxes"]


def add_sights(app: FastAPI, catalog: Catalog) -> None:
    """Register the addresses. A run may be asked again, so nothing is kept of what it saw."""

    @app.get("/sight/{dataset}/{run}/{layer}/{scene_id:path}")
    def sight(dataset: int, run: str, layer: str, scene_id: str) -> Response:
        if layer not in _LAYERS:
            raise HTTPException(404, f"there is no layer '{layer}'")
        return sent(lambda: _layer(catalog, dataset, run, layer, scene_id), lasting=False)

    @app.get("/look/{dataset}/{run}/{step}/{question_id:path}")
    def look(dataset: int, run: str, step: int, question_id: str) -> Response:
        return sent(lambda: _look(catalog, dataset, run, step, question_id), lasting=False)


def _layer(catalog: Catalog, dataset: int, run: str, layer: str, scene_id: str) -> Small:
    sights = catalog.sights(dataset, run)
    seen = sights.seen(scene_id) if sights is not None else None
    if seen is None:
        raise BadInput(f"what run '{run}' saw of '{scene_id}' was not kept")
    return _LAYERS[layer](seen, catalog.inspector(dataset))


def _look(catalog: Catalog, dataset: int, run: str, step: int, question_id: str) -> Small:
    sights = catalog.sights(dataset, run)
    looks = sights.looks(question_id) if sights is not None else None
    if looks is None or not 0 <= step < len(looks.maps):
        raise BadInput(f"where run '{run}' looked for '{question_id}' was not kept")
    return Small(layers.look_picture(looks.maps[step]), "image/png")


def _boxes(seen: SeenScene, eye: Inspector) -> Small:
    boxes, (height, width) = layers.entity_boxes(seen.ids, seen.instances), seen.ids.shape
    names = [eye.name(one) for one in seen.world.entities]
    return Small(layers.boxes_svg(boxes, (width, height), seen.world, names), "image/svg+xml")


_LAYERS: dict[str, Callable[[SeenScene, Inspector], Small]] = {
    "ids": lambda seen, eye: Small(layers.ids_picture(seen.ids), "image/png"),
    "objects": lambda seen, eye: objects_picture(seen.ids, seen.instances, seen.world),
    "parts": lambda seen, eye: parts_picture(seen.ids, seen.instances, seen.world),
    "boxes": _boxes,
}
