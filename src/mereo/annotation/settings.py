"""What is settled when a project is begun, as `project.toml` has it."""

from __future__ import annotations

import json

import msgspec

from mereo.annotation.home import FILE, Home
from mereo.files import converted, decode_toml

__all__ = ["Settings", "read_settings", "written"]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in `project.toml`."""

    id: str
    """What tells it from all other projects, so that a database is not taken for another's."""
    name: str
    category: str = ""
    """One of our categories, whose template is used; empty where the project has a template of its own."""
    annotators: int = 2
    """How many people annotate each shape."""
    database: str = ""
    """The address of PostgreSQL; empty for SQLite in the folder, and for a project that lives in a database."""
    predictions: str = ""
    """A folder of what networks said of the shapes, from the project's on; empty where the grammar proposes parts."""


def read_settings(home: Home) -> Settings:
    """The settings of a project that is there."""
    file = home.place(FILE)
    return converted(decode_toml(home.read(FILE), file=file), file=file, type=Settings)


def written(settings: Settings) -> bytes:
    """Settings as TOML; a text of JSON is one of TOML."""
    given = {name: value for name, value in msgspec.to_builtins(settings).items() if value != ""}
    return "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in given.items()).encode()
