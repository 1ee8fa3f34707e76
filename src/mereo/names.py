"""Names that become paths: somebody else's dataset may call its scenes anything, and must not lead a file astray."""

from __future__ import annotations

import re
from pathlib import Path

from mereo.errors import BadInput

__all__ = ["inside", "plain_name"]

_PLAIN = re.compile(r"\w[\w.-]{0,199}")
"""No separators, no hidden files, nothing that a shell or another system would understand otherwise."""


def plain_name(name: str, *, file: object = None, record: str | None = None, field: str | None = None) -> str:
    """A name as it is, if it may become that of a file or a folder."""
    if not _PLAIN.fullmatch(name):
        shown = name if len(name) <= 60 else f"{name[:60]}…"
        reason = f"{shown!r} cannot become the name of a file: take letters, digits, '.', '_' and '-'"
        raise BadInput(reason, file=file, record=record, field=field)
    return name


def inside(
    folder: Path, name: str, *, file: object = None, record: str | None = None, field: str | None = None
) -> Path:
    """The path that a name with slashes has in a folder: every step is plain, and no link leads out of it."""
    for step in name.split("/"):
        plain_name(step, file=file, record=record, field=field)
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadInput(f"'{name}' leads out of its folder", file=file, record=record, field=field)
    return path
