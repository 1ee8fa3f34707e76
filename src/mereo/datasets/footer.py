"""What a Parquet file says of who wrote it."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa

__all__ = ["LAYOUT", "name_layout"]

LAYOUT = "22.0.0"
"""The version of Arrow since which the same rows give the same bytes; that of `pyproject.toml`'s lower bound."""
_WRITER = "parquet-cpp-arrow version "


def name_layout(path: Path) -> None:
    """Let a file name the version that its layout is of, not the one that happened to write it.

    All else is the same with every version that we allow, so that the same seed gives the same bytes. Which version was
    there is kept in `dataset.json`.
    """
    written, layout = (f"{_WRITER}{version}".encode() for version in (pa.__version__, LAYOUT))
    if len(written) != len(layout):  # the place has a fixed size
        return
    with path.open("r+b") as file:
        file.seek(-8, os.SEEK_END)
        size = int.from_bytes(file.read(4), "little")
        start = file.seek(-8 - size, os.SEEK_END)
        found = file.read(size).rfind(written)
        if found >= 0:
            file.seek(start + found)
            file.write(layout)
