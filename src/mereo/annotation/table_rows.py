"""The rows of all tables as lines of JSON, out of one database and into another of either kind."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, DateTime, LargeBinary, MetaData, Table, insert, select, text
from sqlalchemy.exc import DBAPIError, StatementError

from mereo.annotation.migrations import migrate
from mereo.annotation.tables import Base, File, Session
from mereo.errors import BadInput
from mereo.files import decode_json

__all__ = ["dumped", "fill"]

_BATCH = 1_000
_LEFT = (Session.__tablename__, File.__tablename__)
"""Sessions are nobody's to keep, and files are kept as files."""


def dumped(connection: Connection) -> dict[str, Iterator[bytes]]:
    """By table its rows, a line each; those that others refer to come first."""
    tables = [table for table in Base.metadata.sorted_tables if table.name not in _LEFT]
    return {str(table.name): _lines(connection, table) for table in tables}


def _lines(connection: Connection, table: Table) -> Iterator[bytes]:
    query = select(table).order_by(*table.primary_key.columns)
    for row in connection.execution_options(yield_per=_BATCH).execute(query):
        plain = {name: _plain(value) for name, value in row._mapping.items()}
        yield msgspec.json.encode(plain) + b"\n"


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


def fill(connection: Connection, rows: Mapping[str, Iterable[bytes]], *, file: object) -> None:
    """Write rows into empty tables of the version that they were written with, and bring these to this one."""
    known = MetaData()
    known.reflect(connection)
    for name, lines in rows.items():
        if name not in known.tables or name in _LEFT:
            raise BadInput(f"speaks of a table '{name}' that there is not", file=file)
        try:
            _insert(connection, known.tables[name], lines, file=f"{file}, table {name}")
        except (DBAPIError, StatementError) as error:
            reason = " ".join(str(error.orig).split())
            raise BadInput(f"does not fit ({reason})", file=file, record=f"table {name}") from None
    migrate(connection)


def _insert(connection: Connection, table: Table, lines: Iterable[bytes], *, file: str) -> None:
    readers = {column.name: _reader(column.type) for column in table.columns}
    batch: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        batch.append(_row(line, readers, file=f"{file}, line {number}"))
        if len(batch) == _BATCH:
            connection.execute(insert(table), batch)
            batch = []
    if batch:
        connection.execute(insert(table), batch)
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        highest = f"(SELECT coalesce(max(id), 0) + 1 FROM {table.name})"
        connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {highest}, false)"))


def _row(line: bytes, readers: Mapping[str, Callable[[Any], Any]], *, file: str) -> dict[str, Any]:
    plain = decode_json(line, file=file, type=dict[str, Any])
    if plain.keys() != readers.keys():
        raise BadInput(f"has the columns {', '.join(plain)}, not {', '.join(readers)}", file=file)
    try:
        return {name: readers[name](value) for name, value in plain.items()}
    except (TypeError, ValueError) as error:
        raise BadInput(f"does not fit ({error})", file=file) from None


def _reader(kind: object) -> Callable[[Any], Any]:
    if isinstance(kind, LargeBinary):
        return b64decode
    if isinstance(kind, DateTime):
        return lambda value: datetime.fromisoformat(value).astimezone(UTC)
    return lambda value: value
