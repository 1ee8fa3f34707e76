"""Weighing readings in a scene: which of them has an answer, and what to tell where none has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import replace
from typing import Any, NamedTuple

from mereo.programs import ProgramFailure, compile_program
from mereo.questions.free.english import ENGLISH, ORDINALS
from mereo.questions.free.listener import FreeListener, FreeReading
from mereo.questions.free.meaning import Asked, Phrase, Ranked, exchanged
from mereo.questions.free.notation import Presumed
from mereo.world import World

__all__ = ["Choice", "Weighed", "weigh"]

_OFFERED = 5
"""How many things one is asked to choose from."""
_FARTHEST = 1.5
"""By how much a reading may cost more than the likeliest, which has no answer, to be answered in its place…"""
_ASTRAY = 0.25
"""… and by how much where it speaks of other things: rather it is told what is not as it was taken for granted."""
_HALF = 4.25
"""From which cost on a sentence is but half understood: what it may mean is suggested, and not answered…"""
_HALF_SHOWN = 5.25
"""… and from which where things are to be found, which are named by half sentences."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Choice(NamedTuple):
    """One of several things that may be meant, and the reading that means it."""

    said: str
    reading: FreeReading


class Weighed(NamedTuple):
    """Readings in a scene."""

    readings: tuple[FreeReading, ...]
    """The one that is answered first; none where nothing is sure."""
    unsure: tuple[FreeReading, ...] = ()
    """Readings that are equally likely, and come to different answers."""
    told: str = ""
    """What the question takes for granted, and is not so."""
    choices: tuple[Choice, ...] = ()
    """Where several things fit: each of them."""


def weigh(readings: Sequence[FreeReading], world: World, listener: FreeListener) -> Weighed:
    """Put those first that have an answer here."""
    answers = [(reading, _answer(reading, world, listener)) for reading in _near(readings)]
    good = [(reading, answer) for reading, answer in answers if answer is not None]
    if not good:
        return _told(readings, world, listener)
    cheapest = good[0][0].cost
    rivals = [pair for pair in good if pair[0].cost == cheapest]
    disagree = any(answer != rivals[0][1] for _, answer in rivals)
    shows = listener.lexicon.finds or rivals[0][0].asked.head == "refer"
    if disagree or cheapest > (_HALF_SHOWN if shows else _HALF):
        return Weighed((), tuple(reading for reading, _ in rivals))
    rest = [reading for reading in readings if reading is not good[0][0]]
    return Weighed((good[0][0], *rest))


def _near(readings: Sequence[FreeReading]) -> list[FreeReading]:
    """Those that may be answered in the place of the likeliest."""
    farther = [reading.cost - readings[0].cost for reading in readings]
    likely = [_spoken_of(reading) for reading, far in zip(readings, farther, strict=True) if far <= _ASTRAY]
    return [
        reading
        for reading, far in zip(readings, farther, strict=True)
        if far <= _ASTRAY or (far <= _FARTHEST and _spoken_of(reading) in likely)
    ]


def _spoken_of(reading: FreeReading) -> list[tuple[object, ...]]:
    return [(phrase.kind, phrase.marks, phrase.others) for phrase in reading.asked.phrases]


def _answer(reading: FreeReading, world: World, listener: FreeListener) -> Any:
    """What a reading comes to; None where it has no answer, or takes for granted what is not so."""
    if any(not _holds(told, world, listener) for told in reading.made.presumed):
        return None
    return _run(reading.made.text, world, listener)


def _holds(told: Presumed, world: World, listener: FreeListener) -> bool:
    found = _run(told.program, world, listener)
    return found is not None and found is not False


def _run(program: str, world: World, listener: FreeListener) -> Any:
    trace = compile_program(program, listener.language).attempt(world)
    return None if isinstance(trace, ProgramFailure) else trace.answer


def _told(readings: Sequence[FreeReading], world: World, listener: FreeListener) -> Weighed:
    """What is wrong with the likeliest reading: the first thing that it takes for granted and that is not so."""
    if not readings:
        return Weighed(())
    reading = readings[0]
    for told in reading.made.presumed:
        if _holds(told, world, listener):
            continue
        count = _number(told, world, listener)
        if count > 1 and told.one:
            choices = tuple(_choices(reading, told.phrase, count, world, listener))
            return Weighed((reading,), told=_several(told.phrase, count, choices, listener), choices=choices)
        if count == 0:
            return Weighed((reading,), told=f"There is no {_bare(told.phrase, listener)} here.")
    return Weighed((reading,))


def _number(told: Presumed, world: World, listener: FreeListener) -> int:
    """How many things fit a phrase."""
    for made in listener.composer.meant(replace(told.phrase, definite=False, several=None)):
        found = _run(made.text, world, listener)
        if isinstance(found, Sized):
            return len(found)
    return -1


def _bare(phrase: Phrase, listener: FreeListener, *, several: bool = False) -> str:
    return listener.paraphrase.phrase(replace(phrase, definite=False, several=several, every=False), bare=True)


def _several(phrase: Phrase, count: int, choices: Sequence[Choice], listener: FreeListener) -> str:
    said = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    which = f": {', or '.join(choice.said for choice in choices)}?" if choices else "."
    return f"There are {said} {_bare(phrase, listener, several=True)}{which}"


def _choices(
    reading: FreeReading, phrase: Phrase, count: int, world: World, listener: FreeListener
) -> Iterator[Choice]:
    """The same question about each of the things that fit, by their places from left to right, or from the front."""
    for side, other in (("left", "right"), ("front", "behind")):
        found = list(_by_place(reading, phrase, min(count, _OFFERED), world, listener, (side, other), count == 2))
        if found:
            yield from found
            return


def _by_place(
    reading: FreeReading,
    phrase: Phrase,
    count: int,
    world: World,
    listener: FreeListener,
    sides: tuple[str, str],
    two: bool,
) -> Iterator[Choice]:
    numbers = ORDINALS[:count]
    places = [Ranked(numbers[0], side) for side in sides] if two else [Ranked(number, sides[0]) for number in numbers]
    for place in places:
        one = phrase.with_marks(place)
        asked = _with(reading.asked, phrase, one)
        for made in listener.composer.programs(asked):
            if _run(made.text, world, listener) is not None:
                ways = ENGLISH["sides"][place.side]
                said = f"the one {ways['at'][0]}" if two else f"the {place.number} {ways['from'][0]}"
                yield Choice(said, FreeReading(asked, made, reading.cost))
                break


def _with(asked: Asked, old: Phrase, new: Phrase) -> Any:
    """What is asked, about another phrase."""
    return exchanged(asked, lambda phrase: new if phrase == old else None)
