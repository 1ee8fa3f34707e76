"""What the columns of rows hold that are JSON or pictures, checked where it is taken out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from mereo.errors import BadInput
from mereo.files import decode_json

__all__ = ["SeenEntity", "entities_of", "json_of", "key_of", "record_of", "row_named"]

T = TypeVar("T")


class SeenEntity(msgspec.Struct, frozen=True):
    """What a picture shows of an entity."""

    box: tuple[int, int, int, int] | None
    """Column, row, width and height; none where nothing is seen."""
    mask: dict[str, Any]
    """COCO's run lengths."""


def json_of(row: Mapping[str, Any], column: str, *, type: type[T]) -> T:
    """What a column of a row holds as JSON, checked against a type; complaints name the row and the field."""
    text = row.get(column)
    question, scene = row.get("question_id"), row.get("scene_id")
    name = f"question '{question}'" if question else f"scene '{scene}'" if scene else None
    if not isinstance(text, str):
        raise BadInput("must be text, as JSON", record=name, field=column)
    try:
        return decode_json(text.encode(), file=None, type=type)
    except BadInput as error:
        inner = f".{error.field}" if error.field else ""
        field = column + inner.replace(".$", "", 1)
        raise BadInput(error.reason, record=name, field=field) from None


@contextmanager
def row_named(row: Mapping[str, Any]) -> Iterator[None]:
    """Where a row's record is read by whoever does not know the row: complaints name its scene."""
    try:
        yield
    except BadInput as error:
        name = f"scene '{row.get('scene_id')}'"
        within = f"{name}, {error.record}" if error.record and name not in error.record else name
        raise BadInput(error.reason, file=error.file, record=within, field=error.field) from None


def record_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a scene row, in its benchmark's own form."""
    return json_of(row, "scene", type=dict[str, Any])


def key_of(row: Mapping[str, Any]) -> list[tuple[int, int, str]]:
    """For every part instance of a scene row, at its number less one: the object's index, the part's id and label."""
    return json_of(row, "instance_key", type=list[tuple[int, int, str]])


def entities_of(row: Mapping[str, Any]) -> list[SeenEntity]:
    """What is seen of every entity of a scene row; nothing where no picture tells."""
    return json_of(row, "entities", type=list[SeenEntity]) if row.get("entities") else []
