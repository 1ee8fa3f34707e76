"""Programs owned by splits: what is asked to train is not asked again to test.

Splits that draw from the same few thousand programs share many, and a model may remember them. So each program belongs
to one split, by a digest of its text. Programs of little variety cannot be dealt out: there are five ways to ask how
many things of a category there are. These are common to all splits, and kept rare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from mereo.chance import mark
from mereo.programs import Language, Program, Step, format_step
from mereo.questions.filling import described, program_of
from mereo.questions.plan import Plan
from mereo.questions.rules import Rules
from mereo.questions.search import Instance
from mereo.questions.template import Again, Apply, Choose, Describe, Node

__all__ = ["Ownership", "is_common", "owner_of"]

_NUMBERS = 10
"""How many numbers a literal may be taken to be."""


def owner_of(program: Program, language: Language, rules: Rules) -> str | None:
    """The split that alone may ask a program; None where all may."""
    return None if not rules.owners or is_common(program, language, rules) else _owner(str(program), rules)


def _owner(text: str, rules: Rules) -> str:
    at = mark(text) / 2**64 * sum(rules.owners.values())
    for split, share in rules.owners.items():
        at -= share
        if at < 0:
            return split
    return split


def is_common(program: Program, language: Language, rules: Rules) -> bool:
    """Whether there are too few programs that differ from it by their literals alone."""
    return _variety([step.function for step in program.steps], language) < rules.variety


def _variety(functions: Iterable[str], language: Language) -> int:
    variety = 1
    for function in functions:
        for type in language.function(function).values:
            variety *= len(type.values) if type.values else _NUMBERS
    return variety


class _Stretch(NamedTuple):
    """Steps that follow on each other: the text around that of their inputs, and how many there are like them."""

    before: str
    after: str
    variety: int


class _Stretches(dict[Any, _Stretch]):
    """What one kind of node stands for by what fills it, worked out when it is first met."""

    def __init__(self, node: Node, language: Language):
        super().__init__()
        self._node, self._language = node, language

    def __missing__(self, pick: Any) -> _Stretch:
        node = self._node
        calls = described(node, pick) if isinstance(node, Describe) else [(node.function, _literals(node, pick))]
        texts = [format_step(Step(function, (), values)) + "(" for function, values in reversed(calls)]
        variety = _variety([function for function, _ in calls], self._language)
        stretch = self[pick] = _Stretch("".join(texts), ")" * len(texts), variety)
        return stretch


def _literals(node: Apply | Again | Choose, pick: Any) -> tuple[Any, ...]:
    return node.values if isinstance(node, Apply) else (pick,)


class _Writing(NamedTuple):
    """How the programs of a plan are written."""

    plan: Plan
    nodes: tuple[tuple[int, _Stretches], ...]
    """What each node stands for, and the node whose pick tells."""
    fixed: tuple[str, ...]
    """What stands between them."""
    order: Callable[[list[str]], tuple[str, ...]]
    """The text, of what stands before and after the inputs of each node, and what is fixed."""


class Ownership:
    """Whose programs instances stand for, found without writing them out: most turn out to belong to others."""

    def __init__(self, language: Language, rules: Rules, split: str | None):
        self._language, self._rules, self._split = language, rules, split
        self._kept: dict[Any, _Stretches] = {}
        self._writings: dict[int, _Writing] = {}

    def of(self, instance: Instance) -> Literal["own", "common", "another's"]:
        """Whether the split alone may ask the program, all may, or another alone; its own where splits own none."""
        owned = self._split is not None and bool(self._rules.owners)
        if not owned and self._rules.common == 1:
            return "own"
        writing = self._writings.get(id(instance.plan)) or self._written(instance.plan)
        picks, pieces, variety, all_say = instance.picks, list[str](), 1, True
        for place, stretches in writing.nodes:
            before, after, many = stretches[picks[place]]
            pieces.append(before)
            pieces.append(after)
            variety *= many
            if not before:
                all_say = False
        if variety < self._rules.variety:
            return "common"
        if not owned:
            return "own"
        pieces += writing.fixed
        # A node that says nothing is no step, so that others may take from its input in its stead.
        text = "".join(writing.order(pieces)) if all_say else str(program_of(instance))
        return "own" if _owner(text, self._rules) == self._split else "another's"

    def all_common(self, plan: Plan) -> bool:
        """Whether all splits share whatever a plan can ask, however it is filled."""
        nodes, functions = plan.template.nodes, list[str]()
        for node in nodes:
            if isinstance(node, Describe):
                return False  # what it says makes for variety
            functions.append(node.function)
        return _variety(functions, self._language) < self._rules.variety

    def _written(self, plan: Plan) -> _Writing:
        nodes, words = plan.template.nodes, _words(plan)
        fixed, order = list[str](), list[int]()
        for word in words:
            order.append(word if isinstance(word, int) else 2 * len(nodes) + len(fixed))
            fixed += [word] if isinstance(word, str) else []
        told_by = [node.of if isinstance(node, Again) else k for k, node in enumerate(nodes)]
        stretches = zip(told_by, map(self._stretches, nodes), strict=True)
        # A plan is known by where it is, and kept so that it stays there.
        writing = self._writings[id(plan)] = _Writing(plan, tuple(stretches), tuple(fixed), itemgetter(*order))
        return writing

    def _stretches(self, node: Node) -> _Stretches:
        # A describer is known by where it is: to compare what it knows would take longer than all the rest.
        kind: tuple[Any, ...] = (id(node.describer), node.goal) if isinstance(node, Describe) else (node.function,)
        if isinstance(node, Apply):
            kind = (*kind, node.values)
        return self._kept.setdefault(kind, _Stretches(node, self._language))


def _words(plan: Plan) -> list[int | str]:
    """The text of a plan's programs as `str` writes it: by numbers what stands before and after each node's inputs."""
    nodes = plan.template.nodes
    said, named = [list[int | str]() for _ in nodes], list[int | str]()
    for k in plan.order:
        inner = list[int | str]()
        for i in nodes[k].inputs:
            inner += [", ", *said[i]] if inner else said[i]
        said[k] = [2 * k, *inner, 2 * k + 1]
        if k in plan.shared:
            name = f"${sum(word == '; ' for word in named) + 1}"
            named += [f"{name} = ", *said[k], "; "]
            said[k] = [name]
    return named + said[-1]
