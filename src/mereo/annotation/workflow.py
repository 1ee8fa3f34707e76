"""The template as questions: what an annotator is asked next, coarse to fine, and about any part again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from mereo.annotation.actions import Action, Choose, Group, Have
from mereo.annotation.state import State, after
from mereo.annotation.tree import Node
from mereo.errors import BadInput
from mereo.files import read_toml
from mereo.questions.phrase import article, plural

__all__ = ["Option", "Question", "question", "questions_about", "taken_over"]


class Option(NamedTuple):
    """One kind that a part may be of."""

    name: str
    text: str
    path: str
    """Its place in the template, for pictures of it."""


class Question(NamedTuple):
    """What an annotator is asked."""

    kind: Literal["choose", "have", "group", "done"]
    text: str
    part: int
    """The part that it is about."""
    child: str = ""
    """The name below it that is asked for."""
    path: str = ""
    """The place in the template that is asked for."""
    choices: tuple[Option, ...] = ()
    many: bool = False
    """Whether a number is asked for, not yes or no."""
    usual: int = 0
    """The number that is usual."""
    answered: bool = False


def question(state: State) -> Question:
    """The next question: first what a part is made of, then of each of these in turn."""
    if state.finished or state.unfit:
        return Question("done", _said("finished" if state.finished else "unfit"), 0)
    found = next((asked for asked in _every(state, 0) if not asked.answered), None)
    if found is not None:
        return found
    left = len(state.pieces) - len(state.owner)
    name = "left" if left > 1 else "left_one" if left else "done"
    return Question("done", _said(name, count=left), 0)


def questions_about(state: State, part: int) -> list[Question]:
    """All that can be asked about one part, answered or not."""
    if part not in state.parts:
        raise BadInput(f"there is no part {part}", field="part")
    return list(_about(state, part))


def _every(state: State, part: int) -> Iterator[Question]:
    yield from _about(state, part)
    for child in state.children(part):
        yield from _every(state, child.number)


def _about(state: State, part: int) -> Iterator[Question]:
    node = state.node(part)
    if node is not None and node.kind == "one":
        yield _choice(state, part, node)
    elif node is not None and node.kind == "all":
        yield from (_have(state, part, state.tree[f"{node.path}/{name}"]) for name in node.below)
    if not state.children(part):
        unsettled = node is not None and any((part, name) not in state.answered for name in node.below)
        if not unsettled:
            yield _group(state, part)


def _choice(state: State, part: int, node: Node) -> Question:
    above = state.tree.get(node.path.rpartition("/")[0])
    whole = _words(state, above.name) if above is not None and above.kind == "all" else ""
    text = _said("choose" if whole else "choose_whole", part=_words(state, node.name), whole=whole)
    options = tuple(Option(name, _words(state, name), f"{node.path}/{name}") for name in node.below)
    chosen = any(child.name in node.below for child in state.children(part))
    return Question("choose", text, part, path=node.path, choices=options, answered=chosen)


def _have(state: State, part: int, wanted: Node) -> Question:
    many = wanted.most != 1
    child = _words(state, wanted.name)
    text = _said(
        "how_many" if many else "have",
        part=_words(state, state.parts[part].name),
        a_child=f"{article(child)} {child}",
        children=plural(child),
    )
    there = (part, wanted.name) in state.answered
    return Question(
        "have", text, part, child=wanted.name, path=wanted.path, many=many, usual=wanted.usual, answered=there
    )


def _group(state: State, part: int) -> Question:
    own = state.parts[part]
    alike = [] if own.parent is None else [one.number for one in state.children(own.parent) if one.name == own.name]
    name = "group_of" if len(alike) > 1 else "group"
    number = alike.index(part) + 1 if alike else 1
    text = _said(name, part=_words(state, own.name), number=number, count=len(alike))
    return Question("group", text, part, path=state.path(part), answered=bool(state.given(part)))


def taken_over(state: State, path: str, pieces: Sequence[int]) -> list[Action]:
    """What an annotator would do to have one more part at a path of the template, made of these pieces."""
    if path not in state.tree.nodes:
        raise BadInput(f"the template has no '{path}'", field="path")
    done: list[Action] = []
    part = 0
    for name in path.split("/")[1:]:
        node = state.tree[state.path(part)]
        there = [child.number for child in state.children(part) if child.name == name]
        last = f"{node.path}/{name}" == path
        free = [number for number in there if not last or not state.given(number)]
        if not free:
            step = Choose(part, name) if node.kind == "one" else Have(part, name, len(there) + 1)
            done.append(step)
            state = after(state, step)
            free = [child.number for child in state.children(part) if child.name == name][-1:]
        part = free[0]
    return [*done, Group(part, tuple(pieces))]


def _words(state: State, name: str) -> str:
    """A name as people say it: that the arm is one of a chair is plain."""
    return name.removeprefix(f"{state.tree.root}_").replace("_", " ")


def _said(name: str, **holes: object) -> str:
    return _patterns()[name].format(**holes)


@cache
def _patterns() -> dict[str, str]:
    patterns: dict[str, str] = read_toml(Path(__file__).with_name("wording.toml"))["questions"]
    return patterns
