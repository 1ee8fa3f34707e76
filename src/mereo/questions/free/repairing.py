"""What is said in the place of something else: "I mean the ball", "not the red one"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.meaning import Asked, Is, Not, Phrase, contradictory
from mereo.questions.free.posting import FARTHER, ONES, of_kind
from mereo.questions.free.rules import rule


@rule("instead")
def instead(said: Any, meant: Any) -> Any:
    """ "the cube, I mean the ball"."""
    if isinstance(meant, Asked) and meant.head == "refer" != said.head:
        return None  # "are the wheels red, I mean those of the cart?"
    if not isinstance(meant, Phrase):
        return meant
    return of_kind(meant, said) if meant.kind == said.kind and not said.others else None


@rule("rather_than")
def rather_than(phrase: Phrase, other: Phrase) -> Any:
    """ "the red cube, not the blue one"."""
    alone = phrase.definite and other.definite and not phrase.others and not other.others and phrase.marks != (ONES,)
    told = [mark for mark in other.marks if mark != ONES]
    if not alone or len(told) == 0:
        return None
    if contradictory((*of_kind(phrase, other).marks, *told)):
        return of_kind(phrase, other), FARTHER
    return (phrase.with_marks(Not(told[0])), FARTHER) if ONES in other.marks and len(told) == 1 else None


@rule("rather_this")
def rather_this(other: Phrase, phrase: Phrase) -> Any:
    """ "not the blue one but the red cube"."""
    return rather_than(phrase, other)


@rule("repaired")
def repaired(question: Asked, meant: Phrase) -> Any:
    """ "How many cubes are there, I mean balls?": of one kind in the place of another, with all else that is said."""
    first = question.phrases[0]
    if len(question.phrases) != 1 or first.others or meant.others or first.kind != meant.kind:
        return None
    if ONES in meant.marks:
        such = first.with_marks(*(mark for mark in meant.marks if mark != ONES))
        return replace(question, phrases=(replace(such, definite=True),))
    if first.head is None or meant.head is None:
        return None
    return replace(question, phrases=(instead_of(first, meant),))


def instead_of(phrase: Phrase, meant: Phrase) -> Phrase:
    """A phrase with another noun, and what is said of that one."""
    told = {mark.attribute for mark in meant.marks if isinstance(mark, Is)}
    kept = [mark for mark in phrase.marks if not (isinstance(mark, Is) and mark.attribute in told)]
    return replace(phrase, marks=(*meant.marks, *kept), head=meant.head, kind=meant.kind)
