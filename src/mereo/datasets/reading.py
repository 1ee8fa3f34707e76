"""Rows of a dataset by place, id and split, for whoever wants one after the other or just one.

What is heavy in a row (pictures, depth, ids, the layout) is read when it is asked for, a few rows at a time; everything
else of a shard is read at once and kept while the shard is being looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mereo.datasets.asked import Asked
from mereo.datasets.shards import ShardFile, open_shard
from mereo.datasets.store import HEAVY, Manifest, open_dataset, sealed
from mereo.errors import BadInput, UnknownName, nearest

__all__ = ["RowReader", "scene_rows", "split_rows"]


class _Whole(Mapping[str, Any]):
    """All columns of a row."""

    def __init__(self, reader: RowReader, place: int):
        self._reader, self._place, self._row = reader, place, reader.row(place)

    def __getitem__(self, column: str) -> Any:
        if column in self._row:
            return self._row[column]
        if column not in self:
            raise KeyError(column)
        return self._reader.value(self._place, column)

    def __contains__(self, column: object) -> bool:
        return column in self._row or (column in HEAVY and self._reader.has(str(column)))

    def __iter__(self) -> Iterator[str]:
        return iter([*self._row, *(name for name in HEAVY if self._reader.has(name))])

    def __len__(self) -> int:
        return len(list(iter(self)))


class RowReader:
    """The scenes or the questions of a dataset. kind : `scenes` or `questions`"""

    def __init__(self, folder: str | Path, kind: str, manifest: Manifest | None = None):
        self.folder, self.kind = Path(folder), kind
        self.manifest = manifest or open_dataset(folder)
        self.files = [name for name in self.manifest.files if name.startswith(f"{kind}/")]
        self._starts = np.cumsum([0, *(self.manifest.files[name].rows for name in self.files)])
        self._light = lru_cache(maxsize=4)(self._read_light)
        self._heavy = lru_cache(maxsize=16)(self._read_heavy)
        self._groups = lru_cache(maxsize=None)(self._read_groups)
        self._scenes = lru_cache(maxsize=4)(self._read_scenes)

    def __reduce__(self) -> tuple[type[RowReader], tuple[Any, ...]]:
        """What was read is not carried to another process."""
        return RowReader, (self.folder, self.kind, self.manifest)

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def key(self) -> str:
        """The column that holds the ids."""
        return f"{self.kind.removesuffix('s')}_id"

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each id stands, in the dataset's order."""
        found: dict[str, int] = {}
        for file, name in enumerate(self.files):
            with self._open(file) as shard:
                for row_id in shard.read([self.key]).column(0).to_pylist():
                    if row_id in found:
                        raise BadInput(f"'{row_id}' is there twice", file=self.folder / name, field=self.key)
                    found[row_id] = len(found)
        return found

    def place(self, row_id: str) -> int:
        """Where the row of this id stands."""
        if row_id not in self.places:
            known = nearest(row_id, self.places)
            raise BadInput(f"there is no {self.kind.removesuffix('s')} '{row_id}'{known}", file=self.folder)
        return self.places[row_id]

    def of_split(self, split: str) -> range:
        """Where the rows of a split stand."""
        if split not in self.manifest.scenes:
            raise UnknownName("split", split, self.manifest.scenes)
        own = [k for k, name in enumerate(self.files) if Path(name).name.rpartition("-")[0] == split]
        return range(int(self._starts[own[0]]), int(self._starts[own[-1] + 1])) if own else range(0)

    def shard_of(self, place: int) -> str:
        """The name that the file of a row shares with the file of the questions about it, as `train-00000.parquet`."""
        return Path(self.files[self._at(place)[0]]).name

    def about(self, scene_id: str, shard: str) -> Sequence[int]:
        """Where the questions about a scene stand. shard : that of the scene; no other is read"""
        name = f"{self.kind}/{shard}"
        return self._scenes(self.files.index(name)).get(scene_id, ()) if name in self.files else ()

    def row(self, place: int) -> dict[str, Any]:
        """A row without what is heavy in it."""
        file, offset = self._at(place)
        found: dict[str, Any] = self._light(file).slice(offset, 1).to_pylist()[0]
        return found

    def value(self, place: int, column: str) -> Any:
        """One heavy value of a row; None where the dataset has no such column."""
        file, offset = self._at(place)
        starts = self._groups(file)
        group = int(np.searchsorted(starts, offset, side="right")) - 1
        values = self._heavy(file, column, group)
        return values[offset - int(starts[group])].as_py() if values is not None else None

    def whole(self, place: int) -> Mapping[str, Any]:
        """A row with all that it holds; what is heavy is read when it is looked at."""
        return _Whole(self, place)

    def has(self, column: str) -> bool:
        """Whether the rows have a column."""
        return column in self._columns

    @cached_property
    def _columns(self) -> frozenset[str]:
        if not self.files:
            return frozenset()
        with self._open(0) as shard:
            return frozenset(shard.names)

    def _open(self, file: int) -> ShardFile:
        """A shard with as many rows as the manifest says, by which places are counted."""
        shard, record = open_shard(self.folder / self.files[file]), self.manifest.files[self.files[file]]
        if shard.rows != record.rows:
            raise BadInput(f"has {shard.rows:,} rows, dataset.json says {record.rows:,}", file=shard.path)
        return shard

    def _at(self, place: int) -> tuple[int, int]:
        """The file of a row, and its place there."""
        if not 0 <= place < len(self):
            raise IndexError(place)
        file = int(np.searchsorted(self._starts, place, side="right")) - 1
        return file, place - int(self._starts[file])

    def _read_light(self, file: int) -> pa.Table:
        with self._open(file) as shard:
            return shard.read([name for name in shard.names if name not in HEAVY])

    def _read_heavy(self, file: int, column: str, group: int) -> pa.ChunkedArray | None:
        with self._open(file) as shard:
            return shard.read([column], group=group).column(0) if column in shard.names else None

    def _read_scenes(self, file: int) -> dict[str, list[int]]:
        """The places of the questions about each scene."""
        found: dict[str, list[int]] = {}
        with self._open(file) as shard:
            for offset, scene in enumerate(shard.read(["scene_id"]).column(0).to_pylist()):
                found.setdefault(scene, []).append(int(self._starts[file]) + offset)
        return found

    def _read_groups(self, file: int) -> NDArray[np.int64]:
        """Where each group of rows that are packed together begins."""
        with self._open(file) as shard:
            return np.cumsum([0, *shard.groups[:-1]])


