"""CRIC's own files, read: scene graphs in Visual Genome's manner, questions with programs, items of knowledge.

`scene_graphs.json`, `knowledge_graph.json` and `cric_objects_info.json` lie beside each other, with
`SPLIT_questions.json` for every split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, kind_of_word
from mereo.benchmarks.cric.lore import Lore, lore_of_whole_items
from mereo.errors import BadInput, nearest
from mereo.files import decode_json, read_json
from mereo.knowledge import relations
from mereo.masks import Box

__all__ = [
    "GRAPHS",
    "INFO",
    "KNOWLEDGE",
    "QUESTIONS",
    "Id",
    "Node",
    "OfficialQuestion",
    "RawRecord",
    "Size",
    "graph_of_record",
    "lore_beside",
    "raw_records",
    "sizes_beside",
    "splits_beside",
    "written_id",
]

GRAPHS, KNOWLEDGE, INFO = "scene_graphs.json", "knowledge_graph.json", "cric_objects_info.json"
QUESTIONS = "_questions.json"
"""How the names of question files end; what stands before is the split."""

Id = int | str


class Node(msgspec.Struct):
    """One function of a program, which takes what the functions before it have left."""

    function: str
    text_input: list[str] = []
    output: Any = msgspec.UNSET


class OfficialQuestion(msgspec.Struct):
    """What a question file holds of a question; other fields are let be."""

    image_id: Id
    question: str
    program: list[Node]
    answer: Any = msgspec.UNSET
    question_type: str = ""
    target: list[Id] = []
    sub_graph: Any = None
    wrong_part: Any = None
    definite: list[int] = []
    """Our own: the steps that the question speaks of as one thing."""


class Size(msgspec.Struct, rename={"objects": "objectsNum"}):
    """What `cric_objects_info.json` says of a picture."""

    width: int
    height: int
    objects: int
    """How many candidates it has."""
    index: int


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


class RawRecord(NamedTuple):
    """One record of a file, not looked into yet."""

    data: bytes
    name: str
    """What messages call it."""


def raw_records(path: Path, called: str) -> list[RawRecord]:
    """The records of a file that is a list. called : what one of them is"""
    found = read_json(path, type=list[msgspec.Raw])
    return [RawRecord(bytes(record), f"{called} {number}") for number, record in enumerate(found)]


def written_id(name: str) -> Id:
    """An id as files write it: Visual Genome's are numbers."""
    return int(name) if name.isdecimal() and str(int(name)) == name else name


def graph_of_record(data: bytes, sizes: Mapping[str, Size]) -> SceneGraph:
    """A scene graph; what is wrong is told without file and record. sizes : of pictures whose records do not tell"""
    record = decode_json(data, file=None, type=_Graph)
    things = tuple(_thing(one, f"objects[{number}]") for number, one in enumerate(record.objects))
    known = {thing.id for thing in things}
    if len(known) < len(things):
        raise BadInput("two objects have the same id", field="objects")
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


def splits_beside(scenes: Path) -> dict[str, str]:
    """For every picture that question files beside a file of scene graphs ask about, the split that it belongs to."""
    found: dict[str, str] = {}
    for path in sorted(scenes.parent.glob(f"*{QUESTIONS}")):
        split = path.name.removesuffix(QUESTIONS).rpartition("_")[2]
        found |= {str(one.image_id): split for one in read_json(path, type=list[_Asked])}
    return found


class _Asked(msgspec.Struct):
    image_id: Id


def sizes_beside(scenes: Path) -> Mapping[str, Size]:
    """The sizes of pictures by their ids, where there is a file of them."""
    return _sizes(scenes.with_name(INFO), _stamp(scenes.with_name(INFO)))


def lore_beside(scenes: Path) -> Lore:
    """What the knowledge beside a file of scene graphs tells of what they show."""
    path = scenes.with_name(KNOWLEDGE)
    return _lore(path, _stamp(path), scenes, _stamp(scenes))


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when a file does."""
    state = path.stat() if path.exists() else None
    return (state.st_mtime_ns, state.st_size) if state else (0, 0)


@lru_cache(maxsize=4)
def _sizes(path: Path, stamp: tuple[int, int]) -> Mapping[str, Size]:
    return read_json(path, type=dict[str, Size]) if path.exists() else {}


@lru_cache(maxsize=4)
def _lore(path: Path, stamp: tuple[int, int], scenes: Path, scenes_stamp: tuple[int, int]) -> Lore:
    return lore_of_whole_items(_items(path), _names(scenes))


def _names(scenes: Path) -> Iterator[str]:
    """The names of all that scene graphs show; what is wrong with one of them is told where that one is read."""
    for record in raw_records(scenes, ""):
        with suppress(BadInput):
            yield from (one.called for one in decode_json(record.data, file=None, type=_Graph).objects)


def _items(path: Path) -> Iterator[tuple[str, str, str]]:
    for number, item in enumerate(read_json(path, type=list[tuple[str, str, str]])):
        if item[1] not in relations():
            reason = f"there is no relation '{item[1]}'{nearest(item[1], relations())}"
            raise BadInput(reason, file=path, record=f"item {number}")
        yield item
