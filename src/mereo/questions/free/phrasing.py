"""What phrases and what is said of them mean: nouns, adjectives, places, parts, and who is spoken of together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mereo.questions.free.lexicon import ENGLISH, Attribute, From, Place, Relation, Form
from mereo.questions.free.meaning import (
    Alike,
    Asked,
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
    contradictory,
    exchanged,
)
from mereo.questions.free.rules import rule

IT = Is("it", "it")
"""What a pronoun is marked by until it is known whom it means."""
ONES = Is("it", "one")
"""What "one" is marked by: of the kind that was spoken of before, or anything."""
NOTHING = "nothing"
"""What a word means that says nothing by itself."""
FARTHER = 1.0
"""What it costs to hold a phrase to be about something that is not next to it."""
KNOWN_COST = 0.25
"""What it costs to mean what is known of things rather than what is seen."""
DISAGREEING = 3.0
"""What it costs to take "that is" for said of several, or "that are" of one."""
LAST = "last"
"""The side of a place that is counted from the end, until it is known which that is."""
_POINTLESS = {"object": "part", "part": "object"}
"""Who never stands to whom."""


class Agreed(NamedTuple):
    """What is said of one, or of several, as the verb tells."""

    mark: Any
    several: bool


@rule("agreed", agrees=True)
def agreed(*said: Any) -> Any:
    form = next((one for one in said if isinstance(one, Form)), None)
    mark = next(one for one in said if not isinstance(one, Form))
    return mark if form is None or mark == NOTHING else Agreed(mark, form.several)


@rule("noun", "some")
def noun_itself(phrase: Phrase) -> Phrase:
    return phrase


@rule("one", agrees=True)
def ones(form: Form | None = None) -> Phrase:
    return Phrase((ONES,), several=None if form is None else form.several)


@rule("compound")
def compound(whole: Phrase, part: Phrase) -> Phrase:
    return part.with_marks(Of(replace(whole, several=None)))


@rule("preceded")
def preceded(mark: Mark | Place | str, phrase: Phrase) -> Any:
    return posted(phrase, mark)


@rule("posted")
def posted(phrase: Phrase, mark: Any) -> Any:
    """A phrase with one mark more. One that comes after another phrase is likelier about that."""
    if mark == NOTHING:
        return phrase
    if isinstance(mark, Agreed):
        made = posted(phrase, mark.mark)
        found, cost = made if isinstance(made, tuple) else (made, 0.0)
        return found, cost if phrase.several in (None, mark.several) else cost + DISAGREEING
    if isinstance(mark, From):
        return counted_from(phrase, mark.side)
    if isinstance(mark, Ranked) and counted_from(phrase, mark.side) is not None:
        return counted_from(phrase, mark.side, at=True)
    if isinstance(mark, Ranked) and phrase.several:
        return few_from(phrase, mark)
    if isinstance(mark, Besides):
        mark = Besides(of_kind(mark.other, phrase))
    if isinstance(mark, Place):
        return phrase.with_marks(Ranked(mark.number, LAST if mark.backward else ""))
    if isinstance(mark, Has) and phrase.kind != "object":
        return None
    if isinstance(mark, At) and _POINTLESS.get(phrase.kind) == mark.other.kind:
        return None
    if phrase.others or (isinstance(mark, Of) and (phrase.kind != "part" or phrase.marks == ())):
        return None
    farther = any(isinstance(one, At | Alike | Of | Has) for one in phrase.marks)
    marks = mark.marks if isinstance(mark, Both) else (mark,)
    if contradictory((*phrase.marks, *marks)):
        return None
    return phrase.with_marks(*marks), FARTHER if farther and isinstance(mark, At | Alike | Of | Has) else 0.0


def counted_from(phrase: Phrase, side: str, *, at: bool = False) -> Phrase | None:
    """Give the side to the place in an order that is without one. at : whether it is where the last is, not the first"""
    if not any(isinstance(mark, Ranked) and mark.side in ("", LAST) for mark in phrase.marks):
        return None

    def sided(mark: Mark) -> Mark:
        if not isinstance(mark, Ranked) or mark.side not in ("", LAST):
            return mark
        return Ranked(mark.number, side if at or not mark.side else ENGLISH["opposites"][side])

    return replace(phrase, marks=tuple(map(sided, phrase.marks)))


def ranked(place: Place, side: str) -> Ranked:
    """A place in an order, counted from a side."""
    return Ranked(place.number, ENGLISH["opposites"][side] if place.backward else side)


def few_from(phrase: Phrase, mark: Ranked) -> Phrase | None:
    """ "the two cubes on the left": as many as are said; without a number nobody knows how many they are."""
    if phrase.counted is None or mark.number != "first":
        return None
    return replace(phrase.with_marks(first_places(phrase.counted, mark.side)), counted=None)


def first_places(count: int, side: str) -> Either:
    """Any of the first places in an order, counted from a side."""
    return Either(tuple(Ranked(number, side) for number in list(ENGLISH["ordinals"])[:count]))


@rule("the")
def the_known(*said: Any) -> Any:
    count, phrase = said if len(said) == 2 else (None, said[0])
    if count is not None and any(isinstance(mark, Ranked) for mark in phrase.marks):
        return None
    several = count > 1 if count is not None else phrase.several
    return replace(phrase, definite=True, several=several, counted=count if several else None)


@rule("every")
def every_one(phrase: Phrase) -> Phrase:
    return replace(phrase, definite=True, several=True, every=True)


@rule("numbered")
def numbered(count: int, phrase: Phrase) -> Phrase:
    return replace(phrase, counted=count)


@rule("none")
def none_of(phrase: Phrase) -> Phrase:
    return replace(phrase, counted=0)


@rule("none_at_all")
def none_at_all(*_: Any) -> Phrase:
    return Phrase(counted=0)


@rule("intersection")
def intersection(phrase: Phrase) -> Any:
    """ "the intersection of the red things and the cubes"."""
    marks = [mark for one in (phrase, *phrase.others) for mark in one.marks if mark != ONES]
    whole = replace(phrase, marks=(), others=()).with_marks(*marks)
    return whole if phrase.others and not contradictory(marks) else None


@rule("at_number")
def at_number(*said: Any) -> Any:
    """ "cube number two from the left"."""
    phrase = next((one for one in said if isinstance(one, Phrase)), ones())
    count = next(one for one in said if isinstance(one, int))
    return with_mark(phrase, Place(list(ENGLISH["ordinals"])[count - 1]))


@rule("headless")
def headless(*said: Any) -> Any:
    """ "the red", "the second from the left": of the kind that is spoken of before or after."""
    mark = place_of(*said) if not isinstance(said[0], Is | Not) else said[0]
    phrase = with_mark(Phrase((ONES,)), mark)
    if phrase is None:
        return None
    return replace(phrase, definite=True), FARTHER if isinstance(mark, Ranked | Place) else 2 * FARTHER


@rule("first_few")
def first_few(*said: Any) -> Any:
    """ "the two leftmost cubes", "the first three from the left"."""
    count = next(one for one in said if isinstance(one, int))
    side = next(one.side for one in said if isinstance(one, Ranked | From))
    phrase = next(one for one in said if isinstance(one, Phrase))
    place = next((one for one in said if isinstance(one, Place)), None)
    if count < 2 or (place is not None and place.number != next(iter(ENGLISH["ordinals"]))):
        return None
    side = ranked(place, side).side if place is not None and isinstance(said[-1], From) else side
    return replace(phrase.with_marks(first_places(count, side)), definite=True, several=True)


@rule("better_of")
def better_of(mark: Is, *said: Any) -> Any:
    """ "the bigger of the two cubes"."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    made = posted(replace(phrase, several=False), mark)
    return None if made is None else replace(made[0], definite=True)


