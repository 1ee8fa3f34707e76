"""Aligning what a person wrote with the text of a template: what is missing, what is too much, what fills the gaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from math import inf
from typing import NamedTuple

from mereo.questions.hearing import Heard, Words
from mereo.questions.pattern import Fixed, Gap, Pattern
from mereo.questions.phrase import article

__all__ = ["Alignment", "align", "shown_text"]

_GAP = 4.0
"""What a gap costs that nothing was said for; the words of a text that are missing, or too much, cost up to 1."""

_ROUNDING = 1e-9


class Alignment(NamedTuple):
    """A text with what stands in its gaps, and how far that is from what was written."""

    cost: float
    pattern: Pattern
    steps: tuple[tuple[Fixed | Gap, Words], ...]
    """Its words and gaps in order; a gap with the words that fill it, none where nothing was said for it."""


class _Reached(NamedTuple):
    cost: float
    before: _Reached | None
    by: Fixed | Gap | None
    said: Words


def align(
    pattern: Pattern,
    words: Words,
    *,
    read: Callable[[Gap, int], Sequence[Heard]],
    cost: Callable[[str], float],
    spoken: Set[str],
    most: float = inf,
) -> Alignment | None:
    """The cheapest way to take some words for a text; None where every way costs more than `most`.

    read : what can be read in a gap at a place; cost : of a word that is missing or too much; spoken : all words that
    gaps are filled with
    """
    fixed = set(pattern.fixed)
    ahead = _too_much(words, fixed | spoken, cost)
    behind = _missing(pattern, set(words), cost)
    furthest = most + _ROUNDING
    reached: list[dict[int, _Reached]] = [{} for _ in pattern.ways]
    reached[0][0] = _Reached(0.0, None, None, ())
    for at, ways in enumerate(pattern.ways):
        places = reached[at]
        for place in range(len(words) + 1):
            here = places.get(place)
            if here is None or here.cost + ahead[place] + behind[at] > furthest:
                continue
            if place < len(words):
                _reach(places, place + 1, here, cost(words[place]), None, ())
            for by, to in ways:
                for end, more, said in _moves(by, words, place, read, cost):
                    _reach(reached[to], end, here, more, by, said)
    last = reached[-1].get(len(words))
    return None if last is None or last.cost > furthest else Alignment(last.cost, pattern, _path(last))


def _too_much(words: Words, known: Set[str], cost: Callable[[str], float]) -> list[float]:
    """From each place on, what words cost that stand nowhere in a text, so that they are too much in any case."""
    costs = [0.0 if word in known else cost(word) for word in words]
    return [sum(costs[place:]) for place in range(len(words) + 1)]


def _missing(pattern: Pattern, said: Set[str], cost: Callable[[str], float]) -> list[float]:
    """From each place of a text on, what its words cost at least that nobody said."""
    costs = [0.0] * len(pattern.ways)
    for at in range(len(pattern.ways) - 2, -1, -1):
        costs[at] = min(costs[to] + _unsaid(by, said, cost) for by, to in pattern.ways[at])
    return costs


def _unsaid(by: Fixed | Gap | None, said: Set[str], cost: Callable[[str], float]) -> float:
    return cost(by.word) if isinstance(by, Fixed) and by.word and by.word not in said else 0.0


def _moves(
    by: Fixed | Gap | None,
    words: Words,
    place: int,
    read: Callable[[Gap, int], Sequence[Heard]],
    cost: Callable[[str], float],
) -> list[tuple[int, float, Words]]:
    """Where one way may lead from a place, at what cost, and what is said on it."""
    if by is None:
        return [(place, 0.0, ())]
    if isinstance(by, Fixed):
        missing: tuple[int, float, Words] = (place, cost(by.word) if by.word else 0.0, ())
        return [(place + 1, 0.0, ()), missing] if words[place : place + 1] == (by.word,) else [missing]
    moves: list[tuple[int, float, Words]] = [(place, _GAP, ())]
    for heard in read(by, place):
        if heard.agrees(by.form):
            moves.append((heard.end, 0.0, words[place : heard.end]))
    return moves


def _reach(
    places: dict[int, _Reached], place: int, before: _Reached, more: float, by: Fixed | Gap | None, said: Words
) -> None:
    known, cost = places.get(place), before.cost + more
    if known is None or cost < known.cost:
        places[place] = _Reached(cost, before, by, said)


def _path(end: _Reached) -> tuple[tuple[Fixed | Gap, Words], ...]:
    steps = []
    here: _Reached | None = end
    while here is not None:
        if here.by is not None:
            steps.append((here.by, here.said))
        here = here.before
    return tuple(reversed(steps))


def shown_text(line: Alignment, example: Callable[[Gap], str]) -> str:
    """The text as a sentence. example : words for a gap that nothing was said for"""
    parts: list[str] = []
    for by, said in line.steps:
        words = by.shown if isinstance(by, Fixed) else " ".join(said) or example(by)
        if parts and parts[-1] == "a":
            parts[-1] = article(words)
        if isinstance(by, Fixed) and not by.word and parts:
            parts[-1] += words
        else:
            parts.append(words)
    return " ".join(parts)
