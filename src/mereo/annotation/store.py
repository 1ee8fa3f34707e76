"""Works and their actions in the database: what an annotator does is on the disk before it is answered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from threading import Lock
from typing import NamedTuple, TypeVar
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from mereo.annotation.accounts import Person
from mereo.annotation.actions import Action, Cut, Finish, Reopen, encoded, stored_action
from mereo.annotation.geometry.blobs import Kept
from mereo.annotation.geometry.cutting import cut_kept
from mereo.annotation.project import Project
from mereo.annotation.rows import work_row, work_rows
from mereo.annotation.state import State, after, begin, fold
from mereo.annotation.tables import Account, Act, Piece, Shape, Work, by_number, now
from mereo.annotation.views import Acted, Deed, WorkRow, WorkView, keep_meshes, piece_views
from mereo.annotation.workflow import question
from mereo.errors import BadInput, MereoError

__all__ = ["Conflict", "Finished", "NotFound", "Store", "Whole"]

_IDLE = 120.0
"""Seconds: whoever does nothing for longer is not at work."""
_KEPT = 4_000_000
"""About so many entries are kept of folded works: a work has some for each of its actions, since all can be undone."""
_TRIES = 5

T = TypeVar("T")


class NotFound(MereoError, LookupError):
    """There is no such work, or none that this person may see: which of both is nobody's business."""


class Conflict(MereoError):
    """Somebody went on elsewhere, in another window: `view` is how the work stands now."""

    def __init__(self, view: WorkView):
        self.view = view
        super().__init__(f"the work went on elsewhere: it has {view.row.number} actions now")


class Finished(NamedTuple):
    """A finished work: as its shape came in, and as it stands."""

    row: WorkRow
    start: State
    state: State


class Whole(NamedTuple):
    """A work with all that was done in it."""

    row: Work
    start: State
    state: State
    actions: list[Action]


class _Folded(NamedTuple):
    number: int
    state: State

    @property
    def entries(self) -> int:
        """How large it is, at most: every state before it is kept, too."""
        return (1 + self.number) * (len(self.state.pieces) + len(self.state.parts))


