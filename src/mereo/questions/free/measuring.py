"""What measuring one by another means: most and half of them, bigger than, and as one lies to another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import verified
from mereo.questions.free.marking import opposite
from mereo.questions.free.meaning import Asked, At, Is, Lying, Phrase, Ranked
from mereo.questions.free.posting import counted_alike, of_kind, question_of, with_mark
from mereo.questions.free.rules import rule


@rule("most")
def most_of(phrase: Phrase, mark: Any) -> Any:
    """Whether more are so than are not."""
    denied = opposite(mark)
    return (
        None
        if denied is None
        else question_of("compare", with_mark(phrase, mark), with_mark(phrase, denied), word="greater")
    )


@rule("half")
def half_of(phrase: Phrase, mark: Any) -> Any:
    """Whether as many are so as are not."""
    made = most_of(phrase, mark)
    return None if made is None else replace(made, word="equal")


@rule("not_all")
def not_all(phrase: Phrase, mark: Any) -> Any:
    """ "Not all cubes are red": fewer than there are."""
    such = with_mark(phrase, mark) if phrase.every else None
    if such is None:
        return None
    every = replace(phrase, every=False, definite=False)
    return question_of("compare", replace(such, every=False, definite=False), every, word="less"), 0.5


@rule("exceeds")
def exceeds(one: Phrase, mark: Is | Ranked, other: Phrase) -> Any:
    """ "bigger than": large, where the other is not; what is further left than another is left of it."""
    other = counted_alike(of_kind(other, one), one)
    if isinstance(mark, Ranked):
        return verified(one, At(mark.side, other))
    return (
        None
        if one.several or other.several or one.others or other.others
        else question_of("exceed", one, other, mark=mark)
    )


@rule("exceeds_said")
def exceeds_said(one: Phrase, mark: Is | Ranked, other: Phrase) -> Any:
    """ "The cube is bigger than the ball"; "things further left than the ball" are meant themselves."""
    return None if isinstance(mark, Ranked) else exceeds(one, mark, other)


@rule("exceeds_it")
def exceeds_it(other: Phrase, one: Phrase, mark: Is | Ranked) -> Any:
    """ "Compared with the cube, is the ball bigger?"."""
    return exceeds(one, mark, other)


@rule("analogy")
def analogy(*said: Any) -> Asked | None:
    """What lies to the third as the other lies to the one."""
    *kind, third, other, one = (phrase for phrase in said if isinstance(phrase, Phrase))
    return None if any(phrase.marks for phrase in kind) else question_of("analogy", one, other, third)


@rule("lying")
def lying(third: Phrase, other: Phrase, one: Phrase) -> Any:
    """ "placed to the bed as the table is placed to the cart"."""
    known = all(each.one_known for each in (third, other, one))
    return Lying(third, of_kind(other, third), of_kind(one, other)) if known else None


@rule("analogy_third")
def analogy_third(one: Phrase, other: Phrase, *said: Phrase) -> Asked | None:
    """ "The table is to the chair as what is to the fridge?"."""
    *kind, third = said
    return analogy_last(other, one, third, *kind)


@rule("analogy_last")
def analogy_last(one: Phrase, other: Phrase, third: Phrase, *kind: Phrase) -> Asked | None:
    return None if any(phrase.marks for phrase in kind) else question_of("analogy", one, other, third)
