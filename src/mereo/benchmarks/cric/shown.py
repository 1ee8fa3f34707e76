"""What a person is shown of CRIC besides pictures: what each step took from what is known, and that as a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mereo.benchmarks.cric.graph_drawing import draw_sub_graph
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import ANYTHING, BLANK, Lore, Query
from mereo.benchmarks.cric.question import SubGraph, WrongPart
from mereo.datasets.columns import json_of
from mereo.datasets.inspector import Known, Sign, listed_words
from mereo.files import converted, read_toml
from mereo.knowledge import Item, MemoryKnowledge
from mereo.programs import Trace, execute
from mereo.world import Entity, World, members

__all__ = ["filled", "known_steps", "lore_knowledge", "painted", "sub_graph_drawing"]

_CATEGORY = "IsA"
_BY_KNOWLEDGE = ("find_kg", "find_kg_reverse")


def known_steps(trace: Trace) -> Mapping[int, Known]:
    """By step the items that a program needs of all that its scene shows, and of what else they are not true."""
    found: dict[int, Known] = {}
    names = trace.world.value["name"]
    for number, step in enumerate(trace.executable.program.steps):
        if step.function in _BY_KNOWLEDGE:
            beside = [names[k] for k in members(trace.values[step.inputs[0]])]
            found[number] = _asked(Query(*step.values), beside, trace)
        elif step.function == "find_hypernym" and step.values[0] not in ANYTHING:
            among = {names[k] for k in members(trace.values[step.inputs[0]])}
            found[number] = _of_category(str(step.values[0]), among, trace.world.fact(Lore))
    return found


def sub_graph_drawing(question: Mapping[str, Any], world: World) -> str:
    """The sub-graph of a question row as SVG; empty where the row does not tell of one."""
    if not question.get("sub_graph"):
        return ""
    told = json_of(question, "sub_graph", type=SubGraph)
    wrong = json_of(question, "wrong_part", type=WrongPart) if question.get("wrong_part") else None
    return draw_sub_graph(told, execute(question["program"], world, LANGUAGE), wrong)


def painted(entity: Entity) -> Sign:
    """A square in the color that is said of a thing, where it is one that we know."""
    words = listed_words(entity.attributes.get("color"))
    return Sign(paint=next((_paints()[word] for word in words if word in _paints()), None))


@cache
def _paints() -> Mapping[str, str]:
    path = Path(__file__).with_name("signs.toml")
    return converted(read_toml(path), file=path, type=dict[str, str])


def lore_knowledge(lore: Lore) -> MemoryKnowledge:
    """All that is known of things by their names, to be looked up."""
    items = [filled(query, name) for query, holding in lore.facts.items() for name in holding.true]
    items += [Item(name, _CATEGORY, kind) for kind, holding in lore.categories.items() for name in holding.true]
    return MemoryKnowledge(items)


def filled(query: Query, name: str) -> Item:
    """An item with a name in its blank."""
    return Item(query.head.replace(BLANK, name), query.relation, query.tail.replace(BLANK, name))


def _asked(query: Query, beside: Sequence[str], trace: Trace) -> Known:
    """Of a query with VISION: what is known with each name beside it, and by which word it goes there."""
    lore, shown = trace.world.fact(Lore), set(trace.world.value["name"])
    plain = [query] if not query.compared else []
    words: list[Item] = []
    for name in dict.fromkeys(beside if query.compared else ()):
        kinds = lore.kinds_of(name)
        for word, own in lore.patterns.get(query, {}).items():
            if word == name or word in kinds:
                plain.append(own)
                words += [Item(name, _CATEGORY, word)] if word != name else []
    items = [filled(own, name) for own in plain for name in sorted(lore.filling(own) & shown)]
    true = _any(lore, plain) & shown
    unclear = (_any(lore.doubtful, plain) & shown) - true
    return Known((*items, *words), _sorted(shown - true - unclear), _sorted(unclear))


def _of_category(category: str, among: set[str], lore: Lore) -> Known:
    true = lore.of_category(category) & among
    unclear = (lore.doubtful.of_category(category) & among) - true
    items = tuple(Item(name, _CATEGORY, category) for name in _sorted(true))
    return Known(items, _sorted(among - true - unclear), _sorted(unclear))


def _any(lore: Lore, queries: Iterable[Query]) -> set[str]:
    return {name for query in queries for name in lore.filling(query)}


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
