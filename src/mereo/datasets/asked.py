"""The questions of a dataset as columns, and which of them are judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mereo.chance import generator
from mereo.datasets.shards import PAIR_FIELDS, open_shard
from mereo.datasets.store import Manifest, fingerprint, open_dataset, sealed
from mereo.errors import BadInput, UnknownName

__all__ = ["PAIR_FIELDS", "Asked", "Coded", "Selection", "is_training", "load_questions"]

Positions = NDArray[np.int64]

_KEPT = ["question_id", "scene_id", "split", "type", "subtype", "template", "program", "answer"]
_VALUES = r'\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]'
"""The literals of a step in the notation of programs."""
_NAME = re.compile(r"[A-Za-z_][\w\-]*(?=\()")


class Selection(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which questions are asked or judged: all of some splits, or so many of them, drawn by chance.

    A larger limit holds all the questions of a smaller one, so that a run can be made longer.
    """

    splits: tuple[str, ...] = ()
    """All splits where none is named."""
    limit: int | None = None
    seed: int = 0

    def __str__(self) -> str:
        where = ", ".join(self.splits) or "all splits"
        return where if self.limit is None else f"{self.limit:,} questions of {where}"


_EVERYTHING = Selection()


class Coded(NamedTuple):
    """A column of words as numbers: the words, and for every question which of them it has (-1 for none)."""

    names: list[str]
    codes: NDArray[np.int64]


@dataclass(frozen=True)
class Asked:
    """Questions of a dataset, in the dataset's order."""

    folder: Path
    manifest: Manifest
    table: pa.Table
    selection: Selection = _EVERYTHING

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @property
    def checksum(self) -> str:
        """The fingerprint of the dataset."""
        return fingerprint(self.manifest)

    @cached_property
    def ids(self) -> list[str]:
        """The id of every question."""
        return self.words("question_id")

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each id stands."""
        return {name: place for place, name in enumerate(self.ids)}

    def words(self, field: str) -> list[Any]:
        """A column as Python values."""
        values: list[Any] = self._column(field).to_pylist()
        return values

    def coded(self, field: str) -> Coded:
        """A column, or `function` (the program's last) or `length` (its steps), as numbers."""
        if field in ("function", "length"):
            forms = self.forms
            per_form = [names[0] if field == "function" else str(len(names)) for names in forms.functions]
            names = sorted(set(per_form))
            numbers = np.array([names.index(name) for name in per_form], np.int64)
            return Coded(names, numbers[forms.codes])
        column = self._encoded(field)
        return Coded([str(name) for name in column.dictionary.to_pylist()], _indices(column))

    def numbers(self, field: str) -> NDArray[np.int64]:
        """A column as numbers, equal where its words are equal, -1 for none: for columns of very many words."""
        return _indices(self._encoded(field))

    @cached_property
    def scenes(self) -> NDArray[np.int64]:
        """For every question the number of its scene, counted from 0."""
        return self.numbers("scene_id")

    @cached_property
    def forms(self) -> ProgramForms:
        """Which functions the programs are made of."""
        return _forms(self._column("program"))

    def has(self, field: str) -> bool:
        """Whether the questions have this column with a value in it."""
        return field in self.table.column_names and self.table.column(field).null_count < len(self)

    def take(self, positions: Sequence[int] | Positions, selection: Selection | None = None) -> Asked:
        """Some of the questions."""
        table = self.table.take(pa.array(np.asarray(positions, np.int64)))
        return Asked(self.folder, self.manifest, table, selection or self.selection)

    def with_columns(self, *fields: str) -> Asked:
        """The same questions with more of their columns: `question`, `referred`."""
        import pyarrow.compute as pc

        fields = tuple(field for field in fields if field not in self.table.column_names)
        if not fields:
            return self
        more = _read(self.folder, self.manifest, ["question_id", *fields])
        rows = pc.index_in(self.table.column("question_id"), value_set=more.column("question_id").combine_chunks())
        if rows.null_count:
            raise BadInput("has other questions than a moment ago", file=self.folder)
        table, own = self.table, more.take(rows)
        for field in fields:
            table = table.append_column(field, own.column(field))
        return replace(self, table=table)

    def chosen(self, selection: Selection) -> Positions:
        """Where the questions of a selection stand."""
        import pyarrow.compute as pc

        known = set(self.manifest.scenes)
        for split in selection.splits:
            if split not in known:
                raise UnknownName("split", split, known)
        if selection.splits:
            inside = pc.is_in(self._column("split"), value_set=pa.array(selection.splits))
            positions = np.flatnonzero(inside.to_numpy(zero_copy_only=False))
        else:
            positions = np.arange(len(self))
        if selection.limit is not None and selection.limit < len(positions):
            order = generator(selection.seed, "selection").permutation(len(positions))
            positions = np.sort(positions[order[: selection.limit]])
        return positions.astype(np.int64)

    def _encoded(self, field: str) -> pa.DictionaryArray:
        return self._column(field).dictionary_encode().combine_chunks()

    def _column(self, field: str) -> pa.ChunkedArray:
        if field not in self.table.column_names:
            raise UnknownName("question field", field, [*self.table.column_names, "function", "length"])
        return self.table.column(field)


class ProgramForms(NamedTuple):
    """What programs look like without their literals."""

    functions: list[tuple[str, ...]]
    """For every form its functions, one for each step, the last one first."""
    codes: NDArray[np.int64]
    """For every question the number of its form."""


def load_questions(folder: str | Path) -> Asked:
    """All questions of a dataset, without their texts."""
    folder = Path(folder)
    manifest = open_dataset(folder)
    table = _read(folder, manifest, [*_KEPT, *PAIR_FIELDS])
    if not table.num_rows:
        raise BadInput("asks no questions, so there is nothing to judge", file=folder)
    return Asked(folder, manifest, table)


def is_training(split: str) -> bool:
    """Whether a split is there to learn from."""
    return split.startswith("train")


def _read(folder: Path, manifest: Manifest, columns: list[str]) -> pa.Table:
    parts = []
    for name in manifest.files:
        if not name.startswith("questions/"):
            continue
        with open_shard(sealed(folder, name, manifest)) as shard:
            parts.append(shard.read([column for column in columns if column in shard.names]))
    if not parts:
        raise BadInput("asks no questions, so there is nothing to judge", file=folder)
    return pa.concat_tables(parts, promote_options="default")


def _indices(column: pa.DictionaryArray) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    codes: NDArray[np.int64] = pc.fill_null(column.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes


def _forms(programs: pa.ChunkedArray) -> ProgramForms:
    """Literals are cut out by Arrow, many at once; the few forms that remain are read one by one."""
    import pyarrow.compute as pc

    known: dict[str, int] = {}
    parts = [np.empty(0, np.int64)]
    for chunk in programs.chunks:
        bare = pc.replace_substring_regex(chunk, pattern=_VALUES, replacement="").dictionary_encode()
        numbers = [known.setdefault(form, len(known)) for form in bare.dictionary.to_pylist()]
        parts.append(np.array(numbers, np.int64)[_indices(bare)])
    functions = []
    for form in known:
        *shared, last = form.split(";")
        functions.append(tuple(map(intern, _NAME.findall(last) + _NAME.findall(";".join(shared)))) or ("nothing",))
    return ProgramForms(functions, np.concatenate(parts))
