"""Proposals taken over: the ordinary actions that make a proposed part of an annotation."""

from __future__ import annotations

from mereo.annotation.actions import Action, Choose, Custom, Group, Have
from mereo.annotation.geometry.proposals import Proposed
from mereo.annotation.state import State, after
from mereo.errors import BadInput

__all__ = ["taken"]


def taken(state: State, proposed: Proposed, *, customs: bool = False) -> list[Action]:
    """The actions that take a proposed part over: parents are made where they are missing, then it gets its pieces.

    Pieces that were cut since are left out; where none is left, there is nothing to take over.

    customs : whether names that the template does not know become custom parts
    """
    pieces = tuple(piece for piece in proposed.pieces if piece in state.pieces)
    if not pieces:
        raise BadInput("has no piece that is still there", record=proposed.label)
    root, *names = proposed.label.split("/")
    if root != state.tree.root:
        raise BadInput(f"is a part of a {root}, not of a {state.tree.root}", record=proposed.label)
    actions: list[Action] = []
    part = 0
    for name, number in zip(names, proposed.place[1:], strict=True):
        for made in _made(state, part, name, number, customs):
            actions.append(made)
            state = after(state, made)
        part = [child.number for child in state.children(part) if child.name == name][number - 1]
    return [*actions, Group(part, pieces)]


def _made(state: State, part: int, name: str, number: int, customs: bool) -> list[Action]:
    """What makes the so-manieth part of a name, if it is not there."""
    there = [child for child in state.children(part) if child.name == name]
    if len(there) >= number:
        return []
    node = state.node(part)
    if customs and (node is None or name not in node.below):
        return [Custom(part, name)] * (number - len(there))
    if node is not None and node.kind == "one":
        others = [child for child in state.children(part) if not child.custom and _has_pieces(state, child.number)]
        if others:
            raise BadInput(f"is a {others[0].name} already, and not a {name}", record=state.path(part))
        if number > 1:
            raise BadInput(f"can be one {name} only", record=state.path(part))
        return [Choose(part, name)]
    return [Have(part, name, number)]


def _has_pieces(state: State, part: int) -> bool:
    return not set(state.below(part)).isdisjoint(state.owner.values())
