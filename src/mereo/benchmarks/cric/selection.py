"""Knowledge that many people wrote, of which only what can be asked about is taken.

Not all of it is true, and little of it is complete. What one person alone wrote is often odd, what several things are
said to do is mostly so; opinions, stories and what holds for everything are left out by their words and form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mereo.benchmarks.cric.graph import OTHER, kind_of_word
from mereo.benchmarks.cric.lore import EVENTS
from mereo.files import converted, read_toml
from mereo.knowledge import Item, Knowledge, PhraseGraph, merged, parsed, relations, singular
from mereo.knowledge.relations import CATEGORY
from mereo.knowledge.tagging import tagged

__all__ = ["Form", "chosen", "selection"]

_NOUNS = ("IsA", "IsATaxonomy", "AtLocation", "HasA", "MadeFrom")
"""Relations whose tails name a thing."""
_VOTES = 2.0
"""How much must be said for a category of which another is said more often."""
_SHORTEST = 2
_STATES = ("be", "have")
"""Verbs with which nothing happens."""
_SPOKEN = ("NN", "NNS", "JJ", "NNP")


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tails of a relation must look like, and of how many heads a fact must be stated at least."""

    patterns: frozenset[str]
    words: int
    heads: int


class Selection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `selection.toml` holds; it says itself what each part means."""

    persons: frozenset[str]
    words: frozenset[str]
    opinions: frozenset[str]
    actions: frozenset[str]
    general: frozenset[str]
    proper: frozenset[str]
    small: frozenset[str]
    forms: Mapping[str, Form]


@cache
def selection() -> Selection:
    """What is chosen by, read once."""
    path = Path(__file__).with_name("selection.toml")
    return converted(read_toml(path), file=path, type=Selection)


def chosen(items: Iterable[Item], knowledge: Knowledge, *, lightest: float = 1.0) -> list[Item]:
    """The items that can be asked about, with places bare of `in` and `on`.

    knowledge : where a fact must be stated of enough heads · lightest : the least weight that is enough
    """
    fit = [found for item in items if item.weight >= lightest and (found := _fit(item)) is not None]
    tails = sorted({item.tail for item in fit})
    heads = Counter((item.relation, item.tail) for item in knowledge.items(tail=tails))
    known = [item for item in fit if heads[item.relation, item.tail] >= selection().forms[item.relation].heads]
    return _voted(known)


def _voted(items: Iterable[Item]) -> list[Item]:
    """Items without categories that one alone says while another is said more often: dogs are pets, hardly birds."""
    each = merged(items)
    most: dict[str, float] = {}
    for item in each:
        if item.relation == CATEGORY:
            most[item.head] = max(most.get(item.head, 0.0), item.weight)
    return [item for item in each if item.relation != CATEGORY or item.weight >= min(_VOTES, most[item.head])]


def _fit(item: Item) -> Item | None:
    """An item whose words and form are those of a fact."""
    rule, form = selection(), selection().forms[item.relation]
    words = item.tail.split()
    if item.head in rule.persons or rule.words.intersection(words) or len(words) > form.words:
        return None
    if min(map(len, words)) < _SHORTEST or any(word[:1].isdigit() for word in words):
        return None
    graph = parsed(item.tail, opening=relations()[item.relation].tail)
    if graph is None or graph.pattern not in form.patterns:
        return None
    if item.relation in _NOUNS:
        thing = graph.nodes[-1]
        return _naming(replace(item, tail=thing.word if item.relation == CATEGORY else thing.name))
    if item.relation == "HasProperty" and (item.tail in rule.opinions or kind_of_word(item.tail) != OTHER):
        return None
    if item.relation in EVENTS and not _happening(item, graph):
        return None
    return None if words[0] in rule.actions else item


def _happening(item: Item, graph: PhraseGraph) -> bool:
    """Whether a head is something that people do, and does not name the thing that the tail is about."""
    words = item.head.split()
    head = parsed(item.head, opening="verb")
    plain = head is not None and head.pattern.startswith("action") and not selection().words.intersection(words)
    return plain and not set(graph.things) & {*words, *selection().persons} and words[0] not in _STATES


def _naming(item: Item) -> Item | None:
    """An item whose tail is a thing that not everything has or is at, not one with a name of its own, and not seen."""
    rule, last = selection(), item.tail.split()[-1]
    if {item.tail, last} & (rule.general | rule.persons) or item.tail in rule.proper:
        return None
    if item.relation == "MadeFrom" and "material" in (kind_of_word(item.tail), kind_of_word(f"{item.tail}en")):
        return None
    nouns = all(word.tag in _SPOKEN for word in tagged(item.tail, opening="noun"))
    return item if nouns and singular(item.head) != singular(item.tail) else None
