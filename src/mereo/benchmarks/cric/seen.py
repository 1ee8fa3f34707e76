"""A picture as whoever asks about it needs it: which things each word, item and relation finds, surely and perhaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from mereo.benchmarks.cric.description import Word
from mereo.benchmarks.cric.graph import SceneGraph, graph_world
from mereo.benchmarks.cric.lore import ANYTHING, Lore, Names, Query
from mereo.benchmarks.cric.predicates import manner, turned
from mereo.benchmarks.cric.sayings import describable, said
from mereo.benchmarks.cric.words import words
from mereo.world import World, members

__all__ = ["Found", "Sayable", "Seen", "Standing"]

T = TypeVar("T")


class Found(NamedTuple):
    """The things that something is true of."""

    sure: int
    perhaps: int
    """The same and those that only some would count."""

    def both(self, other: Found) -> Found:
        """What is in both."""
        return Found(self.sure & other.sure, self.perhaps & other.perhaps)

    @property
    def plain(self) -> bool:
        """Whether there is nothing to argue about."""
        return self.sure == self.perhaps


class Standing(NamedTuple):
    """How a thing stands to another, and all that do so."""

    predicate: str
    subject: bool
    other: int
    found: int
    short: bool
    """Whether it is said of the thing without many words."""


class Sayable:
    """What is known that there are words for, by the names of things. Worked out once."""

    def __init__(self, lore: Lore):
        self.lore = lore
        self.true: dict[str, list[Query]] = defaultdict(list)
        self.unclear: dict[str, list[Query]] = defaultdict(list)
        for query, holding in sorted(lore.facts.items(), key=_first):
            if said(query, query) is not None:
                _enter(self.true, holding.true, query)
                _enter(self.unclear, holding.unclear, query)
        self.kinds: dict[str, list[str]] = defaultdict(list)
        self.unclear_kinds: dict[str, list[str]] = defaultdict(list)
        for category, holding in sorted(lore.categories.items(), key=_first):
            if len(holding.true) > 1:  # the only one of a category is as good as named
                _enter(self.kinds, holding.true, category)
                _enter(self.unclear_kinds, holding.unclear, category)
        self.names = sorted(self.true)
        self.patterns = {query: self._described(query) for query in lore.facts}
        self._beside: dict[tuple[Query, str], tuple[Names, Names]] = {}
        self._spread: dict[tuple[Query, str], int] = {}

    def _described(self, query: Query) -> list[tuple[Query, str]]:
        return [
            (pattern, word)
            for pattern, word in self.lore.patterns_of(query)
            if describable(pattern, query) and said(pattern, query) is not None
        ]

    def beside(self, pattern: Query, name: str) -> tuple[Names, Names]:
        """What fills a query with VISION beside a thing of a name: surely, and perhaps."""
        key = (pattern, name)
        if key not in self._beside:
            lore = self.lore
            self._beside[key] = lore.filling_beside(pattern, name), lore.doubtful.filling_beside(pattern, name)
        return self._beside[key]

    def spread(self, query: Query, category: str) -> int:
        """How many names both fill a query and are of a category."""
        key = (query, category)
        if key not in self._spread:
            filling = self.lore.filling(query)
            self._spread[key] = len(filling if category in ANYTHING else filling & self.lore.of_category(category))
        return self._spread[key]


def _first(pair: tuple[Any, Any]) -> Any:
    """What a look-up goes by. What is known comes in no order of its own, and chance must not depend on one."""
    return pair[0]


def _enter(table: Mapping[str, list[T]], names: Iterable[str], what: T) -> None:
    for name in names:
        table[name].append(what)


class Seen:
    """One picture. Things go by their places in its graph."""

    def __init__(self, graph: SceneGraph, sayable: Sayable):
        self.graph, self.sayable = graph, sayable
        self.names = [thing.name for thing in graph.things]
        self.candidates = sum(1 << place for place, thing in enumerate(graph.things) if thing.candidate)
        self.all = (1 << len(self.names)) - 1
        self.called: dict[str, int] = {}
        for place, name in enumerate(self.names):
            self.called[name] = self.called.get(name, 0) | 1 << place
        self.items = self._table(sayable.true, sayable.unclear)
        self.kinds = self._table(sayable.kinds, sayable.unclear_kinds)

    @cached_property
    def world(self) -> World:
        """All that everybody would say."""
        return graph_world(self.graph, self.sayable.lore)

    @cached_property
    def doubtful(self) -> World:
        """The same with what only some would say."""
        return graph_world(self.graph, self.sayable.lore, doubtful=True)

    def _table(self, true: Mapping[str, list[T]], unclear: Mapping[str, list[T]]) -> dict[T, Found]:
        sure, perhaps = dict[T, int](), dict[T, int]()
        for name, bits in self.called.items():
            for what in true.get(name, ()):
                sure[what] = sure.get(what, 0) | bits
            for what in unclear.get(name, ()):
                perhaps[what] = perhaps.get(what, 0) | bits
        found = {what: Found(bits, bits) for what, bits in sure.items()}
        for what, bits in perhaps.items():
            known = sure.get(what, 0)
            found[what] = Found(known, known | bits)
        return found

    def named(self, names: Names) -> int:
        """The things of these names."""
        return sum(bits for name, bits in self.called.items() if name in names)

    @cached_property
    def words(self) -> Mapping[str, Found]:
        """By word what `find` finds: names and attributes."""
        sure: dict[str, int] = defaultdict(int)
        perhaps: dict[str, int] = defaultdict(int)
        for place, thing in enumerate(self.graph.things):
            bit = 1 << place
            sure[thing.name] |= bit
            for listed in thing.attributes.values():
                for word in listed:
                    sure[word] |= bit
            for listed in thing.unclear.values():
                for word in listed:
                    perhaps[word] |= bit
        return {word: Found(sure[word], sure[word] | perhaps[word]) for word in {**sure, **perhaps}}

    @cached_property
    def fills(self) -> Sequence[list[Query]]:
        """For every thing the items that it surely fills, where it is plain what else does."""
        return [[query for query in self.sayable.true.get(name, ()) if self.items[query].plain] for name in self.names]

    @cached_property
    def known(self) -> Sequence[int]:
        """The things that may be pointed at and of which something is known."""
        return [thing for thing in members(self.candidates) if self.fills[thing]]

    @cached_property
    def beside(self) -> Sequence[tuple[int, Standing]]:
        """How things that may be pointed at stand to others."""
        return [(thing, one) for thing in members(self.candidates) for one in self.standing[thing]]

    @cached_property
    def beside_known(self) -> Sequence[tuple[int, Standing]]:
        """The same, to those of which something is known."""
        return [(thing, one) for thing, one in self.beside if self.fills[one.other]]

    @cached_property
    def by_relation(self) -> Mapping[str, Sequence[tuple[Query, int]]]:
        """By relation the items that something fills, where it is plain what does."""
        found: dict[str, list[tuple[Query, int]]] = defaultdict(list)
        for query, (sure, perhaps) in self.items.items():
            if sure and sure == perhaps:
                found[query.relation].append((query, sure))
        return found

    @cached_property
    def visible(self) -> Sequence[tuple[int, Query, Query, int]]:
        """Things with an item that they fill, the same with VISION, and another thing that VISION may be."""
        called = [{name, *self.sayable.lore.kinds_of(name)} for name in self.names]
        return [
            (thing, query, pattern, other)
            for thing in members(self.candidates)
            for query in self.fills[thing]
            for pattern, word in self.sayable.patterns[query]
            for other, words in enumerate(called)
            if other != thing and word in words
        ]

    @cached_property
    def attributes(self) -> Sequence[list[Word]]:
        """For every thing the words that everybody would say of it."""
        return [
            [Word(kind, word) for kind, listed in sorted(thing.attributes.items()) for word in listed]
            for thing in self.graph.things
        ]

    @cached_property
    def standing(self) -> Sequence[list[Standing]]:
        """For every thing how it stands to others, where that is plain."""
        standing: list[list[Standing]] = [[] for _ in self.names]
        for (predicate, subject, other), found in self._tables().items():
            if not found.plain or not (subject or turned(predicate)):
                continue
            one = Standing(predicate, subject, other, found.sure, subject or manner(predicate) == "action")
            for place in members(found.sure & ~(1 << other)):
                standing[place].append(one)
        return standing

    def _tables(self) -> Mapping[tuple[str, bool, int], Found]:
        """By predicate and one of its ends the things at the other."""
        places = {thing.id: place for place, thing in enumerate(self.graph.things)}
        sure, perhaps = dict[tuple[str, bool, int], int](), dict[tuple[str, bool, int], int]()
        for table, listed in ((sure, self.graph.relations), (perhaps, self.graph.unclear)):
            for stated in listed:
                start, predicate, end = stated.subject, stated.predicate, stated.object
                if predicate not in words().unsaid:
                    subject, other = places[start], places[end]
                    for key, one in (((predicate, True, other), subject), ((predicate, False, subject), other)):
                        table[key] = table.get(key, 0) | 1 << one
        return {key: Found(sure.get(key, 0), sure.get(key, 0) | perhaps.get(key, 0)) for key in {**sure, **perhaps}}