@rule("apposed")
def apposed(phrase: Phrase, mark: Any) -> Any:
    """ "the big cube, the one behind the ball"."""
    made = posted(phrase, mark)
    found, cost = made if isinstance(made, tuple) else (made, 0.0)
    return None if found is None else (found, cost if phrase.definite else cost + FARTHER)


@rule("other_nominal")
def other_nominal(phrase: Phrase, other: Phrase) -> Any:
    """ "other cubes than the red one"."""
    mark = other_than(other)
    return None if mark is None else posted(phrase, mark)


@rule("besides")
def besides(other: Phrase, question: Asked) -> Any:
    """ "Besides the red cube, how many cubes are there?"."""
    mark = other_than(other)
    such = None if mark is None or len(question.phrases) != 1 else with_mark(question.phrases[0], mark)
    return None if such is None else replace(question, phrases=(such,))


@rule("one_of")
def one_of(phrase: Phrase) -> Phrase:
    """One of some, whichever it is."""
    return replace(phrase, several=False)


@rule("all_but")
def all_but(phrase: Phrase) -> Any:
    mark = other_than(phrase)
    return None if mark is None else replace(Phrase().with_marks(mark), definite=True, several=True)


@rule("it")
def pronoun() -> Phrase:
    return Phrase((IT,), definite=True)


