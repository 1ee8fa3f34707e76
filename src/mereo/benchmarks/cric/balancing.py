"""Which of the questions that were drawn are kept, so that answers and items of knowledge come out even.

Whatever a question can be counted by is a trait: its type, its answer among those of its type, each item of knowledge
that it asks by, and its answer among those of that item. Scenes take turns: each lets go of its questions and keeps
those whose traits are least frequent among what all others keep, against the mean of their groups, until nothing
changes or a few rounds are over. Nothing is left to chance, and all of it follows from the questions of one shard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from mereo.benchmarks.cric.lore import Query
from mereo.benchmarks.cric.question import CricQuestion
from mereo.programs import Program

__all__ = ["DRAWN", "Trait", "asked_for", "balanced", "chosen", "queries_of", "traits_of"]

DRAWN = 4
"""How many questions are drawn for each that is kept, where nobody chooses."""
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
    """The kind of answer that a program asks for: of attribute, of thing, or just whether."""
    last = program.steps[-1]
    return str(last.values[0]) if last.values else last.function


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

    def priced(traits: Sequence[Trait]) -> list[tuple[int, float]]:
        """What to count, and what each that is counted adds: how far a trait is above the mean of its group."""
        found = []
        for group, value, weight in traits:
            even = max(drawn_of[group] * share / values_of[group], 1.0)
            found += [(numbers[group, value], weight / even), (numbers[group], -weight / even / values_of[group])]
        return found

    return _settled([list(map(priced, own)) for own in drawn], keep, len(numbers))


_Priced = Sequence[tuple[int, float]]


def _settled(drawn: Sequence[Sequence[_Priced]], keep: int, numbers: int) -> list[list[int]]:
    """Scenes take turns until none changes its mind."""
    counts = [0] * numbers
    kept: list[list[int]] = [[] for _ in drawn]
    for _ in range(_ROUNDS):
        changed = False
        for place, own in enumerate(drawn):
            before = kept[place]
            for one in before:
                _count(counts, own[one], -1)
            kept[place] = _least(own, keep, counts)
            changed |= kept[place] != before
        if not changed:
            break
    return kept


def _least(own: Sequence[_Priced], keep: int, counts: list[int]) -> list[int]:
    """Those with the least frequent traits, one after the other; each is counted when it is taken."""
    left: list[int] = list(range(len(own)))
    taken: list[int] = []
    while left and len(taken) < keep:
        best = min(left, key=lambda one: sum(counts[number] * cost for number, cost in own[one]))
        _count(counts, own[best], 1)
        left.remove(best)
        taken.append(best)
    return sorted(taken)


def _count(counts: list[int], traits: _Priced, by: int) -> None:
    for number, _ in traits:
        counts[number] += by
