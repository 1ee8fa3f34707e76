"""Which files CRIC publishes, and what lies beside what.

`scene_graphs.json`, `knowledge_graph.json` and `cric_objects_info.json` lie in one folder, with `SPLIT_questions.json`
for every split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from mereo.errors import BadInput
from mereo.files import decode_json, read_json

__all__ = [
    "GRAPHS",
    "INFO",
    "KNOWLEDGE",
    "QUESTIONS",
    "Id",
    "Record",
    "Size",
    "records_of",
    "sizes_beside",
    "splits_beside",
    "stamp_of",
    "written_id",
]

GRAPHS, KNOWLEDGE, INFO = "scene_graphs.json", "knowledge_graph.json", "cric_objects_info.json"
QUESTIONS = "_questions.json"
"""How the names of question files end; what stands before is the split."""

Id = int | str
T = TypeVar("T")


class Size(msgspec.Struct, rename={"objects": "objectsNum"}):
    """What `cric_objects_info.json` says of a picture."""

    width: int
    height: int
    objects: int
    """How many candidates it has."""
    index: int


class Record(NamedTuple, Generic[T]):
    """One record of a file."""

    value: T
    data: bytes
    """Its JSON."""
    name: str
    """What messages call it."""


def records_of(path: Path, called: str, type: type[T]) -> Iterator[Record[T]]:
    """The records of a file that is a list. called : what one of them is · type : of what is read of it at first"""
    for number, raw in enumerate(read_json(path, type=list[msgspec.Raw])):
        data, name = bytes(raw), f"{called} {number}"
        try:
            yield Record(decode_json(data, file=path, type=type), data, name)
        except BadInput as error:
            raise error.within(record=name) from None


def written_id(name: str) -> Id:
    """An id as files write it: Visual Genome's are numbers."""
    return int(name) if name.isdecimal() and str(int(name)) == name else name


def splits_beside(scenes: Path) -> dict[str, str]:
    """For every picture that question files beside a file of scene graphs ask about, the split that it belongs to."""
    found: dict[str, str] = {}
    for path in sorted(scenes.parent.glob(f"*{QUESTIONS}")):
        split = path.name.removesuffix(QUESTIONS).rpartition("_")[2]
        found |= {str(one.value.image_id): split for one in records_of(path, "question", _Asked)}
    return found


class _Asked(msgspec.Struct):
    image_id: Id


def sizes_beside(scenes: Path) -> Mapping[str, Size]:
    """The sizes of pictures by their ids, where there is a file of them."""
    return _sizes(scenes.with_name(INFO), stamp_of(scenes.with_name(INFO)))


def stamp_of(path: Path) -> tuple[int, int]:
    """What changes when a file does."""
    state = path.stat() if path.exists() else None
    return (state.st_mtime_ns, state.st_size) if state else (0, 0)


@lru_cache(maxsize=4)
def _sizes(path: Path, stamp: tuple[int, int]) -> Mapping[str, Size]:
    return read_json(path, type=dict[str, Size]) if path.exists() else {}
