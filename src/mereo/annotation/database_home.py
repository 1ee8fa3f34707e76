"""A project that lives wholly in a database: its files are rows of the table `files`, a chunk each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, delete, select, text

from mereo.annotation.database import Database
from mereo.annotation.home import FILE, Files, Home
from mereo.annotation.tables import File, Mark
from mereo.errors import BadInput

__all__ = ["DatabaseHome", "put_files", "refuse_strangers"]

_LONGEST = 1_000
"""Bytes of a name, since an index of PostgreSQL holds no more than 2,700."""
_PUT = text(
    "INSERT INTO files (name, place, content) VALUES (:name, :place, :content) "
    "ON CONFLICT (name, place) DO UPDATE SET content = excluded.content"
)
"""Of two who write the same file at once, the second waits at its first chunk, and then writes over all of them."""


@dataclass(frozen=True)
class DatabaseHome(Home):
    """A project at an address."""

    shown: str
    """The address without its password."""
    database: Database

    def __str__(self) -> str:
        """The address as people may see it."""
        return self.shown

    def place(self, name: str) -> str:
        """The address and the name."""
        return f"{self.shown}, {name}"

    def has(self, name: str) -> bool:
        """Whether its first chunk is there."""
        with self.database.reading() as session:
            return session.scalar(select(File.place).where(File.name == name, File.place == 0)) is not None

    def chunks(self, name: str) -> Iterator[bytes]:
        """As they were written."""
        with self.database.reading() as session:
            place = 0
            while (chunk := _chunk(session.connection(), name, place)) is not None:
                yield chunk
                place += 1
        if not place:
            raise BadInput("there is no such file", file=self.place(name))

    def names(self, folder: str) -> list[str]:
        """In the order of their letters, whatever the database holds for that."""
        below = File.name.startswith(f"{folder}/", autoescape=True)
        with self.database.reading() as session:
            return sorted(session.scalars(select(File.name).where(File.place == 0, below)))

    def keep(self, files: Files) -> None:
        """All or none."""
        with self.database.writing() as session:
            put_files(session.connection(), files)

    def scratch(self) -> AbstractContextManager[str]:
        """Wherever this machine has its temporary files."""
        return TemporaryDirectory(prefix="mereo-annotate-")

    def beside(self, path: str) -> Path:
        """From where the server was started, since a database is nowhere."""
        return Path(path)


def put_files(connection: Connection, files: Files) -> None:
    """Write files within a transaction."""
    for name, chunks in files:
        _check_name(name)
        count = 0
        for chunk in _at_least_one(chunks):
            connection.execute(_PUT, {"name": name, "place": count, "content": chunk})
            count += 1
        connection.execute(delete(File).where(File.name == name, File.place >= count))


def refuse_strangers(connection: Connection) -> None:
    """Raise where a database holds no project, or that of a folder."""
    if connection.scalar(select(Mark.project)) is None:
        raise BadInput("holds no project: mereo annotate-new makes one")
    if connection.scalar(select(File.place).where(File.name == FILE, File.place == 0)) is None:
        raise BadInput("belongs to a project that is a folder: give that folder")


def _chunk(connection: Connection, name: str, place: int) -> bytes | None:
    return connection.scalar(select(File.content).where(File.name == name, File.place == place))


def _at_least_one(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """An empty file has an empty chunk, so that it is there."""
    empty = True
    for chunk in chunks:
        yield chunk
        empty = False
    if empty:
        yield b""


def _check_name(name: str) -> None:
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        raise BadInput("has a name that is not UTF-8", file=ascii(name)) from None
    if size > _LONGEST:
        raise BadInput(f"has a path of {size:,} bytes, more than {_LONGEST:,}", file=f"{name[:60]}…")
