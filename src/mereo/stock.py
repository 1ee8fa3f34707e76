"""The stock: what takes long to make and follows from a few words alone, kept on disk for all processes.

    STOCK/shapes/3f2a90c41b7d5e88/0c/0c41f3...    one value; the folder's name stands for the code that makes it

Whatever is missing or damaged is made again, and where nothing can be kept all is made when it is needed: with a full
stock, an empty one and none the values are the same, bit for bit. When the stock has grown too large, what was made
first is thrown away, which is what older code has left before all else.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from mereo.caches import lasting_cache
from mereo.errors import BadInput
from mereo.files import sync_later, write_bytes
from mereo.packing import packed, unpacked

__all__ = ["MOST", "Stock", "code_digits", "is_stocked", "stock", "stocked"]

MOST = 8 << 30
"""Bytes that the stock may hold."""
_LOOK = "00"
"""Whoever writes a file whose digits begin so looks how large the stock is: one in 256, whatever process it is."""
_PACKAGES = ("numpy", "manifold3d")
"""What decides beside our code what a value is."""


class Stock(NamedTuple):
    """What is kept."""

    place: Path
    files: int
    bytes: int


def stocked(kind: str, name: str, make: Callable[[], Any], *, code: str) -> Any:
    """A plain value from the stock; made, and kept, where it is not there.

    kind : the folder in the stock; name : what the value follows from, whole; code : the digits of the code of `make`
    """
    path = _path(kind, name, code)
    if path is not None:
        with suppress(OSError, ValueError):  # not there, or damaged
            return unpacked(path.read_bytes())
    data = packed(make())
    if path is not None:
        _keep(path, data)
    return unpacked(data)  # as if it had been read, so that not even the layout of arrays differs


def is_stocked(kind: str, name: str, *, code: str) -> bool:
    """Whether a value is there, damaged or not."""
    path = _path(kind, name, code)
    return path is not None and path.exists()


def stock() -> Stock | None:
    """All that is kept; None where nothing can be."""
    place = lasting_cache("stock")
    if place is None:
        return None
    sizes = [size for _, size, _ in _files(place)]
    return Stock(place, len(sizes), sum(sizes))


@cache
def code_digits(*places: Path) -> str:
    """What stands for code: the content of these files, and of all Python and TOML files in these folders."""
    told = hashlib.sha256(f"{platform.machine()} {[_version(package) for package in _PACKAGES]}".encode())
    for place in places:
        files = [place] if place.is_file() else sorted([*place.rglob("*.py"), *place.rglob("*.toml")])
        for file in files:
            told.update(f"\n{file.relative_to(place.parent)}\n".encode() + file.read_bytes())
    return told.hexdigest()[:16]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _path(kind: str, name: str, code: str) -> Path | None:
    place = lasting_cache("stock")
    digits = hashlib.sha256(name.encode()).hexdigest()[:40]
    return place / kind / code / digits[:2] / digits if place else None


def _keep(path: Path, data: bytes) -> None:
    """Keep a value if that can be done. Files appear whole; one that a power cut spoils is found damaged."""
    with suppress(BadInput, OSError), sync_later():  # a full disk, say: whoever needs the value has it
        write_bytes(path, data)
        if path.name.startswith(_LOOK):
            _thin_out(path.parents[3])


def _thin_out(place: Path) -> None:
    """Throw away what was made first, where all together is too large."""
    files = sorted(_files(place))
    over = sum(size for _, size, _ in files) - MOST
    for _, size, path in files:
        if over <= 0:
            return
        path.unlink(missing_ok=True)
        over -= size


def _files(place: Path) -> Iterator[tuple[float, int, Path]]:
    """When each file was made, its bytes and its path; those that vanish meanwhile are left out."""
    for path in place.rglob("*"):
        try:
            told = path.stat()
        except OSError:
            continue
        if path.is_file():
            yield told.st_mtime, told.st_size, path
