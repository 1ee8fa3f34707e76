"""What is known, as questions ask for it: queries with a blank, and all that may fill it.

A query is an item of knowledge with BLANK where a thing of the picture is looked for, and perhaps VISION where another
thing of the picture stands: <BLANK, UsedFor, cutting VISION> with bread for VISION is filled by knives, because a knife
is used for cutting bread, or food, which bread is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from mereo.knowledge import Base, Fact, Item, MemoryKnowledge, parsed, relations, singular

__all__ = [
    "ANYTHING",
    "BLANK",
    "EVENTS",
    "VISION",
    "Holding",
    "Lore",
    "Query",
    "closed_lore",
    "lore_of_base",
    "lore_of_items",
    "queries_of_base",
]

BLANK, VISION = "BLANK", "VISION"
ANYTHING = frozenset({"object", "thing"})
"""Categories that everything is of."""
_PLACE = "{}"
EVENTS = ("HasPrerequisite", "HasSubevent")
"""Relations whose heads are something that happens, so that the thing is looked for in the tail."""
_ARTICLES = ("a", "an", "the", "your", "some")

Names = frozenset[str]
_NONE: Names = frozenset()


class Query(NamedTuple):
    """An item of knowledge in which something is open."""

    head: str
    relation: str
    tail: str

    @property
    def reverse(self) -> bool:
        """Whether what is looked for stands in the tail."""
        return BLANK not in self.head

    @property
    def compared(self) -> bool:
        """Whether another thing of the picture stands in it."""
        return VISION in self.head or VISION in self.tail


class Holding(NamedTuple):
    """The names that fill a query's blank."""

    true: Names
    unclear: Names = _NONE
    """Names of which one person would say so and another would not."""


@dataclass(frozen=True, eq=False)
class Lore:
    """What is known of things by their names: a fact of every world."""

    facts: Mapping[Query, Holding]
    """All queries without VISION."""
    categories: Mapping[str, Holding]
    """By category what is of it."""
    unsure: bool = False
    """Whether what is unclear counts as true."""
    patterns: Mapping[Query, Mapping[str, Query]] = field(default_factory=dict)
    """All queries with VISION: by the word that VISION stands for, the query with that word."""

    def kept(self, places: Sequence[int]) -> Lore:
        """The same: names are known whatever is seen."""
        return self

    @cached_property
    def doubtful(self) -> Lore:
        """The same with all that is unclear taken as true."""
        return Lore(self.facts, self.categories, unsure=True, patterns=self.patterns)

    def filling(self, query: Query) -> Names:
        """The names that fill the blank of a query without VISION; none where nothing is known of it."""
        return self._meant(self.facts.get(query))

    def filling_beside(self, query: Query, name: str) -> Names:
        """The names that fill the blank of a query where a thing of a name stands for VISION."""
        words = self.patterns.get(query, {})
        called = {name, *self.kinds_of(name)}
        return _NONE.union(*(self.filling(plain) for word, plain in words.items() if word in called))

    def of_category(self, category: str) -> Names:
        """The names of a category."""
        return self._meant(self.categories.get(category))

    def kinds_of(self, name: str) -> Names:
        """The categories of a name."""
        return self._kinds.get(name, _NONE)

    def queries_of(self, name: str) -> Sequence[Query]:
        """The queries without VISION that a name surely fills."""
        return self._filled.get(name, ())

    def patterns_of(self, query: Query) -> Sequence[tuple[Query, str]]:
        """The queries with VISION that a query is one of, each with the word that VISION stands for."""
        return self._patterned.get(query, ())

    def _meant(self, holding: Holding | None) -> Names:
        if holding is None:
            return _NONE
        return holding.true | holding.unclear if self.unsure else holding.true

    @cached_property
    def _kinds(self) -> Mapping[str, Names]:
        found: dict[str, set[str]] = defaultdict(set)
        for category in self.categories:
            for name in self.of_category(category):
                found[name].add(category)
        return {name: frozenset(kinds) for name, kinds in found.items()}

    @cached_property
    def _filled(self) -> Mapping[str, Sequence[Query]]:
        found: dict[str, list[Query]] = defaultdict(list)
        for query, holding in self.facts.items():
            for name in sorted(holding.true):
                found[name].append(query)
        return found

    @cached_property
    def _patterned(self) -> Mapping[Query, Sequence[tuple[Query, str]]]:
        found: dict[Query, list[tuple[Query, str]]] = defaultdict(list)
        for pattern, words in self.patterns.items():
            for word, query in words.items():
                found[query].append((pattern, word))
        return found


