"""The database of a project: SQLite in its folder, or PostgreSQL at an address; the same tables in both."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session, sessionmaker

from mereo.annotation.migrations import migrate
from mereo.errors import BadInput, MissingExtra

__all__ = ["Database", "check_address", "open_database"]

_PATIENCE = 30_000
"""Milliseconds that a writer of SQLite waits for the one before."""
_MIGRATING = 0x6D6572656F
"""The lock of PostgreSQL that who migrates holds."""


@dataclass(frozen=True)
class Database:
    """An open database. Transactions are short: nobody waits for a person in them."""

    engine: Engine
    reader: sessionmaker[Session]
    writer: sessionmaker[Session]

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one state of the database, and changes nothing."""
        with self.reader() as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is on the disk when it ends well, and has never been when it does not."""
        with self.writer() as session, session.begin():
            yield session

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def check_address(address: str) -> str:
    """The address of a PostgreSQL database as it is used, or why it is none."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise BadInput("is no address of a database, such as postgresql://user@host/name", field="database") from None
    if url.get_backend_name() != "postgresql":
        raise BadInput(f"is of {url.get_backend_name()}, not of postgresql", field="database")
    return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def open_database(address: str | Path, *, version: str = "head") -> Database:
    """Open a database and bring its tables to this version. address : of PostgreSQL, or the file of SQLite"""
    engine = _sqlite(address) if isinstance(address, Path) else _postgres(check_address(address))
    try:
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATING})
            migrate(connection, version)
    except DBAPIError as error:
        engine.dispose()
        reason = " ".join(str(error.orig).split())
        raise BadInput(f"cannot be opened ({reason})", file=_shown(engine)) from None
    except BadInput as error:
        engine.dispose()
        raise error.within(file=_shown(engine)) from None
    steady = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    return Database(
        engine,
        reader=sessionmaker(engine.execution_options(**steady)),
        writer=sessionmaker(engine.execution_options(writes=True)),
    )


def _shown(engine: Engine) -> str:
    return engine.url.database or "" if engine.dialect.name == "sqlite" else engine.url.render_as_string()


def _postgres(address: str) -> Engine:
    try:
        return create_engine(address, pool_pre_ping=True, pool_size=10, max_overflow=20)
    except (ModuleNotFoundError, NoSuchModuleError):
        raise MissingExtra("a project in PostgreSQL", "postgres") from None


def _sqlite(file: Path) -> Engine:
    engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": _PATIENCE / 1000}, pool_size=10)

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where Python would
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={_PATIENCE}"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
