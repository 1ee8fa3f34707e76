"""A project: a folder with shapes, meshes and a template, and a database of accounts, works and actions."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import msgspec
from sqlalchemy import select

from mereo.annotation.database import Database, check_address, open_database
from mereo.annotation.own_template import own_tree, tree_named
from mereo.annotation.tables import Mark, now
from mereo.annotation.tree import Tree
from mereo.errors import BadInput
from mereo.files import converted, read_toml, write_bytes
from mereo.folders import new_folder

__all__ = ["FILE", "SQLITE", "TEMPLATE", "Project", "Settings", "read_settings", "written"]

FILE = "project.toml"
TEMPLATE = "template.toml"
SQLITE = "annotation.db"
_MOST_ANNOTATORS = 100
_LONGEST_NAME = 100


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
    """The address of PostgreSQL; empty for SQLite in the folder."""
    predictions: str = ""
    """A folder of what networks said of the shapes, from the project's on; empty where the grammar proposes parts."""


@dataclass(frozen=True)
class Project:
    """An open project."""

    folder: Path
    settings: Settings
    tree: Tree
    database: Database

    @property
    def meshes(self) -> Path:
        """Where the meshes of pieces lie."""
        return self.folder / "meshes"

    @property
    def shapes(self) -> Path:
        """Where the files lie that were brought in."""
        return self.folder / "shapes"

    @staticmethod
    def create(
        folder: Path,
        *,
        category: str = "",
        template: Path | None = None,
        name: str = "",
        annotators: int = 2,
        database: str = "",
    ) -> Project:
        """A new project without shapes, with one of our templates or with one of its own."""
        if bool(category) == (template is not None):
            raise BadInput("a project has either one of our categories or a template of its own")
        tree = own_tree(template) if template is not None else tree_named(category)
        if not 1 <= annotators <= _MOST_ANNOTATORS:
            raise BadInput(f"{annotators} is not within 1 to {_MOST_ANNOTATORS}", field="annotators")
        if not name.isprintable() or len(name) > _LONGEST_NAME:
            raise BadInput(f"must be at most {_LONGEST_NAME} characters that can be printed", field="name")
        address = check_address(database) if database else ""
        settings = Settings(uuid4().hex, name or folder.resolve().name, category, annotators, address)
        with new_folder(folder) as scratch:
            (scratch / "shapes").mkdir()
            (scratch / "meshes").mkdir()
            if template is not None:
                shutil.copyfile(template, scratch / TEMPLATE)
            write_bytes(scratch / FILE, written(settings))
            opened = open_database(address or scratch / SQLITE)
            try:
                _mark(opened, settings, folder)
            finally:
                opened.close()
        folder.chmod(0o700)  # the hashes of passwords are nobody else's business
        return Project(folder, settings, tree, open_database(address or folder / SQLITE))

    @staticmethod
    def open(folder: Path) -> Project:
        """A project that is there; an older database is brought to this version."""
        settings = read_settings(folder)
        tree = tree_named(settings.category) if settings.category else own_tree(folder / TEMPLATE)
        if not settings.database and not (folder / SQLITE).is_file():
            raise BadInput(f"has no {SQLITE}", file=folder)
        database = open_database(settings.database or folder / SQLITE)
        try:
            _check_mark(database, settings, folder)
        except BadInput:
            database.close()
            raise
        return Project(folder, settings, tree, database)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def read_settings(folder: Path) -> Settings:
    """What a project's file says."""
    if not folder.is_dir():
        raise BadInput("there is no such folder: mereo annotate-new makes a project", file=folder)
    if not (folder / FILE).is_file():
        raise BadInput(f"is no project, since it has no {FILE}", file=folder)
    return converted(read_toml(folder / FILE), file=folder / FILE, type=Settings)


def written(settings: Settings) -> bytes:
    """Settings as TOML; a text of JSON is one of TOML."""
    given = {name: value for name, value in msgspec.to_builtins(settings).items() if value != ""}
    return "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in given.items()).encode()


def _mark(database: Database, settings: Settings, folder: Path) -> None:
    with database.writing() as session:
        if session.scalar(select(Mark.project)) is not None:
            raise BadInput("is that of another project: give a new one", file=folder, field="database")
        session.add(Mark(project=settings.id, begun=now()))


def _check_mark(database: Database, settings: Settings, folder: Path) -> None:
    with database.reading() as session:
        if session.scalar(select(Mark.project)) != settings.id:
            raise BadInput("is that of another project", file=folder / FILE, field="database")
