"""The addresses of pictures: thumbnails and layers. Scenes are known by number and id, never by a path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, HTTPException
from fastapi.responses import Response

from mereo.datasets.pictures import decode_png
from mereo.errors import MereoError
from mereo.explorer import layers
from mereo.explorer.catalog import Catalog
from mereo.explorer.thumbnails import Small, Thumbnails, map_of
from mereo.masks import Box
from mereo.world import World

__all__ = ["add_pictures", "layers_of", "objects_picture", "parts_picture", "picture_address", "sent"]

_KEPT = {"Cache-Control": "private, max-age=600"}
_FLEETING = {"Cache-Control": "no-cache"}


def picture_address(dataset: int, layer: str, scene_id: str) -> str:
    """Where a layer of a scene is."""
    return f"/picture/{dataset}/{layer}/{quote(scene_id, safe='')}"


def layers_of(catalog: Catalog, dataset: int, row: Mapping[str, Any]) -> list[str]:
    """The layers that a scene has, besides its picture."""
    found, world = [], catalog.world(dataset, row)
    if row.get("instances") or row.get("entities"):
        found += (
            ["objects", "parts", "boxes"] if any(whole is not None for whole in world.whole) else ["objects", "boxes"]
        )
    elif row.get("image") and catalog.inspector(dataset).boxes(row, world):
        found.append("boxes")
    if row.get("depth"):
        found += ["depth", "normals"] if _field(row) else ["depth"]
    return found


def add_pictures(app: FastAPI, catalog: Catalog, thumbnails: Thumbnails) -> None:
    """Register the addresses. What takes long runs in threads, because these functions are not coroutines."""
    layer_of = lru_cache(maxsize=64)(lambda dataset, layer, scene_id: _LAYERS[layer](catalog, dataset, scene_id))

    @app.get("/thumbnail/{dataset}/{scene_id:path}")
    def thumbnail(dataset: int, scene_id: str) -> Response:
        return sent(lambda: thumbnails.get(dataset, scene_id))

    @app.get("/picture/{dataset}/{layer}/{scene_id:path}")
    def picture(dataset: int, layer: str, scene_id: str) -> Response:
        if layer not in _LAYERS:
            raise HTTPException(404, f"there is no layer '{layer}'")
        return sent(lambda: layer_of(dataset, layer, scene_id))


def sent(make: Callable[[], Small], *, lasting: bool = True) -> Response:
    """A picture as it is sent, or why there is none. lasting : whether it stays as it is"""
    try:
        small = make()
    except MereoError as error:
        raise HTTPException(404, str(error)) from None
    return Response(small.data, media_type=small.media_type, headers=_KEPT if lasting else _FLEETING)


def _plain(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    row = catalog.scene_row(dataset, scene_id)
    if not row.get("image"):
        return Small(map_of(row, catalog.world(dataset, row), catalog.inspector(dataset)), "image/svg+xml")
    data = bytes(row["image"]["bytes"])
    return Small(
        data, "image/webp" if data[8:12] == b"WEBP" else "image/jpeg" if data[:2] == b"\xff\xd8" else "image/png"
    )


def _ids(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    return Small(layers.ids_picture(_seen(catalog, dataset, scene_id)[0]), "image/png")


def _objects(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    return objects_picture(*_seen(catalog, dataset, scene_id))


def _parts(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    return parts_picture(*_seen(catalog, dataset, scene_id))


def objects_picture(ids: layers.Ids, instances: Sequence[Sequence[int]], world: World) -> Small:
    """Each object in a color of its own. instances : for each entity the numbers in ids that show it"""
    groups = [numbers if world.whole[entity] is None else [] for entity, numbers in enumerate(instances)]
    return Small(layers.tinted(ids, groups), "image/png")


def parts_picture(ids: layers.Ids, instances: Sequence[Sequence[int]], world: World) -> Small:
    """The same of parts. Of those that hold others the larger come first, so that the smaller lie above them."""
    groups = [numbers if world.whole[entity] is not None else [] for entity, numbers in enumerate(instances)]
    order = sorted(range(len(groups)), key=lambda k: -len(groups[k]))
    return Small(layers.tinted(ids, [groups[k] for k in order]), "image/png")


def _boxes(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    row = catalog.scene_row(dataset, scene_id)
    world, eye = catalog.world(dataset, row), catalog.inspector(dataset)
    ids, size = layers.ids_of(row), layers.size_of(row)
    boxes: Mapping[int, Box] = eye.boxes(row, world)
    if ids is not None:
        boxes = layers.entity_boxes(ids, catalog.instances(dataset, row))
    if size is None or not boxes:
        raise HTTPException(404, "the scene has no boxes")
    return Small(layers.boxes_svg(boxes, size, world, [eye.name(one) for one in world.entities]), "image/svg+xml")


def _depth(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    return Small(layers.depth_picture(_stored_depth(catalog.scene_row(dataset, scene_id))), "image/png")


def _normals(catalog: Catalog, dataset: int, scene_id: str) -> Small:
    row = catalog.scene_row(dataset, scene_id)
    field = _field(row)
    if field is None:
        raise HTTPException(404, "the scene does not tell how wide its camera sees")
    return Small(layers.normals_picture(_stored_depth(row), field), "image/png")


_LAYERS: dict[str, Callable[[Catalog, int, str], Small]] = {
    "plain": _plain,
    "ids": _ids,
    "objects": _objects,
    "parts": _parts,
    "boxes": _boxes,
    "depth": _depth,
    "normals": _normals,
}


def _seen(catalog: Catalog, dataset: int, scene_id: str) -> tuple[layers.Ids, list[list[int]], World]:
    row = catalog.scene_row(dataset, scene_id)
    ids = layers.ids_of(row)
    if ids is None:
        raise HTTPException(404, "the scene has no masks")
    return ids, catalog.instances(dataset, row), catalog.world(dataset, row)


def _stored_depth(row: Mapping[str, Any]) -> Any:
    if not row.get("depth"):
        raise HTTPException(404, "the scene has no depth")
    return decode_png(row["depth"]["bytes"])


def _field(row: Mapping[str, Any]) -> float | None:
    """The angle that the picture spans, degrees."""
    if not row.get("layout"):
        return None
    from mereo.scenes.scene import scene_from_json

    return scene_from_json(row["layout"].encode()).camera.field
