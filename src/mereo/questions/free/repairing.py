"""What is said in the place of something else: "I mean the ball", "not the red one"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import existing, verified
from mereo.questions.free.marking import either_mark, opposite, other_than, pred_noun
from mereo.questions.free.meaning import Alike, Asked, At, Both, Either, Is, Mark, Not, Phrase, Ranked, contradictory
from mereo.questions.free.phrasing import every_one, the_known
from mereo.questions.free.posting import FARTHER, IT, NOTHING, ONES, of_kind, priced, with_mark
from mereo.questions.free.rules import rule

ONLY = 1.75
"""What it costs to take "only the cubes" for the cubes."""
ONLY_BARE = 2.9
"""… and "only cubes?" for the question whether all are cubes: rather this than the cubes where it is asked."""


@rule("instead")
def instead(said: Any, meant: Any) -> Any:
    """ "the cube, I mean the ball"."""
    if isinstance(meant, Asked) and meant.head == "refer" != said.head:
        return None  # "are the wheels red, I mean those of the cart?"
    told = meant.phrases[0].marks if isinstance(meant, Asked) and meant.head == "verify" != said.head else (meant,)
    if not set(told) - {IT, ONES}:
        return said  # "How many are safe, I mean they will not fall?"
    if not isinstance(meant, Phrase):
        return meant
    return of_kind(meant, said) if meant.kind == said.kind and not said.others else None


@rule("rather_than")
def rather_than(phrase: Phrase, other: Phrase) -> Any:
    """ "the red cube, not the blue one"."""
    if phrase.other and other.definite and not other.others:
        mark = other_than(other)
        return None if mark is None else (with_mark(of_kind(replace(phrase, other=False), other), mark), FARTHER)
    placed = _at_another_place(phrase, other)
    if placed is not None:
        return placed, FARTHER
    alone = phrase.definite and other.definite and not phrase.others and not other.others and phrase.marks != (ONES,)
    told = [mark for mark in other.marks if mark != ONES]
    if phrase.several and not phrase.others and ONES in other.marks and len(told) == 1:
        return with_mark(phrase, opposite(told[0])), FARTHER
    if not alone or len(told) == 0:
        return None
    if contradictory((*of_kind(phrase, other).marks, *told)):
        return of_kind(phrase, other), FARTHER
    return (phrase.with_marks(Not(told[0])), FARTHER) if ONES in other.marks and len(told) == 1 else None


def _at_another_place(phrase: Phrase, other: Phrase) -> Phrase | None:
    """ "the second one, not the first cube from the left": at a place in the same order."""
    mine, theirs = ([mark for mark in one.marks if isinstance(mark, Ranked)] for one in (phrase, other))
    if ONES not in phrase.marks or not (phrase.one_known and other.one_known) or (len(mine), len(theirs)) != (1, 1):
        return None
    if mine[0].number == theirs[0].number or mine[0].side not in ("", theirs[0].side):
        return None
    such = tuple(mark for mark in other.marks if mark not in theirs)
    return replace(other, marks=(*such, replace(theirs[0], number=mine[0].number)))


@rule("rather_this")
def rather_this(other: Phrase, phrase: Phrase) -> Any:
    """ "not the blue one but the red cube"."""
    return rather_than(phrase, other)


@rule("rather_so")
def rather_so(one: Is, other: Is) -> Any:
    """ "Is it rubber rather than metal?"."""
    return one if contradictory((one, other)) else None


@rule("narrowed")
def narrowed(phrase: Phrase, mark: Any) -> Any:
    """ "metal things, but only the small ones"."""
    return None if mark == NOTHING else with_mark(phrase, mark)


@rule("of_kind_only")
def of_kind_only(phrase: Phrase, kind: Phrase) -> Any:
    """ "everything behind the ball, cubes only"."""
    one = phrase.definite and phrase.several is False
    told = None if one or phrase.kind != kind.kind or kind.definite else pred_noun(kind)
    such = None if told is None or contradictory((*phrase.marks, told)) else with_mark(phrase, told)
    return None if such is None else (such, FARTHER / 2)


@rule("regardless")
def regardless(*_: Any) -> str:
    """ "every red thing, whether or not it is a cube"."""
    return NOTHING


@rule("only_the")
def only_the(phrase: Phrase) -> Any:
    """ "only the cubes"; whether only they are so is asked otherwise."""
    return replace(the_known(phrase), only=True), ONLY


@rule("verify_turned")
def verify_turned(*said: Any) -> Any:
    """ "Is it metal that the cube is made of?"."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    mark = next(one for one in said if isinstance(one, Is))
    return verified(phrase, mark) if phrase.definite else None


@rule("exist_none")
def exist_none(phrase: Phrase) -> Any:
    """ "Is the set of red cubes empty?"."""
    return existing(replace(phrase, counted=0, definite=False, every=False))


