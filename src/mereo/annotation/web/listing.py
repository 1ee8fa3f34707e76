"""What pages list: shapes with their works, and what was done in a work, in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import NamedTuple

import msgspec
from sqlalchemy import select

from mereo.annotation.accounts import Person
from mereo.annotation.actions import Action
from mereo.annotation.project import Project
from mereo.annotation.queue import acceptances
from mereo.annotation.rows import shape_view, work_rows
from mereo.annotation.state import State, after
from mereo.annotation.store import Store
from mereo.annotation.tables import Shape, Work
from mereo.annotation.views import ShapeView, WorkRow
from mereo.annotation.web.service import HERE, words
from mereo.files import read_toml

__all__ = ["Listed", "Told", "all_shapes", "told"]


class Listed(NamedTuple):
    """A shape with all works of it."""

    shape: ShapeView
    works: list[WorkRow]

    @property
    def pairs(self) -> list[tuple[WorkRow, WorkRow]]:
        """Each work beside the one before."""
        return list(zip(self.works, self.works[1:], strict=False))


def all_shapes(project: Project) -> list[Listed]:
    """Every shape of a project, by name."""
    with project.database.reading() as session:
        shapes = [shape_view(project, row) for row in session.scalars(select(Shape).order_by(Shape.name))]
        works = work_rows(session, project, Work.id > 0)
    by_shape: dict[int, list[WorkRow]] = {}
    for row in works:
        by_shape.setdefault(row.shape.id, []).append(row)
    return [Listed(shape, by_shape.get(shape.id, [])) for shape in shapes]


class Told(NamedTuple):
    """One line of the history of a work."""

    number: int
    """How many steps the work had then."""
    who: str
    said: str
    at: datetime


def told(store: Store, work: int, person: Person) -> list[Told]:
    """Who did what in a work and when, the last first."""
    state = store.version(work, person, 0)
    deeds = []
    for deed in store.history(work, person):
        before, state = state, after(state, deed.action)
        deeds.append(Told(deed.number, deed.who, _words(deed.action, before), deed.at))
    judged = (
        Told(
            one.number,
            one.who,
            _patterns()["accept_with" if one.remark else "accept"].format(remark=one.remark),
            one.at,
        )
        for one in acceptances(store, work, person)
    )
    return sorted([*deeds, *judged], key=lambda one: (one.number, one.at), reverse=True)


def _words(action: Action, state: State) -> str:
    """What an annotator did, as people say it. state : as the work stood before"""
    fields = msgspec.structs.asdict(action)
    pieces = fields.get("pieces") or ()
    if "child" in fields:
        fields["child"] = words(fields["child"])
    if "part" in fields:
        fields["part"] = words(state.parts[fields["part"] or 0].name)
    fields["count"] = fields.get("count", len(pieces))
    fields["s"] = "" if fields["count"] == 1 else "s"
    return _patterns()[type(action).__name__.lower()].format(**fields)


@cache
def _patterns() -> Mapping[str, str]:
    patterns: dict[str, str] = read_toml(HERE / "wording.toml")["deeds"]
    return patterns
