"""People and what they may do: accounts with roles, passwords that are kept as hashes alone, and sessions."""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session as Transaction

from mereo.annotation.database import Database
from mereo.annotation.tables import Account, Session, now
from mereo.errors import BadInput, UnknownName

__all__ = [
    "ROLES",
    "Person",
    "Visit",
    "begin_session",
    "change_account",
    "check_password",
    "end_session",
    "keep_account",
    "log_in",
    "make_account",
    "people",
    "set_active",
    "visit",
]

Role = Literal["annotator", "reviewer", "owner"]
ROLES: tuple[Role, ...] = get_args(Role)

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_SHORTEST, _LONGEST = 8, 256
_STAY = timedelta(days=14)
"""A session ends after so long, whatever is done in it."""


class Person(NamedTuple):
    """An account, without what is secret."""

    id: int
    name: str
    role: Role
    active: bool = True

    @property
    def reviews(self) -> bool:
        """Whether this person sees and judges the works of others."""
        return self.role in ("reviewer", "owner")

    @property
    def owns(self) -> bool:
        """Whether this person cares for accounts."""
        return self.role == "owner"


class Visit(NamedTuple):
    """A session: who is there, and the token that every change must bring."""

    person: Person
    csrf: str


def keep_account(database: Database, name: str, role: str, password: str | None) -> bool:
    """Make an account, or change the one that is there; whether it is new."""
    wanted = _checked_name(name)
    if any(one.name == wanted for one in people(database)):
        change_account(database, wanted, role, password)
        return False
    if password is None:
        raise BadInput("is new, so it needs a password", record=f"account {wanted}")
    make_account(database, wanted, role, password)
    return True


def make_account(database: Database, name: str, role: str, password: str) -> None:
    """Make an account. Of two who make one of the same name, also at the same time, the second is refused."""
    wanted, kept = _checked_name(name), _checked_role(role)
    hashed = _hasher().hash(check_password(password))
    try:
        with database.writing() as session:
            session.add(Account(name=wanted, role=kept, hashed=hashed, active=True, begun=now()))
    except IntegrityError:
        raise BadInput("is there already", record=f"account {wanted}") from None


def change_account(database: Database, name: str, role: str, password: str | None) -> None:
    """Give an account a role and, if one is given, a password; whoever has it is logged out everywhere."""
    kept = _checked_role(role)
    hashed = _hasher().hash(check_password(password)) if password is not None else None
    with database.writing() as session:
        found = _account(session, name)
        _refuse_without_owner(session, found, owns=kept == "owner")
        found.role, found.hashed = kept, hashed or found.hashed
        session.execute(delete(Session).where(Session.account_id == found.id))


def set_active(database: Database, name: str, active: bool) -> None:
    """Let somebody in again, or out for good; what was annotated stays."""
    with database.writing() as session:
        found = _account(session, name)
        _refuse_without_owner(session, found, owns=active and found.role == "owner")
        found.active = active
        session.execute(delete(Session).where(Session.account_id == found.id))


def _account(session: Transaction, name: str) -> Account:
    found = session.scalar(select(Account).where(Account.name == name))
    if found is None:
        raise UnknownName("account", name, session.scalars(select(Account.name)))
    return found


def _refuse_without_owner(session: Transaction, changed: Account, *, owns: bool) -> None:
    owners = session.scalars(select(Account.id).where(Account.role == "owner", Account.active)).all()
    if list(owners) == [changed.id] and not owns:
        raise BadInput("is the only owner, and a project needs one", record=f"account {changed.name}")


def people(database: Database) -> list[Person]:
    """All accounts by name."""
    with database.reading() as session:
        return [_person(row) for row in session.scalars(select(Account).order_by(Account.name))]


def log_in(database: Database, name: str, password: str) -> Person | None:
    """Who has this name and password, if anybody; it takes as long where the name is unknown."""
    wanted = name.lower() if _NAME.fullmatch(name.lower()) else ""
    with database.reading() as session:
        found = session.scalar(select(Account).where(Account.name == wanted))
        hashed, person = (found.hashed, _person(found)) if found is not None else (_nobody(), None)
    right = len(password) <= _LONGEST and _verified(hashed, password)
    if not right or person is None or not person.active:
        return None
    if _hasher().check_needs_rehash(hashed):
        with database.writing() as session:
            session.get_one(Account, person.id).hashed = _hasher().hash(password)
    return person


def begin_session(database: Database, person: Person) -> str:
    """A new session: the token that goes into a cookie and stands nowhere else."""
    token = secrets.token_urlsafe(32)
    with database.writing() as session:
        session.execute(delete(Session).where(Session.until < now()))
        session.add(
            Session(
                digits=_digits(token),
                account_id=person.id,
                csrf=secrets.token_urlsafe(32),
                begun=now(),
                until=now() + _STAY,
            )
        )
    return token


def visit(database: Database, token: str) -> Visit | None:
    """Who comes with a token, if it is one of a session that lasts."""
    with database.reading() as session:
        query = select(Session, Account).join(Account).where(Session.digits == _digits(token), Session.until > now())
        row = session.execute(query).one_or_none()
        if row is None or not row[1].active:
            return None
        return Visit(_person(row[1]), row[0].csrf)


def end_session(database: Database, token: str) -> None:
    """Log out."""
    with database.writing() as session:
        session.execute(delete(Session).where(Session.digits == _digits(token)))


def check_password(password: str) -> str:
    """A password, if it is long enough."""
    if not _SHORTEST <= len(password) <= _LONGEST:
        raise BadInput(f"has {len(password)} characters, not {_SHORTEST} to {_LONGEST}", field="password")
    return password


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name.lower()):
        raise BadInput("must be 1 to 40 of a-z, 0-9, '.', '_' and '-', the first a letter or digit", field="name")
    return name.lower()


def _checked_role(name: str) -> Role:
    for role in ROLES:
        if role == name:
            return role
    raise UnknownName("role", name, ROLES)


def _person(row: Account) -> Person:
    return Person(row.id, row.name, _checked_role(row.role), row.active)


def _digits(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _verified(hashed: str, password: str) -> bool:
    try:
        return _hasher().verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    """Argon2id as OWASP advises for servers: a team that logs in at once must not take gigabytes."""
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _nobody() -> str:
    """The hash of a password that nobody has."""
    return _hasher().hash(secrets.token_urlsafe(32))
