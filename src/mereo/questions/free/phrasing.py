"""Whom phrases mean: nouns with their articles and numbers, and pronouns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.lexicon import Form, Place
from mereo.questions.free.marking import both_marks, other_than, place_of
from mereo.questions.free.meaning import (
    Alike,
    Asked,
    At,
    Has,
    Is,
    Mark,
    Not,
    Of,
    Phrase,
    Ranked,
    contradictory,
)
from mereo.questions.free.posting import (
    ANOTHER,
    FARTHER,
    IT,
    NOTHING,
    ONES,
    marks_of,
    of_kind,
    posted,
    priced,
    pronoun,
    with_mark,
)
from mereo.questions.free.rules import rule

APPOSED = 0.5
"""What it costs to take "the cube the one behind" for one thing."""


@rule("noun", "some")
def noun_itself(phrase: Phrase) -> Phrase:
    return phrase


@rule("compound")
def compound(whole: Phrase, part: Phrase) -> Phrase:
    return part.with_marks(Of(replace(whole, several=None)))


@rule("preceded")
def preceded(mark: Mark | Place | str, phrase: Phrase) -> Any:
    return posted(phrase, mark)


@rule("the")
def the_known(*said: Any) -> Any:
    count, phrase = said if len(said) == 2 else (None, said[0])
    if count is not None and any(isinstance(mark, Ranked) for mark in phrase.marks):
        return None
    several = count > 1 if count is not None else phrase.several
    return replace(phrase, definite=True, several=several, counted=count if several else None)


@rule("every_of", agrees=True)
def every_of(*said: Any) -> Any:
    """ "all the chairs"; "both the chair" rather goes on with "and the table"."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    return every_said(*said), FARTHER if phrase.several is False else 0.0


