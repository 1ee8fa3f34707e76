"""What is said of a phrase: one mark more, where it stands in an order, and whom pronouns mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from mereo.questions.free.english import ENGLISH, ORDINALS
from mereo.questions.free.lexicon import Form, From, Place
from mereo.questions.free.meaning import (
    Alike,
    Asked,
    At,
    Besides,
    Both,
    Either,
    Has,
    Is,
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


SEVERAL_WHOLES = 0.25
"""What it costs to take "the legs of the chair and the table" for those of both."""


DISAGREEING = 3.0
"""What it costs to take "that is" for said of several, or "that are" of one."""


ANOTHER = "another"
"""What says that something is another than what was spoken of."""


LAST = "last"
"""The side of a place that is counted from the end, until it is known which that is."""


_MUTUAL = frozenset(name for name, other in ENGLISH["opposites"].items() if name == other)
"""How parts lie to each other, and whole things never do."""
POINTLESS = {"object": "part", "part": "object"}
"""Who never stands to whom."""


class Agreed(NamedTuple):
    """What is said of one, or of several, as the verb tells."""

    mark: Any
    several: bool


@rule("one", agrees=True)
def ones(form: Form | None = None) -> Phrase:
    return Phrase((ONES,), several=None if form is None else form.several)


def priced(made: Any) -> tuple[Any, float]:
    """What a rule made, and what it costs: nothing where none is told."""
    return made if isinstance(made, tuple) else (made, 0.0)


@rule("posted")
def posted(phrase: Phrase, mark: Any) -> Any:
    """A phrase with one mark more. One that comes after another phrase is likelier about that."""
    if mark in (NOTHING, ANOTHER):
        return replace(phrase, other=phrase.other or mark == ANOTHER)
    if isinstance(mark, Agreed):
        made = posted(phrase, mark.mark)
        found, cost = priced(made)
        agrees = phrase.every or phrase.several in (None, mark.several)
        return found, cost if agrees else cost + DISAGREEING
    if isinstance(mark, From):
        return counted_from(phrase, mark.side)
    if isinstance(mark, Ranked) and counted_from(phrase, mark.side) is not None:
        return counted_from(phrase, mark.side, at=True)
    if isinstance(mark, Ranked) and any(isinstance(one, Ranked) for one in phrase.marks):
        return None
    if isinstance(mark, Ranked) and phrase.several:
        return few_from(phrase, mark)
    if isinstance(mark, Besides):
        return besides(phrase, of_kind(mark.other, phrase))
    if isinstance(mark, Place):
        return phrase.with_marks(Ranked(mark.number, LAST if mark.backward else ""))
    if isinstance(mark, Of) and mark.whole.kind == "part":
        return within(phrase, mark.whole)
    if isinstance(mark, Of) and mark.whole.others and phrase.kind == "part" and not phrase.others:
        return of_each(phrase, mark.whole), SEVERAL_WHOLES
    mark = of_its_kind(mark, phrase)
    each = mark.marks if isinstance(mark, Both) else (mark,)
    if phrase.several and {type(one) for one in each} == {At, Ranked}:
        return None  # "the things directly behind the ball" are no single one
    if isinstance(mark.mark if isinstance(mark, Not) else mark, Has) and phrase.kind != "object":
        return None
    if IT in phrase.marks and phrase.definite and any(isinstance(one, At | Alike) for one in each):
        return None  # "that thing behind the ball" is not what was spoken of
    if isinstance(mark, At) and POINTLESS.get(phrase.kind) == mark.other.kind:
        return None
    if isinstance(mark, At) and phrase.kind == "object" and mark.other.kind == "surface" and mark.relation in _MUTUAL:
        return None  # "the top of the table that is parallel to the wall": tables are not
    if isinstance(mark, At) and phrase.definite and phrase.marks and mark.other.marks == phrase.marks:
        return None  # "the ball behind the ball"
    if phrase.others or (isinstance(mark, Of) and phrase.kind != "part"):
        return None
    if isinstance(mark, Not) and isinstance(mark.mark, Is) and contradictory((*phrase.marks, mark.mark)):
        return phrase.with_marks(mark), 2 * FARTHER  # "the ball that is not a cube" says nothing of the ball
    if isinstance(mark, Of) and phrase.head is None and any(one != mark.whole.head for one in mark.whole.marks):
        return phrase.with_marks(mark), 2 * FARTHER  # "the part of the chair that is red" is red itself
    if isinstance(mark, Alike) and any(isinstance(one, Is) and one.attribute == mark.attribute for one in phrase.marks):
        return phrase.with_marks(mark), 2 * FARTHER  # "the blue cube of the same color as the ball": it is blue already
    farther = any(isinstance(one, At | Alike | Of | Has) for one in phrase.marks)
    if contradictory((*phrase.marks, *each)):
        return None
    return phrase.with_marks(*each), FARTHER if farther and isinstance(mark, At | Alike | Of | Has) else 0.0


def of_its_kind(mark: Any, phrase: Phrase) -> Any:
    """ "legs parallel to those of the bed", "of the same color as the chair's": parts of the kind that is marked so."""
    if isinstance(mark, At | Alike) and ONES in mark.other.marks and mark.other.kind == phrase.kind == "part":
        return replace(mark, other=of_kind(mark.other, phrase))
    return mark


def within(parts: Phrase, whole: Phrase) -> Phrase | None:
    """ "the vertical bars of the back": parts called by what they belong to; nothing else is part of a part."""
    names = [mark.value for mark in whole.marks if isinstance(mark, Is)]
    owners = [mark for mark in whole.marks if isinstance(mark, Of)]
    sorts = parts.head.ways if isinstance(parts.head, Either) else (parts.head,)
    own = [one for one in sorts if isinstance(one, Is) and one.value.startswith(f"{names[0] if names else ''} ")]
    if len(names) + len(owners) < len(whole.marks) or len(names) != 1 or not own:
        return None
    head = own[0] if len(own) == 1 else Either(tuple(own))
    marks = [mark for mark in parts.marks if mark != parts.head]
    return replace(parts, head=head, marks=(head, *marks, *owners))


def besides(phrase: Phrase, other: Phrase) -> Any:
    """Some without one. Who is like it, or stands to it, is another anyway."""
    known = [mark.other for mark in phrase.marks if isinstance(mark, Alike | At)]
    if any(IT in other.marks or (other.head == one.head and set(other.marks) <= set(one.marks)) for one in known):
        return phrase
    if IT in other.marks or phrase.others:
        return None
    return phrase.with_marks(Besides(other)), FARTHER if phrase.definite and phrase.several is False else 0.0


def of_each(parts: Phrase, whole: Phrase) -> Phrase:
    """The parts of one, together with those of others that are spoken of."""
    one, *others = (parts.with_marks(Of(replace(each, others=()))) for each in (whole, *whole.others))
    return replace(one, others=tuple(others))


def counted_from(phrase: Phrase, side: str, *, at: bool = False) -> Phrase | None:
    """Give the side to the place in an order that is without one.

    at : whether the last is on that side, as in "the last on the right", instead of farthest from it
    """
    open_ended = any(isinstance(mark, Ranked) and mark.side in ("", LAST) for mark in phrase.marks)
    if side not in ENGLISH["opposites"] or not open_ended:
        return None

    def sided(mark: Mark) -> Mark:
        if not isinstance(mark, Ranked) or mark.side not in ("", LAST):
            return mark
        return Ranked(mark.number, side if at or not mark.side else ENGLISH["opposites"][side])

    return replace(phrase, marks=tuple(map(sided, phrase.marks)))


def counted_alike(phrase: Phrase, before: Phrase) -> Phrase:
    """ "the third from the left … the fourth": counted from the side that the one before is counted from."""
    side = next((mark.side for mark in before.marks if isinstance(mark, Ranked)), "")
    return counted_from(phrase, side) or phrase


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
    return Either(tuple(Ranked(number, side) for number in ORDINALS[:count]))


@rule("it")
def pronoun() -> Phrase:
    return Phrase((IT,), definite=True)


@rule("it_named")
def that_thing() -> Any:
    """ "that thing" is what was spoken of, unless more is said of it."""
    return pronoun(), 0.5


def marks_of(*marks: Mark) -> list[Mark]:
    return [inner for mark in marks for inner in (mark.marks if isinstance(mark, Both) else (mark,))]


def with_mark(phrase: Phrase, mark: Any) -> Any:
    """A phrase, and whatever is spoken of together with it, with one mark more; None where that makes no sense."""
    made = posted(phrase, mark)
    if phrase.others and not isinstance(mark, str):
        each = [with_mark(replace(one, others=()), mark) for one in (phrase, *phrase.others)]
        return None if None in each else replace(each[0], others=tuple(each[1:]))
    return priced(made)[0]


def question_of(head: str, *phrases: Phrase | None, word: str = "", mark: Mark | None = None) -> Asked | None:
    """What is asked; nothing where a phrase makes no sense, or something is to be shown of which there is none."""
    if any(phrase is None or (head == "refer" and phrase.counted == 0) for phrase in phrases):
        return None
    return Asked(head, tuple(phrase for phrase in phrases if phrase is not None), word, mark)


def of_kind(phrase: Phrase, before: Phrase) -> Phrase:
    """What "ones" are: of the kind that was spoken of before."""
    if ONES not in phrase.marks or ONES in before.marks:
        return phrase
    kind = [before.head] if before.head is not None else []
    rest = [mark for mark in phrase.marks if mark != ONES]
    placed = any(isinstance(mark, At) and mark.other.kind != "surface" for mark in rest)
    if before.kind == "part" and not placed and not any(isinstance(mark, Of) for mark in rest):
        rest += [mark for mark in before.marks if isinstance(mark, Of)]  # "red legs of the chair, and blue ones"
    return replace(phrase, marks=(*kind, *rest), head=before.head, kind=before.kind)


def of_one_whole(one: Phrase, other: Phrase, *, sure: bool = False) -> tuple[Phrase, Phrase]:
    """ "the seat and the back of the chair": known parts of which one says whose it is belong to the same."""
    owners = [[mark for mark in phrase.marks if isinstance(mark, Of)] for phrase in (one, other)]
    known = one.kind == other.kind == "part" and (sure or one.definite or other.definite)
    if not known or bool(owners[0]) == bool(owners[1]):
        return one, other
    return one.with_marks(*owners[1]), other.with_marks(*owners[0])


def any_of(phrase: Phrase) -> Phrase:
    """Whichever of what is spoken of together: "among the cubes and the red things"."""
    each = [replace(one, others=()) for one in (phrase, *phrase.others)]
    ways = [one.marks[0] if len(one.marks) == 1 else Both(one.marks) for one in each if one.marks]
    marks = (Either(tuple(ways)),) if len(ways) == len(each) else ()
    return phrase if len(each) == 1 else replace(phrase, marks=marks, head=None, others=(), either=False)


def with_it(value: Any, known: Phrase) -> Any:
    """The same with a phrase in the place of every pronoun, and its kind in that of every "one"."""
    kind = any_of(known)

    def change(phrase: Phrase) -> Phrase | None:
        marks = tuple(mark for mark in phrase.marks if mark not in (IT, ONES))
        if IT in phrase.marks:
            rather = kind if known.others and (marks or not phrase.definite) else known  # "any of them"
            return replace(rather, definite=known.definite and phrase.definite).with_marks(*marks)
        if ONES in phrase.marks and with_it(marks, known) != marks:
            return replace(phrase, marks=with_it(marks, known))  # "the one behind it" is anything
        if ONES in phrase.marks:
            return replace(phrase, marks=(*kind.marks, *marks), head=kind.head, kind=kind.kind)
        return None

    return exchanged(value, change)
