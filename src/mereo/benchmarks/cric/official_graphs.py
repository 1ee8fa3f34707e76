"""Scene graphs in Visual Genome's manner as CRIC publishes them, clean already, and the knowledge beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, kind_of_word
from mereo.benchmarks.cric.lore import Lore
from mereo.benchmarks.cric.official_files import KNOWLEDGE, Id, Size, stamp_of
from mereo.benchmarks.cric.whole_items import WholeItem, lore_of_whole_items
from mereo.errors import BadInput, nearest
from mereo.files import decode_json, read_json
from mereo.knowledge import relations
from mereo.masks import Box

__all__ = ["graph_of_record", "lore_beside"]


class _End(msgspec.Struct):
    object_id: Id


class _Relationship(msgspec.Struct):
    predicate: str
    subject_id: Id | None = None
    object_id: Id | None = None
    subject: _End | None = None
    object: _End | None = None


class _Object(msgspec.Struct):
    object_id: Id
    names: list[str] = []
    name: str = ""
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    attributes: list[str] = []
    kinds: dict[str, str] = {}
    """Our own: the kinds of attributes that words alone do not tell."""
    part_of: Id | None = None
    candidate: bool = True

    @property
    def called(self) -> str:
        return self.name or next(iter(self.names), "")


class _Graph(msgspec.Struct):
    image_id: Id
    objects: list[_Object]
    relationships: list[_Relationship] = []
    width: int = 0
    height: int = 0
    image_filename: str = ""


def graph_of_record(data: bytes, sizes: Mapping[str, Size]) -> SceneGraph:
    """A scene graph; what is wrong is told without file and record. sizes : of pictures whose records do not tell"""
    record = decode_json(data, file=None, type=_Graph)
    things = tuple(_thing(one, f"objects[{number}]") for number, one in enumerate(record.objects))
    known = {thing.id for thing in things}
    if len(known) < len(things):
        raise BadInput("two objects have the same id", field="objects")
    for number, thing in enumerate(things):
        if thing.part_of is not None and thing.part_of not in known:
            raise BadInput(f"there is no object {thing.part_of}", field=f"objects[{number}].part_of")
    stated = tuple(_stated(one, known, f"relationships[{k}]") for k, one in enumerate(record.relationships))
    size = sizes.get(str(record.image_id))
    width, height = (size.width, size.height) if size else (record.width, record.height)
    if not width or not height:
        width, height = _extent(things)
    return SceneGraph(str(record.image_id), width, height, things, stated, image_filename=record.image_filename)


def _thing(one: _Object, field: str) -> Thing:
    if not one.called:
        raise BadInput("has no name", field=f"{field}.names")
    box: Box | None = None
    if one.x is not None and one.y is not None and one.w is not None and one.h is not None:
        box = one.x, one.y, one.w, one.h
    attributes: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(one.attributes):
        kind = one.kinds.get(word) or kind_of_word(word)
        attributes[kind] = (*attributes.get(kind, ()), word)
    whole = None if one.part_of is None else str(one.part_of)
    return Thing(str(one.object_id), one.called, box, attributes, part_of=whole, candidate=one.candidate)


def _stated(one: _Relationship, known: set[str], field: str) -> Stated:
    subject = one.subject.object_id if one.subject else one.subject_id
    object = one.object.object_id if one.object else one.object_id
    for name, end in (("subject", subject), ("object", object)):
        if str(end) not in known:
            reason = "has none" if end is None else f"there is no object {end}"
            raise BadInput(reason, field=f"{field}.{name}_id")
    return Stated(str(subject), one.predicate, str(object))


def _extent(things: tuple[Thing, ...]) -> tuple[int, int]:
    """The least picture that holds all boxes."""
    boxes = [thing.box for thing in things if thing.box]
    return (
        int(max((left + width for left, _, width, _ in boxes), default=1)),
        int(max((top + height for _, top, _, height in boxes), default=1)),
    )


def lore_beside(scenes: Path) -> Lore:
    """What the knowledge beside a file of scene graphs tells of what they show."""
    path = scenes.with_name(KNOWLEDGE)
    return _lore(path, stamp_of(path), scenes, stamp_of(scenes))


@lru_cache(maxsize=4)
def _lore(path: Path, stamp: tuple[int, int], scenes: Path, scenes_stamp: tuple[int, int]) -> Lore:
    return lore_of_whole_items(_items(path), _names(scenes))


def _names(scenes: Path) -> Iterator[str]:
    """The names of all that scene graphs show; what is wrong with one of them is told where that one is read."""
    for raw in read_json(scenes, type=list[msgspec.Raw]):
        with suppress(BadInput):
            yield from (one.called for one in decode_json(bytes(raw), file=None, type=_Graph).objects)


def _items(path: Path) -> Iterator[WholeItem]:
    for number, item in enumerate(read_json(path, type=list[WholeItem])):
        if item[1] not in relations():
            reason = f"there is no relation '{item[1]}'{nearest(item[1], relations())}"
            raise BadInput(reason, file=path, record=f"item {number}")
        yield item
