"""What somebody's file says of a picture, checked: things with a name and a box, and relations between these.

Words stay as they were written. All attributes are of the kind `other`, and where somebody gave a thing several names
the first is its name and the rest are unclear words of it. `cleaning` makes of this what questions are asked of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.benchmarks.cric.graph import OTHER, SceneGraph, Stated, Thing
from mereo.errors import BadInput
from mereo.files import is_finite
from mereo.masks import Box

__all__ = ["Complain", "GivenRelation", "GivenThing", "Picture", "Piece", "by_number", "checked_graph"]

Complain = Callable[[BadInput], None]
"""Told of all that is left out; raises to stop at the first."""
_MOST_THINGS = 4096


class Piece(NamedTuple):
    """A record about one picture, still JSON, and the file that it stands in."""

    file: Path
    data: msgspec.Raw


class Picture(NamedTuple):
    """The picture that a graph is of; 0 where its size is not known."""

    id: str
    file: Path
    width: int = 0
    height: int = 0
    filename: str = ""


class GivenThing(NamedTuple):
    """A thing as a file describes it; nothing where it does not say."""

    id: str
    names: Sequence[str]
    box: Sequence[float | None]
    attributes: Sequence[str] = ()
    also: Sequence[str] = ()
    """Other ids that it goes by."""
    refused: bool = False
    """Whether it could not be read, which was complained of."""


class GivenRelation(NamedTuple):
    """A relation as a file states it."""

    subject: str
    predicate: str
    object: str


def checked_graph(
    picture: Picture, described: Iterable[GivenThing], related: Iterable[GivenRelation], *, complain: Complain
) -> SceneGraph:
    """The graph of all that can be used; the order in which things and relations are listed does not show."""
    things: dict[str, Thing] = {}
    called: dict[str, str | None] = {}
    """The things that an id means; None where that was left out, and all about it with it."""
    for one in described:
        if one.id in things:
            complain(BadInput("stands there twice", file=picture.file, record=_record(picture, one)))
            continue
        thing = None if one.refused else _thing(one, picture, complain)
        if thing is not None:
            things[one.id] = thing
        called |= dict.fromkeys((one.id, *one.also), one.id if thing else None)
    if len(things) > _MOST_THINGS:
        raise BadInput(f"more than {_MOST_THINGS:,} things", file=picture.file, record=f"image {picture.id}")
    relations = _relations(picture, related, called, complain)
    return SceneGraph(
        picture.id,
        picture.width,
        picture.height,
        things=tuple(things[name] for name in sorted(things, key=by_number)),
        relations=tuple(sorted(set(relations))),
        image_filename=picture.filename or f"{picture.id}.jpg",
    )


def _thing(one: GivenThing, picture: Picture, complain: Complain) -> Thing | None:
    names = [name for name in one.names if name.strip()]
    if not (one.id and names):
        lacking = "name" if one.id else "id"
        complain(BadInput(f"has no {lacking}", file=picture.file, record=_record(picture, one), field=lacking))
        return None
    box = _box(one, picture, complain)
    if box is None:
        return None
    words = {OTHER: tuple(one.attributes)} if one.attributes else {}
    return Thing(one.id, names[0], box, words, {OTHER: tuple(names[1:])} if names[1:] else {})


def _box(one: GivenThing, picture: Picture, complain: Complain) -> Box | None:
    """The box as far as it lies in the picture."""
    given = [side for side in one.box if side is not None and is_finite(side)]
    reason = ""
    if len(given) < 4:
        reason = "has no whole box"
    else:
        left, top, right, bottom = given[0], given[1], given[0] + given[2], given[1] + given[3]
        if right <= left or bottom <= top:
            reason = "has a box without area"
        left, right = (_within(edge, picture.width) for edge in (left, right))
        top, bottom = (_within(edge, picture.height) for edge in (top, bottom))
        if not reason and (right <= left or bottom <= top):
            reason = "has a box outside of the picture"
    if reason:
        complain(BadInput(reason, file=picture.file, record=_record(picture, one)))
        return None
    return left, top, right - left, bottom - top


def _within(edge: float, most: int) -> float:
    inner = max(edge, 0)
    return min(inner, most) if most else inner


def _relations(
    picture: Picture, related: Iterable[GivenRelation], called: Mapping[str, str | None], complain: Complain
) -> Iterable[Stated]:
    for number, one in enumerate(related):
        record = f"image {picture.id}, relation {number + 1}"
        lost = [end for end in (one.subject, one.object) if end not in called]
        if lost:
            reason = f"'{one.predicate}' points to object {lost[0] or 'without an id'}, which is not there"
            complain(BadInput(reason, file=picture.file, record=record))
        elif not one.predicate.strip():
            complain(BadInput("says nothing", file=picture.file, record=record, field="predicate"))
        else:
            subject, thing = called[one.subject], called[one.object]
            if subject is not None and thing is not None and subject != thing:
                yield Stated(subject, one.predicate, thing)


def _record(picture: Picture, one: GivenThing) -> str:
    return f"image {picture.id}, object {one.id or 'without an id'}"


def by_number(name: str) -> tuple[Any, ...]:
    """Sorts ids that are numbers as numbers, before all others."""
    return (0, int(name), name) if name.isdecimal() and name.isascii() else (1, 0, name)
