"""A template made ready for searching: what to check when, and what a search may forget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, NoReturn

from mereo.programs import Language
from mereo.programs.program import needed
from mereo.questions.rules import AllBut, Answers, Rules, Tally, answers_of
from mereo.questions.template import Again, Choose, Describe, Differ, Node, Present, Template

__all__ = ["Plan", "make_plan"]


@dataclass(frozen=True)
class Plan:
    """A template with everything about it that does not depend on the world."""

    template: Template
    language: Language
    rules: Rules
    calls: tuple[Callable[..., Any], ...]
    """What each node calls; nothing that can be called for descriptions."""
    narrowing: frozenset[int]
    """The nodes whose functions give sets of entities."""
    checks: tuple[tuple[Differ | Present, ...], ...]
    """The constraints that can be judged as soon as a node has its value."""
    live: tuple[tuple[int, ...], ...]
    """Before each node, the earlier ones on which the rest still depends: what a search remembers failures by."""
    live_sets: tuple[tuple[int, ...], ...]
    """Those of the live ones that have more to them than their value."""
    fine: frozenset[int]
    """The descriptions of which the denoted set matters and not only what the goal makes of it."""
    possible: Answers
    """The answers that the template can have at all, as they are tallied."""
    refers: bool
    """Whether it ends in a set of entities, of which their number is tallied."""
    relations: Mapping[int, tuple[int, ...]]
    """The relations that stand alone, each of which has to be needed, with the nodes that follow from it."""
    order: tuple[int, ...]
    """The nodes that the answer needs, in the order in which a program is written."""
    shared: frozenset[int]
    """Those of them that several take from."""
    single: Mapping[str, int]
    """The holes that refer to one object, each with its node."""
    chosen: Mapping[str, int]
    """The holes for single words, each with its node."""
    kinds: Mapping[str, str]
    """The name of the type of each such hole."""
    settles: tuple[tuple[int, ...], ...]
    """The earlier descriptions of which a node's word tells whether they can be said, where that is looked at right
    then; else they are searched for anew until they can."""

    def tally(self) -> Tally:
        """A fresh count of this template's answers."""
        return Tally(answers_of(self.template.output, self.rules))

    def tallied(self, answer: Any) -> Any:
        """What of an answer is kept flat: the number of the entities where it is a set of them, else the answer."""
        return answer.bit_count() if self.refers else answer


def make_plan(template: Template, language: Language, rules: Rules) -> Plan:
    """Work out the order of checks of a template."""
    nodes = template.nodes
    functions = [None if isinstance(node, Describe) else language.function(node.function) for node in nodes]
    relate = {node.describer.relate for node in nodes if isinstance(node, Describe)}
    relations = tuple(k for k, node in enumerate(nodes) if _stands_alone(node, rules, relate))
    narrowed = {k for relation in relations for k in (relation, *_following(nodes, relation))}
    fine = {k for k in narrowed if isinstance(nodes[k], Describe)}
    checks: list[list[Differ | Present]] = [[] for _ in nodes]
    for present in template.present:
        checks[present.node].append(present)
    for differ in template.differ:
        checks[max(differ.one, differ.other)].append(differ)
        if differ.of == "set":
            fine |= {differ.one, differ.other}
    settles = tuple(_settled(nodes, k) if rules.sparing else () for k in range(len(nodes)))
    live = tuple(_live(template, relations, settles, k) for k in range(len(nodes)))
    words = {k for k, node in enumerate(nodes) if isinstance(node, Choose)}
    order = needed(nodes, len(nodes) - 1)
    taken = Counter(i for k in order for i in nodes[k].inputs)
    return Plan(
        template=template,
        language=language,
        rules=rules,
        calls=tuple(_described if function is None else function.call for function in functions),
        narrowing=frozenset(k for k, made in enumerate(functions) if made and made.output.form == "entities"),
        checks=tuple(map(tuple, checks)),
        live=live,
        live_sets=tuple(tuple(i for i in before if i in fine or i in words) for before in live),
        refers=template.output.form == "entities",
        possible=_possible(template, language, rules),
        fine=frozenset(fine),
        order=tuple(order),
        shared=frozenset(k for k, times in taken.items() if times > 1),
        single={n.hole: k for k, n in enumerate(nodes) if isinstance(n, Describe) and n.goal == "unique"},
        chosen={n.hole: k for k, n in enumerate(nodes) if isinstance(n, Choose)},
        kinds={n.hole: n.type.name for n in nodes if isinstance(n, Choose)},
        relations={k: _following(nodes, k) for k in relations},
        settles=settles,
    )


def _described(*inputs: Any) -> NoReturn:
    raise AssertionError("a description is searched for, not called")


def _stands_alone(node: Node, rules: Rules, relate: Set[str]) -> bool:
    """Whether a relation is not followed at once by what it is for, so that something later could undo it.

    CLEVR's generator looks at relations outside descriptions only.
    """
    if isinstance(node, Describe):
        return rules.dropped == "derivation" and node.relation is not None and node.goal == "set"
    return node.function in relate


def _possible(template: Template, language: Language, rules: Rules) -> Answers:
    """All answers of the type, unless the last function compares what must differ: that is searched for in vain."""
    if template.output.form == "entities":
        return frozenset(range(rules.fewest, rules.most + 1))
    last, listed = template.nodes[-1], template.answers or answers_of(template.output, rules)
    answers = frozenset(listed) if listed else AllBut()
    if isinstance(last, Describe) or not language.function(last.function).equality:
        return answers
    differs = any({differ.one, differ.other} == set(last.inputs) for differ in template.differ if differ.of == "value")
    return frozenset({False}) if differs else answers


def _settled(nodes: tuple[Node, ...], k: int) -> tuple[int, ...]:
    """The descriptions whose last word beside them is that of node k, chosen after them."""
    before = [(i, node) for i, node in enumerate(nodes[:k]) if isinstance(node, Describe)]
    return tuple(i for i, node in before if node.beside and max(node.beside) == k)


def _live(
    template: Template, relations: tuple[int, ...], settles: tuple[tuple[int, ...], ...], k: int
) -> tuple[int, ...]:
    """The nodes before k that a node from k on takes, or is compared with, or settles, or that dropping a relation
    re-runs."""
    needed = {i for settled in settles[k:] for i in settled}
    for later in template.nodes[k:]:
        needed.update(later.inputs)
        if isinstance(later, Again):
            needed.add(later.of)
        if isinstance(later, Describe):
            needed.update(later.beside)
    for differ in template.differ:
        if max(differ.one, differ.other) >= k:
            needed.update((differ.one, differ.other))
    if any(relation < k for relation in relations):
        needed.update(range(k))
    return tuple(sorted(i for i in needed if i < k))


def _following(nodes: tuple[Node, ...], source: int) -> tuple[int, ...]:
    """The nodes whose values depend on that of a node, in order."""
    found = {source}
    for k in range(source + 1, len(nodes)):
        if not found.isdisjoint(nodes[k].inputs):
            found.add(k)
    return tuple(sorted(found - {source}))
