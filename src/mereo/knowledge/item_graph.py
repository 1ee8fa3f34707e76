"""Items with graphs instead of phrases on both sides, and the relations between things that follow from one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from mereo.knowledge.item import Item
from mereo.knowledge.phrases import AGENT, THING, Edge, PhraseGraph, parsed
from mereo.knowledge.relations import relations

__all__ = ["Between", "ItemGraph", "head_graph", "item_graph", "tail_graph"]


class Between(NamedTuple):
    """A relation between two things: fork, can move, food. Nothing on a side where the item names no thing."""

    subject: str
    relation: str
    object: str


class ItemGraph(msgspec.Struct, frozen=True):
    """An item from graph to graph."""

    relation: str
    head: PhraseGraph
    tail: PhraseGraph

    @property
    def things(self) -> tuple[str, ...]:
        """All things that it names, each once."""
        return tuple(dict.fromkeys((*self.head.things, *self.tail.things)))

    def between(self) -> tuple[Between, ...]:
        """What it says of its things one by one. What the head names does what the tail says."""
        about = relations()[self.relation]
        doers = tuple(node.name for node in self.head.nodes if node.role == THING) if not _has_agent(self.head) else ()
        found = [*_said(self.head, doers=(), verb=""), *_said(self.tail, doers=doers, verb=about.agent)]
        if not _has_agent(self.tail):
            first = self.head.nodes[:1] if self.head.edges else self.head.nodes
            last = self.tail.nodes[:1] if self.tail.edges else self.tail.nodes
            found += [Between(one.name, about.words, other.name) for one in first for other in last]
        return tuple(found)


def head_graph(item: Item) -> PhraseGraph | None:
    """The graph of an item's head."""
    return parsed(item.head, opening=relations()[item.relation].head)


def tail_graph(item: Item) -> PhraseGraph | None:
    """The graph of an item's tail."""
    return parsed(item.tail, opening=relations()[item.relation].tail)


def item_graph(item: Item) -> ItemGraph | None:
    """An item from graph to graph; None where one of its phrases fits no pattern."""
    head, tail = head_graph(item), tail_graph(item)
    return ItemGraph(item.relation, head, tail) if head and tail else None


def _has_agent(graph: PhraseGraph) -> bool:
    return any(node.role == AGENT for node in graph.nodes)


def _said(graph: PhraseGraph, *, doers: tuple[str, ...], verb: str) -> Iterator[Between]:
    for edge in graph.edges:
        target = graph.nodes[edge.target].name if edge.target is not None else ""
        if graph.nodes[edge.source].role != AGENT:
            yield Between(graph.nodes[edge.source].name, edge.label, target)
            continue
        yield from (Between(doer, _spoken(verb, edge), target) for doer in doers or ("",))


def _spoken(verb: str, edge: Edge) -> str:
    return f"{verb} {edge.label}".strip()
