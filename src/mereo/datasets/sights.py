"""What a run saw and where it looked: a Parquet file beside its predictions, of a few questions, for people to see.

Each of these questions has a row, with where the run looked if it can tell; and each of their scenes has one, with the
masks and the world that it saw, if it did. The header is the value of `mereo` in the metadata of the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mereo.datasets.pictures import decode_png, encode_png
from mereo.datasets.store import whole_parquet
from mereo.errors import BadInput
from mereo.files import converted, decode_json, new_file
from mereo.world import World, world_from_json, world_to_json

__all__ = ["Looks", "SeenScene", "Sights", "open_sights", "write_sights"]

T = TypeVar("T")

VERSION = 1
_TOGETHER = 16
"""Rows that are packed together: whoever wants one reads no more than these."""

_FIELDS = pa.schema(
    [
        ("scene_id", pa.string()),
        ("question_id", pa.string()),
        ("world", pa.string()),
        ("ids", pa.binary()),
        ("instances", pa.list_(pa.list_(pa.int32()))),
        ("grid", pa.list_(pa.int32())),
        ("maps", pa.binary()),
        ("most", pa.list_(pa.float32())),
        ("words", pa.list_(pa.string())),
        ("read", pa.binary()),
    ]
)
"""scene_id, question_id : of a question and its scene; without a question of a scene · world : as a world file · ids :
16-bit PNG · instances : for each entity of the world the numbers in it that show the entity · grid : steps, rows and
columns of `maps`, a byte each · read : a byte for each step and word"""


class _Header(msgspec.Struct, frozen=True):
    sights: int
    """The version of this format."""
    dataset: str
    """The fingerprint of the dataset that was asked."""


class _Row(msgspec.Struct, frozen=True):
    scene_id: str
    question_id: str | None
    world: str | None
    ids: bytes | None
    instances: list[list[int]] | None
    grid: tuple[int, int, int] | None
    maps: bytes | None
    most: list[float] | None
    words: list[str] | None
    read: bytes | None


@dataclass(frozen=True)
class SeenScene:
    """What was seen of a scene."""

    scene_id: str
    world: World
    ids: NDArray[np.uint16]
    """(height, width): the number of the instance that a pixel shows, 0 for none."""
    instances: list[list[int]]
    """For each entity of the world the numbers of the instances that show it."""


@dataclass(frozen=True)
class Looks:
    """Where was looked for the answer to a question, step by step."""

    question_id: str
    maps: NDArray[np.uint8]
    """(steps, rows, columns): how much of the look each place has, 255 for the place of a step that has most."""
    most: tuple[float, ...]
    """For each step how much of the look that place has, 0 to 1: the more, the narrower it is."""
    words: tuple[str, ...] = ()
    """Those of the question, where steps choose among them, or what else each of them stands for."""
    read: NDArray[np.uint8] | None = None
    """(steps, words): how much each step reads of each word, of 255 in all."""


def write_sights(
    path: Path, dataset: str, asked: Mapping[str, str], sights: Iterable[SeenScene | Looks], *, model: str = ""
) -> None:
    """Write a whole file. dataset : its fingerprint; asked : by the id of each question that of its scene"""
    seen, looks = [], {}
    for one in sights:
        if isinstance(one, SeenScene):
            seen.append(_scene_row(one))
        else:
            looks[one.question_id] = _looks_row(one)
    rows = [{"scene_id": scene, "question_id": name, **looks.get(name, {})} for name, scene in asked.items()] + seen
    header = {"sights": VERSION, "dataset": dataset, "model": model}
    table = pa.Table.from_pylist(rows, _FIELDS.with_metadata({"mereo": msgspec.json.encode(header)}))
    with new_file(path) as scratch:
        pq.write_table(table, scratch, compression="zstd", row_group_size=_TOGETHER)


def _scene_row(seen: SeenScene) -> dict[str, Any]:
    world = world_to_json(seen.world).decode()
    return {"scene_id": seen.scene_id, "world": world, "ids": encode_png(seen.ids), "instances": seen.instances}


def _looks_row(looks: Looks) -> dict[str, Any]:
    return {
        "grid": list(looks.maps.shape),
        "maps": looks.maps.tobytes(),
        "most": list(looks.most),
        "words": list(looks.words),
        "read": None if looks.read is None else looks.read.tobytes(),
    }


class Sights:
    """A file of sights that was opened; each is read when it is asked for."""

    def __init__(self, path: Path, names: Iterable[Mapping[str, Any]], groups: list[int]):
        """names : of every row its scene and its question · groups : how many rows are packed together in each"""
        self.path, self._groups = path, groups
        self.asked: dict[str, str] = {}
        """By question its scene, in the order in which they were chosen."""
        self._places: dict[tuple[str, str | None], int] = {}
        for place, row in enumerate(names):
            scene, question = row["scene_id"], row["question_id"]
            if not isinstance(scene, str) or not isinstance(question, str | None):
                raise BadInput("has no name", file=path, record=f"row {place + 1}")
            self._places[("", question) if question is not None else (scene, None)] = place
            if question is not None:
                self.asked[question] = scene

    def seen(self, scene_id: str) -> SeenScene | None:
        """What was seen of a scene; None where nothing was, or nothing is kept."""
        place = self._places.get((scene_id, None))
        return None if place is None else self._told(place, _seen)

    def looks(self, question_id: str) -> Looks | None:
        """Where was looked for an answer; None where that is not known."""
        place = self._places.get(("", question_id))
        return None if place is None else self._told(place, _looks)

    def _told(self, place: int, tell: Callable[[_Row], T]) -> T:
        offset, group = place, 0
        while offset >= self._groups[group]:
            offset, group = offset - self._groups[group], group + 1
        with whole_parquet(self.path), pq.ParquetFile(self.path) as file:
            row = file.read_row_group(group, _FIELDS.names).slice(offset, 1).to_pylist()[0]
        try:
            return tell(converted(row, file=None, type=_Row))
        except BadInput as error:
            raise BadInput(error.reason, file=self.path, record=f"row {place + 1}", field=error.field) from None


def open_sights(path: Path, *, dataset: str) -> Sights:
    """A file to read from, if it is about a dataset. dataset : its fingerprint"""
    with whole_parquet(path), pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        stored = (file.schema_arrow.metadata or {}).get(b"mereo", b"{}")
        missing = next((name for name in _FIELDS.names if names.count(name) != 1), None)
        ids = [] if missing else file.read(["scene_id", "question_id"]).to_pylist()
        groups = [file.metadata.row_group(k).num_rows for k in range(file.metadata.num_row_groups)]
    header = decode_json(stored, file=path, type=_Header)
    if header.sights > VERSION:
        reason = f"is of version {header.sights}; this mereo reads up to {VERSION}"
        raise BadInput(reason, file=path, field="sights")
    if header.dataset != dataset:
        raise BadInput(f"tells of another dataset ({header.dataset[:12]}…)", file=path, field="dataset")
    if missing:
        raise BadInput("must be there once", file=path, field=missing)
    return Sights(path, ids, groups)


def _seen(row: _Row) -> SeenScene:
    if row.world is None or row.ids is None or row.instances is None:
        raise BadInput("tells of no world, or not what of the picture shows it")
    world = world_from_json(row.world.encode())
    ids = decode_png(row.ids)
    if ids.ndim != 2:
        raise BadInput("is no picture of numbers", field="ids")
    most = int(ids.max(initial=0))
    if len(row.instances) != len(world):
        raise BadInput(f"are of {len(row.instances)} entities, not of {len(world)}", field="instances")
    if any(not 0 < number <= most for numbers in row.instances for number in numbers):
        raise BadInput(f"must be from 1 to {most}", field="instances")
    return SeenScene(row.scene_id, world, ids.astype(np.uint16), row.instances)


def _looks(row: _Row) -> Looks | None:
    if row.grid is None or row.question_id is None:
        return None
    words, steps = tuple(row.words or ()), row.grid[0]
    if min(row.grid) < 1 or len(row.maps or b"") != prod(row.grid):
        raise BadInput(f"must have {' x '.join(map(str, row.grid))} bytes, at least one", field="maps")
    if len(row.most or ()) != steps:
        raise BadInput(f"must have {steps} numbers", field="most")
    if row.read is not None and len(row.read) != steps * len(words):
        raise BadInput(f"must have {steps} x {len(words)} bytes", field="read")
    read = None if row.read is None else np.frombuffer(row.read, np.uint8).reshape(steps, len(words))
    maps = np.frombuffer(row.maps or b"", np.uint8).reshape(row.grid)
    return Looks(row.question_id, maps, tuple(row.most or ()), words, read)
