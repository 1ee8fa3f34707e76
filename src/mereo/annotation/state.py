"""What stands in an annotation after its actions: a pure fold, in which nothing is looked up or written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, NamedTuple

from mereo.annotation import actions
from mereo.annotation.actions import Action
from mereo.annotation.tree import Node, Tree, check_name
from mereo.errors import BadInput, nearest

__all__ = ["PartState", "Remark", "State", "after", "begin", "checked_text", "fold", "plain"]

MOST_PARTS = 64
"""So many parts of one name one parent may have."""
LONGEST = 2_000
"""Characters of a note, a reason or a remark."""
_DIGITS = re.compile(r"[0-9a-f]{64}")
_POINTS = 10_000
"""So many points a path may have."""


class PartState(NamedTuple):
    """A part of an annotation."""

    number: int
    name: str
    parent: int | None
    custom: bool
    """Whether an annotator brought the name."""


class Remark(NamedTuple):
    """What somebody noted of a part, or of the whole."""

    part: int | None
    text: str


@dataclass(frozen=True)
class State:
    """An annotation as it stands."""

    tree: Tree
    parts: Mapping[int, PartState]
    owner: Mapping[int, int]
    """By piece the part that it is given to."""
    pieces: Mapping[int, str]
    """The pieces that there are now, with the digits of their content."""
    answered: frozenset[tuple[int, str]] = frozenset()
    """Parts with the name below them that was asked about."""
    notes: tuple[Remark, ...] = ()
    unfit: str = ""
    """Why the shape cannot be annotated."""
    finished: bool = False
    origin: Mapping[int, int] = field(default_factory=dict)
    """By piece that came of cuts the piece of the shape that it is of."""
    next_part: int = 1
    next_piece: int = 0
    before: State | None = field(default=None, compare=False, repr=False)
    """As it stood before the last change."""
    ahead: State | None = field(default=None, compare=False, repr=False)
    """As it stood before the last change was taken back."""

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return self.before is not None and not self.finished

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return self.ahead is not None and not self.finished

    def path(self, part: int) -> str:
        """The names from the root down to a part."""
        found = self.parts[part]
        return found.name if found.parent is None else f"{self.path(found.parent)}/{found.name}"

    def node(self, part: int) -> Node | None:
        """What the template says of a part; nothing of custom ones."""
        return None if self.parts[part].custom else self.tree.get(self.path(part))

    def children(self, part: int) -> list[PartState]:
        """The parts of a part, in the order in which they came."""
        return [one for one in self.parts.values() if one.parent == part]

    def below(self, part: int) -> Iterator[int]:
        """The numbers of a part and of all below it."""
        yield part
        for child in self.children(part):
            yield from self.below(child.number)

    def given(self, part: int) -> list[int]:
        """The pieces of a part itself."""
        return [piece for piece, owner in self.owner.items() if owner == part]


def begin(tree: Tree, pieces: Mapping[int, str]) -> State:
    """The state in which nothing was done. pieces : by number the digits of each piece's content"""
    whole = PartState(0, tree.root, None, False)
    return State(tree, {0: whole}, {}, dict(pieces), next_piece=max(pieces, default=-1) + 1)


def fold(start: State, done: Iterable[Action]) -> State:
    """The state after some actions, one after the other."""
    return reduce(after, done, start)


def after(state: State, action: Action) -> State:
    """The state after one more action; what cannot be is refused in one sentence."""
    match action:
        case actions.Reopen():
            if not state.finished:
                raise BadInput("is not finished, so it cannot be opened again")
            checked_text(action.remark, "remark", needed=False)
            return replace(state, finished=False)
        case _ if state.finished:
            raise BadInput("is finished: a reviewer can open it again")
        case actions.Finish():
            return replace(state, finished=True)
        case actions.Undo():
            if state.before is None:
                raise BadInput("there is nothing to undo")
            return replace(state.before, ahead=state)
        case actions.Redo():
            if state.ahead is None:
                raise BadInput("there is nothing to redo")
            return state.ahead
        case _:
            changed = _CHANGES[type(action)](state, action)
            return replace(changed, before=replace(state, ahead=None), ahead=None)


def _chosen(state: State, action: actions.Choose) -> State:
    node = _known(state, action.part)
    if node is None or node.kind != "one":
        raise BadInput(f"{_called(state, action.part)} is not one of several kinds", field="part")
    _among(action.child, node.below, f"kind of {_called(state, action.part)}")
    others = [child for child in state.children(action.part) if child.name != action.child and not child.custom]
    kept = _without(state, [child.number for child in others])
    if not any(child.name == action.child for child in kept.children(action.part)):
        kept = _with(kept, action.part, action.child)
    return replace(kept, answered=kept.answered | {(action.part, action.child)})


def _had(state: State, action: actions.Have) -> State:
    node = _known(state, action.part)
    there = [child for child in state.children(action.part) if child.name == action.child]
    if any(child.custom for child in there):
        if action.count > len(there):
            raise BadInput("the template does not know it: add it as a custom part", field="child")
    else:
        _among(
            action.child, node.below if node and node.kind == "all" else (), f"part of {_called(state, action.part)}"
        )
    if not 0 <= action.count <= MOST_PARTS:
        raise BadInput(f"{action.count} is not within 0 to {MOST_PARTS}", field="count")
    changed = _without(state, [child.number for child in there[action.count :]])
    for _ in range(action.count - len(there)):
        changed = _with(changed, action.part, action.child)
    return replace(changed, answered=changed.answered | {(action.part, action.child)})


