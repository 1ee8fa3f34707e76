"""A whole project as one file, while people work in it, and back: wherever a project can live."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import msgspec

from mereo.annotation.home import FILE, KEPT, TEMPLATE, Home
from mereo.annotation.homes import new_home
from mereo.annotation.migrations import latest
from mereo.annotation.project import Project
from mereo.annotation.settings import Settings, written
from mereo.annotation.table_rows import dumped, fill
from mereo.errors import BadInput
from mereo.files import chunks_of, decode_json, new_file

__all__ = ["back_up", "restore"]

_ABOUT = "backup.json"
_ROWS = "tables/{}.jsonl"


class _About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands at the head of a backup."""

    version: str
    """Of the tables."""
    settings: Settings
    tables: tuple[str, ...]


class Extent(NamedTuple):
    """How large a backup is."""

    files: int
    size: int
    """Bytes of the file."""


def back_up(project: Project, target: Path) -> Extent:
    """Write a project as one file. Sessions stay behind, and so does the address of the database.

    The rows are those of one moment. Files come after them: whatever a row speaks of is on the disk before the row is
    written, and never changes.
    """
    with new_file(target) as scratch:
        with ZipFile(scratch, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            with project.database.reading() as session:
                rows = dumped(session.connection())
                for table, lines in rows.items():
                    with archive.open(_ROWS.format(table), "w", force_zip64=True) as file:
                        for line in lines:
                            file.write(line)
            settings = msgspec.structs.replace(project.settings, database="")
            about = _About(latest(), settings, tuple(rows))
            archive.writestr(_ABOUT, msgspec.json.format(msgspec.json.encode(about)))
            for name in _names(project.home):
                with archive.open(name, "w", force_zip64=True) as file:
                    file.writelines(project.home.chunks(name))
            files = len(archive.infolist())
        return Extent(files, scratch.stat().st_size)


def _names(home: Home) -> list[str]:
    own = [TEMPLATE] if home.has(TEMPLATE) else []
    return [*own, *(name for folder in KEPT for name in home.names(folder))]


def restore(source: Path, place: str | Path, *, database: str = "") -> Project:
    """Make a project of a backup, where none is: in a new folder, or at the address of a database.

    database : the address of PostgreSQL for one in a folder, else it is SQLite
    """
    try:
        with ZipFile(source) as archive:
            about = _about(archive, source)
            chosen = _checked(archive, source)
            with new_home(place, database=database, version=about.version) as new:
                _refuse_size(archive, new.room, source)
                fill(new.connection, {name: _lines(archive, name, source) for name in about.tables}, file=source)
                settings = msgspec.structs.replace(about.settings, database=new.address)
                new.keep([(FILE, [written(settings)])])
                new.keep((name, _content(archive, entry, source)) for name, entry in chosen.items())
    except FileNotFoundError:
        raise BadInput("there is no such file", file=source) from None
    except (BadZipFile, EOFError, NotImplementedError, zlib.error) as error:
        raise BadInput(f"is no whole backup ({error})", file=source) from None
    return Project.open(place)


def _about(archive: ZipFile, source: Path) -> _About:
    if _ABOUT not in archive.namelist():
        raise BadInput(f"is no backup of a project: it has no {_ABOUT}", file=source)
    return decode_json(archive.read(_ABOUT), file=source, type=_About)


def _checked(archive: ZipFile, source: Path) -> dict[str, ZipInfo]:
    """The files to bring back, by their names. Whatever leads elsewhere is refused before anything is written."""
    chosen = {}
    for entry in archive.infolist():
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or not path.parts or {".", ".."} & set(path.parts) or "\\" in entry.filename:
            raise BadInput("leads out of the backup", file=source, record=f"entry '{entry.filename[:60]}'")
        if path.parts[0] in KEPT and len(path.parts) > 1 and not entry.is_dir():
            chosen[str(path)] = entry
        elif str(path) == TEMPLATE:
            chosen[TEMPLATE] = entry
        elif str(path) != _ABOUT and path.parts[0] != PurePosixPath(_ROWS).parts[0]:
            raise BadInput("belongs to no project", file=source, record=f"entry '{entry.filename[:60]}'")
    return chosen


def _refuse_size(archive: ZipFile, room: int | None, source: Path) -> None:
    size = sum(entry.file_size for entry in archive.infolist())
    if room is not None and size > room:
        raise BadInput(f"would take {size >> 20:,} MiB, of which {room >> 20:,} are free", file=source)


def _content(archive: ZipFile, entry: ZipInfo, source: Path) -> Iterator[bytes]:
    path, digits = PurePosixPath(entry.filename), hashlib.sha256()
    with archive.open(entry) as packed:
        for chunk in chunks_of(packed):
            digits.update(chunk)
            yield chunk
    if path.parent.name == "meshes" and path.stem != digits.hexdigest():
        raise BadInput("does not hold the mesh that it is named after", file=source, record=f"entry '{entry.filename}'")


def _lines(archive: ZipFile, table: str, source: Path) -> Iterator[bytes]:
    try:
        with archive.open(_ROWS.format(table)) as file:
            yield from file
    except KeyError:
        raise BadInput(f"has no rows of '{table}'", file=source) from None