@rule("every", agrees=True)
def every_said(*said: Any) -> Phrase:
    """ "all chairs", or "each chair", which tells of every one by itself."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    return replace(every_one(phrase), each=any(isinstance(one, Form) for one in said))


def every_one(phrase: Phrase) -> Phrase:
    return replace(phrase, definite=True, several=True, every=True)


@rule("numbered")
def numbered(count: int, phrase: Phrase) -> Phrase:
    return replace(phrase, counted=count)


@rule("none")
def none_of(phrase: Phrase) -> Phrase:
    return replace(phrase, counted=0)


@rule("none_of_them")
def none_of_them(_: int, phrase: Phrase) -> Phrase:
    """ "neither of the two cubes"."""
    return none_of(phrase)


@rule("none_at_all")
def none_at_all(*_: Any) -> Phrase:
    return Phrase(counted=0)


@rule("intersection")
def intersection(phrase: Phrase) -> Any:
    """ "the intersection of the red things and the cubes"."""
    marks = [mark for one in (phrase, *phrase.others) for mark in one.marks if mark != ONES]
    whole = replace(phrase, marks=(), others=()).with_marks(*marks)
    return whole if phrase.others and not contradictory(marks) else None


@rule("headless")
def headless(*said: Any) -> Any:
    """ "the red", "the second from the left": of the kind that is spoken of before or after."""
    mark = place_of(*said) if not isinstance(said[0], Is | Not) else said[0]
    phrase = with_mark(Phrase((ONES,)), mark)
    if phrase is None:
        return None
    return replace(phrase, definite=True), FARTHER if isinstance(mark, Ranked | Place) else 2 * FARTHER


@rule("apposed")
def apposed(phrase: Phrase, mark: Any) -> Any:
    """ "the big cube, the one behind the ball"."""
    if mark in (NOTHING, ANOTHER):
        return None
    made = posted(phrase, mark)
    found, cost = priced(made)
    return None if found is None else (found, cost + APPOSED if phrase.definite else cost + FARTHER)


@rule("apposed_only")
def apposed_only(phrase: Phrase, mark: Any) -> Any:
    """ "things behind the ball, only the small ones": of several."""
    made = apposed(replace(phrase, definite=True), mark)
    if made is None:
        return None
    found, cost = made
    one = phrase.definite and not phrase.several
    return replace(found, definite=phrase.definite), cost + (FARTHER if one else 0.0)


@rule("other_nominal")
def other_nominal(phrase: Phrase, other: Phrase) -> Any:
    """ "other cubes than the red one"."""
    mark = other_than(other)
    return None if mark is None else posted(phrase, mark)


@rule("besides")
def besides(*said: Phrase | Asked) -> Any:
    """ "Besides the red cube, how many cubes are there?"."""
    other = next(one for one in said if isinstance(one, Phrase))
    question = next(one for one in said if isinstance(one, Asked))
    mark = other_than(other)
    such: list[Any] = [None if mark is None else with_mark(phrase, mark) for phrase in question.phrases]
    return None if None in such else replace(question, phrases=tuple(such))


@rule("besides_gone")
def besides_gone(other: Phrase, question: Asked) -> Any:
    """ "Without the chairs, how many things are there?"; "without arms" says what they are to be like."""
    known = other.definite and all(one.kind == "object" for one in (other, *other.others))
    return besides(other, question) if known else None


@rule("besides_all")
def besides_all(*said: Phrase | Asked) -> Any:
    """ "Is everything stable except the chair?": what is asked of all, or whether there is any."""
    question = next(one for one in said if isinstance(one, Asked))
    asks = question.head == "exist" or (question.head == "verify" and question.phrases[0].every)
    return besides(*said) if asks else None


@rule("one_of")
def one_of(phrase: Phrase) -> Phrase | None:
    """One of some, whichever it is; never of a single one."""
    single = phrase.several is False and phrase.head is not None  # "one of the chair's legs"
    return None if single else replace(phrase, several=False)


@rule("all_but")
def all_but(phrase: Phrase) -> Any:
    mark = other_than(phrase)
    return None if mark is None else replace(Phrase().with_marks(mark), definite=True, several=True)


@rule("them")
def them() -> Phrase:
    return replace(pronoun(), several=True)


@rule("any_of_them")
def any_of_them() -> Phrase:
    return replace(pronoun(), definite=False, several=True)


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


@rule("anything")
def anything(mark: Any = None) -> Phrase:
    """ "Anything red", "anything else"."""
    return Phrase(other=mark == NOTHING) if mark in (None, NOTHING) else Phrase().with_marks(*marks_of(mark))


@rule("everything")
def everything(*said: Any) -> Phrase:
    return every_one(anything(next((mark for mark in said if mark != NOTHING), None)))


@rule("anything_but")
def anything_but(mark: Mark) -> Phrase:
    """ "anything but yellow"."""
    return Phrase().with_marks(Not(mark))


@rule("everything_but")
def everything_but(mark: Mark) -> Phrase:
    return every_one(anything_but(mark))


@rule("whatever")
def whatever(mark: Any) -> Any:
    """ "count whatever is behind it": all that is so; "the color of whatever is behind it": of the one that is."""
    return [(everything(mark), 0.0), (replace(anything(mark), definite=True), 0.5)]


@rule("whatever_only")
def whatever_only(mark: Any) -> Any:
    """ "only what is behind it"; "the things, but only those behind it" leaves none of these out."""
    return [(replace(phrase, only=True), cost) for phrase, cost in whatever(mark)]


@rule("whatever_both")
def whatever_both(one: Any, other: Any) -> Any:
    """ "what is left of the ball and has the same size as it"."""
    mark = both_marks(one, other)
    return None if mark is None else whatever(mark)


@rule("whichever", agrees=True)
def whichever(phrase: Phrase, *said: Any) -> Any:
    """ "whichever cube is nearest": the one that is so; "the parts of whatever thing are red" does not say this."""
    several = any(isinstance(one, Form) and one.several for one in said)
    mark = next(one for one in said if not isinstance(one, Form))
    such = None if several and phrase.several is False else with_mark(phrase, mark)
    return None if such is None else replace(such, definite=True)


@rule("listed")
def listed(count: int, phrase: Phrase, named: Phrase) -> Any:
    """ "the two balls, the red one and the blue one"."""
    if count != 1 + len(named.others):
        return None
    each = [of_kind(replace(one, others=()), phrase) for one in (named, *named.others)]
    return replace(each[0], others=tuple(each[1:]))


def all_parts(whole: Phrase) -> Any:
    """The parts of one thing."""
    parts = Phrase((Of(whole),), "part", definite=True, several=True)
    return None if whole.kind != "object" or whole.others else parts


@rule("also")
def also_so(phrase: Phrase, mark: Any) -> Any:
    """ "and behind the ball" after a phrase: rather about one that has something said of it already."""
    made = posted(phrase, mark)
    known = any(isinstance(one, At | Alike | Of | Has) for one in phrase.marks)
    return None if made is None else (priced(made)[0], 0.0 if known else 0.5)
