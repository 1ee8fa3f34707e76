"""A project: a template, shapes and meshes, and a database of accounts, works and actions; it lives in a folder, or
wholly in that database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from msgspec.structs import replace
from sqlalchemy import insert

from mereo.annotation.database import Database
from mereo.annotation.home import FILE, TEMPLATE, Home
from mereo.annotation.homes import new_home, open_home
from mereo.annotation.own_template import decode_tree, tree_named
from mereo.annotation.settings import Settings, written
from mereo.annotation.tables import Mark, now
from mereo.annotation.tree import Tree
from mereo.errors import BadInput
from mereo.files import read_bytes

__all__ = ["Project"]

_MOST_ANNOTATORS = 100
_LONGEST_NAME = 100


@dataclass(frozen=True)
class Project:
    """An open project."""

    home: Home
    settings: Settings
    tree: Tree
    database: Database

    @staticmethod
    def create(
        place: str | Path,
        *,
        category: str = "",
        template: Path | None = None,
        name: str = "",
        annotators: int = 2,
        database: str = "",
    ) -> Project:
        """A new project without shapes, with one of our templates or with one of its own.

        place : a folder, or the address of a database that holds no project
        database : the address of PostgreSQL for a project in a folder, else it is SQLite
        """
        if bool(category) == (template is not None):
            raise BadInput("a project has either one of our categories or a template of its own")
        own = read_bytes(template) if template is not None else None
        _tree(category, own, file=template)
        _check(name, annotators)
        with new_home(place, database=database) as new:
            settings = Settings(uuid4().hex, name or new.name, category, annotators, new.address)
            new.connection.execute(insert(Mark).values(project=settings.id, begun=now()))
            new.keep([(FILE, [written(settings)]), *([(TEMPLATE, [own])] if own is not None else [])])
        return Project.open(place)

    @staticmethod
    def open(place: str | Path) -> Project:
        """The project at a place; an older database is brought to this version."""
        home, settings, database = open_home(place)
        try:
            own = None if settings.category else home.read(TEMPLATE)
            return Project(home, settings, _tree(settings.category, own, file=home.place(TEMPLATE)), database)
        except BaseException:
            database.close()
            raise

    def settle(self, *, name: str | None, annotators: int | None, predictions: str | None) -> Settings:
        """Change some of the settings, for those who open the project from now on; all of them as they are then."""
        given = {"name": name, "annotators": annotators, "predictions": predictions}
        new = replace(self.settings, **{key: value for key, value in given.items() if value is not None})
        _check(new.name, new.annotators)
        if new != self.settings:
            self.home.write(FILE, written(new))
        return new

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def _check(name: str, annotators: int) -> None:
    if not 1 <= annotators <= _MOST_ANNOTATORS:
        raise BadInput(f"{annotators} is not within 1 to {_MOST_ANNOTATORS}", field="annotators")
    if not name.isprintable() or len(name) > _LONGEST_NAME:
        raise BadInput(f"must be at most {_LONGEST_NAME} characters that can be printed", field="name")


def _tree(category: str, own: bytes | None, *, file: object) -> Tree:
    return tree_named(category) if own is None else decode_tree(own, file=file)
