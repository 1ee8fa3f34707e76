"""Sides: left and right of something, on either side of it; other values than one; and all of a thing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.english import ENGLISH, ORDINALS
from mereo.questions.free.lexicon import Relation
from mereo.questions.free.marking import valued
from mereo.questions.free.meaning import At, Both, Either, Is, Not, Of, Phrase, Ranked
from mereo.questions.free.phrasing import everything
from mereo.questions.free.posting import NOTHING, of_kind, question_of
from mereo.questions.free.rules import rule

WHOLE = 0.25
"""What it costs to take "the whole chair" for the chair."""


@rule("at_two")
def at_two(*said: Any) -> Any:
    """ "behind and left of the ball", "to the left and behind it"."""
    *sides, other = said
    names = [side.side if isinstance(side, Ranked) else side.name for side in sides]
    return None if other.others or len(set(names)) != len(names) else Both(tuple(At(name, other) for name in names))


@rule("at_next")
def at_next(relation: Relation, other: Phrase) -> Any:
    """ "directly left of the ball": where more is left of it, the nearest; several are simply left of it."""
    at = At(relation.name, other) if other.one_known and relation.name in ENGLISH["sides"] else None
    nearest = Ranked(ORDINALS[0], ENGLISH["opposites"].get(relation.name, ""))
    return None if at is None else (Both((at, nearest)), -0.2)


@rule("at_side")
def at_side(other: Phrase, side: Ranked) -> Any:
    """ "to the ball's left"."""
    return None if other.others else At(side.side, other)


@rule("at_beside")
def at_beside(other: Phrase, relation: Relation) -> Any:
    """ "all things the ball has on its left"."""
    return At(relation.name, other) if other.one_known else None


@rule("whatever_beside")
def whatever_beside(other: Phrase, relation: Relation) -> Any:
    """ "everything the ball has on its left"."""
    mark = at_beside(other, relation)
    return None if mark is None else everything(mark)


@rule("between")
def between(one: Phrase, other: Phrase) -> Any:
    """Right of the one and left of the other, or the other way round."""
    if one.others or other.others:
        return None
    ends = one, of_kind(other, one)
    ways = (Both((At("right", first), At("left", second))) for first, second in (ends, ends[::-1]))
    return Either(tuple(ways))


@rule("between_two")
def between_two(*said: Any) -> Any:
    """ "between the two balls": right of the left one, and left of the other."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    count = next((one for one in said if isinstance(one, int)), 2)
    if count != 2 or phrase.others or any(isinstance(mark, Ranked) for mark in phrase.marks):
        return None
    known = replace(phrase, definite=True, several=False)
    first, second, *_ = ORDINALS
    return Both(
        tuple(At(side, known.with_marks(Ranked(place, "left"))) for side, place in (("right", first), ("left", second)))
    )


@rule("neither_kind")
def neither_kind(one: Phrase, other: Phrase) -> Any:
    """ "neither cubes nor balls": what is not the one, and not the other."""
    if one.kind != "object" or other.kind != "object" or len(one.marks) != 1 or len(other.marks) != 1:
        return None
    return Phrase((Not(one.marks[0]), Not(other.marks[0])), several=True)


@rule("at_sides")
def at_sides(*said: Any) -> Any:
    """ "left or right of it": on one of its sides."""
    *sides, other = said
    names = [side.side if isinstance(side, Ranked) else side.name for side in sides]
    return None if other.others or len(set(names)) != len(names) else _beside(other, *names)


@rule("at_opposites")
def at_opposites(*said: Any) -> Any:
    """ "left and right of the ball"; "left and behind" is both at once."""
    made = at_sides(*said)
    one, other = (way.relation for way in made.ways) if made is not None else ("", "")
    return made if ENGLISH["opposites"].get(one) == other else None


@rule("at_any")
def at_any(relation: Relation, one: Phrase, other: Phrase) -> Any:
    """ "left of the ball or the cube"."""
    known = one.definite and other.definite and not one.others and not other.others
    return Either(tuple(At(relation.name, each) for each in (one, of_kind(other, one)))) if known else None


@rule("other_value")
def other_value(*said: Any) -> Any:
    """ "in any color other than red"."""
    mark = valued(*said)
    return None if mark is None else Not(mark)


@rule("whole")
def whole() -> Any:
    """ "the whole chair" is the chair, unless it is asked what all of it looks like."""
    return NOTHING, WHOLE


@rule("verify_wholly")
def verify_wholly(phrase: Phrase, mark: Is) -> Any:
    """ "Is the chair entirely red?": whether all its parts are."""
    parts = Phrase((Of(replace(phrase, definite=True)),), "part", definite=True, several=True, every=True)
    return [
        (question_of("verify", parts, mark=mark), 0.0),
        (question_of("verify", replace(phrase, definite=True), mark=mark), WHOLE),
    ]


@rule("at_both_sides")
def at_both_sides(other: Phrase) -> Any:
    """ "on either side of the ball"."""
    return None if other.others else _beside(other, *list(ENGLISH["sides"])[:2])


def _beside(other: Phrase, *names: str) -> Either:
    return Either(tuple(At(name, other) for name in names))


@rule("denied_noun")
def denied_noun(phrase: Phrase) -> Any:
    """ "non-cube objects"."""
    return Not(phrase.head) if phrase.kind == "object" and phrase.head is not None else None


@rule("not_noun")
def not_noun(phrase: Phrase) -> Any:
    """ "non-cubes"."""
    if phrase.kind != "object" or phrase.head is None:
        return None
    return Phrase((Not(phrase.head),), several=phrase.several)
