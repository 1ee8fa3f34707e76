"""Which of the questions that were drawn are kept, so that answers and items of knowledge come out even.

Whatever a question can be counted by is a trait: its type, its answer among those of its type, each item of knowledge
that it asks by, and its answer among those of that item. Scenes take turns: each lets go of its questions and keeps
those whose traits are least frequent among what all others keep, against the mean of their groups, until nothing
changes or a few rounds are over. Nothing is left to chance, and all of it follows from the questions of one shard.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.cric.graph import KINDS
from mereo.benchmarks.cric.lore import Query
from mereo.benchmarks.cric.question import CricQuestion
from mereo.programs import Program

__all__ = ["WHETHER", "Trait", "asked_for", "balanced", "chosen", "queries_of", "traits_of"]

Numbers = NDArray[np.int64]

_UNITS, _NEVER = 1_000_000, np.iinfo(np.int64).max
WHETHER, NAMED = "whether", "name"
"""The kinds of answers that are no attributes."""
_ROUNDS = 3
_KNOWING = ("find_kg", "find_kg_reverse")
_TYPE, _ANSWER, _WHETHER, _ITEM, _ANSWER_OF_ITEM = 4.0, 4.0, 64.0, 1.0, 2.0
"""How much it counts that types, answers, yes and no, items and the answers of one item are even."""


class Trait(NamedTuple):
    """Something that a question can be counted by."""

    group: Hashable
    """Within which all should be equally frequent."""
    value: Hashable
    weight: float = 1.0


def queries_of(program: Program) -> list[Query]:
    """The items of knowledge that a program asks by, with their blanks, each once."""
    found = [Query(*step.values) for step in program.steps if step.function in _KNOWING]
    return list(dict.fromkeys(found)) if len(found) > 1 else found


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
    if not any(drawn):
        return [[] for _ in drawn]
    sizes = [len(own) for own in drawn]
    share = sum(min(keep, size) for size in sizes) / max(sum(sizes), 1)
    numbers, prices = _priced([traits for own in drawn for traits in own], share)
    counts = np.zeros(numbers.max(initial=0) + 1, np.int64)
    ends = np.cumsum(sizes)
    scenes = [
        _Scene(numbers[end - size : end], prices[end - size : end]) for size, end in zip(sizes, ends, strict=True)
    ]
    for _ in range(_ROUNDS):
        changed = [scene.choose_again(counts, keep) for scene in scenes]
        if not any(changed):
            break
    return [sorted(scene.kept) for scene in scenes]


def _priced(questions: Sequence[Sequence[Trait]], share: float) -> tuple[Numbers, Numbers]:
    """For each question what to count, and what each that is counted adds to its price: two (questions, traits) arrays.

    A trait adds as far as it is above the mean of its group, so both it and its group are counted. Prices are whole
    numbers, so that sums are the same on every machine. Rows are filled up with a number that nobody has.
    """
    groups: dict[Hashable, int] = {}
    values: dict[tuple[int, Hashable], int] = {}
    of_group, of_value = list[int](), list[int]()
    for group, value, _ in (trait for traits in questions for trait in traits):
        number = groups.setdefault(group, len(groups))
        of_group.append(number)
        of_value.append(values.setdefault((number, value), len(values)))
    group_of, weights = np.array(of_group, np.intp), np.array([one.weight for own in questions for one in own])
    different = np.bincount([number for number, _ in values], minlength=len(groups))
    even = np.maximum(share * np.bincount(group_of, minlength=len(groups)) / np.maximum(different, 1), 1.0)
    price = _UNITS * weights / even[group_of]
    lengths = np.array([len(traits) for traits in questions], np.intp)
    there = np.arange(lengths.max(initial=0)) < lengths[:, None]
    counted, added = np.zeros((2, *there.shape, 2), np.int64)
    counted += len(groups) + len(values)
    counted[there] = np.stack([group_of, np.array(of_value, np.intp) + len(groups)], 1)
    added[there] = np.rint(np.stack([-price / different[group_of], price], 1))
    return counted.reshape(len(questions), -1), added.reshape(len(questions), -1)


@dataclass
class _Scene:
    """The questions that were drawn for a scene, and the places of those that are kept."""

    numbers: Numbers
    prices: Numbers
    kept: list[int] = field(default_factory=list)

    def choose_again(self, counts: Numbers, keep: int) -> bool:
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
