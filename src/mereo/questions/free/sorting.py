"""Sorts of things: one value or another, and what two adjectives say together."""

from __future__ import annotations

from typing import Any

from mereo.questions.free.marking import both_adjectives, both_marks, both_said, either_mark
from mereo.questions.free.meaning import Either, Is, Mark
from mereo.questions.free.posting import FARTHER
from mereo.questions.free.rules import rule


@rule("either_sort")
def either_sort(*marks: Mark) -> Any:
    """ "red, blue or green": one of several values of one attribute."""
    told = {mark.attribute if isinstance(mark, Is) else "" for mark in marks}
    return either_mark(*marks) if len(told) == 1 and told != {""} else None


@rule("either_pairs")
def either_pairs(one: Mark, other: Mark, another: Mark, last: Mark) -> Any:
    """ "small purple or big red"."""
    pairs = both_adjectives(one, other), both_adjectives(another, last)
    return None if None in pairs else Either(pairs)


@rule("either_after")
def either_after(*marks: Mark) -> Any:
    """ "every ball, big or small"."""
    made = either_sort(*marks)
    return None if made is None else (made, FARTHER)


@rule("adjectives")
def adjectives(one: Mark, other: Mark) -> Any:
    """ "big and red" is both, "red and blue cubes" are of either sort."""
    return either_sort(one, other) or both_marks(one, other)


@rule("loosely_both")
def loosely_both(one: Mark, other: Mark) -> Any:
    """ "big and red" is both, "brown and gray" are of either sort."""
    return either_sort(one, other) or both_said(one, other)


@rule("sorts")
def sorts(*marks: Mark) -> Any:
    """ "red, blue and green cubes" are of one of these sorts."""
    return either_sort(*marks) if len(set(marks)) == len(marks) else None
