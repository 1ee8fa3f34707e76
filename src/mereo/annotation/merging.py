"""Two annotations become one: part by part, what one of them has is taken into a work of whoever reviews them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import uuid4

from mereo.annotation.accounts import Person
from mereo.annotation.actions import Action, Cut, Finish, Redo, Release, Reopen, Undo
from mereo.annotation.geometry.places import Place
from mereo.annotation.geometry.proposals import Proposed
from mereo.annotation.geometry.taking import taken
from mereo.annotation.queue import merge_work
from mereo.annotation.state import State, fold
from mereo.annotation.store import NotFound, Store
from mereo.annotation.views import WorkView
from mereo.errors import BadInput

__all__ = ["Source", "merged", "place_of", "source_of", "take_part"]


class Source(NamedTuple):
    """An annotation that parts are taken from."""

    state: State
    digits: Mapping[int, str]
    """Of all pieces that it ever had, also of those that it cut."""
    cuts: Mapping[int, Cut]
    """By piece the cut that it came of."""


def take_part(store: Store, person: Person, source: int, path: str) -> WorkView:
    """Take all parts of a path, as a work has them, into one's own work of that shape, and give this as it stands."""
    if not person.reviews:
        raise NotFound("there is nothing here")
    given = store.open_work(source, person)
    if given.mine:
        raise BadInput("is your own: take from the works of others", record=f"work {source}")
    start = store.version(source, person, 0)
    found = source_of(start, given.state, (deed.action for deed in store.history(source, person)))
    if not _parts(found.state, path):
        raise BadInput(f"has no pieces of '{path}'", record=f"work {source}")
    work = merge_work(store.project, person, given.row.shape.id)
    own = store.open_work(work, person)
    try:
        actions = merged(own.state, found, path)
    except BadInput as error:
        raise error.within(record=f"work {work}") from None
    for place, action in enumerate(actions):
        store.act(work, person, str(uuid4()), own.row.number + place, action)
    return store.open_work(work, person)


def source_of(start: State, state: State, done: Iterable[Action]) -> Source:
    """An annotation with the cuts that it holds. start : as it began; state : as it stands; done : all its actions"""
    held: list[Action] = []
    undone: list[Action] = []
    for action in done:
        match action:
            case Undo():
                undone.append(held.pop())
            case Redo():
                held.append(undone.pop())
            case Finish() | Reopen():
                pass
            case _:
                held.append(action)
                undone.clear()
    cuts = {piece: one for one in held if isinstance(one, Cut) for piece in one.into or ()}
    digits = {piece: own for cut in cuts.values() for piece, own in zip(cut.into or (), cut.meshes or (), strict=True)}
    return Source(state, {**start.pieces, **digits}, cuts)


def merged(state: State, source: Source, path: str) -> list[Action]:
    """The actions that make the parts of a path what they are in another annotation of the same shape."""
    actions: list[Action] = []

    def add(more: Iterable[Action]) -> None:
        nonlocal state
        for action in more:
            state = fold(state, [action])
            actions.append(action)

    pieces = {part: source.state.given(part) for part in _parts(source.state, path)}
    for piece in (one for own in pieces.values() for one in own):
        for cut in _missing(state, source, piece):
            into = (state.next_piece, state.next_piece + 1)
            add([Cut(_found(state, source, cut.piece), cut.path, cut.direction, into, cut.meshes)])
    wanted = {part: tuple(_found(state, source, piece) for piece in own) for part, own in pieces.items()}
    kept = {piece for own in wanted.values() for piece in own}
    stale = tuple(piece for piece, part in state.owner.items() if state.path(part) == path and piece not in kept)
    add([Release(stale)] if stale else [])
    for part, own in wanted.items():
        add(taken(state, Proposed(path, own, 1.0, place_of(source.state, part)), customs=True))
    return actions


def _parts(state: State, path: str) -> list[int]:
    return [part for part in state.parts if state.path(part) == path and state.given(part)]


def _missing(state: State, source: Source, piece: int) -> list[Cut]:
    """The cuts that are still to be made before there is a piece of the other annotation, the first one first."""
    if source.digits[piece] in state.pieces.values():
        return []
    if piece not in source.cuts:
        raise BadInput("was cut otherwise in your work: take that cut back first", record=f"piece {piece}")
    cut = source.cuts[piece]
    return [*_missing(state, source, cut.piece), cut]


def _found(state: State, source: Source, piece: int) -> int:
    """The number that a piece of the other annotation has in this one."""
    digits = source.digits[piece]
    if state.pieces.get(piece) == digits:
        return piece
    return next(number for number, own in state.pieces.items() if own == digits)


def place_of(state: State, part: int) -> Place:
    """Which of its name each part on the way to a part is."""
    found = state.parts[part]
    if found.parent is None:
        return (1,)
    alike = [child.number for child in state.children(found.parent) if child.name == found.name]
    return (*place_of(state, found.parent), alike.index(part) + 1)
