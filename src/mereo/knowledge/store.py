"""Knowledge on disk: one Parquet file, sorted, written in bounded memory and asked with DuckDB where it is large."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from heapq import merge
from itertools import chain, groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from mereo.errors import BadInput, MissingExtra
from mereo.files import converted, decoder, new_file
from mereo.knowledge.graph import Knowledge, MemoryKnowledge, Named
from mereo.knowledge.item import Item, merged
from mereo.knowledge.relations import relations

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = ["LARGE", "StoredKnowledge", "open_store", "write_store"]

LARGE = 200_000
"""From so many items on knowledge stays on disk: in memory each takes about half a kilobyte."""
_RUN = 150_000
"""Items that are sorted in memory at a time while a store is written."""
_GROUP = 65_536
_COLUMNS = ("head", "relation", "tail", "source", "weight")


def write_store(items: Iterable[Item], path: str | Path) -> int:
    """Write items in any order and number, each fact once, and say how many there are now.

    What does not fit into memory is written in sorted runs, which are then merged.
    """
    remaining = iter(items)
    with new_file(path) as scratch, TemporaryDirectory(dir=scratch.parent, prefix=f"{scratch.name}.") as folder:
        runs: list[Path] = []
        run = merged(islice(remaining, _RUN))
        for item in remaining:
            runs.append(Path(folder) / str(len(runs)))
            runs[-1].write_bytes(msgspec.json.Encoder().encode_lines(run))
            run = merged(chain((item,), islice(remaining, _RUN - 1)))
        return _write(_united([*map(_read_run, runs), iter(run)]), scratch)


def _read_run(path: Path) -> Iterator[Item]:
    """A run line by line: there may be hundreds of them open, and readers of Parquet take megabytes each."""
    with path.open("rb") as file:
        yield from map(decoder(Item).decode, file)


def _united(runs: list[Iterator[Item]]) -> Iterator[Item]:
    """Sorted runs as one, each fact once."""
    for _, same in groupby(merge(*runs), key=lambda item: (item.head, item.relation, item.tail)):
        yield from merged(same)


def _write(items: Iterable[Item], path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, remaining, schema = 0, iter(items), _schema()
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while rows := list(islice(remaining, _GROUP)):
            columns = [[getattr(item, name) for item in rows] for name in _COLUMNS]
            writer.write_table(pa.table(columns, schema=schema))
            count += len(rows)
    return count


def _schema() -> pa.Schema:
    import pyarrow as pa

    text = pa.string()
    return pa.schema([(name, pa.float64() if name == "weight" else text) for name in _COLUMNS])


def open_store(path: str | Path, *, large: int = LARGE) -> Knowledge:
    """A store that was written before: taken into memory where it is small, else asked where it lies."""
    with _opened(Path(path)) as file:
        if file.metadata.num_rows >= large:
            return StoredKnowledge(path)
        return MemoryKnowledge(_checked(file.read().to_pylist(), path))


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    """A file that is indeed a store."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise BadInput("there is no such file", file=path)
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(_schema()):
                raise BadInput(f"is no store of knowledge, whose columns are {', '.join(_COLUMNS)}", file=path)
            yield file
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"is no Parquet file that can be read ({str(error).partition(chr(10))[0]})", file=path) from None


def _checked(rows: list[Any], path: str | Path) -> list[Item]:
    """Rows as items, which all who ask can trust."""
    items = converted(rows, file=path, type=list[Item])
    for item in items:
        if item.relation not in relations():
            raise BadInput(f"there is no relation '{item.relation}'", file=path)
        if not 0 < item.weight < math.inf:
            raise BadInput(f"the weight of '{item.head}' must be above 0", file=path)
    return items


class StoredKnowledge(Knowledge):
    """Knowledge of any size, which stays on disk."""

    def __init__(self, path: str | Path):
        try:
            import duckdb
        except ImportError:
            raise MissingExtra("knowledge that stays on disk", "knowledge") from None
        with _opened(Path(path)) as file:
            self._count = int(file.metadata.num_rows)
        self._path, self._error = path, duckdb.Error
        self._base = duckdb.connect(config={"memory_limit": "512MB", "threads": 2})
        self._base.from_parquet(str(path)).create_view("items")

    def items(self, *, head: Named = None, relation: Named = None, tail: Named = None) -> tuple[Item, ...]:
        """By the sorted columns, of which DuckDB passes over the groups that cannot hold what is asked for."""
        asked: dict[str, Any] = {"head": head, "relation": relation, "tail": tail}
        given = {name: wanted for name, wanted in asked.items() if wanted is not None}
        tests = [f"{name} = ?" if isinstance(one, str) else f"list_contains(?, {name})" for name, one in given.items()]
        query = f"SELECT {', '.join(_COLUMNS)} FROM items WHERE {' AND '.join(tests) or 'true'} ORDER BY ALL"
        wanted = [one if isinstance(one, str) else sorted(one) for one in given.values()]
        rows = self._rows(query, wanted)
        return tuple(_checked([dict(zip(_COLUMNS, row, strict=True)) for row in rows], self._path))

    def named(self, words: str, *, most: int) -> tuple[tuple[str, int], ...]:
        """By looking at every name, on disk."""
        names = "SELECT head AS name FROM items UNION ALL SELECT tail FROM items WHERE tail != head"
        query = f"""SELECT name, count(*) FROM ({names}) WHERE contains(name, $words) GROUP BY name
            ORDER BY name != $words, NOT starts_with(name, $words), count(*) DESC, name LIMIT $most"""
        return tuple(self._rows(query, {"words": words, "most": most}))

    def _rows(self, query: str, values: Any) -> list[Any]:
        """A cursor for each query, so that several threads can ask at once."""
        try:
            with self._base.cursor() as asked:
                return list(asked.execute(query, values).fetchall())
        except self._error as error:
            raise BadInput(f"cannot be read ({str(error).partition(chr(10))[0]})", file=self._path) from None

    def __len__(self) -> int:
        return self._count