def scene_rows(asked: Asked, wanted: set[str], *, pictures: bool) -> Iterator[dict[str, Any]]:
    """The scene rows of some questions, one after the other; without pictures only the columns of symbols."""
    for name in asked.manifest.files:
        if not name.startswith("scenes/"):
            continue
        with open_shard(asked.folder / name) as shard:
            if wanted.isdisjoint(shard.read(["scene_id"]).column(0).to_pylist()):
                continue
        with open_shard(sealed(asked.folder, name, asked.manifest)) as shard:
            columns = [column for column in shard.names if pictures or column not in HEAVY]
            for group in range(len(shard.groups)):
                some = shard.read(columns, group=group)
                ids = some.column("scene_id").to_pylist()
                for k in (k for k, scene in enumerate(ids) if scene in wanted):
                    yield some.slice(k, 1).to_pylist()[0]


def split_rows(
    folder: Path, manifest: Manifest, splits: Collection[str], *, heavy: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """All scene rows of some splits, one after the other. heavy : the heavy columns that are wanted, too"""
    for name in manifest.files:
        if not name.startswith("scenes/") or Path(name).name.rpartition("-")[0] not in splits:
            continue
        with open_shard(sealed(folder, name, manifest)) as shard:
            columns = [column for column in shard.names if column not in HEAVY or column in heavy]
            for group in range(len(shard.groups)):
                yield from shard.read(columns, group=group).to_pylist()
