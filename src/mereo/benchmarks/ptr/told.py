"""What the record of one of our scenes must hold for whoever reads it, so that none of them has to look twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mereo.errors import BadInput
from mereo.files import converted

__all__ = ["Told", "WholeTold", "check_record"]

Triple = tuple[float, float, float]


class _Line(msgspec.Struct):
    direction: Triple


class _Plane(msgspec.Struct):
    normal: Triple


class _Unseen(msgspec.Struct):
    part: str
    color: str | None
    leaves: list[int]
    pixels: int
    line: _Line | msgspec.UnsetType = msgspec.UNSET
    plane: _Plane | msgspec.UnsetType = msgspec.UNSET


class _Part(_Unseen, kw_only=True):
    box: tuple[float, float, float, float]


class _Thing(msgspec.Struct):
    category: str
    position: Triple
    pixel: Triple
    parts: list[_Part]
    faint: list[_Part]
    hidden: list[_Unseen]
    box: list[float]
    on: list[int] = []
    stability: str | None = None
    changes: dict[str, Any] | list[str] = []
    motion: list[tuple[float, float, float, float, float, float, float, float]] = []


class _Directions(msgspec.Struct):
    left: Triple
    right: Triple
    front: Triple
    behind: Triple


class _Surfaces(msgspec.Struct, rename=lambda name: name.replace("_", " ")):
    ground: _Plane
    back_wall: _Plane
    left_wall: _Plane
    right_wall: _Plane


class Told(msgspec.Struct):
    """What a world is made of."""

    objects: list[_Thing]
    directions: _Directions
    surfaces: _Surfaces
    size: tuple[int, int]


class _Shape(msgspec.Struct):
    category: str
    split: str
    family: int
    instance: int


class _WholeThing(_Thing, kw_only=True):
    shape: _Shape
    rotation: tuple[float, float, float, float]
    scale: float
    colors: dict[str, str | None]


class _Camera(msgspec.Struct):
    position: Triple
    view: list[Triple]
    projection: list[list[float]]


class WholeTold(msgspec.Struct):
    """All that files of others want to know besides."""

    objects: list[_WholeThing]
    camera: _Camera
    split: str
    image_index: int
    image_filename: str
    physical: bool
    size: tuple[int, int]


def check_record(record: Mapping[str, Any], type: type[Told] | type[WholeTold] = Told) -> None:
    """Complain of what a record lacks, or has otherwise than it must."""
    found = converted(record, file=None, type=type)
    for number, thing in enumerate(found.objects):
        for under in thing.on:
            if not 0 <= under < len(found.objects):
                raise BadInput(f"there is no object {under}", record=f"object {number}", field="on")
