"""Sides: left and right of something, on either side of it; and other values than one."""

from __future__ import annotations

from typing import Any

from mereo.questions.free.english import ENGLISH
from mereo.questions.free.lexicon import Relation
from mereo.questions.free.marking import both_marks, valued
from mereo.questions.free.meaning import At, Either, Is, Not, Phrase, Ranked
from mereo.questions.free.posting import FARTHER, of_kind
from mereo.questions.free.rules import rule


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


@rule("both_after")
def both_after(one: Is, other: Is) -> Any:
    """ "a cube, large and red"."""
    return (both_marks(one, other), FARTHER) if one.attribute != other.attribute else None


@rule("at_both_sides")
def at_both_sides(other: Phrase) -> Any:
    """ "on either side of the ball"."""
    return None if other.others else _beside(other, *list(ENGLISH["sides"])[:2])


def _beside(other: Phrase, *names: str) -> Either:
    return Either(tuple(At(name, other) for name in names))


@rule("not_noun")
def not_noun(phrase: Phrase) -> Any:
    """ "non-cubes"."""
    if phrase.kind != "object" or phrase.head is None:
        return None
    return Phrase((Not(phrase.head),), several=phrase.several)
