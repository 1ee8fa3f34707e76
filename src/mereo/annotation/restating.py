"""An annotation in the names of another template: the actions that lead to it there."""

from __future__ import annotations

from collections.abc import Iterable

from mereo.annotation.actions import Action, Group, Have, Note, Unfit
from mereo.annotation.geometry.places import Place
from mereo.annotation.geometry.proposals import Proposed
from mereo.annotation.geometry.taking import taken
from mereo.annotation.merging import place_of, source_of
from mereo.annotation.state import State, begin, fold
from mereo.annotation.store import Whole
from mereo.annotation.tree import Tree
from mereo.errors import BadInput

__all__ = ["path_in", "restated"]


def path_in(tree: Tree, path: str) -> str:
    """What a part of another template is in this one: itself, what it was merged into, or else its parent.

    Names below it that no template knows stay below it.
    """
    if path in tree.nodes:
        return path
    above, _, name = path.rpartition("/")
    if path in tree.template.renamed:
        return path_in(tree, tree.template.renamed[path] or above)
    return f"{path_in(tree, above)}/{name}" if above else tree.root


def restated(tree: Tree, work: Whole) -> list[Action]:
    """The actions that say in the names of a tree what a work says in those of another."""
    old, new = work.state, _Anew(begin(tree, work.start.pieces))
    new.do(dict.fromkeys(source_of(work.start, old, work.actions).cuts.values()))
    for part in old.parts:
        if old.given(part):
            new.take(old, part)
    for part, child in sorted(old.answered):
        there = new.found(old, part)
        if there is not None and not any(one.name == child for one in old.children(part)):
            new.deny(there, child)
    new.do(Note(None if note.part is None else new.found(old, note.part), note.text) for note in old.notes)
    new.do([Unfit(old.unfit)] if old.unfit else [])
    return new.actions


class _Anew:
    """An annotation on its way."""

    def __init__(self, state: State):
        self.state = state
        self.actions: list[Action] = []
        self.parts: dict[int, int] = {}
        """By part of the other annotation its part here."""

    def do(self, actions: Iterable[Action]) -> None:
        for action in actions:
            self.state = fold(self.state, [action])
            self.actions.append(action)

    def take(self, old: State, part: int) -> None:
        """Give the pieces of a part to what it is here; to what is above that where two kinds would exclude another."""
        pieces = tuple(old.given(part))
        above: int | None = part
        while above is not None:
            path = self._path(old, above)
            try:
                actions = taken(self.state, Proposed(path, pieces, 1.0, self._place(old, above, path)), customs=True)
            except BadInput:
                above = old.parts[above].parent
                continue
            self.do(actions)
            (group,) = (action for action in actions if isinstance(action, Group))
            self.parts[part] = group.part
            return

    def found(self, old: State, part: int) -> int | None:
        """The part here that is a part of the other annotation, if there is one."""
        if part in self.parts or part == 0:
            return self.parts.get(part, 0)
        path = self._path(old, part)
        return _part_at(self.state, path, place_of(old, part)) if path == old.path(part) else None

    def deny(self, part: int, child: str) -> None:
        node = self.state.node(part)
        if node is not None and node.kind == "all" and child in node.below:
            there = [one for one in self.state.children(part) if one.name == child]
            self.do([] if there else [Have(part, child, 0)])

    def _path(self, old: State, part: int) -> str:
        return path_in(self.state.tree, old.path(part))

    def _place(self, old: State, part: int, path: str) -> Place:
        """Which of its name each step of a path is: as it was as far as the paths are the same, and then a new one."""
        before, was = old.path(part).split("/"), place_of(old, part)
        steps = path.split("/")
        same = next((at for at, (one, other) in enumerate(zip(steps, before, strict=False)) if one != other), None)
        if same is None:
            return was[: len(steps)]
        above = (*was[:same], *(1 for _ in steps[same:-1]))
        parent = _part_at(self.state, "/".join(steps[:-1]), above)
        here = [] if parent is None else [one for one in self.state.children(parent) if one.name == steps[-1]]
        kept = self._kept(old, path, above)
        return (*above, max(len(here), kept) + 1)

    def _kept(self, old: State, path: str, above: Place) -> int:
        """How many parts of a path the other annotation itself has below the same part."""
        places = (place_of(old, part) for part in old.parts if old.path(part) == path)
        return sum(place[:-1] == above for place in places)


def _part_at(state: State, path: str, place: Place) -> int | None:
    part = 0
    for name, number in zip(path.split("/")[1:], place[1:], strict=True):
        there = [child.number for child in state.children(part) if child.name == name]
        if len(there) < number:
            return None
        part = there[number - 1]
    return part
