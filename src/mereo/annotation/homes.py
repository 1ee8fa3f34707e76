"""From what people type to where a project lives: a folder, or the address of a database."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL, Connection, select

from mereo.annotation.addresses import EITHER, POSTGRESQL, is_address, read_address, shown_address
from mereo.annotation.database import Database, new_database, open_database
from mereo.annotation.database_home import DatabaseHome, put_files, refuse_strangers
from mereo.annotation.home import FILE, Files, FolderHome, Home
from mereo.annotation.settings import Settings, read_settings
from mereo.annotation.tables import Mark
from mereo.errors import BadInput
from mereo.files import unwritable
from mereo.folders import new_folder

__all__ = ["New", "Opened", "new_home", "open_home"]

SQLITE = "annotation.db"


class Opened(NamedTuple):
    """What an open project stands on."""

    home: Home
    settings: Settings
    database: Database


@dataclass(frozen=True)
class New:
    """A project on its way: it is there when all was written, and never was when something went wrong."""

    name: str
    """What it is called if nobody says otherwise."""
    address: str
    """What its settings say of its database."""
    room: int | None
    """Bytes that it can take; nobody knows where the database is on another machine."""
    connection: Connection
    """Within the one transaction that makes it."""
    keep: Callable[[Files], None]


def open_home(place: str | Path) -> Opened:
    """What is at a place; an older database is brought to this version."""
    if is_address(str(place)):
        return _open_address(read_address(str(place), kinds=EITHER, field="project"))
    return _open_folder(Path(place))


@contextmanager
def new_home(place: str | Path, *, database: str = "", version: str = "head") -> Iterator[New]:
    """Begin a project at a place where none is.

    database : the address of PostgreSQL for a project in a folder; else it is SQLite
    version : of the tables that its rows are written into
    """
    if not is_address(str(place)):
        with _new_folder(Path(place), database, version) as new:
            yield new
        return
    if database:
        raise BadInput("a project at an address has its database there, so give no other", field="database")
    with _new_address(read_address(str(place), kinds=EITHER, field="project"), version) as new:
        yield new


def _open_folder(folder: Path) -> Opened:
    if not folder.is_dir():
        raise BadInput("there is no such folder: mereo annotate-new makes a project", file=folder)
    if not (folder / FILE).is_file():
        raise BadInput(f"is no project, since it has no {FILE}", file=folder)
    home = FolderHome(folder)
    settings = read_settings(home)
    if not settings.database and not (folder / SQLITE).is_file():
        raise BadInput(f"has no {SQLITE}", file=folder)
    database = open_database(settings.database or folder / SQLITE)
    return _checked(Opened(home, settings, database))


def _open_address(url: URL) -> Opened:
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).is_file():
        raise BadInput("there is no such file: mereo annotate-new makes a project", file=shown_address(url))
    database = open_database(url, check=refuse_strangers)
    home = DatabaseHome(shown_address(url), database)
    try:
        settings = read_settings(home)
    except BadInput:
        database.close()
        raise
    return _checked(Opened(home, settings, database))


def _checked(opened: Opened) -> Opened:
    with opened.database.reading() as session:
        right = session.scalar(select(Mark.project)) == opened.settings.id
    if not right:
        opened.database.close()
        raise BadInput("is that of another project", file=opened.home.place(FILE), field="database")
    return opened


@contextmanager
def _new_folder(folder: Path, database: str, version: str) -> Iterator[New]:
    url = read_address(database, kinds=POSTGRESQL, field="database") if database else None
    with new_folder(folder) as scratch, new_database(url or scratch / SQLITE, version=version) as connection:
        address = url.render_as_string(hide_password=False) if url else ""
        name, room = folder.resolve().name, shutil.disk_usage(scratch).free
        yield New(name, address, room, connection, FolderHome(scratch).keep)
    folder.chmod(0o700)  # the hashes of passwords are nobody else's business


@contextmanager
def _new_address(url: URL, version: str) -> Iterator[New]:
    name = str(url.database)
    if url.get_backend_name() != "sqlite":
        with new_database(url, version=version) as connection:
            yield New(name, "", None, connection, partial(put_files, connection))
        return
    with _private(Path(name)) as file, new_database(url, version=version) as connection:
        room = shutil.disk_usage(file.resolve().parent).free
        yield New(file.stem, "", room, connection, partial(put_files, connection))


@contextmanager
def _private(file: Path) -> Iterator[Path]:
    """A file that nobody else may read, and that is gone if it was not there before and something goes wrong."""
    new = not file.exists()
    try:
        file.touch(mode=0o600)
    except OSError as error:
        raise unwritable(error, file) from None
    try:
        yield file
    except BaseException:
        if new:
            file.unlink()
        raise
