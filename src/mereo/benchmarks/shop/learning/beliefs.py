"""Programs on what is believed: where the likeliest world leaves a question open, the likeliest that does not answers.

Whoever asks about "the metal mug" has seen one. If what was seen has none, or two, something was seen wrongly: most
likely that of which the eyes were least sure. So worlds are tried in the order of how likely they are, each of which
differs from the likeliest in some words of some things, or in whether a thing is there, until one has an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import islice
from math import log
from typing import Any, NamedTuple

from mereo.benchmarks.shop.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.shop.learning.levels import READ, SEEN
from mereo.benchmarks.shop.learning.seeing import world_of_things
from mereo.datasets.answers import stored_answer
from mereo.errors import MereoError
from mereo.programs import Program, ProgramFailure, compile_program, parse_program
from mereo.training.seeing import Seen, SeenThing
from mereo.training.understanding import Answered
from mereo.world import World

__all__ = ["likely_worlds", "run_on_beliefs"]

_SURE = 0.5
"""A thing that is less sure than this is there only in other worlds."""
_TRIED = 150
"""Worlds for a question, the likeliest."""
_FARTHEST = 8.0
"""How much less likely than the likeliest value another one may be, as a logarithm."""
_COMPARED = 2
"""Values besides those that are named which are tried, where things are compared."""
_LEAST = 1e-6


class _Doubt(NamedTuple):
    """Something that may be otherwise."""

    cost: float
    """How much less likely the world is then, as a logarithm."""
    thing: int
    attribute: str
    """Empty where it is whether the thing is there."""
    value: str | tuple[str, ...] | None = None


def run_on_beliefs(line: str, seen: Seen, *, literal: bool = False) -> Answered:
    """The answer of a program in the likeliest world that has one, and what was wrong with the likeliest of all.

    literal : a question is taken at its word, in the likeliest world alone
    """
    try:
        program = compile_program(parse_program(line), LANGUAGE)
    except MereoError as error:
        return None, str(error)
    wrong: str | None = None
    for world in islice(likely_worlds(seen, program.program), 1 if literal else _TRIED):
        run = program.attempt(world)
        if not isinstance(run, ProgramFailure):
            return stored_answer(run.values[-1], program.types[-1]), wrong
        wrong = wrong or str(run)
    return None, wrong


def likely_worlds(seen: Seen, program: Program) -> Iterator[World]:
    """Worlds of what was seen, the likeliest first, that differ in what a program looks at."""
    things, there = [*seen.objects], [thing.score >= _SURE for thing in seen.objects]
    yield world_of_things([thing for thing, sure in zip(things, there, strict=True) if sure])
    for changes in _by_cost(sorted(_doubts(things, program))):
        changed, present = [*things], [*there]
        for _, number, attribute, value in changes:
            if attribute:
                changed[number] = replace(changed[number], words={**changed[number].words, attribute: value})
            else:
                present[number] = not there[number]
        yield world_of_things([thing for thing, sure in zip(changed, present, strict=True) if sure])


def _by_cost(doubts: Sequence[_Doubt]) -> Iterator[list[_Doubt]]:
    """All sets of changes that go together, the likeliest first. doubts : in the order of what they cost"""
    waiting: list[tuple[float, tuple[int, ...]]] = [(doubts[0].cost, (0,))] if doubts else []
    while waiting:
        cost, chosen = heappop(waiting)
        last = chosen[-1]
        if last + 1 < len(doubts):  # one more, or the next instead of the last
            more = doubts[last + 1].cost
            heappush(waiting, (cost + more, (*chosen, last + 1)))
            heappush(waiting, (cost + more - doubts[last].cost, (*chosen[:-1], last + 1)))
        own = [doubts[k] for k in chosen]
        if len({(one.thing, one.attribute) for one in own}) == len(own):
            yield own


def _doubts(things: Sequence[SeenThing], program: Program) -> Iterator[_Doubt]:
    """Whatever a program looks at and may be otherwise."""
    asked = _asked(program)
    for number, thing in enumerate(things):
        sure = min(max(thing.score, _LEAST), 1 - _LEAST)
        every = [_Doubt(abs(log(sure / (1 - sure))), number, "")]
        for name, wanted in asked.items():
            if name in READ.several:
                every += _other_labels(number, thing, name, wanted.named)
            elif name in thing.odds:
                every += _other_words(number, thing, name, wanted)
        yield from (one for one in every if one.cost < _FARTHEST)


def _other_labels(number: int, thing: SeenThing, name: str, labels: Sequence[str]) -> Iterator[_Doubt]:
    """Labels that a thing may have, or not have."""
    own: Any = thing.words.get(name) or ()
    for label in dict.fromkeys(labels) if name in thing.odds else ():
        likely = min(max(float(thing.odds[name][READ.several[name].index(label)]), _LEAST), 1 - _LEAST)
        other = tuple(one for one in own if one != label) if label in own else (*own, label)
        cost = log(likely / (1 - likely)) if label in own else log((1 - likely) / likely)
        yield _Doubt(max(cost, 0.0), number, name, other)


def _other_words(number: int, thing: SeenThing, name: str, wanted: _Wanted) -> Iterator[_Doubt]:
    """The other words that a thing may have: those that are named, and the likeliest of all others.

    Which of these it has instead makes no difference to a filter; where things are compared, a few are worth a try.
    """
    values, own = {**SEEN.words, **READ.words}[name], str(thing.words[name])
    costs = {value: -log(max(float(likely), _LEAST)) for value, likely in zip(values, thing.odds[name], strict=True)}
    rest = sorted((value for value in values if value not in (own, *wanted.named)), key=lambda value: costs[value])
    others = rest[: _COMPARED if wanted.compared else int(own in wanted.named)]
    for value in (*dict.fromkeys(wanted.named), *others):
        if value != own:
            yield _Doubt(max(costs[value] - costs[own], 0.0), number, name, value)


class _Wanted(NamedTuple):
    """What a program wants to know of an attribute."""

    named: tuple[str, ...] = ()
    """The values that it names."""
    compared: bool = False
    """Whether it also looks at values that it does not name."""


def _asked(program: Program) -> Mapping[str, _Wanted]:
    """By attribute what a program wants to know. What is only asked for may be anything, and raises no doubt."""
    found: dict[str, _Wanted] = {}
    for function, _, values in program.steps:
        verb, _, name = function.partition("_")
        if verb in ("filter", "same") and name in VOCABULARY.attributes:
            before = found.get(name, _Wanted())
            named = (*before.named, *(str(value) for value in values))
            found[name] = _Wanted(named, before.compared or verb == "same")
    return found
