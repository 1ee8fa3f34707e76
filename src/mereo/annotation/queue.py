"""Who annotates what next, who verifies it, and how far a project has come."""

from __future__ import annotations

from contextlib import suppress
from statistics import median
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Select, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from mereo.annotation.accounts import Person
from mereo.annotation.project import Project
from mereo.annotation.rows import work_rows
from mereo.annotation.state import checked_text
from mereo.annotation.store import NotFound, Store
from mereo.annotation.tables import Account, Shape, Verdict, Work, by_number, now
from mereo.annotation.views import Acceptance, WorkRow
from mereo.errors import BadInput

__all__ = [
    "Progress",
    "Share",
    "acceptances",
    "merge_work",
    "my_works",
    "next_review",
    "next_work",
    "progress",
    "start_work",
    "verdict",
    "waiting",
]


class Share(NamedTuple):
    """What one annotator did."""

    annotator: str
    open: int
    finished: int
    accepted: int
    rejections: int
    """How often a work was given back."""
    seconds: float
    median_seconds: float
    """Of the works that were given to review."""


class Progress(NamedTuple):
    """How far a project has come."""

    shapes: int
    wanted: int
    """Works that there should be in the end."""
    open: int
    finished: int
    """Works that wait for a reviewer."""
    accepted: int
    unfit: int
    """Works that say that the shape cannot be annotated."""
    complete: int
    """Shapes of which all works are accepted, or one that was merged of them."""
    seconds: float
    median_seconds: float
    by_annotator: list[Share]


def next_work(project: Project, person: Person) -> int | None:
    """The work that somebody should go on with: one's own that is open, else one of a shape that needs more."""
    with project.database.reading() as session:
        own = select(Work.id).where(Work.account_id == person.id, Work.status == "open").order_by(Work.touched)
        found = session.scalars(own.limit(1)).first()
        wanted = session.scalars(_needy(project, person)).all() if found is None else []
    if found is not None:
        return found
    started = (start_work(project, person, shape) for shape in wanted)
    return next((work for work in started if work is not None), None)


def _needy(project: Project, person: Person) -> Select[int]:
    """Shapes that need more annotators, and have not had this one: those come first that others have begun."""
    mine = select(Work.shape_id).where(Work.account_id == person.id)
    needy = Shape.assigned < project.settings.annotators
    return select(Shape.id).where(needy, Shape.id.not_in(mine)).order_by(Shape.assigned.desc(), Shape.id)


def start_work(project: Project, person: Person, shape: int) -> int | None:
    """Begin a work of a shape; nothing where it has annotators enough, or this one already."""
    enough = project.settings.annotators
    try:
        with project.database.writing() as session:
            if by_number(session, Shape, shape) is None:
                return None
            query = update(Shape).where(Shape.id == shape, Shape.assigned < enough)
            taken = session.scalar(query.values(assigned=Shape.assigned + 1).returning(Shape.id))
            if taken is None:
                return None
            work = _fresh(shape, person)
            session.add(work)
            session.flush()
            return work.id
    except IntegrityError:  # this person has one of it
        return None


def merge_work(project: Project, person: Person, shape: int) -> int:
    """The work in which a reviewer merges those of others; it is none of those that a shape needs."""
    with suppress(IntegrityError), project.database.writing() as session:  # where there is one already
        session.add(_fresh(shape, person, merged=True))
    with project.database.reading() as session:
        work = session.scalars(select(Work).where(Work.shape_id == shape, Work.account_id == person.id)).one()
        if not work.merged:
            raise BadInput("is your own annotation of this shape: somebody else merges it", record=f"work {work.id}")
        return work.id


def _fresh(shape: int, person: Person, *, merged: bool = False) -> Work:
    at = now()
    return Work(
        shape_id=shape,
        account_id=person.id,
        status="open",
        number=0,
        seconds=0.0,
        unfit=False,
        merged=merged,
        begun=at,
        touched=at,
    )


