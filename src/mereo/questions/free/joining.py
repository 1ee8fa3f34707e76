"""What is spoken of together: "the cube and the ball", "a blue or a green ball"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.english import ENGLISH
from mereo.questions.free.marking import either_mark
from mereo.questions.free.meaning import Alike, At, Besides, Is, Not, Of, Phrase, Ranked
from mereo.questions.free.posting import (
    FARTHER,
    IT,
    counted_from,
    marks_of,
    of_kind,
    of_one_whole,
    with_it,
    with_mark,
)
from mereo.questions.free.rules import rule

UNLIKE = 0.5
"""What it costs to speak of parts and things together."""


@rule("alternatives")
def alternatives(one: Phrase, other: Phrase) -> Any:
    return replace(joint(one, other), either=True), UNLIKE if rather_left_out(one, other) else 0.0


@rule("alternatives_so")
def alternatives_so(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "ball or cube, tiny": either is, unless the first is told by another value of the same."""
    told = {known.attribute for known in one.marks if isinstance(known, Is)}
    if told & {known.attribute for known in marks_of(mark) if isinstance(known, Is)}:
        return None
    such = with_mark(joint(one, other), mark)
    return None if such is None else (replace(such, either=True), FARTHER / 2)


@rule("alternatives_if")
def alternatives_if(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "ball or cube, as long as it is red": rather either of them is."""
    made = alternatives_so(one, other, mark)
    return None if made is None else (made[0], -FARTHER / 4)


@rule("one_or_other")
def one_or_other(one: Is, other: Is, phrase: Phrase) -> Any:
    """ "a blue or a green ball"."""
    return with_mark(phrase, either_mark(one, other))


def rather_left_out(one: Phrase, other: Phrase) -> bool:
    """ "everything but cubes and balls": balls are rather left out, too."""
    if any(isinstance(mark, At) for mark in one.marks) and other.definite and not one.definite:
        return not other.several  # "things left of the ball and the cube"
    return any(isinstance(mark, Not | Besides) for mark in one.marks) and not other.definite


@rule("together")
def together(one: Phrase, other: Phrase) -> Any:
    """What is spoken of together; parts are rather so with parts, and things with things."""
    return joint(one, other), UNLIKE if one.kind != other.kind or rather_left_out(one, other) else 0.0


@rule("together_only")
def together_only(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "cubes and balls, metal only": both are."""
    return together_so(one, other, mark), -UNLIKE / 2


@rule("together_so")
def together_so(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "a cube and a ball that are both red"."""
    return with_mark(joint(one, other), mark)


def joint(one: Phrase, other: Phrase) -> Phrase:
    one, other = of_one_whole(of_kind(one, other), of_kind(other, one))
    owners = [mark.whole for mark in one.marks if isinstance(mark, Of)]
    beside = next((mark.other for mark in one.marks if isinstance(mark, At)), None)
    if beside is not None and IT not in beside.marks:
        other = replace(other, marks=tuple(with_it(mark, beside) for mark in other.marks))
    elif one.definite:
        known = owners[0] if owners and one.kind == "part" else replace(one, others=())
        other = replace(other, marks=tuple(with_it(mark, known) for mark in other.marks))
    one = placed_as(one, other)
    side = next((mark.side for mark in other.marks if isinstance(mark, Ranked)), "")
    counted = counted_from(one, side) or one
    if counted.marks == other.marks and counted != one and side in ENGLISH["opposites"]:
        counted = counted_from(one, ENGLISH["opposites"][side]) or one  # "the first and the last from the left"
    one = counted
    more = tuple(of_kind(each, one) for each in other.others)
    return replace(one, others=(*one.others, replace(other, others=()), *more))


def placed_as(one: Phrase, other: Phrase) -> Phrase:
    """ "cubes and balls behind the cylinder" are both behind it, unless the second has an article of its own."""
    if other.definite or any(isinstance(mark, At | Of | Alike) for mark in one.marks):
        return one
    return one.with_marks(*(mark for mark in other.marks if isinstance(mark, At | Of | Alike)))
