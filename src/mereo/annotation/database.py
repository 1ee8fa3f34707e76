"""The database of a project: SQLite in a file, or PostgreSQL at an address; the same tables in both."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session, sessionmaker

from mereo.annotation.addresses import POSTGRESQL, read_address, shown_address
from mereo.annotation.migrations import migrate
from mereo.errors import BadInput, MissingExtra

__all__ = ["Database", "new_database", "open_database"]

_PATIENCE = 30_000
"""Milliseconds that a writer of SQLite waits for the one before."""
_WAIT = 10
"""Seconds for a server to answer, if the address says nothing else."""
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


def open_database(
    address: URL | Path | str,
    *,
    version: str = "head",
    check: Callable[[Connection], None] = lambda connection: None,
) -> Database:
    """Open a database and bring its tables to a version.

    address : of PostgreSQL or SQLite, or the file of SQLite
    check : raises where this is not the right database; then nothing was changed in it
    """
    engine = _engine(address)
    try:
        with _prepared(engine, version) as connection:
            try:
                check(connection)
            except BadInput as error:
                raise error.within(file=_shown(engine)) from None
    except BadInput:
        engine.dispose()
        raise
    steady = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    return Database(
        engine,
        reader=sessionmaker(engine.execution_options(**steady)),
        writer=sessionmaker(engine.execution_options(writes=True)),
    )


@contextmanager
def new_database(address: URL | Path, *, version: str = "head") -> Iterator[Connection]:
    """The transaction that makes the tables of a project where none is, and whatever else is written in it."""
    engine = _engine(address)
    try:
        with _prepared(engine, version) as connection:
            if connection.scalar(text("SELECT count(*) FROM mark")):
                raise BadInput("holds a project already: give another database", file=_shown(engine))
            yield connection
    except DBAPIError as error:
        raise BadInput(f"cannot be written ({_reason(error)})", file=_shown(engine)) from None
    finally:
        engine.dispose()


@contextmanager
def _prepared(engine: Engine, version: str) -> Iterator[Connection]:
    """A transaction in which the tables have a version. One at a time: others wait until it ends."""
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(engine.connect().execution_options(writes=True))
            stack.enter_context(connection.begin())
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATING})
            migrate(connection, version)
        except (DBAPIError, sqlite3.Error) as error:
            raise BadInput(f"cannot be opened ({_reason(error)})", file=_shown(engine)) from None
        except BadInput as error:
            raise error.within(file=_shown(engine)) from None
        yield connection


def _reason(error: DBAPIError | sqlite3.Error) -> str:
    return " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())


def _shown(engine: Engine) -> str:
    return engine.url.database or "" if engine.dialect.name == "sqlite" else shown_address(engine.url)


def _engine(address: URL | Path | str) -> Engine:
    if isinstance(address, Path):
        return _sqlite(address)
    url = read_address(address, kinds=POSTGRESQL, field="database") if isinstance(address, str) else address
    return _sqlite(Path(str(url.database))) if url.get_backend_name() == "sqlite" else _postgres(url)


def _postgres(url: URL) -> Engine:
    wait = {} if "connect_timeout" in url.query else {"connect_timeout": _WAIT}
    try:
        return create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=20, connect_args=wait)
    except (ModuleNotFoundError, NoSuchModuleError):
        raise MissingExtra("a project in PostgreSQL", "postgres") from None


def _sqlite(file: Path) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(file)), connect_args={"timeout": _PATIENCE / 1000}, pool_size=10
    )

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
