"""A template made ready for searching: what to check when, and what a search may forget."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from mereo.programs import Function, Language
from mereo.questions.rules import Rules, Tally, answers_of, tallied
from mereo.questions.template import Again, Choose, Describe, Differ, Node, Present, Template

__all__ = ["Plan", "make_plan"]


@dataclass(frozen=True)
class Plan:
    """A template with everything about it that does not depend on the world."""

    template: Template
    language: Language
    rules: Rules
    functions: tuple[Function | None, ...]
    """The function of each node; none for descriptions."""
    checks: tuple[tuple[Differ | Present, ...], ...]
    """The constraints that can be judged as soon as a node has its value."""
    live: tuple[tuple[int, ...], ...]
    """Before each node, the earlier ones on which the rest still depends: what a search remembers failures by."""
    live_sets: tuple[tuple[int, ...], ...]
    """Those of the live ones that have more to them than their value."""
    fine: frozenset[int]
    """The descriptions of which the denoted set matters and not only what the goal makes of it."""
    possible: frozenset[Any]
    """The answers that the template can have at all, as they are tallied."""
    relations: tuple[int, ...]
    """The relations that stand alone, each of which has to be needed."""

    def tally(self) -> Tally:
        """A fresh count of this template's answers."""
        return Tally(answers_of(self.template.output, self.rules))

    def tallied(self, answer: Any) -> Any:
        """What of an answer of this template is kept flat."""
        return tallied(self.template.output, answer)


def make_plan(template: Template, language: Language, rules: Rules) -> Plan:
    """Work out the order of checks of a template."""
    nodes = template.nodes
    relate = {node.describer.relate for node in nodes if isinstance(node, Describe)}
    relations = tuple(k for k, node in enumerate(nodes) if _stands_alone(node, rules, relate))
    fine = {k for k, node in enumerate(nodes) if isinstance(node, Describe) and _downstream(nodes, relations, k)}
    fine |= {k for k in relations if isinstance(nodes[k], Describe)}
    checks: list[list[Differ | Present]] = [[] for _ in nodes]
    for present in template.present:
        checks[present.node].append(present)
    for differ in template.differ:
        checks[max(differ.one, differ.other)].append(differ)
        if differ.of == "set":
            fine |= {differ.one, differ.other}
    live = tuple(_live(template, relations, k) for k in range(len(nodes)))
    words = {k for k, node in enumerate(nodes) if isinstance(node, Choose)}
    return Plan(
        template=template,
        language=language,
        rules=rules,
        functions=tuple(None if isinstance(n, Describe) else language.function(n.function) for n in nodes),
        checks=tuple(map(tuple, checks)),
        live=live,
        live_sets=tuple(tuple(i for i in before if i in fine or i in words) for before in live),
        possible=_possible(template, language, rules),
        fine=frozenset(fine),
        relations=relations,
    )


def _stands_alone(node: Node, rules: Rules, relate: Set[str]) -> bool:
    """Whether a relation is not followed at once by what it is for, so that something later could undo it.

    CLEVR's generator looks at relations outside descriptions only.
    """
    if isinstance(node, Describe):
        return rules.dropped == "derivation" and node.relation is not None and node.goal == "set"
    return node.function in relate


def _possible(template: Template, language: Language, rules: Rules) -> frozenset[Any]:
    """All answers of the type, unless the last function compares what must differ: that is searched for in vain."""
    last, answers = template.nodes[-1], frozenset(template.answers or answers_of(template.output, rules))
    if template.output.form == "entities":
        return frozenset(range(rules.fewest, rules.most + 1))
    if isinstance(last, Describe) or not language.function(last.function).equality:
        return answers
    differs = any({differ.one, differ.other} == set(last.inputs) for differ in template.differ if differ.of == "value")
    return frozenset({False}) if differs else answers


def _live(template: Template, relations: tuple[int, ...], k: int) -> tuple[int, ...]:
    """The nodes before k that a node from k on takes, or is compared with, or that dropping a relation re-runs."""
    needed: set[int] = set()
    for later in template.nodes[k:]:
        needed.update(later.inputs)
        if isinstance(later, Again):
            needed.add(later.of)
    for differ in template.differ:
        if max(differ.one, differ.other) >= k:
            needed.update((differ.one, differ.other))
    if any(relation < k for relation in relations):
        needed.update(range(k))
    return tuple(sorted(i for i in needed if i < k))


def _downstream(nodes: tuple[Node, ...], sources: tuple[int, ...], k: int) -> bool:
    """Whether node k follows from one of the sources."""
    return any(i in sources or _downstream(nodes, sources, i) for i in nodes[k].inputs)
