"""Which of the questions that were drawn are kept, so that answers and items of knowledge come out even.

Whatever a question can be counted by is a trait: its type, its answer among those of its type, each item of knowledge
that it asks by, and its answer among those of that item. Scenes take turns: each lets go of its questions and keeps
those whose traits are least frequent among what all others keep, against the mean of their groups, until nothing
changes or a few rounds are over. Nothing is left to chance, and all of it follows from the questions of one shard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.cric.graph import KINDS
from mereo.benchmarks.cric.lore import Query
from mereo.benchmarks.cric.question import CricQuestion
from mereo.programs import Program

__all__ = ["DRAWN", "WHETHER", "Trait", "asked_for", "balanced", "chosen", "queries_of", "traits_of"]

DRAWN = 4
"""How many questions are drawn for each that is kept, where nobody chooses."""
_UNITS, _NEVER = 1_000_000, np.iinfo(np.int64).max
WHETHER, NAMED = "whether", "name"
"""The kinds of answers that are no attributes."""
_ROUNDS = 3
_KNOWING = ("find_kg", "find_kg_reverse")
_TYPE, _ANSWER, _WHETHER, _ITEM, _ANSWER_OF_ITEM = 4.0, 4.0, 16.0, 1.0, 2.0
"""How much it counts that types, answers, yes and no, items and the answers of one item are even."""


class Trait(NamedTuple):
    """Something that a question can be counted by."""

    group: Hashable
    """Within which all should be equally frequent."""
    value: Hashable
    weight: float = 1.0


def queries_of(program: Program) -> list[Query]:
    """The items of knowledge that a program asks by, with their blanks, each once."""
    found = (Query(*map(str, step.values)) for step in program.steps if step.function in _KNOWING)
    return list(dict.fromkeys(found))


def asked_for(program: Program) -> str:
    """The kind of answer that a program asks for: a kind of attribute, `name`, or just `whether`."""
    last = program.steps[-1]
    if not last.values:
        return WHETHER
    kind = str(last.values[0])
    return kind if kind in KINDS else NAMED


def traits_of(question: CricQuestion) -> tuple[Trait, ...]:
    """All that a question is balanced by."""
    program, answer = question.trace.executable.program, question.answer
    queries, sort = queries_of(program), (question.type, asked_for(program))
    share, even = 1 / max(len(queries), 1), _WHETHER if answer in ("yes", "no") else _ANSWER
    return (
        Trait("type", question.type, _TYPE),
        Trait(("answer", *sort), answer, even),
        *(Trait("item", query, _ITEM * share) for query in queries),
        *(Trait((query, *sort), answer, _ANSWER_OF_ITEM * share) for query in queries),
    )


def balanced(drawn: Sequence[Sequence[CricQuestion]], keep: int) -> list[list[CricQuestion]]:
    """Of the questions drawn for each scene those that are kept, in their order; all where there are not so many."""
    places = chosen([[traits_of(question) for question in own] for own in drawn], keep)
    return [[own[place] for place in kept] for own, kept in zip(drawn, places, strict=True)]


def chosen(drawn: Sequence[Sequence[Sequence[Trait]]], keep: int) -> list[list[int]]:
    """The places of those that are kept of each scene's, in order."""
    numbers: dict[Hashable, int] = {}
    drawn_of, values_of = Counter[Hashable](), Counter[Hashable]()
    for group, value, _ in (trait for own in drawn for traits in own for trait in traits):
        drawn_of[group] += 1
        values_of[group] += (group, value) not in numbers
        for counted in (group, (group, value)):
            numbers.setdefault(counted, len(numbers))
    share = sum(min(keep, len(own)) for own in drawn) / max(sum(map(len, drawn)), 1)
    even = {group: max(share * count / values_of[group], 1.0) for group, count in drawn_of.items()}

    def priced(traits: Sequence[Trait]) -> Iterator[tuple[int, int]]:
        """What to count, and what each that is counted adds: how far a trait is above the mean of its group."""
        for group, value, weight in traits:
            price = _UNITS * weight / even[group]
            yield numbers[group, value], round(price)
            yield numbers[group], -round(price / values_of[group])

    scenes = [_Scene.of([dict(priced(traits)) for traits in own], len(numbers)) for own in drawn]
    counts = np.zeros(len(numbers) + 1, np.int64)
    for _ in range(_ROUNDS):
        changed = [scene.choose_again(counts, keep) for scene in scenes]
        if not any(changed):
            break
    return [sorted(scene.kept) for scene in scenes]


@dataclass
class _Scene:
    """The questions that were drawn for a scene, and the places of those that are kept.

    Prices are whole numbers, so that sums are the same on every machine.
    """

    numbers: NDArray[np.int64]
    """(questions, traits) what each counts; filled up with a number that nobody has."""
    prices: NDArray[np.int64]
    kept: list[int]

    @classmethod
    def of(cls, priced: Sequence[Mapping[int, int]], nobody: int) -> _Scene:
        width = max(map(len, priced), default=0)
        numbers = np.full((len(priced), width), nobody, np.int64)
        prices = np.zeros((len(priced), width), np.int64)
        for place, own in enumerate(priced):
            numbers[place, : len(own)], prices[place, : len(own)] = list(own), list(own.values())
        return cls(numbers, prices, [])

    def choose_again(self, counts: NDArray[np.int64], keep: int) -> bool:
        """Keep those with the least frequent traits, one after the other; whether these are others than before."""
        before = self.kept
        for place in before:
            counts[self.numbers[place]] -= 1
        self.kept = []
        for _ in range(min(keep, len(self.numbers))):
            costs = (counts[self.numbers] * self.prices).sum(1)
            costs[self.kept] = _NEVER
            best = int(costs.argmin())
            counts[self.numbers[best]] += 1
            self.kept.append(best)
        return self.kept != before
