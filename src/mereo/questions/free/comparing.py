"""What comparisons mean: more, as many, the same, bigger, and analogies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from mereo.questions.free.english import ENGLISH
from mereo.questions.free.lexicon import Attribute, Bound, Relation
from mereo.questions.free.meaning import (
    Asked,
    At,
    Either,
    Is,
    Of,
    Phrase,
    Ranked,
)
from mereo.questions.free.posting import (
    FARTHER,
    marks_of,
    of_kind,
    of_one_whole,
    pronoun,
    question_of,
    with_it,
    with_mark,
)
from mereo.questions.free.rules import RULES, rule


class Names(NamedTuple):
    """Several attributes."""

    names: tuple[Attribute, ...]


@rule("attributes")
def attributes(*said: Any) -> Names:
    """ "size, color and material"."""
    each = (one.names if isinstance(one, Names) else (one,) for one in said)
    return Names(tuple(name for names in each for name in names))


class Valued(NamedTuple):
    """An attribute, and whose it is."""

    name: Attribute
    phrase: Phrase


@rule("value_of")
def value_of(*said: Any) -> Valued:
    """ "the color of the cube", "the cube's color", "its color"."""
    name = next(one for one in said if isinstance(one, Attribute))
    return Valued(name, next((one for one in said if isinstance(one, Phrase)), pronoun()))


def of_another(parts: Phrase, whole: Phrase) -> Phrase:
    """ "those of the table", after "the legs of the chair"; what has no parts is itself."""
    if parts.kind != "part" or whole.kind != "object":
        return whole
    own = tuple(mark for mark in parts.marks if not isinstance(mark, Of))
    return replace(parts, marks=own, others=()).with_marks(Of(whole))


@rule("identical")
def identical(one: Phrase, other: Phrase) -> Any:
    return question_of("identical", one, of_kind(other, one)) if one.kind == other.kind == "object" else None


@rule("identical_thing")
def identical_thing(one: Phrase, kind: Phrase, other: Phrase) -> Any:
    """ "Is the ball the same thing as the leftmost object?"."""
    return None if kind.marks else identical(one, other)


def comparing(word: str) -> Callable[..., Asked | None]:
    def compare(*said: Any) -> Asked | None:
        one, *rest = said
        if rest and not isinstance(rest[0], Phrase):
            rest = [elsewhere(one, rest[0])]
        if not rest and len(one.others) == 1:
            rest = [one.others[0]]
            one = replace(one, others=())
        if not rest:
            one, rest = split_sorts(one)
        if len(rest) != 1:
            return None
        other = of_kind(rest[0], one)
        return question_of("compare", of_like_sort(one, other), of_like_sort(other, one), word=word)

    return compare


def comparing_parts(word: str) -> Callable[..., Any]:
    """ "There are as many bars on the chair as there are legs": rather its own ones than all."""

    def compare(*said: Any) -> Any:
        made = comparing(word)(*said)
        own = () if made is None else of_one_whole(*made.phrases, sure=True)
        return made if made is None or own == made.phrases else [(replace(made, phrases=own), 0.0), (made, FARTHER)]

    return compare


def of_like_sort(one: Phrase, other: Phrase) -> Phrase:
    """ "as many vertical bars as horizontal bars in its back": both in the back."""
    named = other.head.value.split()[0] if isinstance(other.head, Is) else ""
    sorts = one.head.ways if isinstance(one.head, Either) and named else ()
    alike = [way for way in sorts if isinstance(way, Is) and way.value.split()[0] == named and way != other.head]
    if len(alike) != 1:
        return one
    return replace(one, head=alike[0], marks=tuple(alike[0] if mark == one.head else mark for mark in one.marks))


def split_sorts(phrase: Phrase) -> tuple[Phrase, list[Phrase]]:
    """ "big and small objects" are two phrases, and so are "things left and right of the ball"."""
    sorts = next((mark.ways for mark in phrase.marks if isinstance(mark, Either)), ()) or _opposite(phrase)
    if len(sorts) != 2:
        return phrase, []
    rest = [mark for mark in phrase.marks if not isinstance(mark, Either) and mark not in sorts]
    one, other = (replace(phrase, marks=(*rest, sort)) for sort in sorts)
    return one, [other]


def _opposite(phrase: Phrase) -> tuple[Any, ...]:
    """The two marks of things that are on both sides of one at once, where nothing is."""
    places = tuple(mark for mark in phrase.marks if isinstance(mark, At))
    if len(places) != len(("one", "other")) or places[0].other != places[1].other:
        return ()
    return places if ENGLISH["opposites"].get(places[0].relation) == places[1].relation else ()


def elsewhere(phrase: Phrase, mark: Any) -> Phrase:
    """The same things elsewhere: "than right of it"."""
    placed = [one for one in phrase.marks if isinstance(one, At)]
    plain = replace(phrase, marks=tuple(one for one in phrase.marks if not isinstance(one, At)))
    there = with_it(mark, placed[0].other) if placed else mark
    return plain.with_marks(*marks_of(there))


def compared_beside(word: str) -> Callable[..., Any]:
    """ "Does the cube have more things on its left than on its right?"."""

    def compare(known: Phrase, phrase: Phrase, one: Relation, other: Relation) -> Any:
        both = [with_mark(phrase, At(side.name, known)) for side in (one, other)]
        return question_of("compare", *both, word=word) if known.one_known and None not in both else None

    return compare


def compared_such(word: str) -> Callable[..., Any]:
    """ "Are more cubes than balls red?"."""

    def compare(one: Phrase, other: Phrase, mark: Any) -> Any:
        both = with_mark(one, mark), with_mark(of_kind(other, one), mark)
        return None if None in both else question_of("compare", *both, word=word)

    return compare


def compared_preds(word: str) -> Callable[..., Any]:
    """ "Are more cubes red than blue?"."""

    def compare(phrase: Phrase, one: Any, other: Any) -> Any:
        other = with_it(other, one.other) if isinstance(one, At) else other
        both = with_mark(phrase, one), with_mark(phrase, other)
        return None if None in both else question_of("compare", *both, word=word)

    return compare


def compared_values(word: str) -> Callable[..., Any]:
    """ "Are there more big than small things?"."""

    def compare(one: Is, other: Is, phrase: Phrase) -> Any:
        return compared_preds(word)(phrase, one, other)

    return compare


@rule("bounded")
def bounded(*said: Any) -> Any:
    """ "Are there more than two cubes?"; whoever asks for two means these, and no more, or does not care."""
    count = next(one for one in said if isinstance(one, int))
    bound = next((one.name for one in said if isinstance(one, Bound)), None)
    phrase = next(one for one in said if isinstance(one, Phrase))
    mark = next((one for one in said if not isinstance(one, int | Bound | Phrase)), None)
    such = phrase if mark is None else with_mark(phrase, mark)
    if such is None or (bound is None and count == 1):
        return None
    names = [bound] if bound is not None else ["exactly", "least"]
    return [(question_of("figure", replace(such, counted=count), word=name), 0.0) for name in names]


@rule("numbered_so")
def numbered_so(phrase: Phrase, count: int) -> Any:
    """ "Is the number of cubes two?": no more, either."""
    return bounded(Bound("exactly"), count, phrase)


@rule("bounded_them")
def bounded_them(bound: Bound, count: int, mark: Any) -> Any:
    """ "The cubes: are at least two of them red?"."""
    return bounded(bound, count, replace(pronoun(), definite=False, several=True), mark)


@rule("bounded_left")
def bounded_left(bound: Bound, count: int, phrase: Phrase) -> Any:
    """ "Only one fridge?"."""
    return [(asked, 1.5) for asked, _ in bounded(bound, count, phrase)]


@rule("bounded_said")
def bounded_said(*said: Any) -> Any:
    """ "Exactly three things are red": a statement, of which it is asked whether it is so."""
    return [(asked, 0.5) for asked, _ in bounded(*said) or ()]


@rule("several")
def several(phrase: Phrase, *marks: Any) -> Any:
    """ "Are there several cubes?"."""
    return bounded(Bound("more"), 1, phrase, *marks)


def compared_where(word: str) -> Callable[..., Any]:
    """ "Do more cubes stand left of the ball than right of it?"."""

    def compare(phrase: Phrase, where: Any, other: Any) -> Any:
        if isinstance(where, Ranked) and isinstance(other, At):  # "to the left than to the right of it"
            where = At(where.side, other.other)
        such = with_mark(phrase, where)
        return None if such is None else comparing(word)(such, other)

    return compare


@rule("as_many_where")
def as_many_where(both: Phrase, mark: Any) -> Any:
    """ "Are cubes and balls equally numerous behind the cylinder?"."""
    such = with_mark(both, mark)
    return None if such is None else comparing("equal")(such)


RULES.update(
    {
        "more_beside": compared_beside("greater"),
        "fewer_beside": compared_beside("less"),
        "as_many_beside": compared_beside("equal"),
        "more_there": lambda one, other: compared_where("greater")(Phrase(), one, other),
        "fewer_there": lambda one, other: compared_where("less")(Phrase(), one, other),
        "as_many_here": lambda one, other: compared_where("equal")(Phrase(), one, other),
        "more_where": compared_where("greater"),
        "fewer_where": compared_where("less"),
        "as_many_there": compared_where("equal"),
        "as_many_adj": compared_values("equal"),
        "as_many_as_adj": lambda one, phrase, other: compared_preds("equal")(phrase, one, other),
        "fewer_than_adj": lambda one, phrase, other: compared_preds("less")(phrase, one, other),
        "more_than_adj": lambda one, phrase, other: compared_preds("greater")(phrase, one, other),
        "as_many_any": lambda one, other: compared_preds("equal")(Phrase(), one, other),
        "more_any": lambda one, other: compared_preds("greater")(Phrase(), one, other),
        "fewer_any": lambda one, other: compared_preds("less")(Phrase(), one, other),
        "as_many_pred": compared_preds("equal"),
        "fewer_adj": compared_values("less"),
        "more_adj": compared_values("greater"),
        "fewer_pred": compared_preds("less"),
        "as_many_such": compared_such("equal"),
        "fewer_such": compared_such("less"),
        "more_first": lambda one, mark, other: compared_such("greater")(one, other, mark),
        "more_pred": compared_preds("greater"),
        "more_such": compared_such("greater"),
        "as_many_of": lambda one, other: comparing("equal")(one, of_another(one, other)),
        "fewer_of": lambda one, other: comparing("less")(one, of_another(one, other)),
        "more_of": lambda one, other: comparing("greater")(one, of_another(one, other)),
        "fewer_than_it": lambda other, one: comparing_parts("less")(one, other),
        "more_than_it": lambda other, one: comparing_parts("greater")(one, other),
        "as_many": comparing_parts("equal"),
        "fewer": comparing_parts("less"),
        "more": comparing_parts("greater"),
    }
)
