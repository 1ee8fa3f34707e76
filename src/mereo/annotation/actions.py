"""What an annotator can do, one action at a time: the only way in which an annotation changes."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from mereo.files import converted, decode_json, decoder

__all__ = [
    "Action",
    "Choose",
    "Custom",
    "Cut",
    "Finish",
    "Group",
    "Have",
    "Note",
    "Point",
    "Redo",
    "Release",
    "Reopen",
    "Undo",
    "Unfit",
    "encoded",
    "read_action",
    "stored_action",
]

Point: TypeAlias = tuple[float, float, float]


class _Action(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """One action; in JSON its `type` is its name in small letters."""


class Choose(_Action, frozen=True):
    """Of which kind a part is: the answer to an Or-node."""

    part: int
    child: str


class Have(_Action, frozen=True):
    """How many parts of a name a part has: the answer to an And-node."""

    part: int
    child: str
    count: int


class Group(_Action, frozen=True):
    """These pieces are this part, whatever part they were of."""

    part: int
    pieces: tuple[int, ...]


class Release(_Action, frozen=True):
    """These pieces are of no part again."""

    pieces: tuple[int, ...]


class Cut(_Action, frozen=True):
    """A piece becomes two. Whoever draws the path leaves out what comes of it, which the server fills in."""

    piece: int
    path: tuple[Point, ...]
    """On the surface, in the shape's frame."""
    direction: Point
    """Where the eye looked, in the shape's frame."""
    into: tuple[int, int] | None = None
    """The numbers of the two new pieces."""
    meshes: tuple[str, str] | None = None
    """The digits of their content."""


class Custom(_Action, frozen=True):
    """A part has a part that the template does not know."""

    part: int
    name: str


class Note(_Action, frozen=True):
    """Something to say about a part, or about the whole shape."""

    part: int | None
    text: str


class Unfit(_Action, frozen=True):
    """The shape cannot be annotated."""

    reason: str


class Undo(_Action, frozen=True):
    """Take the last change back."""


class Redo(_Action, frozen=True):
    """Make the change again that was taken back last."""


class Finish(_Action, frozen=True):
    """Give the work to review."""


class Reopen(_Action, frozen=True):
    """A reviewer gives the work back, and says why; nobody else can."""

    remark: str


Action: TypeAlias = (
    Choose | Have | Group | Release | Cut | Custom | Note | Unfit | Undo | Redo | Finish | Reopen
)  # one line of JSON each


def read_action(value: Any, *, file: object = "action") -> Action:
    """An action from plain values, as JSON gives them; what does not fit is refused."""
    return converted(value, file=file, type=Action)  # type: ignore[arg-type]  # a union is no type to mypy


def stored_action(data: bytes, *, file: object) -> Action:
    """An action from the JSON that a database keeps."""
    return decode_json(data, file=file, type=Action)  # type: ignore[arg-type]  # as above


def encoded(action: Action) -> bytes:
    """An action as JSON."""
    decoder(Action)  # type: ignore[arg-type]  # makes the type known to msgspec, see there
    return msgspec.json.encode(action)
