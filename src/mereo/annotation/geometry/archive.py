"""Zip archives of shapes, looked at before anything is unpacked: what they would grow to, and where to."""

from __future__ import annotations

import re
import stat
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from mereo.errors import BadInput
from mereo.files import chunks_of
from mereo.folders import new_folder

__all__ = ["unpack"]

_MOST_FILES = 20_000
_LARGEST = 1 << 31
"""Bytes, of all files together."""
_MOST_PACKED, _SMALL = 200, 1 << 20
"""How many times as large a file may become; small ones may become larger."""
_KEPT = (".obj", ".glb", ".ply", ".stl", ".json", ".txt", ".bin")
"""The files that shapes are made of; others stay in the archive."""


def unpack(archive: Path, target: Path) -> None:
    """Unpack an archive as a new folder, whole or not at all. Names get plain letters, and none leads out of it."""
    if archive.is_symlink():
        raise BadInput("is a link: bring in the file itself", file=archive)
    try:
        with ZipFile(archive) as opened:
            chosen = _checked(opened, archive)
            with new_folder(target) as scratch:
                for name, entry in chosen.items():
                    _write(opened, entry, scratch / name, archive)
    except FileNotFoundError:
        raise BadInput("there is no such file", file=archive) from None
    except (BadZipFile, EOFError, NotImplementedError, OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInput(f"is not a whole zip archive ({reason[:80]})", file=archive) from None


def _checked(opened: ZipFile, archive: Path) -> dict[str, ZipInfo]:
    """The entries to unpack by the paths that they get."""
    entries = opened.infolist()
    if len(entries) > _MOST_FILES:
        raise BadInput(f"has {len(entries):,} files, more than {_MOST_FILES:,}", file=archive)
    total = sum(entry.file_size for entry in entries)
    if total > _LARGEST:
        raise BadInput(f"would grow to {total >> 20:,} MiB, more than {_LARGEST >> 20:,}", file=archive)
    found: dict[str, ZipInfo] = {}
    for entry in entries:
        record = f"entry '{entry.filename[:60]}'"
        _refuse(entry, archive, record)
        path = PurePosixPath(entry.filename)
        hidden = any(step.startswith(".") or step == "__MACOSX" for step in path.parts)
        if entry.is_dir() or hidden or path.suffix.lower() not in _KEPT:
            continue
        name = _plain(path)
        if name in found:
            raise BadInput("has the same name as another, as far as plain letters go", file=archive, record=record)
        found[name] = entry
    if not found:
        raise BadInput(f"holds no shape: no file in it ends in {', '.join(_KEPT[:4])}", file=archive)
    return found


def _plain(path: PurePosixPath) -> str:
    """A path of plain letters."""
    return "/".join(re.sub(r"[^\w.-]+|^[^\w]+", "_", step[-150:]) for step in path.parts)


def _refuse(entry: ZipInfo, archive: Path, record: str) -> None:
    path = PurePosixPath(entry.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or re.match(r"[A-Za-z]:", entry.filename):
        raise BadInput("leads out of the archive", file=archive, record=record)
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise BadInput("is a link: bring in the file itself", file=archive, record=record)
    if entry.flag_bits & 1:
        raise BadInput("is encrypted", file=archive, record=record)
    if entry.file_size > max(_SMALL, _MOST_PACKED * entry.compress_size):
        times = entry.file_size // max(entry.compress_size, 1)
        raise BadInput(f"would grow to {times:,} times its size, more than {_MOST_PACKED}", file=archive, record=record)


def _write(opened: ZipFile, entry: ZipInfo, target: Path, archive: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    left = entry.file_size
    with opened.open(entry) as source, target.open("xb") as file:
        for chunk in chunks_of(source):
            left -= len(chunk)
            if left < 0:
                raise BadInput("is larger than the archive says", file=archive, record=f"entry '{entry.filename[:60]}'")
            file.write(chunk)