@rule("only_some")
def only_some(phrase: Phrase) -> Any:
    """ "nothing but cubes"."""
    return replace(phrase, only=True), ONLY


@rule("the_only")
def the_only(phrase: Phrase, kind: Phrase, *marks: Any) -> Any:
    """ "Is the chair the only unstable thing?": whether all such things are it."""
    such: Phrase | None = kind
    for mark in marks:
        such = None if such is None else with_mark(such, mark)
    told = pred_noun(phrase) if not phrase.others and (phrase.definite or phrase.several) else None
    return None if told is None or such is None else verified(every_one(such), told)


@rule("only_there")
def only_there(*said: Any) -> Any:
    """ "Are there only cubes?": whether everything is one; or everything that is where they are."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    if phrase.kind != "object" or phrase.others:
        return None
    there = [mark for mark in phrase.marks if isinstance(mark, At)]
    told = pred_noun(replace(phrase, marks=tuple(mark for mark in phrase.marks if mark not in there)))
    where: Phrase | None = Phrase(tuple(there))
    for place in (one for one in said if isinstance(one, Mark)):
        where = None if where is None else with_mark(where, place)
    return None if told is None or where is None else verified(every_one(where), told)


@rule("only_these")
def only_these(*phrases: Phrase) -> Any:
    """ "Are there only cubes and balls?": whether everything is one of these."""
    told = [pred_noun(phrase) for phrase in phrases]
    placed = any(isinstance(mark, At) for phrase in phrases for mark in phrase.marks)
    things = all(phrase.kind == "object" and not phrase.others for phrase in phrases)
    return verified(every_one(Phrase()), either_mark(*told)) if things and not placed and None not in told else None


@rule("only_bare")
def only_bare(*said: Any) -> Any:
    """ "Only cubes?", "cubes only?": half a question whether there is nothing else; never of what is known."""
    phrases = [one for one in said if isinstance(one, Phrase)]
    if any(one.definite or one.every or one.of_each or one.counted is not None for one in phrases):
        return None
    each = [replace(one, others=()) for phrase in phrases for one in (phrase, *phrase.others)]
    made = only_there(*said) if len(each) == 1 else only_these(*each)
    asked, cost = priced(made)
    return None if asked is None else (asked, cost + ONLY_BARE)


@rule("excluding")
def excluding(phrase: Phrase, other: Phrase) -> Any:
    """ "all things, cubes excluded"."""
    mark = other_than(other)
    return None if mark is None else with_mark(phrase, mark)


@rule("without_one")
def without_one(phrase: Phrase, other: Phrase) -> Any:
    """ "the cylinders without the green one": of their kind."""
    one = phrase.definite and not phrase.several
    return excluding(phrase, other) if other.definite and ONES in other.marks and not one else None


@rule("exist_and_so")
def exist_and_so(phrase: Phrase, mark: Any) -> Any:
    """ "Is there a cube, and is it red?": whether there is a red one; of two colors it is asked which."""
    if phrase.definite or phrase.others:
        return None
    return verified(replace(phrase, definite=isinstance(mark, Either)), mark)


@rule("with_itself")
def with_itself(question: Asked, *named: Phrase) -> Any:
    """ "How many are as big as the ball, itself included?", or "including the ball itself"."""
    phrase = question.phrases[0]
    alike = next((mark for mark in phrase.marks if isinstance(mark, Alike)), None)
    if len(question.phrases) != 1 or phrase.others or alike is None or not alike.other.definite:
        return None
    if not all(set(one.marks) <= {ONES, *alike.other.marks} for one in named):
        return None
    itself = Either((alike, Both(tuple(mark for mark in alike.other.marks if mark != ONES))))
    marks = tuple(itself if mark == alike else mark for mark in phrase.marks)
    return replace(question, phrases=(replace(phrase, marks=marks),))


@rule("no_other", "same_again")
def same_again(phrase: Phrase, other: Phrase) -> Any:
    """ "the cube behind the ball, and no other cube", "the body, and only the body"."""
    return phrase if phrase.head == other.head and other.marks == (other.head,) else None


@rule("not_such")
def not_such(phrase: Phrase) -> Any:
    """ "small, red, not a cube"."""
    told = pred_noun(phrase)
    return None if told is None else opposite(told)


@rule("only_so")
def only_so(phrase: Phrase, mark: Any) -> Any:
    """ "Are only the cubes red?": whether all that is red is a cube."""
    told, such = pred_noun(phrase), with_mark(Phrase(kind=phrase.kind), mark)
    return None if told is None or such is None or phrase.others else verified(every_one(such), told)


@rule("such_as")
def such_as(phrase: Phrase, mark: Any) -> Any:
    """ "such cubes as are red"."""
    return with_mark(phrase, mark)


@rule("cleft")
def cleft(phrase: Phrase, mark: Any) -> Any:
    """ "Is it the cube that is red?"; who names two asks which of them."""
    return None if phrase.either else verified(phrase, mark)


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
