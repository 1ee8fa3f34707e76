"""The shards of a dataset as they are opened: what stands in them is checked here, once for all who read them.

A column that a shard must have is there, of its type, and has a value in every row. What else stands in a shard is let
be: benchmarks have columns of their own, which they check themselves with `checked`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mereo.datasets.store import AMODAL_FIELDS, PICTURE_FIELDS, QUESTION_FIELDS, SCENE_FIELDS, whole_parquet
from mereo.errors import BadInput

__all__ = ["PAIR_FIELDS", "ShardFile", "checked", "open_shard", "read_shard"]

PAIR_FIELDS = {
    "rephrasing": "questions about one scene that ask the same in other words share its value",
    "counterfactual": "questions in the same words about scenes that differ in one thing share its value",
}
"""Optional columns of question shards by which pairs are known; no value means no pair.

Where a dataset has no column `rephrasing`, questions with one program about one scene are taken for rephrasings.
"""

_KNOWN = {
    "scenes": AMODAL_FIELDS,
    "questions": pa.schema([*QUESTION_FIELDS, *((name, pa.string()) for name in (*PAIR_FIELDS, "official"))]),
}
_MUST = {"scenes": SCENE_FIELDS.names, "questions": QUESTION_FIELDS.names}
_TOGETHER = frozenset(PICTURE_FIELDS.names) - frozenset(SCENE_FIELDS.names) - {"image"}
"""Columns of pictures that the camera took, of which there are all or none."""


class ShardFile:
    """A shard to read from, a few columns or a few rows at a time."""

    def __init__(self, path: Path):
        self.path = path
        self._known = _KNOWN.get(path.parent.name, pa.schema([]))
        with whole_parquet(path):
            self._file = pq.ParquetFile(path)
            self.schema: pa.Schema = self._file.schema_arrow
            """Of all its columns."""
            metadata = self._file.metadata
            self.groups = [metadata.row_group(k).num_rows for k in range(metadata.num_row_groups)]
            """How many rows are packed together in each group."""
        self._check()

    @property
    def names(self) -> list[str]:
        """Its columns."""
        return list(self.schema.names)

    @property
    def rows(self) -> int:
        """How many it has."""
        return sum(self.groups)

    def read(self, columns: Sequence[str] | None = None, *, group: int | None = None) -> pa.Table:
        """Some of its columns, or all; of all rows or of one group."""
        wanted = self.names if columns is None else list(columns)
        for name in wanted:
            if name not in self.names:
                raise BadInput("is missing", file=self.path, field=name)
        with whole_parquet(self.path):
            table = self._file.read(wanted) if group is None else self._file.read_row_group(group, wanted)
        known = pa.schema([self._known.field(name) for name in wanted if name in self._known.names])
        first = sum(self.groups[:group]) if group is not None else 0
        return checked(table, known, file=self.path, first=first)

    def __enter__(self) -> ShardFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def _check(self) -> None:
        """Every column that must be there is, once and of its sort, and what belongs together is together."""
        names = self.names
        needed = set(_MUST.get(self.path.parent.name, ()))
        if _TOGETHER & set(names):
            needed |= set(PICTURE_FIELDS.names)
        for name in [*self._known.names, *names]:
            if name in needed and name not in names:
                raise BadInput("is missing", file=self.path, field=name)
            if names.count(name) > 1:
                raise BadInput("is there twice", file=self.path, field=name)
        for field in self._known:
            if field.name in names and _sort(self.schema.field(field.name).type) != _sort(field.type):
                raise _misfit(self.schema.field(field.name).type, field, self.path)


def open_shard(path: Path) -> ShardFile:
    """A shard to read from."""
    return ShardFile(path)


def read_shard(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Some columns of a shard, or all."""
    with open_shard(path) as shard:
        return shard.read(columns)


def checked(table: pa.Table, fields: pa.Schema, *, file: Path, first: int = 0) -> pa.Table:
    """A table whose columns are of the types of these fields, and have a value in every row where they must.

    What another program stored as another type of the same sort, as large strings or longer integers, becomes ours.
    first : the number of its first row, for complaints
    """
    with whole_parquet(file):
        table.validate(full=True)
    for field in fields:
        column = table.column(field.name)
        if column.type != field.type:
            column = _cast(column, field, file)
            table = table.set_column(table.schema.get_field_index(field.name), field, column)
        if field.name not in PAIR_FIELDS and (row := _first_gap(column)) is not None:
            raise BadInput("has no value", file=file, record=f"row {first + row}", field=field.name)
    return table


def _cast(column: pa.ChunkedArray, field: pa.Field, file: Path) -> pa.ChunkedArray:
    if _sort(column.type) != _sort(field.type):
        raise _misfit(column.type, field, file)
    try:
        return column.cast(field.type)
    except pa.ArrowException:
        raise _misfit(column.type, field, file) from None


def _misfit(found: pa.DataType, field: pa.Field, file: Path) -> BadInput:
    return BadInput(f"holds {found}, not {field.type}", file=file, field=field.name)


def _sort(type: pa.DataType) -> str:
    """What is alike whatever its size."""
    if pa.types.is_dictionary(type):
        return _sort(type.value_type)
    if pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type):
        return "text"
    if pa.types.is_integer(type):
        return "whole numbers"
    if pa.types.is_list(type) or pa.types.is_large_list(type) or pa.types.is_list_view(type):
        return f"lists of {_sort(type.value_type)}"
    if pa.types.is_struct(type):
        return ", ".join(sorted(f"{field.name} {_sort(field.type)}" for field in type))
    return "bytes" if pa.types.is_binary(type) or pa.types.is_large_binary(type) else str(type)


def _first_gap(column: pa.ChunkedArray) -> int | None:
    """The first row without a value, or with a gap in its value."""
    import pyarrow.compute as pc

    flat, owners = column, None
    while True:
        if flat.null_count:
            place = pc.index(pc.is_null(flat), True).as_py()
            return int(place if owners is None else owners[place].as_py())
        if pa.types.is_list(flat.type):
            parents = pc.list_parent_indices(flat)
            owners = parents if owners is None else owners.take(parents)
            flat = pc.list_flatten(flat)
        elif pa.types.is_struct(flat.type):
            flat = pc.struct_field(flat, "bytes")  # of a picture, whose name may be missing
        else:
            return None
