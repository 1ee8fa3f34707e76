"""A template of PTR's made ready for searching: what its text says, and what a search may forget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mereo.benchmarks.ptr.official.language import LANGUAGE
from mereo.benchmarks.ptr.official.options import ATTRIBUTES
from mereo.programs import Function
from mereo.questions.template import Choose, Describe, Node, Template

__all__ = ["Analogy", "Form", "OfAKind", "PartOf", "make_form", "minded"]


@dataclass(frozen=True)
class OfAKind:
    """COMMON_CAT: if one of two described parts is a door or a body, so is the other.

    Not quite, in the generator: the first may be one while the second description names no part at all, but not the
    other way round.
    """

    one: str
    other: str
    text: str = "COMMON_CAT"


@dataclass(frozen=True)
class PartOf:
    """COMMON_CAT2: a category that is named has the part that is named."""

    category: str
    part: str
    text: str = "COMMON_CAT2"


@dataclass(frozen=True)
class Analogy:
    """ANALOGY: the two pairs of parts are two, and neither is of one object's parts of one kind."""

    one: int
    other: int
    third: int
    target: int
    """The nodes: three parts, and the object whose part is asked for."""
    text: str = "ANALOGY"


@dataclass(frozen=True)
class Form:
    """A template with everything about it that does not depend on the world."""

    template: Template
    functions: tuple[Function | None, ...]
    """The function of each node; none for descriptions."""
    said: tuple[frozenset[int], ...]
    """For each description the places of the attributes that the text has holes for; by others it does not filter."""
    live: tuple[tuple[int, ...], ...]
    """Before each node, the earlier ones on which the rest still depends."""
    pending: tuple[tuple[str, ...], ...]
    """Before each node, the holes whose words a constraint will still look at."""
    minds: tuple[frozenset[str], ...]
    """Before each node, what later choices will not repeat: `part`, `color`, or `thing` where they mind that word."""
    checks: tuple[tuple[Any, ...], ...]
    """The constraints that can be judged as soon as a node is filled."""
    related: tuple[int, ...]
    """The descriptions by a relation."""
    counts: bool
    """Whether the text asks for a number, so that none may be told."""
    plain: bool
    """Whether all it asks is how many there are of what is described."""
    above: bool
    """Whether "above" and "below" are relations: only where stability is spoken of."""
    easy: bool
    """Whether an answer that is a word of the question is too easy: a color, asked by geometry."""

    @property
    def text(self) -> str:
        """The first text of the template, which is the one whose words matter."""
        return self.template.texts[0].source


_MINDS = {
    "part-count": frozenset({"part", "thing"}),
    "part-color": frozenset({"part", "color", "thing"}),
    "part-category": frozenset({"part", "color", "thing"}),
    "part-geometry": frozenset({"part", "color"}),
}


def make_form(template: Template) -> Form:
    """Work out what a search must know of a template."""
    nodes, text = template.nodes, template.texts[0].source
    constraints = (*template.differ, *template.further)
    places = range(len(nodes))
    holders = {hole: k for k, node in enumerate(nodes) for hole in _holes(node)}
    final = [max(_nodes_of(constraint, holders)) for constraint in constraints]
    last = nodes[-1]
    return Form(
        template=template,
        functions=tuple(None if isinstance(n, Describe) else LANGUAGE.function(n.function) for n in nodes),
        said=tuple(_said(node, text) for node in nodes),
        live=tuple(_live(template, k, holders) for k in places),
        pending=tuple(tuple(_pending(template, k, holders)) for k in places),
        minds=tuple(frozenset().union(*(minded(node) for node in nodes[k:])) for k in places),
        checks=tuple(tuple(c for c, at in zip(constraints, final, strict=True) if at == k) for k in places),
        related=tuple(k for k, node in enumerate(nodes) if isinstance(node, Describe) and node.relation is not None),
        counts="many" in text or "number" in text,
        plain=len(nodes) == 2 and isinstance(last, Describe) and last.goal == "count",
        above="stable" in text,
        easy=any(word in text for word in ("perpendicular", "parallel", "geome")),
    )


def _holes(node: Node) -> Iterable[str]:
    if isinstance(node, Choose):
        return [node.hole]
    return node.slots.values() if isinstance(node, Describe) else []


def _said(node: Node, text: str) -> frozenset[int]:
    if not isinstance(node, Describe):
        return frozenset()
    return frozenset(i for i, name in enumerate(ATTRIBUTES) if name in node.slots and node.slots[name] in text)


def _nodes_of(constraint: Any, holders: dict[str, int]) -> list[int]:
    if isinstance(constraint, Analogy):
        return [constraint.one, constraint.other, constraint.third, constraint.target]
    if isinstance(constraint, PartOf | OfAKind):
        return [holders[hole] for hole in _pair(constraint)]
    return [constraint.one, constraint.other]


def _live(template: Template, k: int, holders: dict[str, int]) -> tuple[int, ...]:
    needed: set[int] = set()
    for later in template.nodes[k:]:
        needed.update(later.inputs)
    for constraint in (*template.differ, *template.further):
        nodes = _nodes_of(constraint, holders)
        if max(nodes) >= k and not isinstance(constraint, PartOf | OfAKind):
            needed.update(nodes)
    return tuple(sorted(i for i in needed if i < k))


def _pending(template: Template, k: int, holders: dict[str, int]) -> Iterable[str]:
    for constraint in template.further:
        if isinstance(constraint, PartOf | OfAKind):
            pair = _pair(constraint)
            if max(holders[hole] for hole in pair) >= k:
                yield from (hole for hole in pair if holders[hole] < k)


def _pair(constraint: PartOf | OfAKind) -> tuple[str, str]:
    if isinstance(constraint, PartOf):
        return constraint.category, constraint.part
    return constraint.one, constraint.other


def minded(node: Node) -> frozenset[str]:
    """What of the words before it a choice minds."""
    if not isinstance(node, Choose):
        return frozenset()
    return next((minds for name, minds in _MINDS.items() if node.function.endswith(name)), frozenset())