class Store:
    """The works of one project. Every method may be called from any thread."""

    def __init__(self, project: Project):
        self.project = project
        self._folded: OrderedDict[int, _Folded] = OrderedDict()
        self._lock = Lock()

    def open_work(self, work: int, person: Person, *, at: int | None = None) -> WorkView:
        """A work as it stands, or as it stood after so many actions."""
        with self.project.database.reading() as session:
            row = self._seen(session, work, person)
            if at is not None and not 0 <= at <= row.number:
                raise BadInput(f"{at} is not within 0 to {row.number}", record=f"work {work}", field="number")
            return self._view(session, row, person, at)

    def version(self, work: int, person: Person, number: int) -> State:
        """What stood in a work after so many actions."""
        return self.open_work(work, person, at=number).state

    def history(self, work: int, person: Person) -> list[Deed]:
        """Who did what and when, from the first action on."""
        with self.project.database.reading() as session:
            self._seen(session, work, person)
            query = select(Act, Account.name).join(Account).where(Act.work_id == work).order_by(Act.number)
            return [Deed(act.number, name, act.at, _action(act)) for act, name in session.execute(query)]

    def works_of(self, shape: int) -> list[WorkRow]:
        """All works of a shape, for those who review."""
        with self.project.database.reading() as session:
            known = by_number(session, Shape, shape)
            return work_rows(session, self.project, Work.shape_id == shape) if known is not None else []

    def finished(self, shape: int | None = None) -> list[Finished]:
        """The works that wait for a reviewer or are accepted, of one shape or of all, but for those that are unfit."""
        which = Work.status.in_(["finished", "accepted"]) & Work.unfit.is_(False)
        if shape is not None:
            which &= Work.shape_id == shape
        with self.project.database.reading() as session:
            rows = {row.id: row for row in work_rows(session, self.project, which)}
            works = session.scalars(select(Work).where(which).order_by(Work.id))
            return [Finished(rows[work.id], self._begin(session, work), self._state(session, work)) for work in works]

    def everything(self) -> list[Whole]:
        """All works with all their actions."""
        with self.project.database.reading() as session:
            found = [self._whole(session, work) for work in session.scalars(select(Work).order_by(Work.id))]
            session.expunge_all()  # so that rows outlive the transaction
            return found

    def _whole(self, session: Session, row: Work) -> Whole:
        acts = session.scalars(select(Act).where(Act.work_id == row.id).order_by(Act.number))
        return Whole(row, self._begin(session, row), self._state(session, row), [_action(act) for act in acts])

    def act(self, work: int, person: Person, key: str, after: int, action: Action) -> Acted:
        """Do one more thing in one's own work. after : how many actions the work had when this one was thought of

        A key that was there before means that the answer got lost: it is given again, and nothing is written.
        """
        if isinstance(action, Reopen):
            raise BadInput("only a reviewer can open a work again", field="type")
        checked = _checked_key(key)
        return _patiently(lambda: self._act(work, person, checked, after, action))

    def reopen(self, session: Session, row: Work, person: Person, remark: str, key: str) -> None:
        """Give a work back to its annotator, within the transaction of a verdict."""
        self._write(session, row, person, key, Reopen(remark), self._state(session, row))

    def _act(self, work: int, person: Person, key: str, number: int, action: Action) -> Acted:
        facts: tuple[Kept, ...] = ()
        if isinstance(action, Cut):  # takes its time, and holds nobody up
            with self.project.database.reading() as session:
                row = self._own(session, work, person)
                known = self._known_key(session, row, key) is not None
                state = None if known or row.number != number else self._state(session, row)
            if state is not None:
                action, facts = self._cut(state, action)
        with self.project.database.writing() as session:
            row = self._own(session, work, person, lock=True)
            done = self._known_key(session, row, key)
            if done is not None:
                return self._again(session, row, done)
            if row.number != number:
                raise Conflict(self._view(session, row, person))
            before = self._state(session, row)
            keep_meshes(session, facts)
            state = self._write(session, row, person, key, action, before)
            acted = self._acted(session, row.number, before, state)
        self._keep(work, _Folded(acted.number, state))
        return acted

    def _cut(self, state: State, action: Cut) -> tuple[Cut, tuple[Kept, ...]]:
        into = (state.next_piece, state.next_piece + 1)
        trial = Cut(action.piece, action.path, action.direction, into, ("0" * 64, "0" * 64))
        after(state, trial)  # nothing is cut in vain
        facts = cut_kept(self.project.home, state.pieces[action.piece], action.path, action.direction)
        return Cut(action.piece, action.path, action.direction, into, (facts[0].digits, facts[1].digits)), facts

    def _write(self, session: Session, row: Work, person: Person, key: str, action: Action, before: State) -> State:
        try:
            state = after(before, action)
        except BadInput as error:
            raise error.within(record=f"work {row.id}") from None
        at = now()
        if not isinstance(action, Reopen):
            row.seconds += _worked(row.touched, at)
        row.number, row.touched, row.unfit = row.number + 1, at, bool(state.unfit)
        if isinstance(action, Finish | Reopen):
            row.status = "finished" if state.finished else "open"
        body = encoded(action)
        session.add(Act(work_id=row.id, number=row.number, key=key, account_id=person.id, at=at, body=body))
        session.flush()
        return state

    def _again(self, session: Session, row: Work, done: Act) -> Acted:
        before, state = self._state(session, row, done.number - 1), self._state(session, row, done.number)
        return self._acted(session, done.number, before, state)

    def _acted(self, session: Session, number: int, before: State, state: State) -> Acted:
        new = [piece for piece, digits in state.pieces.items() if before.pieces.get(piece) != digits]
        return Acted(number, state, question(state), piece_views(session, state, new))

    def _view(self, session: Session, row: Work, person: Person, at: int | None = None) -> WorkView:
        state = self._state(session, row, at)
        told = work_row(session, self.project, row)
        return WorkView(told, state, question(state), piece_views(session, state), row.account_id == person.id)

    def _seen(self, session: Session, work: int, person: Person) -> Work:
        row = by_number(session, Work, work)
        if row is None or (row.account_id != person.id and not person.reviews):
            raise NotFound(f"there is no work {work}")
        return row

    def _own(self, session: Session, work: int, person: Person, *, lock: bool = False) -> Work:
        row = by_number(session, Work, work, lock=lock)
        if row is None or row.account_id != person.id:
            raise NotFound(f"there is no work {work} of yours")
        return row

    def _known_key(self, session: Session, row: Work, key: str) -> Act | None:
        return session.scalar(select(Act).where(Act.work_id == row.id, Act.key == key))

    def _state(self, session: Session, row: Work, number: int | None = None) -> State:
        """A work after so many actions, or after all. What is folded already is not folded again."""
        wanted = row.number if number is None else number
        with self._lock:
            kept = self._folded.get(row.id)
        if kept is None or kept.number > wanted:
            kept = _Folded(0, self._begin(session, row))
        query = select(Act).where(Act.work_id == row.id, Act.number > kept.number, Act.number <= wanted)
        acts = session.scalars(query.order_by(Act.number)) if kept.number < wanted else ()
        state = fold(kept.state, map(_action, acts))
        if number is None:
            self._keep(row.id, _Folded(wanted, state))
        return state

    def _begin(self, session: Session, row: Work) -> State:
        pieces = session.scalars(select(Piece).where(Piece.shape_id == row.shape_id).order_by(Piece.number))
        return begin(self.project.tree, {piece.number: piece.digits for piece in pieces})

    def _keep(self, work: int, folded: _Folded) -> None:
        with self._lock:
            self._folded[work] = folded
            self._folded.move_to_end(work)
            entries = sum(one.entries for one in self._folded.values())
            while entries > _KEPT and len(self._folded) > 1:
                entries -= self._folded.popitem(last=False)[1].entries


def _action(act: Act) -> Action:
    return stored_action(act.body, file=f"work {act.work_id}, action {act.number}")


def _worked(before: datetime, at: datetime) -> float:
    return min(max((at - before).total_seconds(), 0.0), _IDLE)


def _checked_key(key: str) -> str:
    try:
        return str(UUID(key))
    except ValueError:
        raise BadInput("is no UUID", field="key") from None


def _patiently(attempt: Callable[[], T]) -> T:
    """What two do at once, one of them does again."""
    for _ in range(_TRIES - 1):
        try:
            return attempt()
        except IntegrityError:
            continue
    return attempt()
