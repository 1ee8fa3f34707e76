"""Works as lists show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from mereo.annotation.project import Project
from mereo.annotation.tables import Account, Shape, Verdict, Work
from mereo.annotation.views import STATUSES, ShapeView, Status, WorkRow

__all__ = ["shape_view", "work_row", "work_rows"]


def shape_view(project: Project, row: Shape) -> ShapeView:
    """A shape."""
    return ShapeView(row.id, row.name, project.tree.template.category)


def work_row(session: Session, project: Project, work: Work) -> WorkRow:
    """One work."""
    (row,) = work_rows(session, project, Work.id == work.id)
    return row


def work_rows(session: Session, project: Project, which: ColumnElement[bool]) -> list[WorkRow]:
    """Some works, the oldest first."""
    query = select(Work, Shape, Account.name).join(Shape).join(Account).where(which).order_by(Work.id)
    found = session.execute(query).all()
    remarks = _remarks(session, [work.id for work, _, _ in found])
    return [
        WorkRow(
            id=work.id,
            shape=shape_view(project, shape),
            annotator=name,
            status=_status(work.status),
            number=work.number,
            seconds=work.seconds,
            unfit=work.unfit,
            merged=work.merged,
            begun=work.begun,
            touched=work.touched,
            remark=remarks.get(work.id, ""),
        )
        for work, shape, name in found
    ]


def _remarks(session: Session, works: Iterable[int]) -> Mapping[int, str]:
    last = select(func.max(Verdict.id)).where(Verdict.work_id.in_(list(works))).group_by(Verdict.work_id)
    query = select(Verdict.work_id, Verdict.remark).where(Verdict.id.in_(last))
    return dict(session.execute(query).all())


def _status(status: str) -> Status:
    (known,) = (one for one in STATUSES if one == status)
    return known
