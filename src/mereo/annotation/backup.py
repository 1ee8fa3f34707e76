"""A whole project as one file, while people work in it, and back: into a new folder, and either kind of database."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import msgspec

from mereo.annotation.database import check_address, open_database
from mereo.annotation.migrations import latest
from mereo.annotation.project import FILE, SQLITE, TEMPLATE, Project, Settings, written
from mereo.annotation.table_rows import dumped, fill
from mereo.errors import BadInput
from mereo.files import decode_json, new_file, write_bytes
from mereo.folders import new_folder

__all__ = ["back_up", "restore"]

_ABOUT = "backup.json"
_ROWS = "tables/{}.jsonl"
_FOLDERS = ("shapes", "meshes")
_CHUNK = 1 << 20


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
            for path in _files(project.folder):
                archive.write(path, path.relative_to(project.folder).as_posix())
            files = len(archive.infolist())
        return Extent(files, scratch.stat().st_size)


def _files(folder: Path) -> Iterator[Path]:
    if (folder / TEMPLATE).is_file():
        yield folder / TEMPLATE
    for name in _FOLDERS:
        for place, below, files in os.walk(folder / name):
            below[:] = sorted(one for one in below if not one.startswith("."))
            paths = (Path(place) / file for file in sorted(files) if not file.startswith("."))
            yield from (path for path in paths if not path.is_symlink())


def restore(source: Path, folder: Path, *, database: str = "") -> Project:
    """Make a project of a backup, in a new folder. database : the address of PostgreSQL, else it is SQLite"""
    address = check_address(database) if database else ""
    try:
        with ZipFile(source) as archive:
            about = _about(archive, source)
            chosen = _checked(archive, source, folder)
            with new_folder(folder) as scratch:
                for name, entry in chosen.items():
                    _extract(archive, entry, scratch / name, source)
                settings = msgspec.structs.replace(about.settings, database=address)
                write_bytes(scratch / FILE, written(settings))
                opened = open_database(address or scratch / SQLITE, version=about.version)
                try:
                    fill(opened, {name: _lines(archive, name, source) for name in about.tables}, file=source)
                finally:
                    opened.close()
    except FileNotFoundError:
        raise BadInput("there is no such file", file=source) from None
    except (BadZipFile, EOFError, NotImplementedError) as error:
        raise BadInput(f"is no whole backup ({error})", file=source) from None
    folder.chmod(0o700)
    return Project.open(folder)


def _about(archive: ZipFile, source: Path) -> _About:
    if _ABOUT not in archive.namelist():
        raise BadInput(f"is no backup of a project: it has no {_ABOUT}", file=source)
    return decode_json(archive.read(_ABOUT), file=source, type=_About)


def _checked(archive: ZipFile, source: Path, target: Path) -> dict[str, ZipInfo]:
    """The files to bring back, by their place in the folder. Whatever leads elsewhere is refused before anything is
    written."""
    chosen = {}
    for entry in archive.infolist():
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or not path.parts or {".", ".."} & set(path.parts) or "\\" in entry.filename:
            raise BadInput("leads out of the backup", file=source, record=f"entry '{entry.filename[:60]}'")
        if path.parts[0] in _FOLDERS and len(path.parts) > 1 and not entry.is_dir():
            chosen[str(path)] = entry
        elif str(path) == TEMPLATE:
            chosen[TEMPLATE] = entry
        elif str(path) != _ABOUT and path.parts[0] != PurePosixPath(_ROWS).parts[0]:
            raise BadInput("belongs to no project", file=source, record=f"entry '{entry.filename[:60]}'")
    size, free = sum(entry.file_size for entry in archive.infolist()), _free(target)
    if size > free:
        raise BadInput(f"would take {size >> 20:,} MiB, of which {free >> 20:,} are free", file=source)
    return chosen


def _free(target: Path) -> int:
    place = next(path for path in [target.resolve(), *target.resolve().parents] if path.is_dir())
    return shutil.disk_usage(place).free


def _extract(archive: ZipFile, entry: ZipInfo, target: Path, source: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    digits = hashlib.sha256()
    with archive.open(entry) as packed, target.open("xb") as file:
        while chunk := packed.read(_CHUNK):
            digits.update(chunk)
            file.write(chunk)
    if target.parent.name == "meshes" and target.stem != digits.hexdigest():
        raise BadInput("does not hold the mesh that it is named after", file=source, record=f"entry '{entry.filename}'")


def _lines(archive: ZipFile, table: str, source: Path) -> Iterator[bytes]:
    try:
        with archive.open(_ROWS.format(table)) as file:
            yield from file
    except KeyError:
        raise BadInput(f"has no rows of '{table}'", file=source) from None
