"""Tables of scores as a benchmark declares them: which questions stand in which row.

    Table("question types", rows_by("type", {"query": ("query_color", "query_shape"), "count": ("count",)}))

A row names question fields and the values that it takes. Besides the columns of question shards these are `function`,
the program's last, and `length`, the number of its steps. It may also ask what functions stand anywhere in the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.asked import Asked

__all__ = ["Row", "Table", "default_tables", "function_table", "length_table", "members_of", "number_table", "rows_by"]

_NUMBER_ROWS = 8
Members = NDArray[np.bool_]


@dataclass(frozen=True)
class Row:
    """One line of a table: the questions whose fields have one of these values."""

    name: str
    where: Mapping[str, tuple[str, ...]]
    group: str = ""
    """The heading that it stands under, as PTR's `concept`."""
    programs: Callable[[frozenset[str]], bool] | None = None
    """programs(the functions that a program uses): whether it belongs here; all do where this is left out."""


@dataclass(frozen=True)
class Table:
    """Some rows; a row that no question belongs to is left out."""

    name: str
    rows: tuple[Row, ...] = field(default=())


def rows_by(name: str, rows: Mapping[str, tuple[str, ...]], *, group: str = "") -> tuple[Row, ...]:
    """Rows that only look at one field."""
    return tuple(Row(row, {name: values}, group) for row, values in rows.items())


def default_tables(asked: Asked) -> tuple[Table, ...]:
    """What is shown of a benchmark that declares nothing: its types, and their subtypes."""
    types = sorted(set(asked.coded("type").names))
    pairs = sorted(set(zip(asked.words("type"), asked.words("subtype"), strict=True)))
    tables = [Table("types", rows_by("type", {name: (name,) for name in types}))]
    if any(type != subtype for type, subtype in pairs):
        rows = tuple(Row(subtype, {"type": (type,), "subtype": (subtype,)}, type) for type, subtype in pairs)
        tables.append(Table("subtypes", rows))
    return tuple(tables)


def length_table(asked: Asked) -> tuple[Table, list[Members]]:
    """Rows by the number of steps of the program. Its members are given, too."""
    names, codes = asked.coded("length")
    return number_table("program length", np.array(list(map(int, names)))[codes], unit="steps")


def number_table(name: str, numbers: NDArray[np.int64], *, unit: str) -> tuple[Table, list[Members]]:
    """Rows by a number that every question has, at most eight, each as wide as the others. Its members are given, too.

    numbers : (n,)
    """
    least, most = int(numbers.min()), int(numbers.max())
    width = -(-(most - least + 1) // _NUMBER_ROWS)
    rows, members = [], []
    for first in range(least, most + 1, width):
        last = first + width - 1
        called = unit.removesuffix("s") if first == last == 1 else unit
        rows.append(Row(f"{first} {called}" if width == 1 else f"{first}–{last} {called}", {}))
        members.append((first <= numbers) & (numbers <= last))
    return Table(name, tuple(rows)), members


def function_table(asked: Asked) -> tuple[Table, list[Members]]:
    """A row for every function: the questions whose programs use it. Its members are given, too."""
    forms = asked.forms
    names = sorted({name for functions in forms.functions for name in functions})
    uses = np.zeros((len(forms.functions), len(names)), bool)
    number = {name: place for place, name in enumerate(names)}
    for form, functions in enumerate(forms.functions):
        uses[form, [number[name] for name in functions]] = True
    return Table("functions", tuple(Row(name, {}) for name in names)), [uses[forms.codes, k] for k in range(len(names))]


def members_of(table: Table, asked: Asked) -> list[Members]:
    """For every row which questions belong to it. Each (n,) bool"""
    columns = {name: asked.coded(name) for row in table.rows for name in row.where}
    found = []
    for row in table.rows:
        inside = np.ones(len(asked), bool)
        for name, values in row.where.items():
            names, codes = columns[name]
            wanted = np.array([*(known in values for known in names), False])
            inside &= wanted[codes]
        if row.programs is not None:
            forms = asked.forms
            inside &= np.array([row.programs(frozenset(names)) for names in forms.functions], bool)[forms.codes]
        found.append(inside)
    return found