def lore_of_base(base: Base) -> Lore:
    """What a base of our own tells, with what it marks as unclear."""
    facts: dict[Query, Holding] = {}
    categories: dict[str, Holding] = {}
    for fact in base.facts:
        holding = Holding(frozenset(fact.true), fact.unclear)
        if fact.relation == "IsA":
            categories[fact.tail] = holding
        else:
            facts[_query_of(fact)] = holding
    return Lore(facts, categories, patterns=_patterns(facts, {*base.vocabulary.entities, *categories}))


def queries_of_base(base: Base) -> list[Query]:
    """All queries without VISION that a base of our own tells of."""
    return list(dict.fromkeys(_query_of(fact) for fact in base.facts if fact.relation != "IsA"))


def _query_of(fact: Fact) -> Query:
    if fact.head:
        return Query(fact.head, fact.relation, (fact.tail or _PLACE).replace(_PLACE, BLANK))
    return Query(BLANK, fact.relation, fact.tail)


def lore_of_items(items: Iterable[Item], names: Iterable[str]) -> Lore:
    """What items tell of things by these names, taken as all there is to know: what is not said is false."""
    wanted = frozenset(names)
    knowledge = MemoryKnowledge(items)
    categories: dict[str, set[str]] = defaultdict(set)
    for name in wanted:
        for category in knowledge.categories(name):
            categories[category].add(name)
    facts: dict[Query, set[str]] = defaultdict(set)
    for item in knowledge.items():
        if item.relation in EVENTS:
            _add_event(item, wanted, facts)
        elif item.relation != "IsA":
            query = Query(BLANK, item.relation, item.tail)
            if query not in facts:
                facts[query] |= wanted.intersection(knowledge.satisfy(item.relation, item.tail))
    return closed_lore(facts, categories, wanted)


def closed_lore(facts: Mapping[Query, Iterable[str]], categories: Mapping[str, Iterable[str]], names: Names) -> Lore:
    """Lore in which nothing is unclear: by query and by category all names that it is true of."""
    held = {query: Holding(frozenset(found)) for query, found in facts.items() if found}
    known = {category: Holding(frozenset(found)) for category, found in categories.items()}
    return Lore(held, known, patterns=_patterns(held, {*names, *known}))


def _add_event(item: Item, wanted: Names, facts: Mapping[Query, set[str]]) -> None:
    """What happens is the head; the tail names a thing, perhaps with what is done to it."""
    for name, open_tail in _opened(item.tail, wanted, relations()[item.relation].tail, BLANK):
        facts[Query(item.head, item.relation, open_tail)].add(name)


def _patterns(facts: Iterable[Query], words: Collection[str]) -> dict[Query, dict[str, Query]]:
    """The queries with VISION for each thing that the closed end of a fact names."""
    found: dict[Query, dict[str, Query]] = defaultdict(dict)
    for query in facts:
        about = relations()[query.relation]
        closed, opening = (query.head, about.head) if query.reverse else (query.tail, about.tail)
        for word, phrase in _opened(closed, words, opening, VISION):
            pattern = query._replace(head=phrase) if query.reverse else query._replace(tail=phrase)
            found[pattern][word] = query
    return dict(found)


def _opened(phrase: str, known: Collection[str], opening: str, mark: str) -> list[tuple[str, str]]:
    """Each thing of a phrase that goes by a known word, with the phrase in which a mark stands for it."""
    graph, words = parsed(phrase, opening=opening), phrase.split()
    found = []
    for thing in graph.things if graph else ():
        place = _place(words, thing) if thing in known else None
        if place is not None:
            first = place - 1 if place and words[place - 1] in _ARTICLES else place
            found.append((thing, " ".join((*words[:first], mark, *words[place + len(thing.split()) :]))))
    return found


def _place(words: Sequence[str], thing: str) -> int | None:
    """Where a thing is first named in words, in the singular or the plural."""
    wanted = thing.split()
    length = len(wanted)
    places = (
        place
        for place in range(len(words) - length + 1)
        if [*words[place : place + length - 1], singular(words[place + length - 1])] == wanted
    )
    return next(places, None)
