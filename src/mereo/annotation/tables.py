"""The tables of a project's database. Nothing in `actions` is ever changed or taken away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from sqlalchemy import (
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.orm import Session as Transaction
from sqlalchemy.types import TypeDecorator

__all__ = [
    "Account",
    "Act",
    "Base",
    "File",
    "Mark",
    "Mesh",
    "Moment",
    "Piece",
    "Session",
    "Shape",
    "Verdict",
    "Work",
    "by_number",
    "now",
]


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A time in UTC; databases that keep no zones get none."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """As it is written."""
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """As it is read."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: Moment}


class Mark(Base):
    """Whose database this is: the one project that it belongs to."""

    __tablename__ = "mark"

    project: Mapped[str] = mapped_column(String(32), primary_key=True)
    begun: Mapped[datetime]


Row = TypeVar("Row", bound=Base)

_HIGHEST = 2**31 - 1


def by_number(session: Transaction, table: type[Row], number: int, *, lock: bool = False) -> Row | None:
    """The row with a number that may come from anywhere, also one that no database could have."""
    return session.get(table, number, with_for_update=lock) if 0 < number <= _HIGHEST else None


class Account(Base):
    """A person."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    hashed: Mapped[str] = mapped_column(String(256))
    active: Mapped[bool]
    begun: Mapped[datetime]


class Session(Base):
    """A browser that somebody is logged in with; of its token only the digits are kept."""

    __tablename__ = "sessions"

    digits: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    csrf: Mapped[str] = mapped_column(String(64))
    begun: Mapped[datetime]
    until: Mapped[datetime]


class File(Base):
    """A piece of a file of a project that lives in its database; one that is a folder has none."""

    __tablename__ = "files"

    name: Mapped[str] = mapped_column(String(1000), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Which piece, from 0."""
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Mesh(Base):
    """A mesh that is kept as a file, by the digits of its content."""

    __tablename__ = "meshes"

    digits: Mapped[str] = mapped_column(String(64), primary_key=True)
    triangles: Mapped[int]
    low: Mapped[bytes] = mapped_column(LargeBinary(24))
    """The lowest corner of its box, three float64."""
    high: Mapped[bytes] = mapped_column(LargeBinary(24))
    area: Mapped[float] = mapped_column(Float(53))
    closed: Mapped[bool]


class Shape(Base):
    """A shape that was brought in."""

    __tablename__ = "shapes"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    file: Mapped[str] = mapped_column(String(1000))
    """The name of the file or folder that it was brought in as; empty where there was none."""
    frame: Mapped[str] = mapped_column(Text)
    """How it lay in its file, as JSON."""
    begun: Mapped[datetime]
    assigned: Mapped[int]
    """How many works there are of it."""


class Piece(Base):
    """A piece that a shape had when it was brought in."""

    __tablename__ = "pieces"

    shape_id: Mapped[int] = mapped_column(ForeignKey("shapes.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    digits: Mapped[str] = mapped_column(ForeignKey("meshes.digits"))
    name: Mapped[str] = mapped_column(String(200))


class Work(Base):
    """One annotator's annotation of one shape."""

    __tablename__ = "works"
    __table_args__ = (UniqueConstraint("shape_id", "account_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    shape_id: Mapped[int] = mapped_column(ForeignKey("shapes.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    status: Mapped[str] = mapped_column(String(16))
    """open, finished or accepted"""
    number: Mapped[int]
    """How many actions it has."""
    seconds: Mapped[float] = mapped_column(Float(53))
    unfit: Mapped[bool]
    merged: Mapped[bool] = mapped_column(server_default=false())
    """Whether a reviewer made it of the works of others."""
    begun: Mapped[datetime]
    touched: Mapped[datetime]
    """When the last action came."""


class Act(Base):
    """One action of a work."""

    __tablename__ = "actions"
    __table_args__ = (UniqueConstraint("work_id", "key"),)

    work_id: Mapped[int] = mapped_column(ForeignKey("works.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(String(36))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    at: Mapped[datetime]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    """The action as JSON."""


class Verdict(Base):
    """What a reviewer said of a work."""

    __tablename__ = "verdicts"
    __table_args__ = (Index("ix_verdicts_work_id", "work_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    work_id: Mapped[int] = mapped_column(ForeignKey("works.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    at: Mapped[datetime]
    accepted: Mapped[bool]
    remark: Mapped[str] = mapped_column(Text)
    number: Mapped[int]
    """How many actions the work had then."""
