"""The addresses of what is shown in three dimensions: scenes by number and id, shapes by the way they are made.

Grammars are imported when they are needed: whoever has not installed what they need can look at all the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fastapi import FastAPI, HTTPException
from fastapi.responses import Response

from mereo.datasets.inspector import Inspector
from mereo.errors import BadInput, MereoError
from mereo.explorer.catalog import Catalog
from mereo.scenes.scene import ShapeRef, scene_from_json

if TYPE_CHECKING:
    from mereo.explorer.space import Space

__all__ = ["FAMILIES", "add_meshes", "points_address", "scene_mesh_address", "shape_address", "space_of_row"]

FAMILIES = 2_000
"""Families of a split that can be looked at."""
_KEPT = {"Cache-Control": "private, max-age=600"}
_TILE = 128
"""Pixels of a drawing in the gallery; twice as many would take four times as long."""


def scene_mesh_address(dataset: int, scene_id: str) -> str:
    """Where the packed space of a scene is."""
    return f"/mesh/scene/{dataset}/{quote(scene_id, safe='')}"


def points_address(dataset: int, scene_id: str) -> str:
    """Where the points of a scene are that is a cloud of them: n x 3 little-endian float32."""
    return f"/mesh/points/{dataset}/{quote(scene_id, safe='')}"


def shape_address(kind: str, reference: ShapeRef) -> str:
    """Where a shape is. kind : `mesh` for its packed space, `picture` for a small drawing"""
    return f"/mesh/shape/{kind}/{quote(reference.category, safe='')}/{reference.split}/{reference.family}"


def space_of_row(row: dict[str, Any], eye: Inspector) -> Space:
    """The space of a scene row."""
    if not row.get("layout"):
        raise BadInput("this scene was built without pictures, so nothing tells where its meshes are")
    from mereo.explorer.space import space_of_scene

    return space_of_scene(scene_from_json(row["layout"].encode()), eye.motions(row))


def add_meshes(app: FastAPI, catalog: Catalog) -> None:
    """Register the addresses. What takes long runs in threads, because these functions are not coroutines."""

    @lru_cache(maxsize=16)
    def packed_scene(dataset: int, scene_id: str) -> bytes:
        from mereo.explorer.space import pack

        return pack(space_of_row(catalog.scene_row(dataset, scene_id), catalog.inspector(dataset)))

    @app.get("/mesh/scene/{dataset}/{scene_id:path}")
    def scene(dataset: int, scene_id: str) -> Response:
        return _answer(lambda: packed_scene(dataset, scene_id), "application/octet-stream")

    @app.get("/mesh/points/{dataset}/{scene_id:path}")
    def points(dataset: int, scene_id: str) -> Response:
        return _answer(lambda: _points(catalog, dataset, scene_id), "application/octet-stream")

    @app.get("/mesh/shape/mesh/{category}/{split}/{family}")
    def shape(category: str, split: str, family: int) -> Response:
        return _answer(lambda: _packed_shape(_reference(category, split, family)), "application/octet-stream")

    @app.get("/mesh/shape/picture/{category}/{split}/{family}")
    def picture(category: str, split: str, family: int) -> Response:
        return _answer(lambda: _drawn(_reference(category, split, family)), "image/png")


def _points(catalog: Catalog, dataset: int, scene_id: str) -> bytes:
    view = catalog.inspector(dataset).cloud(catalog.scene_row(dataset, scene_id))
    if view is None:
        raise BadInput("this scene is no cloud of points")
    return view.points.astype("<f4").tobytes()


def _answer(make: Callable[[], bytes], media_type: str) -> Response:
    try:
        data = make()
    except MereoError as error:
        raise HTTPException(404, str(error)) from None
    return Response(data, media_type=media_type, headers=_KEPT)


def _reference(category: str, split: str, family: int) -> ShapeRef:
    if not 0 <= family < FAMILIES:
        raise HTTPException(404, f"families are numbered from 0 to {FAMILIES - 1}")
    return ShapeRef(category, split=split, family=family)


@lru_cache(maxsize=32)
def _packed_shape(reference: ShapeRef) -> bytes:
    from mereo.explorer.space import pack, space_of_shape
    from mereo.scenes.assemble import shape_of

    return pack(space_of_shape(shape_of(reference)))


@lru_cache(maxsize=512)
def _drawn(reference: ShapeRef) -> bytes:
    """PNG with a transparent ground, so that it suits a light and a dark page."""
    from mereo.datasets.pictures import encode_png
    from mereo.scenes.assemble import shape_of
    from mereo.shapes.draw import draw_shape

    return encode_png(draw_shape(shape_of(reference), size=_TILE, clear=True))
