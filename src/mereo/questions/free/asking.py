"""What questions mean: whether, which, what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mereo.questions.free.lexicon import Attribute, Relation
from mereo.questions.free.marking import either_mark, opposite, pred_noun
from mereo.questions.free.meaning import (
    Alike,
    Asked,
    At,
    Both,
    Either,
    Has,
    Is,
    Known,
    Mark,
    Not,
    Phrase,
    Ranked,
    contradictory,
)
from mereo.questions.free.phrasing import every_one
from mereo.questions.free.posting import (
    IT,
    NOTHING,
    ONES,
    POINTLESS,
    counted_alike,
    marks_of,
    of_its_kind,
    of_kind,
    of_one_whole,
    priced,
    pronoun,
    question_of,
    with_mark,
    within,
)
from mereo.questions.free.rules import rule

BARE = 2.0
"""What it costs to take a phrase without a verb for one that is asked whether it is."""
BARE_NONE = 1.0
"""… and more where it says that there is none: "nothing but the cubes" rather points at these."""
ANY, ANYTHING = 1.5, 1.25
"""… where it begins with "any", or with "anything"."""


NONE = 0.25
"""What it costs to ask whether there is none: "there is no cube, is there?" does not."""
SAID = 1.0
"""What it costs to ask whether something is so that was said already."""
CONTRARY = 1.5
"""… or that it is something else than was said: "Is the ball large of the same size as the cube small?" does not."""
LOOSE = 1.0
"""What it costs to take a value after two things, either of which may be so, for one of the first."""
ONE_OR_MORE = 0.5
"""What it costs to take "one" for "a"."""


@rule("exist")
def existing(phrase: Phrase) -> Any:
    """Who asks for one thing does not mind others; "only one" and "only cubes" are said otherwise."""
    if phrase.only:
        return None
    if phrase.counted == 1:
        return question_of("exist", replace(phrase, counted=None)), ONE_OR_MORE
    return question_of("exist", phrase), 1.0 if phrase.definite else NONE if phrase.counted == 0 else 0.0


@rule("exist_such")
def exist_such(phrase: Phrase, mark: Any) -> Any:
    such = with_mark(phrase, mark)
    made = None if such is None else existing(such)
    places = [one.other for one in phrase.marks if isinstance(one, At) and one.other.definite]
    last = [*places, *(one.parts for one in phrase.marks if isinstance(one, Has))] if isinstance(mark, Is) else []
    loose = any(not contradictory((*one.marks, mark)) for one in last)  # "behind the cube gray", "with a seat red"
    return made if made is None or not loose else (made[0], made[1] + LOOSE)


@rule("exist_any_of")
def exist_any_of(given: Phrase, mark: Any) -> Any:
    """ "Of the cubes and the balls, are any red?": of the ones or the others."""
    such = with_mark(replace(given, definite=False, either=bool(given.others)), mark)
    return None if such is None else existing(such)


@rule("exist_placed")
def exist_placed(where: Any, phrase: Phrase) -> Any:
    """ "Is there, behind the ball, a cube?"."""
    return None if phrase.definite else exist_such(phrase, where)


@rule("exist_there")
def exist_there(*said: Phrase) -> Any:
    """ "Is that a red ball behind the cube?": whether there is one at that place."""
    phrase = said[-1]
    placed = any(isinstance(mark, At) for mark in phrase.marks) and not phrase.either
    return None if phrase.definite or not placed else (question_of("exist", phrase), 0.5)


@rule("exist_said")
def exist_said(phrase: Phrase) -> Any:
    """A statement that there is something, of which it is asked whether it is so."""
    return None if phrase.definite else (question_of("exist", phrase), ANY)


@rule("exist_any")
def exist_any(*said: Any) -> Any:
    mark = next((one for one in said if one != NOTHING), None)
    found = None if mark is None else with_mark(Phrase(), mark)
    return None if found is None else (question_of("exist", found), ANYTHING)


@rule("exist_other")
def exist_other(*said: Any) -> Any:
    """ "Is anything else brown?": besides what was spoken of before."""
    made = exist_any(*said)
    if made is None:
        return None
    asked, cost = made
    return replace(asked, phrases=(replace(asked.phrases[0], other=True),)), cost


@rule("exist_left")
def exist_left(*said: Any) -> Any:
    """Half a sentence: "any cubes?"."""
    phrase, mark = (
        said if len(said) == 2 else ((Phrase(), said[0]) if not isinstance(said[0], Phrase) else (said[0], None))
    )
    found = phrase if mark is None else with_mark(phrase, mark)
    if found is None or found.definite or found.of_each or found.only:
        return None
    return question_of("exist", found), BARE + (BARE_NONE if found.counted == 0 else 0.0)


@rule("exist_any_left")
def exist_any_left(phrase: Phrase) -> Any:
    return question_of("exist", phrase), ANY


@rule("verify")
def verified(phrase: Phrase, mark: Any) -> Any:
    """Of something that is not known it is asked whether there is such a one."""
    if not isinstance(mark, Mark) or (phrase.others and isinstance(mark, Alike)):
        return None
    mark = of_its_kind(mark, phrase)
    if phrase.kind == "part" and phrase.definite and isinstance(mark, Has):
        such = within(replace(mark.parts, definite=False), phrase)
        return None if mark.count is not None or such is None else question_of("exist", such)
    if phrase.kind == "surface" and isinstance(mark, At) and mark.other.kind == "part":
        phrase, mark = mark.other, At(mark.relation, phrase)
    if isinstance(mark, At) and POINTLESS.get(phrase.kind) == mark.other.kind:
        return None
    unplaced = any(isinstance(one, Ranked) and not one.side for one in phrase.marks)
    if isinstance(mark, Ranked) and phrase.definite and not unplaced:
        return the_first(phrase, Phrase().with_marks(mark))
    if any(isinstance(one, Ranked) and one.side for one in phrase.marks) and not phrase.several:
        phrase = replace(phrase, definite=True)  # "is first thing from left a cube"
    alike = mark.marks if isinstance(mark, Both) else (mark,)
    if phrase.one_known and all(isinstance(one, Alike) and is_any(one.other) for one in alike):
        return like_it(phrase, [one for one in alike if isinstance(one, Alike)])
    choices = [one for one in marks_of(mark) if isinstance(one, Either)]
    if phrase.definite and any(isinstance(one, At) for each in choices for way in each.ways for one in marks_of(way)):
        return None  # "left of it or right of it?" asks which, and no relation can be asked for
    ways = mark.ways if isinstance(mark, Either) else ()
    attributes = {way.attribute if isinstance(way, Is) else "" for way in ways}
    known = phrase.definite or phrase.several is False
    single = not phrase.several or phrase.kind == "part"
    if known and not phrase.others and single and len(attributes) == 1 and attributes != {""}:
        return question_of("query", replace(phrase, definite=True), word=attributes.pop())
    if (
        isinstance(mark, Alike)
        and phrase.definite
        and not (phrase.several and phrase.kind == "object")
        and not phrase.others
        and mark.attribute != "count"
    ):
        other = counted_alike(of_kind(mark.other, phrase), phrase)
        return question_of("equal", *of_one_whole(phrase, other), word=mark.attribute)
    farther = isinstance(mark, At) and any(isinstance(one, At | Known) for one in mark.other.marks)
    if phrase.definite:
        said = mark in phrase.marks  # "is every cube made of shiny … metal?"
        cost = CONTRARY if contradictory((*phrase.marks, mark)) else said * SAID
        return question_of("verify", phrase, mark=mark), cost + (0.25 if farther else 0.0)
    return question_of("exist", with_mark(phrase, mark)), 0.25 if farther else 0.0


@rule("mutual")
def mutual(phrase: Phrase, relation: Relation) -> Any:
    """ "Are the seat and the back of the chair parallel to each other?"."""
    if len(phrase.others) != 1 or phrase.either:
        return None
    one, other = replace(phrase, others=()), phrase.others[0]
    known = one.definite and other.definite and one.kind != "object" and other.kind != "object"
    return verified(one, At(relation.name, other)) if known else None


def is_any(phrase: Phrase) -> bool:
    """Whether anything of a kind is spoken of, of which nothing is known: "anything else", "a cube"."""
    return phrase.kind == "object" and not phrase.definite and not phrase.others


def like_it(phrase: Phrase, marks: Sequence[Alike]) -> Asked | None:
    """ "Is the ball the same color as anything else?": whether there is something like it."""
    other = marks[0].other
    if phrase.kind != "object" or any(mark.other != other for mark in marks):
        return None
    return question_of("exist", other.with_marks(*(Alike(mark.attribute, phrase) for mark in marks)))


@rule("verify_value")
def verify_value(*said: Any) -> Any:
    """ "Is the color of the ball red?": the value must be one of what is named."""
    name = next(one for one in said if isinstance(one, Attribute))
    phrase = next((one for one in said if isinstance(one, Phrase)), pronoun())
    mark = next((one for one in said if isinstance(one, Is | Not | Either)), None)
    plain = mark.mark if isinstance(mark, Not) else mark
    values = plain.ways if isinstance(plain, Either) else (plain,)
    named = {value.attribute if isinstance(value, Is) else "" for value in values}
    return verified(replace(phrase, definite=True), mark) if named == {name.name} else None


@rule("verify_led")
def verify_led(mark: Mark, phrase: Phrase) -> Any:
    """ "Can you see all of the cube?", which one word stands for."""
    named = phrase.one_known and not {IT, ONES} & set(phrase.marks) and isinstance(mark, Is)
    made = verified(phrase, mark) if named else None
    asked, cost = priced(made)
    return None if asked is None or isinstance(made, list) else (asked, cost + 0.5)


@rule("same_one")
def same_one(phrase: Phrase, *said: Any) -> Any:
    """ "Is the red cube the leftmost thing", or "the leftmost of the things": whether both are one."""
    other: Phrase | None = replace(next(one for one in said if isinstance(one, Phrase)), several=None)
    for place in said:
        other = other if isinstance(place, Phrase) or other is None else with_mark(other, place)
    if other is None or not any(isinstance(mark, Ranked) for mark in other.marks):
        return None
    return the_first(phrase, replace(other, several=None)) if phrase.definite else None


@rule("own_kind")
def own_kind(phrase: Phrase, kind: Phrase) -> Any:
    """ "Is the brown part of the bed its back?"."""
    head = kind.head if kind.marks == (kind.head,) and kind.kind == phrase.kind == "part" else None
    return question_of("verify", phrase, mark=head) if phrase.definite and isinstance(head, Is) else None


def the_first(phrase: Phrase, other: Phrase) -> Any:
    """Whether what is known is the one at a place in an order: "Is the red cube closest to us?"."""
    if phrase.several or phrase.others or other.others:
        return None
    known = replace(other, definite=True)
    ways: list[Any] = [(question_of("identical", phrase, known), 0.0)]
    if all(isinstance(mark, Is) and mark not in (IT, ONES) for mark in phrase.marks):
        ways.append((question_of("verify", known, mark=pred_noun(phrase)), 0.25))
    return ways


@rule("verify_beside")
def verify_beside(phrase: Phrase, other: Phrase, relation: Relation) -> Any:
    """ "Does the ball have a cube to its left?"."""
    if other.definite or other.others or phrase.others or phrase.several or not phrase.definite:
        return None
    return question_of("exist", with_mark(other, At(relation.name, phrase)))


@rule("verify_neither")
def verify_neither(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "Is neither the cube nor the ball red?"."""
    denied = opposite(mark)
    one, other = of_one_whole(one, of_kind(other, one))
    both = replace(one, others=(other,))
    return None if denied is None or one.others or other.others else question_of("verify", both, mark=denied)


