"""Which words of a question speak of which things: the spans that MDETR learns from, worked out from programs.

A word that says the value of a step, such as `legs` for `filter_part_category[leg]`, speaks of what the step keeps,
less what the rest of the phrase takes away: in "the chair with red legs" the word "legs" speaks of red legs of that
chair, and "chair" of that chair alone. Nothing is known here of any benchmark: what steps give is told by the language,
what they referred to by the dataset, and how values are said by their names and by `Inspector.spoken`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from mereo.programs import Language, Program
from mereo.questions.phrase import plural

__all__ = ["Phrases", "Span", "spans_of"]

Words = tuple[str, ...]
_MOST_PAIRED = 4
"""The most mentions of one value that are paired in any order."""


class Span(NamedTuple):
    """Words that speak of some things."""

    start: int
    end: int
    """The place after the last word."""
    things: frozenset[int]
    """Entities of the scene's world."""


class Phrases:
    """How values are said, each in one or several."""

    def __init__(self, split: Callable[[str], Sequence[str]], spoken: Mapping[str, Sequence[str]] | None = None):
        """split : the words of a text, as questions are read · spoken : other ways to say a value than by its name"""
        self._split, self._spoken = split, spoken or {}
        self._known: dict[str, frozenset[Words]] = {}

    def of(self, value: str) -> frozenset[Words]:
        """All ways to say a value."""
        if value not in self._known:
            ways = {value, *self._spoken.get(value, ())}
            self._known[value] = frozenset(tuple(self._split(one)) for way in ways for one in (way, plural(way)))
        return self._known[value]


def spans_of(
    words: Sequence[str],
    program: Program,
    referred: Sequence[Iterable[int]],
    *,
    language: Language,
    whole: Mapping[int, int],
    phrases: Phrases,
) -> list[Span]:
    """The spans of a question, in order.

    words : as it was split · referred : what every step refers to · whole : by part the object that it belongs to
    """
    meanings = _meanings(program, [frozenset(some) for some in referred], language, whole)
    # Values that speak of nothing are looked for as well, so that "on top of" is not taken for a top.
    said = {value for step in program.steps for value in step.values if isinstance(value, str)}
    places = _mentions(tuple(words), {value: phrases.of(value) for value in sorted(said)})
    spans: list[Span] = []
    # What is meant once settles its neighbors: of "blue legs" and "legs" the first are those that are blue.
    for value, meant in sorted(meanings.items(), key=lambda one: len(one[1])):
        mentions = places.get(value, [])
        # Said as often as meant, each says its own; else some are left unsaid, or meant twice, and all say all.
        each = _paired(mentions, meant, spans) if len(meant) == len(mentions) else [_all(meant)] * len(mentions)
        spans += [Span(start, end, things) for (start, end), things in zip(mentions, each, strict=True) if things]
    return sorted(spans)


def _paired(
    mentions: Sequence[tuple[int, int]], meant: Sequence[frozenset[int]], settled: Sequence[Span]
) -> Sequence[frozenset[int]]:
    """What each mention says: in the order of the steps, unless the words beside them tell otherwise."""
    if not 1 < len(meant) <= _MOST_PAIRED:
        return meant
    beside = [[near.things for near in settled if near.end == start or near.start == end] for start, end in mentions]
    return max(
        permutations(meant),
        key=lambda order: sum(things in near for things, near in zip(order, beside, strict=True)),
    )


def _all(meant: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset[int]().union(*meant)


def _meanings(
    program: Program, referred: Sequence[frozenset[int]], language: Language, whole: Mapping[int, int]
) -> dict[str, list[frozenset[int]]]:
    """By value what each step with it speaks of, in the order in which English says them: the outermost first."""
    user = _users(program)
    entities = [language.function(step.function).output.form in ("entity", "entities") for step in program.steps]
    found: dict[str, list[frozenset[int]]] = {}
    for position in _outermost_first(program):
        step = program.steps[position]
        words = [value for value in step.values if isinstance(value, str)]
        if words and entities[position] and any(_keeps(referred, position, i) for i in step.inputs if entities[i]):
            meant = _narrowed(position, user, entities, referred, whole)
            for word in words:
                found.setdefault(word, []).append(meant)
    return found


def _keeps(referred: Sequence[frozenset[int]], position: int, before: int) -> bool:
    """Whether a step keeps some of what came before, as filters do, and does not lead elsewhere, as relations do."""
    return referred[position] <= referred[before]


def _narrowed(
    position: int,
    user: Mapping[int, int],
    entities: Sequence[bool],
    referred: Sequence[frozenset[int]],
    whole: Mapping[int, int],
) -> frozenset[int]:
    """What is left of a step's things when the phrase is at its end: where other things are spoken of, or a value."""
    meant = referred[position]
    of_parts, left_parts = _are_parts(meant, whole), False
    while position in user:
        position = user[position]
        now = referred[position]
        if not entities[position]:
            continue  # the numbers of parts, by which objects are kept afterwards
        if _are_parts(now, whole) and not of_parts:
            continue  # its parts, by which it may be kept
        if of_parts and not _are_parts(now, whole):
            left_parts, now = True, frozenset(thing for thing in meant if whole[thing] in now)
        elif left_parts:
            break  # parts of what was found by its parts: another phrase
        if not now or not now <= meant:
            break  # others are spoken of, or nothing fits, which leaves what was looked for
        meant = now
    return meant


def _are_parts(things: frozenset[int], whole: Mapping[int, int]) -> bool:
    return any(thing in whole for thing in things)


def _users(program: Program) -> dict[int, int]:
    """By step the one that uses it, where it is only one."""
    users: dict[int, list[int]] = {}
    for position, step in enumerate(program.steps):
        for i in step.inputs:
            users.setdefault(i, []).append(position)
    return {i: some[0] for i, some in users.items() if len(some) == 1}


def _outermost_first(program: Program) -> list[int]:
    """All steps: each before its inputs, these from left to right."""
    order: list[int] = []
    waiting, seen = [len(program.steps) - 1], set[int]()
    while waiting:
        position = waiting.pop()
        if position not in seen:
            seen.add(position)
            order.append(position)
            waiting += reversed(program.steps[position].inputs)
    return order


def _mentions(words: Words, ways: Mapping[str, frozenset[Words]]) -> dict[str, list[tuple[int, int]]]:
    """By value where it is said; a longer phrase goes before a shorter one within it, as "leg bar" before "leg"."""
    found: dict[str, list[tuple[int, int]]] = {}
    longest = max((len(way) for some in ways.values() for way in some), default=0)
    place = 0
    while place < len(words):
        for length in range(min(longest, len(words) - place), 0, -1):
            value = next((value for value, some in ways.items() if words[place : place + length] in some), None)
            if value is not None:
                found.setdefault(value, []).append((place, place + length))
                place += length
                break
        else:
            place += 1
    return found
