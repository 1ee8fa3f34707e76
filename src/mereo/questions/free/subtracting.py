"""What differences mean: how many more there are of one kind than of another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.comparing import of_another
from mereo.questions.free.meaning import Asked, Of, Phrase
from mereo.questions.free.posting import FARTHER, of_kind, of_one_whole, question_of, with_it
from mereo.questions.free.rules import rule


@rule("subtraction")
def subtraction(one: Phrase, other: Phrase) -> Asked | None:
    return difference_between(other, one)


@rule("subtraction_of")
def subtraction_of(one: Asked, other: Asked) -> Asked | None:
    """ "Subtract the number of doors that the fridge has from the number of wheels of the cart"."""
    if not one.head == other.head == "count" or len(one.phrases) != 1 or len(other.phrases) != 1:
        return None
    less = one.phrases[0]
    known = next((mark.whole for mark in less.marks if isinstance(mark, Of)), less)
    return subtraction(less, with_it(other.phrases[0], known))


@rule("difference")
def difference_own(one: Phrase, other: Phrase) -> Any:
    """ "By how much does the number of legs exceed that of leg bars on the table?": rather its own legs than all."""
    made = difference_between(one, other)
    own = () if made is None else of_one_whole(*made.phrases, sure=True)
    return made if made is None or own == made.phrases else [(replace(made, phrases=own), 0.0), (made, FARTHER)]


def difference_between(one: Phrase, other: Phrase) -> Asked | None:
    return question_of("difference", one, of_kind(other, one))


@rule("difference_those")
def difference_those(one: Phrase, other: Phrase) -> Asked | None:
    """ "By how many do the legs of the chair outnumber those of the bed?"."""
    return difference_between(one, of_another(one, other))


@rule("subtraction_those")
def subtraction_those(one: Phrase, other: Phrase) -> Asked | None:
    """ "Subtract the number of legs of the chair from that of the table"."""
    return difference_between(of_another(one, other), one)


@rule("apart")
def apart(one: Phrase, *rest: Phrase) -> Any:
    """ "the difference between the number of chairs and of tables": whichever are more."""
    pair = (one, *rest) if rest else (replace(one, others=()), *one.others)
    if len(pair) != len(("one", "other")):
        return None
    return [
        (difference_between(*pair), 0.0),
        (difference_between(*(of_kind(each, pair[0]) for each in pair[::-1])), 0.0),
    ]


@rule("apart_those")
def apart_those(one: Phrase, other: Phrase) -> Any:
    """ "the difference between the number of legs of the chair and that of the bed"."""
    return apart(one, of_another(one, other))
