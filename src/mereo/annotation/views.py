"""What is shown of works: values that nobody can change the database with."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple, get_args

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from mereo.annotation.actions import Action
from mereo.annotation.geometry.blobs import Corner, Kept
from mereo.annotation.state import State
from mereo.annotation.tables import Mesh
from mereo.annotation.workflow import Question

__all__ = [
    "STATUSES",
    "Acceptance",
    "Acted",
    "Deed",
    "PieceView",
    "ShapeView",
    "Status",
    "WorkRow",
    "WorkView",
    "keep_meshes",
    "piece_views",
]

Status = Literal["open", "finished", "accepted"]
STATUSES: tuple[Status, ...] = get_args(Status)


class ShapeView(NamedTuple):
    """A shape."""

    id: int
    name: str
    category: str


class PieceView(NamedTuple):
    """A piece of a work."""

    id: int
    digits: str
    triangles: int
    center: Corner
    size: Corner
    area: float
    closed: bool


class WorkRow(NamedTuple):
    """A work in a list."""

    id: int
    shape: ShapeView
    annotator: str
    status: Status
    number: int
    """How many actions it has."""
    seconds: float
    unfit: bool
    merged: bool
    """Whether a reviewer made it of the works of others."""
    begun: datetime
    touched: datetime
    remark: str
    """What the last reviewer said."""


class WorkView(NamedTuple):
    """A work as it stands."""

    row: WorkRow
    state: State
    question: Question
    pieces: list[PieceView]
    mine: bool
    """Whether whoever asks is its annotator."""


class Acted(NamedTuple):
    """What an action came to."""

    number: int
    state: State
    question: Question
    pieces: list[PieceView]
    """Those that were not there before."""


class Deed(NamedTuple):
    """One action of a history."""

    number: int
    who: str
    at: datetime
    action: Action


class Acceptance(NamedTuple):
    """A reviewer who found a work good. It is no action, since nothing in the work changes."""

    number: int
    """How many actions it had then."""
    who: str
    at: datetime
    remark: str


def keep_meshes(session: Session, facts: Iterable[Kept]) -> None:
    """Write down meshes that are not known yet."""
    for one in {fact.digits: fact for fact in facts}.values():
        if session.get(Mesh, one.digits) is None:
            low, high = (np.array(corner, np.float64).tobytes() for corner in (one.low, one.high))
            row = Mesh(digits=one.digits, triangles=one.triangles, low=low, high=high, area=one.area, closed=one.closed)
            session.add(row)
    session.flush()


def piece_views(session: Session, state: State, wanted: Iterable[int] | None = None) -> list[PieceView]:
    """Some pieces of a state, or all."""
    numbers = list(state.pieces if wanted is None else wanted)
    if not numbers:
        return []
    digits = {state.pieces[number] for number in numbers}
    rows = {row.digits: row for row in session.scalars(select(Mesh).where(Mesh.digits.in_(digits)))}
    return [_piece_view(number, rows[state.pieces[number]]) for number in numbers]


def _piece_view(number: int, row: Mesh) -> PieceView:
    low, high = np.frombuffer(row.low), np.frombuffer(row.high)
    center, size = _corner((low + high) / 2), _corner(high - low)
    return PieceView(number, row.digits, row.triangles, center, size, row.area, row.closed)


def _corner(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Corner:
    x, y, z = values.tolist()
    return x, y, z