def _grouped(state: State, action: actions.Group) -> State:
    _known(state, action.part)
    return replace(state, owner=dict(state.owner) | dict.fromkeys(_alive(state, action.pieces), action.part))


def _released(state: State, action: actions.Release) -> State:
    gone = _alive(state, action.pieces)
    return replace(state, owner={piece: part for piece, part in state.owner.items() if piece not in gone})


def _cut(state: State, action: actions.Cut) -> State:
    _alive(state, (action.piece,))
    if not 2 <= len(action.path) <= _POINTS:
        raise BadInput(f"has {len(action.path)} points, not 2 to {_POINTS}", field="path")
    if action.into is None or action.meshes is None:
        raise BadInput("is not cut yet", record=f"piece {action.piece}")
    if action.into != (state.next_piece, state.next_piece + 1):
        raise BadInput(f"the next pieces are {state.next_piece} and {state.next_piece + 1}", field="into")
    if not all(_DIGITS.fullmatch(digits) for digits in action.meshes):
        raise BadInput("is no content's digits", field="meshes")
    pieces = {piece: digits for piece, digits in state.pieces.items() if piece != action.piece}
    owner = {piece: part for piece, part in state.owner.items() if piece != action.piece}
    if action.piece in state.owner:
        owner |= dict.fromkeys(action.into, state.owner[action.piece])
    new = dict(zip(action.into, action.meshes, strict=True))
    origin = dict(state.origin) | dict.fromkeys(action.into, state.origin.get(action.piece, action.piece))
    return replace(state, pieces=pieces | new, owner=owner, origin=origin, next_piece=state.next_piece + 2)


def _customized(state: State, action: actions.Custom) -> State:
    _known(state, action.part)
    check_name(action.name)
    if len(state.children(action.part)) >= MOST_PARTS:
        raise BadInput(f"{_called(state, action.part)} has {MOST_PARTS} parts already", field="part")
    node = state.node(action.part)
    if node is not None and action.name in node.below:
        raise BadInput(f"the template knows '{action.name}' there", field="name")
    return _with(state, action.part, action.name, custom=True)


def _noted(state: State, action: actions.Note) -> State:
    if action.part is not None:
        _known(state, action.part)
    return replace(state, notes=(*state.notes, Remark(action.part, checked_text(action.text, "text"))))


def _unfit(state: State, action: actions.Unfit) -> State:
    return replace(state, unfit=checked_text(action.reason, "reason"))


_CHANGES: Mapping[type, Callable[[State, Any], State]] = {
    actions.Choose: _chosen,
    actions.Have: _had,
    actions.Group: _grouped,
    actions.Release: _released,
    actions.Cut: _cut,
    actions.Custom: _customized,
    actions.Note: _noted,
    actions.Unfit: _unfit,
}


def _with(state: State, parent: int, name: str, *, custom: bool = False) -> State:
    new = PartState(state.next_part, name, parent, custom)
    return replace(state, parts={**state.parts, new.number: new}, next_part=new.number + 1)


def _without(state: State, parts: Iterable[int]) -> State:
    """The state without some parts and all below them; what was given to them is of no part again."""
    gone = {number for part in parts for number in state.below(part)}
    return replace(
        state,
        parts={number: part for number, part in state.parts.items() if number not in gone},
        owner={piece: part for piece, part in state.owner.items() if part not in gone},
        answered=frozenset(pair for pair in state.answered if pair[0] not in gone),
        notes=tuple(note for note in state.notes if note.part not in gone),
    )


def _known(state: State, part: int) -> Node | None:
    if part not in state.parts:
        raise BadInput(f"there is no part {part}", field="part")
    return state.node(part)


def _called(state: State, part: int) -> str:
    return state.parts[part].name.replace("_", " ")


def _among(name: str, known: Iterable[str], what: str) -> None:
    names = list(known)
    if name not in names:
        raise BadInput(f"there is no {what} '{name}'{nearest(name, names)}", field="child")


def _alive(state: State, pieces: tuple[int, ...]) -> set[int]:
    gone = sorted(set(pieces) - state.pieces.keys())
    if gone:
        raise BadInput(f"there is no piece {gone[0]}", field="pieces")
    if not pieces:
        raise BadInput("names no piece", field="pieces")
    return set(pieces)


def checked_text(text: str, name: str, *, needed: bool = True) -> str:
    """What somebody wrote, if it can be kept."""
    if len(text) > LONGEST:
        raise BadInput(f"is longer than {LONGEST} characters", field=name)
    if "\0" in text:
        raise BadInput("has a character that no database keeps", field=name)
    if needed and not text.strip():
        raise BadInput("is empty", field=name)
    return text


def plain(state: State) -> dict[str, Any]:
    """A state as JSON has it. Keys of objects are texts there, so parts and pieces come as lists."""
    return {
        "parts": [{**part._asdict(), "path": state.path(part.number)} for part in state.parts.values()],
        "pieces": [
            {"id": piece, "digits": digits, "owner": state.owner.get(piece)} for piece, digits in state.pieces.items()
        ],
        "answered": [list(pair) for pair in sorted(state.answered)],
        "notes": [note._asdict() for note in state.notes],
        "unfit": state.unfit,
        "finished": state.finished,
        "can_undo": state.can_undo,
        "can_redo": state.can_redo,
    }
