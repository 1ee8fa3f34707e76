"""What is said of things: what they are, where they stand, what they have, and what they are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mereo.questions.free.english import ENGLISH, ORDINALS
from mereo.questions.free.lexicon import Attribute, Form, From, Place, Relation
from mereo.questions.free.meaning import (
    Alike,
    At,
    Besides,
    Both,
    Either,
    Has,
    Is,
    Known,
    Mark,
    Not,
    Of,
    Phrase,
    Ranked,
    Same,
    contradictory,
)
from mereo.questions.free.posting import (
    ANOTHER,
    FARTHER,
    IT,
    NOTHING,
    ONES,
    Agreed,
    marks_of,
    of_kind,
    pronoun,
    ranked,
    with_it,
    with_mark,
)
from mereo.questions.free.rules import rule

KNOWN_COST = 0.25
"""What it costs to mean what is known of things rather than what is seen."""
BADLY = 2.0
"""What it costs to take "what is" for "that is", which some say."""
SAME_AFTER = 0.25
"""What it costs to take "the same color as it" for a part of the phrase before rather than for what is asked of it."""


@rule("agreed", agrees=True)
def agreed(*said: Any) -> Any:
    form = next((one for one in said if isinstance(one, Form)), None)
    mark = next(one for one in said if not isinstance(one, Form))
    return mark if form is None or mark == NOTHING else Agreed(mark, form.several)


@rule("said_badly")
def said_badly(*said: Any) -> Any:
    """ "the cube what is left of the ball"."""
    return agreed(*said), BADLY


@rule("unlinked")
def unlinked(mark: Any) -> Any:
    """ "the cube has the color of the ball" for one that has it: rather it is told that it has."""
    return mark, 1.5 * BADLY


@rule("nothing")
def nothing_said() -> str:
    return NOTHING


@rule("another")
def another() -> str:
    return ANOTHER


@rule("handed")
def handed(mark: Any) -> Any:
    return mark


@rule("is_")
def valued_so(mark: Mark) -> Any:
    return (mark, KNOWN_COST) if isinstance(mark, Known) else mark


@rule("is_after")
def is_after(mark: Mark) -> Any:
    """ "the ball hidden": values mostly come before."""
    return mark, FARTHER


@rule("same_after")
def same_after(mark: Mark) -> Any:
    """ "the cube the same color as the ball"."""
    return mark, SAME_AFTER


@rule("both")
def both_said(*marks: Any) -> Any:
    """ "to the left and behind the ball": rather left of it than the first from the left."""
    made = both_marks(*marks)
    kinds = {type(mark) for mark in made.marks} if made is not None else set()
    return made, FARTHER if {Ranked, At} <= kinds else 0.0


def both_marks(*marks: Any) -> Any:
    if any(mark == NOTHING for mark in marks):
        return None
    return Both(tuple(of_the_first(marks_of(*marks))))


@rule("both_adjectives")
def both_adjectives(*marks: Any) -> Any:
    """ "big red"; never "red blue", which is half of a list."""
    return None if contradictory(marks) else both_marks(*marks)


def of_the_first(marks: Sequence[Mark]) -> list[Mark]:
    """ "behind the ball and left of it", "as big as the ball and left of it": left of the ball."""
    known = next((mark.other for mark in marks if isinstance(mark, At | Alike)), None)
    if known is None or IT in known.marks:
        return list(marks)
    return [with_it(mark, known) if isinstance(mark, At) and mark.other.marks == (IT,) else mark for mark in marks]


@rule("either")
def either_mark(*marks: Mark) -> Any:
    """One of several; "not red or blue" is neither."""
    if isinstance(marks[0], Not) and not any(isinstance(mark, Not) for mark in marks[1:]):
        return opposite(either_mark(marks[0].mark, *marks[1:]))
    ways = [inner for mark in marks for inner in (mark.ways if isinstance(mark, Either) else (mark,))]
    return Either(tuple(dict.fromkeys(of_the_first(ways))))


@rule("denied")
def opposite(mark: Any) -> Any:
    """The opposite of a mark; of several "not both" is never meant so."""
    if isinstance(mark, Not) or mark == NOTHING:
        return None
    if isinstance(mark, Either):
        return Both(tuple(Not(way) for way in mark.ways))
    return Not(mark)


@rule("but_not")
def but_not(one: Any, other: Any) -> Any:
    denied = opposite(other)
    return None if denied is None else both_marks(one, denied)


@rule("neither")
def neither(*marks: Any) -> Any:
    return opposite(either_mark(*marks))


@rule("valued")
def valued(*said: Any) -> Any:
    """ "of color red": the attribute must be the one that the value is of."""
    name = next(one for one in said if isinstance(one, Attribute))
    mark = next((one.head if isinstance(one, Phrase) else one for one in said if isinstance(one, Is | Phrase)), None)
    return mark if isinstance(mark, Is) and mark.attribute == name.name else None


@rule("valued_not")
def valued_not(*said: Any) -> Any:
    """ "whose color is not red"."""
    mark = valued(*said)
    return None if mark is None else Not(mark)


@rule("valued_neither")
def valued_neither(name: Attribute, *marks: Is) -> Any:
    """ "whose color is neither red nor blue"."""
    return neither(*marks) if all(mark.attribute == name.name for mark in marks) else None


@rule("nth")
def place_of(*said: Any) -> Any:
    place = next((one for one in said if isinstance(one, Place)), None)
    most = next((one for one in said if isinstance(one, Ranked)), None)
    side = next((one for one in said if isinstance(one, From)), None)
    if most is not None:
        return Ranked(place.number, most.side) if place else most
    return ranked(place, side.side) if side and place else side or place


@rule("at")
def at(relation: Relation, *others: Phrase) -> Any:
    if any(other.others for other in others):
        return None
    if others[0].every and not others[0].marks and relation.name in ENGLISH["sides"]:
        return Ranked(ORDINALS[0], relation.name)
    if others[0].every and others[0].other and others[0].several and relation.name in ENGLISH["sides"]:
        first = outermost(others[0], relation.name)
        return None if len(others) > 1 or ONES in first.marks else Same(first)
    found = tuple(At(relation.name, outermost(of_kind(other, others[0]), relation.name)) for other in others)
    return found[0] if len(found) == 1 else Both(found)


def outermost(phrase: Phrase, side: str) -> Phrase:
    """What is left of all balls, or of the two balls, is left of the leftmost."""
    them = phrase.several and (phrase.every or (phrase.definite and phrase.counted is not None))
    if not (them and phrase.kind == "object" and side in ENGLISH["sides"]):
        return phrase
    first = Ranked(ORDINALS[0], side)
    one = replace(phrase, every=False, several=False, other=False, definite=True, counted=None)
    return one.with_marks(first)


@rule("at_those")
def at_those(relation: Relation, whole: Phrase) -> Any:
    """ "parallel to those of the table", "parallel to the table's"."""
    if whole.kind != "object" or whole.others or not whole.definite:
        return None
    return At(relation.name, Phrase((ONES, Of(whole)), "part", definite=True))


@rule("at_it")
def at_it(relation: Relation) -> At:
    return At(relation.name, pronoun())


@rule("of_whole")
def of_whole(whole: Phrase) -> Any:
    if whole.kind == "part" and whole.definite and not whole.others:
        return Of(whole)  # "the bars of the back"
    return Of(whole) if all(one.kind == "object" for one in (whole, *whole.others)) and not whole.either else None


def having(parts: Phrase) -> Any:
    if parts.head is None and parts.marks and all(isinstance(o, Alike) and o.other.kind == "part" for o in parts.marks):
        parts = replace(parts, kind="part")  # "Has it anything of the same color as the door?"
    if any(phrase.kind != "part" for phrase in (parts, *parts.others)):
        return None
    found = []
    for phrase in (parts, *parts.others):
        one = Has(replace(phrase, others=(), counted=None), phrase.counted or None)
        found.append(Not(one) if phrase.counted == 0 else one)
    if len(found) == 1:
        return found[0]
    return Either(tuple(found)) if parts.either else Both(tuple(found))


@rule("whose")
def whose(parts: Phrase, mark: Any) -> Any:
    """ "whose back is red": who has a red back."""
    such = with_mark(parts, mark) if parts.kind == "part" else None
    return None if such is None else Has(replace(such, definite=False))


@rule("as_many_parts")
def as_many_parts(part: Phrase, other: Phrase) -> Any:
    if part.kind != "part" or other.kind != "object":
        return None
    return Alike("count", part.with_marks(Of(other)))


@rule("as_many_had")
def as_many_had(other: Phrase, part: Phrase) -> Any:
    """ "shares the chair's number of legs"."""
    return as_many_parts(part, other)


@rule("other_than")
def other_than(other: Phrase) -> Any:
    """One that is known is left out as itself, others by what they are marked with; "but only the red ones" are not."""
    if other.only:
        return None
    if other.others:
        found = (other_than(replace(one, others=())) for one in (other, *other.others))
        each = [one.mark if isinstance(one, Agreed) else one for one in found]
        return both_marks(*each) if all(isinstance(mark, Not) for mark in each) else None
    if other.kind == "part":
        owners = [mark for mark in other.marks if isinstance(mark, Of)]
        own = [mark for mark in owners if IT not in mark.whole.marks]
        told = pred_noun(replace(other, definite=False, marks=tuple(m for m in other.marks if m not in owners)))
        return (Not(Both((told, *own))) if own else Not(told)) if isinstance(told, Is) else None
    if other.kind != "object":
        return None
    if other.definite and not other.several:
        return Besides(other)
    marks = tuple(opposite(mark) for mark in other.marks if isinstance(mark, Is) and mark != ONES)
    marks += tuple(mark.mark for mark in other.marks if isinstance(mark, Not))
    if len(marks) != len([mark for mark in other.marks if mark != ONES]) or not marks:
        return None
    mark = marks[0] if len(marks) == 1 else Either(marks)
    return Agreed(mark, several=True) if ONES in other.marks and other.several else mark


@rule("handed_far")
def handed_far(mark: Any) -> Any:
    """ "Is the cube … with wheels?": that rather belongs to what comes before it."""
    return mark, FARTHER


@rule("pred_noun")
def pred_noun(phrase: Phrase, where: Any = None) -> Any:
    if where is not None:
        phrase = phrase.with_marks(*marks_of(where))
    if phrase.kind == "surface" or phrase.marks in ((), (ONES,)) or phrase.counted is not None:
        return None
    marks = [mark for mark in phrase.marks if mark != ONES]
    return both_marks(*marks) if len(marks) > 1 else marks[0]


@rule("pred_such")
def pred_such(phrase: Phrase, mark: Any) -> Any:
    """ "Is it a line that is parallel to the wall?"."""
    such = None if isinstance(mark, Of) else with_mark(phrase, mark)
    told = None if such is None else pred_noun(such)
    return None if told is None else (told, FARTHER / 2)


@rule("pred_the")
def pred_the(phrase: Phrase) -> Any:
    """ "Is it the red cube?": rather a phrase by itself; "is it the leftmost thing?" is about the order of all."""
    told = pred_noun(phrase)
    ordered = any(isinstance(mark, Ranked) for mark in phrase.marks) and ONES not in phrase.marks
    return None if told is None or ordered else (told, 0.5)