@rule("exist_neither")
def exist_neither(one: Phrase, other: Phrase) -> Any:
    """ "Are there neither cubes nor balls?"."""
    alone = not (one.others or other.others or one.definite or other.definite)
    return question_of("exist", replace(one, others=(of_kind(other, one),), either=True, counted=0)) if alone else None


@rule("verify_each")
def verify_each(phrase: Phrase, mark: Any) -> Any:
    """ "Are the cubes all red?"."""
    return verified(every_one(phrase), mark) if phrase.several is not False else None


@rule("verify_either")
def verify_either(phrase: Phrase, one: Any, *rest: Any) -> Any:
    """ "Is it red, or is it blue?"."""
    return verified(phrase, either_mark(one, rest[-1])) if isinstance(one, Is) and isinstance(rest[-1], Is) else None


@rule("verify_which")
def verify_which(phrase: Phrase, mark: Any, *_: Any) -> Any:
    """ "I cannot tell if the ball is rubber or metal, which is it?"."""
    return verified(phrase, mark) if phrase.definite and isinstance(mark, Either) else None


@rule("verify_said")
def verify_said(phrase: Phrase, mark: Any) -> Any:
    """A statement, of which it is asked whether it is so."""
    if phrase.kind == "object" and not phrase.definite and phrase.several is False and phrase.head is not None:
        such = with_mark(phrase, mark) if phrase.counted is None else None
        return None if such is None else (question_of("exist", such), ANY)  # "table has drawers?"
    made = verified(phrase, mark) if phrase.definite or phrase.counted == 0 else None
    asked, cost = priced(made)
    return None if asked is None else (asked, cost + 0.5)


@rule("verify_not")
def verify_not(phrase: Phrase, mark: Any) -> Any:
    return verified(phrase, opposite(mark))
