"""What parsing does to knowledge, in numbers: which phrases become graphs, and how many entities are then connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from mereo.knowledge.item import Item
from mereo.knowledge.item_graph import head_graph, tail_graph
from mereo.knowledge.phrases import PhraseGraph

__all__ = ["Band", "Coverage", "Degrees", "bands", "coverage", "degrees"]

_MOST = 8
"""Things of an entity that are counted with: there are twice as many sets with every thing more."""


class Coverage(NamedTuple):
    """How many phrases, heads and tails both, become graphs."""

    phrases: int
    parsed: int
    longer: tuple[int, int]
    """The same of phrases with more than one word, which take more than a look at the word."""
    patterns: dict[str, int]
    """How many each pattern takes, the most first."""
    relations: dict[str, tuple[int, int]]
    """For each relation: phrases, and how many of them are parsed."""

    @property
    def share(self) -> float:
        """The share that is parsed."""
        return self.parsed / self.phrases if self.phrases else 0.0


class Degrees(NamedTuple):
    """How many entities have which degree: to how many others each is connected."""

    before: Counter[int]
    """Connected are those that are exactly the same."""
    after: Counter[int]
    """Connected are those that name at least one thing in common."""


class Band(NamedTuple):
    """Degrees from one to another, and the shares of entities that lie between them."""

    low: int
    high: int
    before: float
    after: float


def coverage(items: Iterable[Item]) -> Coverage:
    """Parse all heads and tails and count."""
    patterns, phrases, parsed, longer = Counter[str](), Counter[str](), Counter[str](), Counter[bool]()
    for item in items:
        for name, graph in ((item.head, head_graph(item)), (item.tail, tail_graph(item))):
            phrases[item.relation] += 1
            longer[graph is not None] += " " in name
            if graph:
                parsed[item.relation] += 1
                patterns[graph.pattern] += 1
    of_relations = {relation: (count, parsed[relation]) for relation, count in sorted(phrases.items())}
    of_longer = (longer.total(), longer[True])
    return Coverage(phrases.total(), parsed.total(), of_longer, dict(patterns.most_common()), of_relations)


def degrees(items: Sequence[Item]) -> Degrees:
    """The degrees of all heads and tails, each head and each tail of an item being an entity of its own."""
    names = [name for item in items for name in (item.head, item.tail)]
    graphs = [graph for item in items for graph in (head_graph(item), tail_graph(item))]
    same = Counter(names)
    before = Counter(same[name] - 1 for name in names)
    things = [_things(name, graph) for name, graph in zip(names, graphs, strict=True)]
    # Who shares a thing with an entity is in the union of those that name its first thing, its second, and so on. Its
    # size follows from how many name each set of things together, which is counted once for all.
    together = Counter(some for one in things for some in _subsets(one))
    sizes = {one: sum(together[some] * (-1) ** (len(some) + 1) for some in _subsets(one)) for one in set(things)}
    return Degrees(before, Counter(sizes[one] - 1 for one in things))


def bands(found: Degrees) -> list[Band]:
    """Both distributions in bands: none, one to nine, ten to ninety-nine, and so on."""
    count = found.before.total()
    edges = [(0, 0)]
    while edges[-1][1] < max((*found.before, *found.after), default=0):
        edges.append((edges[-1][1] + 1, 10 ** len(edges) - 1))

    def share(degrees: Counter[int], low: int, high: int) -> float:
        return sum(amount for degree, amount in degrees.items() if low <= degree <= high) / (count or 1)

    return [Band(low, high, share(found.before, low, high), share(found.after, low, high)) for low, high in edges]


def _things(name: str, graph: PhraseGraph | None) -> tuple[str, ...]:
    """The things of an entity; itself where it names none."""
    return tuple(sorted(set(graph.things if graph else ()))[:_MOST]) or (name,)


def _subsets(things: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (some for size in range(1, len(things) + 1) for some in combinations(things, size))
