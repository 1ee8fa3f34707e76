"""The shapes of a project: what was brought in, and of which pieces each began."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from mereo.annotation.geometry.blobs import Kept
from mereo.annotation.project import Project
from mereo.annotation.rows import shape_view
from mereo.annotation.tables import Mesh, Piece, Shape, now
from mereo.annotation.views import ShapeView, keep_meshes
from mereo.errors import BadInput
from mereo.names import plain_name

__all__ = ["add_shape", "has_mesh", "shape_views"]

_DIGITS = re.compile(r"[0-9a-f]{64}")


def add_shape(
    project: Project, name: str, pieces: Sequence[tuple[str, Kept]], *, file: str = "", frame: str = ""
) -> int:
    """Write down a shape whose meshes are kept already, and give its number.

    pieces : the name of each in the file, and its mesh
    file : the name of the file or folder that it was brought in as
    frame : how it lay in its file, as JSON
    """
    plain_name(name, record=f"shape {name}")
    if not pieces:
        raise BadInput("has no pieces", record=f"shape {name}")
    try:
        with project.database.writing() as session:
            keep_meshes(session, (facts for _, facts in pieces))
            row = Shape(name=name, file=file, frame=frame, begun=now(), assigned=0)
            session.add(row)
            session.flush()
            session.add_all(
                Piece(shape_id=row.id, number=number, digits=facts.digits, name=called[:200])
                for number, (called, facts) in enumerate(pieces)
            )
            return row.id
    except IntegrityError:
        raise BadInput("there is a shape of this name already", record=f"shape {name}") from None


def shape_views(project: Project) -> list[ShapeView]:
    """All shapes."""
    with project.database.reading() as session:
        return [shape_view(project, row) for row in session.scalars(select(Shape).order_by(Shape.id))]


def has_mesh(project: Project, digits: str) -> bool:
    """Whether a mesh is one of this project's."""
    if not _DIGITS.fullmatch(digits):
        return False
    with project.database.reading() as session:
        return session.get(Mesh, digits) is not None
