"""The closed world: what is not known is false, so whoever asks must know all of which a fact is true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable

from msgspec.structs import replace

from mereo.knowledge.graph import MemoryKnowledge
from mereo.knowledge.item import Item, merged
from mereo.knowledge.item_graph import tail_graph
from mereo.knowledge.relations import CATEGORY, TAXONOMY, relations

__all__ = ["apart", "completed", "fact", "unified"]


def fact(item: Item) -> Hashable:
    """What an item says of its head, whatever the words: the graph of its tail, or the tail where it has none."""
    graph = tail_graph(item)
    return graph.meaning if graph else item.tail


def apart(items: Iterable[Item], taxonomic: Collection[str]) -> tuple[Item, ...]:
    """Items with what a science says a thing is apart from what everybody says."""
    return merged(
        replace(item, relation=TAXONOMY) if item.relation == CATEGORY and item.tail in taxonomic else item
        for item in items
    )


def unified(items: Iterable[Item], *, fact: Callable[[Item], Hashable] = fact) -> tuple[Item, ...]:
    """Items in which the same fact, `make music` or `making music`, has the same words: those with the most weight."""
    all_items = merged(items)
    weights: dict[tuple[str, Hashable], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    said = [(item.relation, fact(item)) for item in all_items]
    for item, what in zip(all_items, said, strict=True):
        weights[what][item.tail] += item.weight
    chosen = {what: min(tails, key=lambda tail: (-tails[tail], len(tail), tail)) for what, tails in weights.items()}
    return merged(replace(item, tail=chosen[what]) for item, what in zip(all_items, said, strict=True))


def completed(
    items: Iterable[Item], entities: Iterable[str], *, fact: Callable[[Item], Hashable] = fact
) -> tuple[Item, ...]:
    """Items with all that follows for some entities: what holds for a category holds for what belongs to it.

    Facts are unified before, so that who `cut food` and what is used for `cutting food` satisfy the same. What follows
    names the category as its source, the nearest where there are several.
    """
    known = MemoryKnowledge(unified(items, fact=fact))
    added = []
    for entity in sorted(set(entities)):
        stated = {(item.relation, item.tail) for item in known.items(head=entity)}
        for category in known.kinds(entity):
            for item in known.items(head=category):
                new = (item.relation, item.tail) not in stated and item.tail != entity
                if relations()[item.relation].inherited and new:
                    stated.add((item.relation, item.tail))
                    added.append(replace(item, head=entity, source=f"{entity} is a type of {category}"))
    return merged([*known.items(), *added])