@rule("them")
def them() -> Phrase:
    return replace(pronoun(), several=True)


@rule("same_nominal")
def same_nominal(phrase: Phrase) -> Any:
    """ "the back of the same chair"."""
    return replace(phrase, definite=True, marks=(IT, *phrase.marks)) if phrase.kind == "object" else None


@rule("its")
def its_own(phrase: Phrase) -> Phrase:
    return replace(phrase, definite=True).with_marks(Of(pronoun()))


def possessed(whole: Phrase, phrase: Phrase) -> Phrase | None:
    if phrase.kind != "part" or whole.kind != "object":
        return None
    return replace(phrase, definite=True).with_marks(Of(whole))


@rule("nth_of")
def nth_of(*said: Any) -> Phrase | None:
    """The second of the cubes from the left."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    mark = place_of(*said)
    such = with_mark(replace(phrase, several=None), mark)
    return None if such is None else replace(such, definite=True)


@rule("anything")
def anything(mark: Any = None) -> Phrase:
    return Phrase() if mark in (None, NOTHING) else Phrase().with_marks(*marks_of(mark))


@rule("everything")
def everything(*said: Any) -> Phrase:
    return every_one(anything(next((mark for mark in said if mark != NOTHING), None)))


@rule("all_parts")
def all_parts(whole: Phrase) -> Any:
    """ "everything that belongs to the chair"."""
    parts = Phrase((Of(whole),), "part", definite=True, several=True)
    return None if whole.kind != "object" or whole.others else parts


@rule("also")
def also_so(phrase: Phrase, mark: Any) -> Any:
    """ "and behind the ball" after a phrase: rather about one that has something said of it already."""
    made = posted(phrase, mark)
    known = any(isinstance(one, At | Alike | Of | Has) for one in phrase.marks)
    return None if made is None else (made[0] if isinstance(made, tuple) else made, 0.0 if known else 0.5)


def placed_as(one: Phrase, other: Phrase) -> Phrase:
    """ "cubes and balls behind the cylinder" are both behind it, unless the second has an article of its own."""
    if other.definite or any(isinstance(mark, At | Of | Alike) for mark in one.marks):
        return one
    return one.with_marks(*(mark for mark in other.marks if isinstance(mark, At | Of | Alike)))


@rule("alternatives")
def alternatives(one: Phrase, other: Phrase) -> Phrase:
    return replace(together(one, other), either=True)


@rule("together")
def together(one: Phrase, other: Phrase) -> Phrase:
    one, other = of_kind(one, other), of_kind(other, one)
    beside = next((mark.other for mark in one.marks if isinstance(mark, At)), None)
    if beside is not None and IT not in beside.marks:
        other = replace(other, marks=tuple(with_it(mark, beside) for mark in other.marks))
    elif one.definite:
        other = replace(other, marks=tuple(with_it(mark, replace(one, others=())) for mark in other.marks))
    one = placed_as(one, other)
    side = next((mark.side for mark in other.marks if isinstance(mark, Ranked)), "")
    one = counted_from(one, side) or one
    return replace(one, others=(*one.others, replace(other, others=()), *other.others))


@rule("nothing")
def nothing_said() -> str:
    return NOTHING


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


def marks_of(*marks: Mark) -> list[Mark]:
    return [inner for mark in marks for inner in (mark.marks if isinstance(mark, Both) else (mark,))]


@rule("both")
def both_marks(*marks: Any) -> Any:
    if any(mark == NOTHING for mark in marks):
        return None
    return Both(tuple(of_the_first(marks_of(*marks))))


@rule("both_adjectives")
def both_adjectives(*marks: Any) -> Any:
    """ "big red"; never "red blue", which is half of a list."""
    return None if contradictory(marks) else both_marks(*marks)


def of_the_first(marks: Sequence[Mark]) -> list[Mark]:
    """ "behind the ball and left of it": left of the ball."""
    known = next((mark.other for mark in marks if isinstance(mark, At)), None)
    if known is None or IT in known.marks:
        return list(marks)
    return [with_it(mark, known) if isinstance(mark, At) and mark.other.marks == (IT,) else mark for mark in marks]


@rule("either")
def either_mark(*marks: Mark) -> Either:
    ways = [inner for mark in marks for inner in (mark.ways if isinstance(mark, Either) else (mark,))]
    return Either(tuple(dict.fromkeys(of_the_first(ways))))


@rule("adjectives")
def adjectives(one: Is, other: Is) -> Mark:
    """ "big and red" is both, "red and blue cubes" are of either sort."""
    return either_mark(one, other) if one.attribute == other.attribute else both_marks(one, other)


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
def neither(one: Any, other: Any) -> Any:
    return opposite(either_mark(one, other))


@rule("valued")
def valued(*said: Any) -> Any:
    """ "of color red": the attribute must be the one that the value is of."""
    name = next(one for one in said if isinstance(one, Attribute))
    mark = next(one.head if isinstance(one, Phrase) else one for one in said if isinstance(one, Is | Phrase))
    return mark if isinstance(mark, Is) and mark.attribute == name.name else None


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
    if others[0] == everything() and relation.name in ENGLISH["sides"]:
        return Ranked(next(iter(ENGLISH["ordinals"])), relation.name)
    found = tuple(At(relation.name, of_kind(other, others[0])) for other in others)
    return found[0] if len(found) == 1 else Both(found)


@rule("between")
def between(one: Phrase, other: Phrase) -> Any:
    """Right of the one and left of the other, or the other way round."""
    if one.others or other.others:
        return None
    ends = one, of_kind(other, one)
    ways = (Both((At("right", first), At("left", second))) for first, second in (ends, ends[::-1]))
    return Either(tuple(ways))


@rule("at_it")
def at_it(relation: Relation) -> At:
    return At(relation.name, pronoun())


@rule("of_whole")
def of_whole(whole: Phrase) -> Any:
    return Of(whole) if whole.kind == "object" and not whole.others else None


def having(parts: Phrase) -> Any:
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


@rule("other_than")
def other_than(other: Phrase) -> Any:
    """One that is known is left out as itself, others by what they are marked with."""
    if other.others or other.kind != "object" or IT in other.marks:
        return None
    if other.definite and not other.several:
        return Besides(other)
    marks = tuple(Not(mark) for mark in other.marks if isinstance(mark, Is) and mark != ONES)
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
    if phrase.kind == "surface" or not phrase.marks or phrase.counted is not None:
        return None
    return both_marks(*phrase.marks) if len(phrase.marks) > 1 else phrase.marks[0]


@rule("pred_the")
def pred_the(phrase: Phrase) -> Any:
    """ "Is it the red cube?": rather a phrase by itself; "is it the leftmost thing?" is about the order of all."""
    told = pred_noun(phrase)
    ordered = any(isinstance(mark, Ranked) for mark in phrase.marks) and ONES not in phrase.marks
    return None if told is None or ordered else (told, 0.5)


def with_mark(phrase: Phrase, mark: Any) -> Any:
    """A phrase, and whatever is spoken of together with it, with one mark more; None where that makes no sense."""
    made = posted(phrase, mark)
    if phrase.others and not isinstance(mark, str):
        each = [with_mark(replace(one, others=()), mark) for one in (phrase, *phrase.others)]
        return None if None in each else replace(each[0], others=tuple(each[1:]))
    return made[0] if isinstance(made, tuple) else made


def question_of(head: str, *phrases: Phrase | None, word: str = "", mark: Mark | None = None) -> Asked | None:
    if any(phrase is None for phrase in phrases):
        return None
    return Asked(head, tuple(phrase for phrase in phrases if phrase is not None), word, mark)


def of_kind(phrase: Phrase, before: Phrase) -> Phrase:
    """What "ones" are: of the kind that was spoken of before."""
    if ONES not in phrase.marks:
        return phrase
    kind = [before.head] if before.head is not None else []
    rest = [mark for mark in phrase.marks if mark != ONES]
    return replace(phrase, marks=(*kind, *rest), head=before.head, kind=before.kind)


def with_it(value: Any, known: Phrase) -> Any:
    """The same with a phrase in the place of every pronoun, and its kind in that of every "one"."""

    def change(phrase: Phrase) -> Phrase | None:
        marks = tuple(mark for mark in phrase.marks if mark not in (IT, ONES))
        if IT in phrase.marks:
            return known.with_marks(*marks)
        if ONES in phrase.marks:
            return replace(phrase, marks=(*known.marks, *marks), head=known.head, kind=known.kind)
        return None

    return exchanged(value, change)
