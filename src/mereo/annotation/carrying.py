"""Annotations carried into a project whose template tells fewer parts apart, and said in its names.

The project that they come from stays as it is, with all its versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from mereo.annotation.actions import Action, Finish, encoded
from mereo.annotation.home import KEPT
from mereo.annotation.project import Project
from mereo.annotation.restating import restated
from mereo.annotation.store import Store, Whole
from mereo.annotation.tables import Account, Act, Base, Mesh, Piece, Shape, Work, now

__all__ = ["Carried", "carry"]

Row = TypeVar("Row", bound=Base)
Numbered = TypeVar("Numbered", Account, Shape)


class Carried(NamedTuple):
    """How much came over."""

    people: int
    shapes: int
    works: int


def carry(old: Project, new: Project) -> Carried:
    """Carry shapes, accounts and all works into a project without any.

    A work has the actions that lead to what it is, in the new names, at once. One that was finished or accepted waits
    for a reviewer, since its names are others now.
    """
    new.home.keep((name, old.home.chunks(name)) for folder in KEPT for name in old.home.names(folder))
    works = Store(old).everything()
    with old.database.reading() as source, new.database.writing() as session:
        session.add_all(_copies(source, Mesh))
        session.flush()
        people = _numbered(source, session, Account)
        shapes = _numbered(source, session, Shape)
        for piece in source.scalars(select(Piece)):
            session.add(_copy(piece, shape_id=shapes[piece.shape_id]))
        for work in works:
            row = _copy(work.row, id=None, shape_id=shapes[work.row.shape_id], account_id=people[work.row.account_id])
            _write(session, row, _told(new, work))
    return Carried(len(people), len(shapes), len(works))


def _told(new: Project, work: Whole) -> list[Action]:
    actions = restated(new.tree, work)
    return actions if work.row.status == "open" else [*actions, Finish()]


def _write(session: Session, row: Work, actions: list[Action]) -> None:
    row.number, row.status = len(actions), "finished" if row.status != "open" else "open"
    session.add(row)
    session.flush()
    at = now()
    for number, action in enumerate(actions, start=1):
        key = str(uuid4())
        session.add(Act(work_id=row.id, number=number, key=key, account_id=row.account_id, at=at, body=encoded(action)))


def _numbered(source: Session, session: Session, table: type[Numbered]) -> dict[int, int]:
    """Copy all rows of a table; by the numbers that they had the ones that they get."""
    found: dict[int, int] = {}
    for row in source.scalars(select(table).order_by(table.id)):
        made = _copy(row, id=None)
        session.add(made)
        session.flush()
        found[row.id] = made.id
    return found


def _copies(source: Session, table: type[Row]) -> Iterator[Row]:
    return (_copy(row) for row in source.scalars(select(table)))


def _copy(row: Row, **other: int | None) -> Row:
    values = {column.name: getattr(row, column.name) for column in row.__table__.columns} | other
    return type(row)(**{name: value for name, value in values.items() if name != "id" or value is not None})
