"""Programs of CRIC run by plain sets and loops over a scene graph and the facts of the embedded knowledge.

It shares no code with the language, with what is known as queries, or with whoever asks: it reads steps as data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from mereo.benchmarks.cric.graph import SceneGraph, Thing
from mereo.benchmarks.cric.question import CricQuestion
from mereo.knowledge import embedded_base, entities
from mereo.knowledge.facts import Fact
from mereo.programs import Step
from mereo.questions.phrase import plural

__all__ = ["faults", "naive_values"]

KINDS = ("color", "material", "pattern", "shape", "size", "state", "other")
_ARTICLES = ("", "a ", "an ", "the ", "your ", "some ")


def naive_values(steps: Sequence[Step], graph: SceneGraph, *, doubtful: bool) -> list[Any]:
    """The value of every step: a set of ids, a word, yes or no; None where several or none are to be recognized."""
    values: list[Any] = []
    for step in steps:
        values.append(_value(step, [values[k] for k in step.inputs], graph, doubtful))
    return values


def _value(step: Step, given: list[Any], graph: SceneGraph, doubtful: bool) -> Any:
    word = step.values[0] if step.values else ""
    stated = [*graph.relations, *(graph.unclear if doubtful else ())]
    match step.function:
        case "initial":
            return {thing.id for thing in graph.things}
        case "find":
            return {thing.id for thing in _among(graph, given[0]) if word in _said_of(thing, doubtful)}
        case "relate":
            return {one.object for one in stated if one.predicate == word and one.subject in given[0]}
        case "relate_reverse":
            return {one.subject for one in stated if one.predicate == word and one.object in given[0]}
        case "find_hypernym":
            return {
                thing.id
                for thing in _among(graph, given[0])
                if word in ("object", "thing") or word in _categories(thing.name, doubtful)
            }
        case "find_kg" | "find_kg_reverse":
            return set(_filling(step.values, given[0], graph, doubtful))
        case "and":
            return given[0] & given[1]
        case "recognition":
            return _recognized(word, given[0], graph, doubtful)
        case "verify":
            return bool(given[0])
    raise AssertionError(step.function)


def _among(graph: SceneGraph, ids: set[str]) -> Iterator[Thing]:
    return (thing for thing in graph.things if thing.id in ids)


def _said_of(thing: Thing, doubtful: bool, kinds: Sequence[str] = ("name", *KINDS)) -> set[str]:
    said = {thing.name} if "name" in kinds else set()
    for kind in kinds:
        said |= set(thing.attributes.get(kind, ()))
        if doubtful:
            said |= set(thing.unclear.get(kind, ()))
    return said


def _recognized(kind: str, ids: set[str], graph: SceneGraph, doubtful: bool) -> str | None:
    if len(ids) != 1:
        return None
    (thing,) = _among(graph, ids)
    if kind not in KINDS:
        return thing.name
    said = _said_of(thing, doubtful, (kind,))
    return next(iter(said)) if len(said) == 1 else None


@cache
def _facts(relation: str) -> list[Fact]:
    return [fact for fact in embedded_base().facts if fact.relation == relation]


def _holds(fact: Fact, name: str, doubtful: bool) -> bool:
    return name in fact.true or (doubtful and name in fact.unclear)


@cache
def _categories(name: str, doubtful: bool) -> frozenset[str]:
    return frozenset(fact.tail for fact in _facts("IsA") if _holds(fact, name, doubtful))


def _filling(query: Sequence[str], beside: set[str], graph: SceneGraph, doubtful: bool) -> Iterator[str]:
    head, relation, tail = query
    compared = "VISION" in head + tail
    for fact in _facts(relation):
        said = (fact.head or "BLANK", (fact.tail or "{}").replace("{}", "BLANK") if fact.head else fact.tail)
        for thing in graph.things:
            if not _holds(fact, thing.name, doubtful):
                continue
            if not compared and said == (head, tail):
                yield thing.id
            if compared and any(
                said == (head.replace("VISION", word), tail.replace("VISION", word))
                for other in _among(graph, beside)
                if other.id != thing.id
                for word in _called(other.name, doubtful)
            ):
                yield thing.id


@cache
def _called(name: str, doubtful: bool) -> frozenset[str]:
    """All ways in which a phrase may name a thing: itself or what it is, one or several, with an article or without."""
    known = entities().get(name)
    forms = {name, plural(name), *_categories(name, doubtful)}
    forms |= {plural(category) for category in _categories(name, doubtful)}
    if known is not None and known.plural:
        forms.add(known.plural)
    return frozenset(f"{article}{form}" for article in _ARTICLES for form in forms)


def faults(question: CricQuestion, graph: SceneGraph, *, visual: bool = False) -> list[str]:
    """All that is wrong with a question; none if it is sound. visual : whether it must do without knowledge"""
    steps = question.trace.executable.program.steps
    sure, perhaps = (naive_values(steps, graph, doubtful=doubtful) for doubtful in (False, True))
    found = [
        f"step {step} speaks of one thing and finds {len(values[step])}"
        for values in (sure, perhaps)
        for step in question.definite
        if len(values[step]) != 1
    ]
    if sure != perhaps:
        found.append("what only some would say makes a difference")
    answer = {True: "yes", False: "no"}.get(sure[-1], sure[-1])
    if answer != question.answer:
        found.append(f"the answer is {answer}, not {question.answer}")
    functions = [step.function for step in steps if step.function != "initial"]
    knowing = {"find_kg", "find_kg_reverse", *(["find_hypernym"] if visual else [])} & set(functions)
    if not 2 <= len(functions) <= 7 or bool(knowing) == visual:
        found.append(f"it takes {len(functions)} functions: {', '.join(functions)}")
    target = {thing.id for place, thing in enumerate(graph.things) if question.target >> place & 1}
    if target != (set() if answer == "no" else sure[-2]):
        found.append(f"it points at {sorted(target)}")
    return found + _unfounded(question, graph)


def _unfounded(question: CricQuestion, graph: SceneGraph) -> list[str]:
    """What a question says that it takes from the graph and from what is known, and is not there."""
    used, found = question.sub_graph, list[str]()
    things = {thing.id: thing for thing in graph.things}
    found += [f"nobody stated {one}" for one in used.relations if one not in graph.relations]
    found += [f"{one} is not so" for one in used.attributes if one.word not in _said_of(things[one.thing], False)]
    found += [f"{one} is not known" for one in used.knowledge if (one.head, one.relation, one.tail) not in _known()]
    return found


@cache
def _known() -> frozenset[tuple[str, str, str]]:
    """All items that are true, in whole."""
    return frozenset(
        (fact.head, fact.relation, (fact.tail or "{}").replace("{}", name))
        if fact.head
        else (name, fact.relation, fact.tail)
        for fact in embedded_base().facts
        for name in fact.true
    )