def my_works(project: Project, person: Person) -> list[WorkRow]:
    """All works of somebody."""
    with project.database.reading() as session:
        return work_rows(session, project, Work.account_id == person.id)


def waiting(project: Project, person: Person) -> list[WorkRow]:
    """The works that somebody may verify: those of others that are finished."""
    if not person.reviews:
        return []
    with project.database.reading() as session:
        rows = work_rows(session, project, (Work.status == "finished") & (Work.account_id != person.id))
    return sorted(rows, key=lambda row: row.touched)


def next_review(project: Project, person: Person) -> int | None:
    """The work that has waited for a reviewer longest."""
    return next((row.id for row in waiting(project, person)), None)


def verdict(store: Store, work: int, person: Person, *, accept: bool, remark: str) -> None:
    """Accept a work, or give it back with a remark. Nobody judges a work of their own."""
    checked_text(remark, "remark", needed=False)
    if not accept and not remark.strip():
        raise BadInput("say what is to be mended", record=f"work {work}", field="remark")
    with store.project.database.writing() as session:
        row = by_number(session, Work, work, lock=True)
        if row is None or not person.reviews:
            raise NotFound(f"there is no work {work} to judge")
        if row.account_id == person.id:
            raise BadInput("is your own: somebody else judges it", record=f"work {work}")
        if row.status == "open" or (accept and row.status == "accepted"):
            raise BadInput(f"is {row.status}: there is nothing to judge", record=f"work {work}")
        said = Verdict(work_id=work, account_id=person.id, at=now(), accepted=accept, remark=remark, number=row.number)
        session.add(said)
        if accept:
            row.status = "accepted"
        else:
            store.reopen(session, row, person, remark, str(uuid4()))


def acceptances(store: Store, work: int, person: Person) -> list[Acceptance]:
    """Who accepted a work and when, the first one first."""
    store.open_work(work, person)
    query = select(Verdict, Account.name).join(Account).where(Verdict.work_id == work, Verdict.accepted.is_(True))
    with store.project.database.reading() as session:
        found = session.execute(query.order_by(Verdict.id))
        return [Acceptance(said.number, name, said.at, said.remark) for said, name in found]


def progress(project: Project) -> Progress:
    """How far everybody has come."""
    with project.database.reading() as session:
        shapes = session.scalar(select(func.count(Shape.id))) or 0
        rows = work_rows(session, project, Work.id > 0)
        rejections = _rejections(session)
    enough = project.settings.annotators
    complete: dict[int, int] = {}
    for row in rows:
        if row.status == "accepted":
            complete[row.shape.id] = complete.get(row.shape.id, 0) + (enough if row.merged else 1)
    total = _share("", rows, 0)
    return Progress(
        shapes=shapes,
        wanted=shapes * enough,
        open=total.open,
        finished=total.finished,
        accepted=total.accepted,
        unfit=sum(row.unfit for row in rows),
        complete=sum(accepted >= enough for accepted in complete.values()),
        seconds=total.seconds,
        median_seconds=total.median_seconds,
        by_annotator=[
            _share(name, [row for row in rows if row.annotator == name], rejections.get(name, 0))
            for name in sorted({row.annotator for row in rows})
        ],
    )


def _rejections(session: Session) -> dict[str, int]:
    query = (
        select(Account.name, func.count(Verdict.id))
        .select_from(Verdict)
        .join(Work, Verdict.work_id == Work.id)
        .join(Account, Work.account_id == Account.id)
        .where(Verdict.accepted.is_(False))
        .group_by(Account.name)
    )
    return dict(session.execute(query).all())


def _share(name: str, rows: list[WorkRow], rejections: int) -> Share:
    done = [row.seconds for row in rows if row.status != "open"]
    states = [row.status for row in rows]
    return Share(
        annotator=name,
        open=states.count("open"),
        finished=states.count("finished"),
        accepted=states.count("accepted"),
        rejections=rejections,
        seconds=sum(row.seconds for row in rows),
        median_seconds=median(done) if done else 0.0,
    )
