"""What a knowledge base leaves open: whoever asks a picture "which of these?" needs an answer for all that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mereo.knowledge.entities import Entity
from mereo.knowledge.facts import Fact

__all__ = ["Undecided", "unclear", "undecided"]


class Undecided(NamedTuple):
    """A pair of which nobody can say whether it is true."""

    entity: str
    fact: str


def undecided(facts: Iterable[Fact], entities: Mapping[str, Entity]) -> list[Undecided]:
    """All pairs of an entity that scenes can show and a fact that is neither true, false nor unclear for it."""
    shown = [entity.name for entity in entities.values() if entity.shown]
    pairs = []
    for fact in facts:
        decided = fact.false.union(fact.unclear, fact.true)
        pairs += [Undecided(name, fact.name) for name in shown if name not in decided]
    return pairs


def unclear(facts: Iterable[Fact], entities: Mapping[str, Entity]) -> list[Undecided]:
    """All pairs of an entity that scenes can show and a fact that people would disagree about.

    Items leave these out like what is false. Whoever asks about a picture should not ask a fact where it shows one.
    """
    return [
        Undecided(name, fact.name)
        for fact in facts
        for name in sorted(fact.unclear)
        if name in entities and entities[name].shown
    ]
