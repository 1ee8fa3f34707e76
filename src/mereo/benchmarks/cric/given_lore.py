"""What is known of the things of somebody's pictures, from knowledge that many people wrote.

Such knowledge is never complete. What is stated of a thing is taken as true. What follows from its category, what is
stated of another thing of one of its categories, what somebody said of it in other words, fact or not, and for `work
truck` whatever holds for a truck, is unclear: no question depends on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace as changed

from msgspec.structs import replace

from mereo.benchmarks.cric.lore import EVENTS, Holding, Lore, Query, lore_of_items
from mereo.benchmarks.cric.mentions import Mentions
from mereo.benchmarks.cric.selection import chosen
from mereo.knowledge import Item, Knowledge, MemoryKnowledge, apart, completed, singular, taxonomic_names, unified

__all__ = ["lore_for"]

_CATEGORIES = ("IsA", "IsATaxonomy")
_LEVELS = 3
"""Categories of categories that are looked up: a sneaker is a shoe, that is clothing."""


def lore_for(names: Iterable[str], known: Knowledge | Iterable[Item], *, lightest: float = 1.0) -> Lore:
    """What is known of things by these names, as questions ask for it. lightest : the least weight of an item"""
    wanted = frozenset(names)
    knowledge = known if isinstance(known, Knowledge) else MemoryKnowledge(known)
    called = _called(wanted)
    said = knowledge.items(head=sorted(called))
    found = chosen(said, knowledge, lightest=lightest)
    stated = [replace(item, head=name) for item in found if item.relation not in EVENTS for name in called[item.head]]
    above = _categories(stated, knowledge, lightest)
    events = chosen(_about(wanted, knowledge), knowledge, lightest=lightest)
    items = unified(apart([*stated, *above, *events], taxonomic_names()))
    whole, plain = (lore_of_items(some, wanted) for some in (completed(items, wanted), _flat(items)))
    mentions = Mentions(replace(item, head=name) for item in said for name in called[item.head])
    return _doubted(whole, plain, wanted, mentions)


def _called(names: Collection[str]) -> dict[str, list[str]]:
    """By the words that knowledge may have for things, their names: shoes are spoken of as a shoe."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        for word in {name, singular(name)}:
            found[word].append(name)
    return found


def _categories(items: Iterable[Item], knowledge: Knowledge, lightest: float) -> list[Item]:
    """All that is said of the categories of things, and of theirs."""
    level = {item.tail for item in items if item.relation in _CATEGORIES}
    seen, found = set[str](), list[Item]()
    for _ in range(_LEVELS):
        seen |= level
        new = chosen(knowledge.items(head=sorted(level)), knowledge, lightest=lightest)
        found += [item for item in new if item.relation not in EVENTS]
        level = {item.tail for item in new if item.relation in _CATEGORIES} - seen
    return found


def _about(names: Collection[str], knowledge: Knowledge) -> list[Item]:
    """What happens with things by these names. Most phrases name none, and need not be parsed."""
    words = {word for name in names for word in (name, singular(name))}
    return [
        item
        for item in knowledge.items(relation=EVENTS)
        if any(word in words or singular(word) in words for word in item.tail.split()) or item.tail in words
    ]


def _flat(items: Iterable[Item]) -> list[Item]:
    """Items without categories, so that nothing is inherited."""
    return [item for item in items if item.relation not in _CATEGORIES]


def _doubted(whole: Lore, stated: Lore, names: Collection[str], mentions: Mentions) -> Lore:
    """Only what is stated as true; what follows or may be expected, as unclear."""
    kin = {name: _kin(name, whole, names) for name in names}
    facts = {}
    for query, holding in whole.facts.items():
        sure = stated.facts[query].true if query in stated.facts else frozenset[str]()
        if query.relation in _CATEGORIES:
            facts[query] = holding
        elif sure:
            expected = frozenset(name for name in names if kin[name] & sure)
            mentioned = frozenset[str]() if query.reverse else mentions.of(query.tail)
            facts[query] = Holding(sure, (holding.true | expected | mentioned) - sure)
    categories = {
        category: Holding(held.true, frozenset(name for name in names if _tail(name) in held.true) - held.true)
        for category, held in whole.categories.items()
    }
    return changed(whole, facts=facts, categories=categories, patterns=_kept(whole, facts))


def _kin(name: str, lore: Lore, names: Collection[str]) -> frozenset[str]:
    """The things whose facts may be true of one by this name: those of its categories, and its last word."""
    same = frozenset[str]().union(*(lore.of_category(kind) for kind in lore.kinds_of(name)))
    return same | ({_tail(name)} & frozenset(names))


def _tail(name: str) -> str:
    return name.rpartition(" ")[2] if " " in name else ""


def _kept(lore: Lore, facts: Mapping[Query, Holding]) -> dict[Query, dict[str, Query]]:
    """The queries with VISION of the facts that are left."""
    kept = {
        pattern: {word: query for word, query in words.items() if query in facts}
        for pattern, words in lore.patterns.items()
    }
    return {pattern: words for pattern, words in kept.items() if words}
