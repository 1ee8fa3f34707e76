"""Notes, and the order of words of other languages: "color of door, fridge", "a cube gray", "behind it has what"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import existing, verified
from mereo.questions.free.counting import count_parts
from mereo.questions.free.lexicon import Attribute
from mereo.questions.free.marking import both_marks
from mereo.questions.free.meaning import At, Has, Is, Of, Phrase, contradictory
from mereo.questions.free.posting import FARTHER, ONES, of_kind, priced, question_of, with_mark
from mereo.questions.free.querying import query_of
from mereo.questions.free.repairing import of_kind_only
from mereo.questions.free.rules import rule
from mereo.questions.free.showing import SHOWN, refer_rather

FOREIGN = 2.0
"""What it costs to take "it has" for "there is", as some languages say it."""


def _of_next(parts: Phrase, whole: Phrase) -> Phrase | None:
    """ "door, fridge", "doors, all fridges": the part of the one thing that comes after it, or of all; several are
    things beside the parts."""
    owned = any(isinstance(mark, Of) for mark in parts.marks)
    several = whole.several and not whole.every
    plain = not (parts.others or parts.every or whole.others or owned or several) and whole.counted is None
    known = parts.kind == "part" and whole.kind == "object" and bool(whole.marks)
    return replace(whole, definite=True) if plain and known else None


@rule("count_noted")
def count_noted(parts: Phrase, whole: Phrase) -> Any:
    """ "count legs, red chair"."""
    known = _of_next(parts, whole)
    return None if known is None else (count_parts(parts, known), FARTHER)


@rule("query_noted")
def query_noted(name: Attribute, parts: Phrase, whole: Phrase) -> Any:
    """ "color of door, fridge"."""
    known = _of_next(parts, whole)
    return None if known is None else (query_of(name, parts.with_marks(Of(known))), FARTHER)


@rule("query_told")
def query_told(parts: Phrase, whole: Phrase, name: Attribute) -> Any:
    """ "door, fridge: color"."""
    return query_noted(name, parts, whole)


@rule("count_kinds")
def count_kinds(kind: Phrase, named: Phrase) -> Any:
    """ "Object count (cubes and balls only)", "red thing count (only cubes)"."""
    each = [of_kind_only(replace(kind, several=True), replace(one, others=())) for one in (named, *named.others)]
    if None in each or any(one.definite or one.counted is not None for one in (named, *named.others)):
        return None
    first, *others = (made for made, _ in each)
    return question_of("count", replace(first, others=tuple(others)))


@rule("count_owned")
def count_owned(parts: Phrase, owner: Phrase) -> Any:
    """ "count the legs, chairs only": those of chairs."""
    fits = parts.kind == "part" and owner.kind == "object" and not owner.definite and not parts.others
    return question_of("count", with_mark(parts, Of(replace(owner, several=None)))) if fits else None


@rule("refer_else")
def refer_else(other: Phrase, phrase: Phrase) -> Any:
    """ "no balls, everything else"."""
    rest = phrase.every and not phrase.marks and not phrase.others
    made = refer_rather(other, phrase) if rest else None
    return None if made is None else (made, SHOWN)


@rule("exist_had")
def exist_had(*said: Any) -> Any:
    """ "Behind the ball it has a cube?": whether there is one."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    where = next((one for one in said if one is not phrase), None)
    thing = phrase.kind == "object" and not phrase.definite and not phrase.others
    such = with_mark(phrase, where) if thing and where is not None else phrase
    made = existing(such) if thing and such is not None else None
    return None if made is None else (made[0], made[1] + FOREIGN)


@rule("which_having")
def which_having(kind: Phrase, parts: Phrase) -> Any:
    """ "In which objects can one see a shelf?": which have one."""
    sought = parts.kind == "part" and not (parts.definite or parts.others or parts.of_each or parts.every)
    owned = any(isinstance(mark, Of | At) for mark in parts.marks)
    plain = kind.kind == "object" and not kind.others
    such = with_mark(kind, Has(parts)) if sought and not owned and plain and parts.counted is None else None
    return None if such is None else question_of("refer", replace(such, definite=True))


@rule("both_values")
def both_values(one: Any, other: Any) -> Any:
    """ "the gray, the little": rather one thing that is both than two things."""
    apart = isinstance(one, Is) and isinstance(other, Is) and one.attribute != other.attribute
    mark = both_marks(one, other) if apart else None
    such = None if mark is None else with_mark(Phrase((ONES,)), mark)
    return None if such is None else (question_of("refer", replace(such, definite=True)), SHOWN)


@rule("so_called")
def so_called(phrase: Phrase, kind: Phrase) -> Any:
    """ "the cart thing"; "the cylinders yellows", as languages say it whose adjectives have a plural."""
    if phrase.marks and not kind.marks:
        return replace(phrase, several=kind.several)
    values = phrase.several and kind.several and len(kind.marks) == 1
    named = isinstance(phrase.head, Is) and isinstance(kind.head, Is) and phrase.head.attribute != kind.head.attribute
    alike = phrase.kind == kind.kind and not phrase.others
    if not (values and named and alike) or contradictory((*phrase.marks, *kind.marks)):
        return None
    return phrase.with_marks(*kind.marks), FARTHER


@rule("identical_such")
def identical_such(phrase: Phrase, kind: Phrase, mark: Any) -> Any:
    """ "Is the ball the very thing that lies left of the cube?": whether both are one."""
    such = with_mark(of_kind(kind, phrase), mark)
    alone = phrase.one_known and such is not None and not such.several and not such.others
    things = alone and phrase.kind == such.kind == "object"
    return (question_of("identical", phrase, replace(such, definite=True)), FARTHER) if things else None


@rule("verify_first")
def verify_first(told: Any, phrase: Phrase, mark: Any = None) -> Any:
    """ "Is red the big cube?"."""
    known = replace(phrase, definite=True)
    such = known if mark is None else with_mark(known, mark)
    made = verified(such, told) if such is not None and not such.several else None
    asked, cost = priced(made)
    return None if asked is None else (asked, cost + FARTHER)
