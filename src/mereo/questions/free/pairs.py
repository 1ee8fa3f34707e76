"""What is said of two that were named: "of the red and the blue things, are there more red ones?"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mereo.questions.free.comparing import comparing, split_sorts
from mereo.questions.free.meaning import Both, Either, Phrase
from mereo.questions.free.partwise import has_compared
from mereo.questions.free.posting import ONES, of_kind, with_mark
from mereo.questions.free.rules import RULES, rule


def of_two(given: Phrase, phrase: Phrase) -> tuple[Phrase, Phrase] | None:
    """The one of two that a phrase names, and the other."""
    two = [replace(given, others=()), *given.others] if given.others else [(split := split_sorts(given))[0], *split[1]]
    marks = {mark for mark in phrase.marks if mark != ONES}
    named = [one for one in two if marks <= set(one.marks)]
    if len(two) != len(("one", "other")) or len(named) != 1 or not marks or phrase.others:
        return None
    return named[0], next(one for one in two if one is not named[0])


@rule("whichever_of")
def whichever_of(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "the big cube or the big ball, whichever is green": the one of them that is so."""
    each = (one, *other.others, replace(other, others=()))
    if not one.definite or any(phrase.others or phrase.kind != one.kind for phrase in each):
        return None
    ways = tuple(Both(phrase.marks) for phrase in (of_kind(phrase, one) for phrase in each) if phrase.marks)
    such = with_mark(Phrase((Either(ways),), one.kind, definite=True), mark) if len(ways) == len(each) else None
    return None if such is None else replace(such, several=False)


def compared_of_two(word: str) -> Callable[..., Any]:
    """ "Of the cubes and the balls, are there more cubes?"."""

    def compare(given: Phrase, phrase: Phrase) -> Any:
        pair = of_two(given, phrase)
        return None if pair is None else comparing(word)(*pair)

    return compare


def has_compared_of_two(word: str) -> Callable[..., Any]:
    """ "The bed and the table: does the bed have more legs?"."""

    def compare(given: Phrase, phrase: Phrase, parts: Phrase) -> Any:
        pair = of_two(given, phrase)
        return None if pair is None else has_compared(word)(pair[0], parts, pair[1])

    return compare


RULES.update(
    {
        "fewer_of_two": compared_of_two("less"),
        "has_fewer_of_two": has_compared_of_two("less"),
        "has_more_of_two": has_compared_of_two("greater"),
        "more_of_two": compared_of_two("greater"),
    }
)
