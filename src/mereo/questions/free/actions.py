"""What the rules of the grammar mean: a function for each name, of what its children mean.

A function gives a meaning, or a pair of one and its cost, or None where the words make no sense together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mereo.questions.free.lexicon import ENGLISH, Attribute, From, Lexicon, Place, Relation
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

__all__ = ["BARE", "actions", "resolved"]

IT = Is("it", "it")
"""What a pronoun is marked by until it is known whom it means."""
ONES = Is("it", "one")
"""What "one" is marked by: of the kind that was spoken of before, or anything."""
_FARTHER = 1.0
"""What it costs to hold a phrase to be about something that is not next to it."""
_KNOWN = 0.25
"""What it costs to mean what is known of things rather than what is seen."""
_POINTLESS = {"object": "part", "part": "object"}
"""Who never stands to whom."""
BARE = 2.0
"""What it costs to take a phrase without a verb for one that is to be found, or for one that is asked whether it is."""


def actions(lexicon: Lexicon) -> dict[str, Callable[..., Any]]:
    """The functions by the names of the grammar."""
    own = _Own(lexicon)
    return {**_PLAIN, "what_made": own.what_made, "what_is": own.what_is, "what_where": own.what_where,
            "what_side": own.what_side, "which": own.which, "which_not": own.which_not,
            "which_at_all": own.which_at_all,
            "alike": own.alike, "query_any": own.query_any, "query_part": own.query_part, "alike_it": own.alike_it,
            "of_made": own.of_made, "equal": own.equal, "differ": own.differ,
            "at_inverse": own.at_inverse, "has": own.has, "possessed": own.possessed, "what_inverse": own.what_inverse,
            "which_inverse": own.which_inverse}  # fmt: skip


# ---------------------------------------------------------------- phrases


def _noun(phrase: Phrase) -> Phrase:
    return phrase


def _one() -> Phrase:
    return Phrase((ONES,))


def _compound(whole: Phrase, part: Phrase) -> Phrase:
    return part.with_marks(Of(replace(whole, several=None)))


def _preceded(mark: Mark | Place | str, phrase: Phrase) -> Any:
    if mark == _NOTHING:
        return phrase
    return _posted(phrase, mark)


def _posted(phrase: Phrase, mark: Any) -> Any:
    """A phrase with one mark more. One that comes after another phrase is likelier about that."""
    if mark == _NOTHING:
        return phrase
    if isinstance(mark, From):
        return _counted_from(phrase, mark.side)
    if isinstance(mark, Ranked) and _counted_from(phrase, mark.side) is not None:
        return _counted_from(phrase, mark.side)
    if isinstance(mark, Ranked) and phrase.several:
        return _few_from(phrase, mark)
    if isinstance(mark, Besides):
        mark = Besides(_of_kind(mark.other, phrase))
    if isinstance(mark, Place):
        return phrase.with_marks(Ranked(mark.number, ""))
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
    return phrase.with_marks(*marks), _FARTHER if farther and isinstance(mark, At | Alike | Of | Has) else 0.0


def _counted_from(phrase: Phrase, side: str) -> Phrase | None:
    """Give the side to the place in an order that is without one."""
    if not any(isinstance(mark, Ranked) and not mark.side for mark in phrase.marks):
        return None
    sided = (Ranked(m.number, side) if isinstance(m, Ranked) and not m.side else m for m in phrase.marks)
    return replace(phrase, marks=tuple(sided))


def _few_from(phrase: Phrase, mark: Ranked) -> Phrase | None:
    """ "the two cubes on the left": as many as are said; without a number nobody knows how many they are."""
    if phrase.counted is None or mark.number != "first":
        return None
    few = Either(tuple(Ranked(number, mark.side) for number in list(ENGLISH["ordinals"])[: phrase.counted]))
    return replace(phrase.with_marks(few), counted=None)


def _the(*said: Any) -> Any:
    count, phrase = said if len(said) == 2 else (None, said[0])
    if count is not None and any(isinstance(mark, Ranked) for mark in phrase.marks):
        return None
    several = count > 1 if count is not None else phrase.several
    return replace(phrase, definite=True, several=several, counted=count if several else None)


def _every(phrase: Phrase) -> Phrase:
    return replace(phrase, definite=True, several=True, every=True)


def _numbered(count: int, phrase: Phrase) -> Phrase:
    return replace(phrase, counted=count)


def _none(phrase: Phrase) -> Phrase:
    return replace(phrase, counted=0)


def _headless(*said: Any) -> Any:
    """ "the red", "the second from the left": of the kind that is spoken of before or after."""
    mark = _nth(*said) if not isinstance(said[0], Is | Not) else said[0]
    made = _posted(Phrase((ONES,)), mark)
    phrase = made[0] if isinstance(made, tuple) else made
    if phrase is None:
        return None
    return replace(phrase, definite=True), _FARTHER if isinstance(mark, Ranked | Place) else 2 * _FARTHER


def _first_few(*said: Any) -> Any:
    """ "the two leftmost cubes", "the first three from the left"."""
    count = next(one for one in said if isinstance(one, int))
    side = next(one.side for one in said if isinstance(one, Ranked | From))
    phrase = next(one for one in said if isinstance(one, Phrase))
    place = next((one for one in said if isinstance(one, Place)), None)
    numbers = list(ENGLISH["ordinals"])[:count]
    if count < 2 or (place is not None and place.number != numbers[0]):
        return None
    few = Either(tuple(Ranked(number, side) for number in numbers))
    return replace(phrase.with_marks(few), definite=True, several=True)


def _better_of(mark: Is, *said: Any) -> Any:
    """ "the bigger of the two cubes"."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    made = _posted(replace(phrase, several=False), mark)
    return None if made is None else replace(made[0], definite=True)


def _apposed(phrase: Phrase, mark: Any) -> Any:
    """ "the big cube, the one behind the ball"."""
    made = _posted(phrase, mark)
    found, cost = made if isinstance(made, tuple) else (made, 0.0)
    return None if found is None else (found, cost if phrase.definite else cost + _FARTHER)


def _other_nominal(phrase: Phrase, other: Phrase) -> Any:
    """ "other cubes than the red one"."""
    mark = _other_than(other)
    return None if mark is None else _posted(phrase, mark)


def _besides(other: Phrase, question: Asked) -> Any:
    """ "Besides the red cube, how many cubes are there?"."""
    mark = _other_than(other)
    such = None if mark is None or len(question.phrases) != 1 else _such(question.phrases[0], mark)
    return None if such is None else replace(question, phrases=(such,))


def _one_of(phrase: Phrase) -> Phrase:
    """One of some, whichever it is."""
    return replace(phrase, several=False)


def _all_but(phrase: Phrase) -> Any:
    mark = _other_than(phrase)
    return None if mark is None else replace(Phrase().with_marks(mark), definite=True, several=True)


def _it() -> Phrase:
    return Phrase((IT,), definite=True)


def _its(phrase: Phrase) -> Phrase:
    return replace(phrase, definite=True).with_marks(Of(_it()))


def _possessed(whole: Phrase, phrase: Phrase) -> Phrase | None:
    if phrase.kind != "part" or whole.kind != "object":
        return None
    return replace(phrase, definite=True).with_marks(Of(whole))


def _nth_of(*said: Any) -> Phrase | None:
    """The second of the cubes from the left."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    place = next((one for one in said if isinstance(one, Place)), None)
    side = next((one for one in said if isinstance(one, From)), None)
    most = next((one for one in said if isinstance(one, Ranked)), None)
    mark = most or Ranked(place.number if place else "first", side.side if side else "")
    return replace(phrase.with_marks(mark), definite=True, several=False)


def _anything(mark: Any = None) -> Phrase:
    return Phrase() if mark in (None, _NOTHING) else Phrase().with_marks(*_marks_of(mark))


def _everything(*said: Any) -> Phrase:
    return _every(_anything(next((mark for mark in said if mark != _NOTHING), None)))


def _also(phrase: Phrase, mark: Any) -> Any:
    """ "and behind the ball" after a phrase: rather about one that has something said of it already."""
    made = _posted(phrase, mark)
    known = any(isinstance(one, At | Alike | Of | Has) for one in phrase.marks)
    return None if made is None else (made[0] if isinstance(made, tuple) else made, 0.0 if known else 0.5)


def _placed_as(one: Phrase, other: Phrase) -> Phrase:
    """ "cubes and balls behind the cylinder" are both behind it, unless the second has an article of its own."""
    if other.definite or any(isinstance(mark, At | Of | Alike) for mark in one.marks):
        return one
    return one.with_marks(*(mark for mark in other.marks if isinstance(mark, At | Of | Alike)))


def _alternatives(one: Phrase, other: Phrase) -> Phrase:
    return replace(_together(one, other), either=True)


def _together(one: Phrase, other: Phrase) -> Phrase:
    one, other = _of_kind(one, other), _of_kind(other, one)
    beside = next((mark.other for mark in one.marks if isinstance(mark, At)), None)
    if beside is not None and IT not in beside.marks:
        other = replace(other, marks=tuple(_with_it(mark, beside) for mark in other.marks))
    one = _placed_as(one, other)
    side = next((mark.side for mark in other.marks if isinstance(mark, Ranked)), "")
    one = _counted_from(one, side) or one
    return replace(one, others=(*one.others, replace(other, others=()), *other.others))


# ---------------------------------------------------------------- marks

_NOTHING = "nothing"


def _nothing() -> str:
    return _NOTHING


def _handed(mark: Any) -> Any:
    return mark


def _is(mark: Mark) -> Any:
    return (mark, _KNOWN) if isinstance(mark, Known) else mark


def _is_after(mark: Mark) -> Any:
    """ "the ball hidden": values mostly come before."""
    return mark, _FARTHER


def _marks_of(*marks: Mark) -> list[Mark]:
    return [inner for mark in marks for inner in (mark.marks if isinstance(mark, Both) else (mark,))]


def _both(*marks: Any) -> Any:
    if any(mark == _NOTHING for mark in marks):
        return None
    return Both(tuple(_of_the_first(_marks_of(*marks))))


def _of_the_first(marks: Sequence[Mark]) -> list[Mark]:
    """ "behind the ball and left of it": left of the ball."""
    known = next((mark.other for mark in marks if isinstance(mark, At)), None)
    if known is None or IT in known.marks:
        return list(marks)
    return [_with_it(mark, known) if isinstance(mark, At) and mark.other.marks == (IT,) else mark for mark in marks]


def _either(*marks: Mark) -> Either:
    ways = [inner for mark in marks for inner in (mark.ways if isinstance(mark, Either) else (mark,))]
    return Either(tuple(dict.fromkeys(_of_the_first(ways))))


def _adjectives(one: Is, other: Is) -> Mark:
    """ "big and red" is both, "red and blue cubes" are of either sort."""
    return _either(one, other) if one.attribute == other.attribute else _both(one, other)


def _denied(mark: Any) -> Any:
    """The opposite of a mark; of several "not both" is never meant so."""
    if isinstance(mark, Not) or mark == _NOTHING:
        return None
    if isinstance(mark, Either):
        return Both(tuple(Not(way) for way in mark.ways))
    return Not(mark)


def _but_not(one: Any, other: Any) -> Any:
    denied = _denied(other)
    return None if denied is None else _both(one, denied)


def _neither(one: Any, other: Any) -> Any:
    return _denied(_either(one, other))


def _valued(*said: Any) -> Any:
    """ "of color red": the attribute must be the one that the value is of."""
    name = next(one for one in said if isinstance(one, Attribute))
    mark = next(one.head if isinstance(one, Phrase) else one for one in said if isinstance(one, Is | Phrase))
    return mark if isinstance(mark, Is) and mark.attribute == name.name else None


def _nth(*said: Any) -> Any:
    place = next((one for one in said if isinstance(one, Place)), None)
    most = next((one for one in said if isinstance(one, Ranked)), None)
    side = next((one for one in said if isinstance(one, From)), None)
    if most is not None:
        return Ranked(place.number, most.side) if place else most
    return Ranked(place.number, side.side) if side and place else side or place


def _at(relation: Relation, *others: Phrase) -> Any:
    if any(other.others for other in others):
        return None
    found = tuple(At(relation.name, _of_kind(other, others[0])) for other in others)
    return found[0] if len(found) == 1 else Both(found)


def _at_it(relation: Relation) -> At:
    return At(relation.name, _it())


def _of_whole(whole: Phrase) -> Any:
    return Of(whole) if whole.kind == "object" and not whole.others else None


def _has(parts: Phrase) -> Any:
    if any(phrase.kind != "part" for phrase in (parts, *parts.others)):
        return None
    found = []
    for phrase in (parts, *parts.others):
        one = Has(replace(phrase, others=(), counted=None), phrase.counted or None)
        found.append(Not(one) if phrase.counted == 0 else one)
    if len(found) == 1:
        return found[0]
    return Either(tuple(found)) if parts.either else Both(tuple(found))


def _whose(parts: Phrase, mark: Any) -> Any:
    """ "whose back is red": who has a red back."""
    such = _such(parts, mark) if parts.kind == "part" else None
    return None if such is None else Has(replace(such, definite=False))


def _as_many_parts(part: Phrase, other: Phrase) -> Any:
    if part.kind != "part" or other.kind != "object":
        return None
    return Alike("count", part.with_marks(Of(other)))


def _other_than(other: Phrase) -> Any:
    """One that is known is left out as itself, others by what they are marked with."""
    if other.others or other.kind != "object" or IT in other.marks:
        return None
    if other.definite and not other.several:
        return Besides(other)
    marks = tuple(Not(mark) for mark in other.marks if isinstance(mark, Is) and mark != ONES)
    if len(marks) != len([mark for mark in other.marks if mark != ONES]) or not marks:
        return None
    return marks[0] if len(marks) == 1 else Either(marks)


def _handed_far(mark: Any) -> Any:
    """ "Is the cube … with wheels?": that rather belongs to what comes before it."""
    return mark, _FARTHER


def _pred_noun(phrase: Phrase, where: Any = None) -> Any:
    if where is not None:
        phrase = phrase.with_marks(*_marks_of(where))
    if phrase.kind == "surface" or not phrase.marks or phrase.counted is not None:
        return None
    return _both(*phrase.marks) if len(phrase.marks) > 1 else phrase.marks[0]


def _pred_the(phrase: Phrase) -> Any:
    """ "Is it the red cube?": rather a phrase by itself."""
    mark = _pred_noun(phrase)
    return None if mark is None else (mark, 0.5)


# ---------------------------------------------------------------- questions


def _such(phrase: Phrase, mark: Any) -> Any:
    """A phrase, and whatever is spoken of together with it, with one mark more; None where that makes no sense."""
    made = _posted(phrase, mark)
    if phrase.others and not isinstance(mark, str):
        each = [_such(replace(one, others=()), mark) for one in (phrase, *phrase.others)]
        return None if None in each else replace(each[0], others=tuple(each[1:]))
    return made[0] if isinstance(made, tuple) else made


def _asked(head: str, *phrases: Phrase | None, word: str = "", mark: Mark | None = None) -> Asked | None:
    if any(phrase is None for phrase in phrases):
        return None
    return Asked(head, tuple(phrase for phrase in phrases if phrase is not None), word, mark)


def _count(phrase: Phrase) -> Asked | None:
    return _asked("count", phrase)


def _count_such(phrase: Phrase, mark: Any) -> Asked | None:
    return _asked("count", _such(phrase, mark))


def _count_any(*said: Any) -> Any:
    """How many are so, whatever they are."""
    mark = next((one for one in said if one != _NOTHING), _NOTHING)
    such = None if mark == _NOTHING else _such(Phrase(), mark)
    return None if such is None else (_asked("count", such), 1.0)


def _count_not(phrase: Phrase, mark: Any) -> Asked | None:
    return _asked("count", _such(phrase, _denied(mark)))


def _count_parts(parts: Phrase, whole: Phrase) -> Asked | None:
    if parts.kind != "part" or whole.kind != "object":
        return None
    return _asked("count", _of_each(parts, whole))


def _of_each(parts: Phrase, whole: Phrase) -> Phrase:
    """The parts of one, together with those of others that are spoken of."""
    one, *others = (parts.with_marks(Of(replace(each, others=()))) for each in (whole, *whole.others))
    return replace(one, others=tuple(others))


def _count_had(whole: Phrase, parts: Phrase) -> Asked | None:
    """ "The chair has how many legs?"."""
    return _count_parts(parts, whole)


def _difference_of(phrase: Phrase) -> Any:
    """ "the difference between the number of chairs and tables"."""
    return _difference(replace(phrase, others=()), phrase.others[0]) if len(phrase.others) == 1 else None


def _has_difference(parts: Phrase, one: Phrase, other: Phrase) -> Asked | None:
    if parts.kind != "part" or one.kind != "object" or other.kind != "object":
        return None
    return _asked("difference", parts.with_marks(Of(one)), parts.with_marks(Of(other)))


def _subtraction(one: Phrase, other: Phrase) -> Asked | None:
    return _difference(other, one)


def _difference(one: Phrase, other: Phrase) -> Asked | None:
    return _asked("difference", one, _of_kind(other, one))


def _exist(phrase: Phrase) -> Any:
    return _asked("exist", phrase), 1.0 if phrase.definite else 0.0


def _identical(one: Phrase, other: Phrase) -> Any:
    return _asked("identical", one, _of_kind(other, one)) if one.kind == other.kind == "object" else None


def _exist_such(phrase: Phrase, mark: Any) -> Any:
    return _asked("exist", _such(phrase, mark)), 1.0 if phrase.definite else 0.0


def _exist_said(phrase: Phrase) -> Any:
    """A statement that there is something, of which it is asked whether it is so."""
    return None if phrase.definite else (_asked("exist", phrase), 1.0)


def _exist_among(given: Phrase, phrase: Phrase) -> Any:
    """ "Of the cubes, is there a red one?"."""
    made = _among(given, phrase) if ONES in phrase.marks else None
    return None if made is None else _asked("exist", replace(made[0].phrases[0], definite=False))


def _exist_any(*said: Any) -> Any:
    mark = next((one for one in said if one != _NOTHING), None)
    found = None if mark is None else _such(Phrase(), mark)
    return None if found is None else (_asked("exist", found), BARE)


def _exist_left(*said: Any) -> Any:
    """Half a sentence: "any cubes?"."""
    phrase, mark = (
        said if len(said) == 2 else ((Phrase(), said[0]) if not isinstance(said[0], Phrase) else (said[0], None))
    )
    found = phrase if mark is None else _such(phrase, mark)
    return None if found is None or found.definite else (_asked("exist", found), BARE)


def _verify(phrase: Phrase, mark: Any) -> Any:
    """Of something that is not known it is asked whether there is such a one."""
    if not isinstance(mark, Mark):
        return None
    if phrase.kind == "surface" and isinstance(mark, At) and mark.other.kind == "part":
        phrase, mark = mark.other, At(mark.relation, phrase)
    ways = mark.ways if isinstance(mark, Either) else ()
    if phrase.definite and any(isinstance(way, At) for way in ways):
        return None  # "left of it or right of it?" asks which, and no relation can be asked for
    attributes = {way.attribute if isinstance(way, Is) else "" for way in ways}
    if phrase.definite and not phrase.others and not phrase.several and len(attributes) == 1 and attributes != {""}:
        return _asked("query", phrase, word=attributes.pop())
    if (
        isinstance(mark, Alike)
        and phrase.definite
        and not phrase.several
        and not phrase.others
        and mark.attribute != "count"
    ):
        return _asked("equal", phrase, _of_kind(mark.other, phrase), word=mark.attribute)
    farther = isinstance(mark, At) and any(isinstance(one, At | Known) for one in mark.other.marks)
    if phrase.definite:
        return _asked("verify", phrase, mark=mark), 0.25 if farther else 0.0
    return _asked("exist", _such(phrase, mark)), 0.25 if farther else 0.0


def _verify_beside(phrase: Phrase, other: Phrase, relation: Relation) -> Any:
    """ "Does the ball have a cube to its left?"."""
    if other.definite or other.others or phrase.others or phrase.several or not phrase.definite:
        return None
    return _asked("exist", _such(other, At(relation.name, phrase)))


def _verify_each(phrase: Phrase, mark: Any) -> Any:
    """ "Are the cubes all red?"."""
    return _verify(_every(phrase), mark) if phrase.several is not False else None


def _verify_either(phrase: Phrase, one: Any, *rest: Any) -> Any:
    """ "Is it red, or is it blue?"."""
    return _verify(phrase, _either(one, rest[-1])) if isinstance(one, Is) and isinstance(rest[-1], Is) else None


def _verify_said(phrase: Phrase, mark: Any) -> Any:
    """A statement, of which it is asked whether it is so."""
    made = _verify(phrase, mark) if phrase.definite else None
    asked, cost = made if isinstance(made, tuple) else (made, 0.0)
    return None if asked is None else (asked, cost + 0.5)


def _verify_not(phrase: Phrase, mark: Any) -> Any:
    return _verify(phrase, _denied(mark))


def _most(phrase: Phrase, mark: Any) -> Any:
    """Whether more are so than are not."""
    denied = _denied(mark)
    return None if denied is None else _asked("compare", _such(phrase, mark), _such(phrase, denied), word="greater")


def _exceeds(one: Phrase, mark: Is, other: Phrase) -> Any:
    """ "bigger than": large, where the other is not."""
    other = _of_kind(other, one)
    side = next((mark.side for mark in one.marks if isinstance(mark, Ranked)), "")
    other = _counted_from(other, side) or other
    return (
        None if one.several or other.several or one.others or other.others else _asked("exceed", one, other, mark=mark)
    )


def _query_left(*said: Any) -> Any:
    made = _query(*said)
    return None if made is None else (made, BARE - 0.5)


def _query(*said: Any) -> Asked | None:
    name = next((one for one in said if isinstance(one, Attribute)), None)
    phrase = next((one for one in said if isinstance(one, Phrase)), None)
    return None if name is None or phrase is None else _asked("query", phrase, word=name.name)


def _query_known(name: Attribute, phrase: Phrase) -> Asked | None:
    """ "Which color has the cube": of something known."""
    return _query(name, phrase) if phrase.definite else None


def _query_its(name: Attribute) -> Asked | None:
    return _asked("query", _it(), word=name.name)


def _query_such(name: Attribute, phrase: Phrase, mark: Any) -> Asked | None:
    such = _such(phrase, mark)
    return _asked("query", replace(such, definite=True), word=name.name) if such else None


def _compared(word: str) -> Callable[..., Asked | None]:
    def compare(*said: Any) -> Asked | None:
        one, *rest = said
        if rest and not isinstance(rest[0], Phrase):
            rest = [_beside(one, rest[0])]
        if not rest and len(one.others) == 1:
            rest = [one.others[0]]
            one = replace(one, others=())
        if not rest:
            one, rest = _split(one)
        return _asked("compare", one, _of_kind(rest[0], one), word=word) if len(rest) == 1 else None

    return compare


def _split(phrase: Phrase) -> tuple[Phrase, list[Phrase]]:
    """ "big and small objects" are two phrases."""
    sorts = next((mark.ways for mark in phrase.marks if isinstance(mark, Either)), ())
    if len(sorts) != 2:
        return phrase, []
    rest = [mark for mark in phrase.marks if not isinstance(mark, Either)]
    one, other = (replace(phrase, marks=(*rest, sort)) for sort in sorts)
    return one, [other]


def _beside(phrase: Phrase, mark: Any) -> Phrase:
    """The same things elsewhere: "than right of it"."""
    placed = [one for one in phrase.marks if isinstance(one, At)]
    plain = replace(phrase, marks=tuple(one for one in phrase.marks if not isinstance(one, At)))
    there = _with_it(mark, placed[0].other) if placed else mark
    return plain.with_marks(*_marks_of(there))


def _has_compared(word: str) -> Callable[..., Asked | None]:
    def compare(*said: Phrase) -> Asked | None:
        parts = [one for one in said if one.kind == "part"]
        wholes = [one for one in said if one.kind == "object"]
        if len(wholes) == 1 and len(wholes[0].others) == 1:
            wholes = [replace(wholes[0], others=()), wholes[0].others[0]]
        if len(parts) == 1 and len(wholes) == 1:
            parts = [replace(parts[0], others=()), *parts[0].others]
        pairs = list(zip(parts * (3 - len(parts)), wholes * (3 - len(wholes)), strict=False))
        if len(pairs) != 2 or len(parts) + len(wholes) < 3:
            return None
        return _asked("compare", *(part.with_marks(Of(whole)) for part, whole in pairs), word=word)

    return compare


def _compared_such(word: str) -> Callable[..., Any]:
    """ "Are more cubes than balls red?"."""

    def compare(one: Phrase, other: Phrase, mark: Any) -> Any:
        both = _such(one, mark), _such(_of_kind(other, one), mark)
        return None if None in both else _asked("compare", *both, word=word)

    return compare


def _compared_preds(word: str) -> Callable[..., Any]:
    """ "Are more cubes red than blue?"."""

    def compare(phrase: Phrase, one: Any, other: Any) -> Any:
        both = _such(phrase, one), _such(phrase, other)
        return None if None in both else _asked("compare", *both, word=word)

    return compare


def _compared_values(word: str) -> Callable[..., Any]:
    """ "Are there more big than small things?"."""

    def compare(one: Is, other: Is, phrase: Phrase) -> Any:
        return _compared_preds(word)(phrase, one, other)

    return compare


def _more_where(phrase: Phrase, where: Any, other: Any) -> Any:
    such = _such(phrase, where)
    return None if such is None else _compared("greater")(such, other)


def _equal_parts(wholes: Phrase, parts: Phrase, name: Attribute) -> Any:
    """ "Do the chair and the table have legs of the same color?"."""
    if parts.kind != "part" or wholes.kind != "object" or len(wholes.others) != 1:
        return None
    each = (replace(wholes, others=()), wholes.others[0])
    return _asked("equal", *(replace(parts, definite=True).with_marks(Of(one)) for one in each), word=name.name)


def _refer_its(given: Phrase, phrase: Phrase) -> Any:
    return _told_bare(given, Asked("refer", (phrase,)))


def _analogy(third: Phrase, other: Phrase, one: Phrase) -> Asked | None:
    """What lies to the third as the other lies to the one."""
    return _asked("analogy", one, other, third)


def _analogy_last(one: Phrase, other: Phrase, third: Phrase) -> Asked | None:
    return _asked("analogy", one, other, third)


def _refer(phrase: Phrase) -> Asked | None:
    return _asked("refer", phrase)


def _refer_such_bare(mark: Any) -> Any:
    made = _refer_such(mark)
    return None if made is None else (made, BARE + 1)


def _refer_what(mark: Any) -> Any:
    """ "Show me what is red"; who says "tell me what" rather asks for a name."""
    made = _refer_such(mark)
    return None if made is None else (made, 0.5)


def _refer_such(mark: Any) -> Any:
    return None if mark == _NOTHING else _asked("refer", Phrase().with_marks(*_marks_of(mark)))


def _refer_bare(phrase: Phrase) -> Any:
    return _asked("refer", phrase), BARE + 1


def _told_such(given: Phrase, mark: Any, question: Asked) -> Any:
    such = _such(given, mark)
    return None if such is None else _told(such, question)


def _told(given: Phrase, question: Asked) -> Any:
    """A statement and a question about what it speaks of."""
    known = replace(given, definite=True)
    made = _with_it(question, known)
    return made if made != question else None


def _told_bare(given: Phrase, question: Asked) -> Any:
    """ "The red ball, is it big?": only a pronoun can mean it."""
    return _told(given, question) if _speaks_of_it(question) else None


def _told_after(question: Asked, given: Phrase) -> Any:
    """ "Is it big, the red ball?"."""
    return _told_bare(given, question) if given.definite else None


def _speaks_of_it(question: Asked) -> bool:
    return bool(exchanged(question, lambda phrase: Phrase() if IT in phrase.marks else None) != question)


def resolved(question: Asked) -> Any:
    """The question with "it" and "its" meaning the first thing that is spoken of as known."""
    if not _speaks_of_it(question):
        return question
    known: list[Phrase] = []

    def look(phrase: Phrase) -> None:
        if phrase.kind == "object" and phrase.definite and IT not in phrase.marks:
            known.append(phrase)

    exchanged(question, look)
    return _with_it(question, known[0]) if known else question


def _among(given: Phrase, phrase: Phrase) -> Any:
    """ "of the cubes, the second from the left"."""
    if given.others or phrase.others or phrase.kind != given.kind or given.marks == (ONES,):
        return None
    given = replace(given, marks=tuple(mark for mark in given.marks if mark != ONES))
    rest = tuple(mark for mark in phrase.marks if mark not in (ONES, *given.marks))
    return _asked("refer", replace(given, marks=(*given.marks, *rest), several=phrase.several)), 0.5


def _of_kind(phrase: Phrase, before: Phrase) -> Phrase:
    """What "ones" are: of the kind that was spoken of before."""
    if ONES not in phrase.marks:
        return phrase
    kind = [before.head] if before.head is not None else []
    rest = [mark for mark in phrase.marks if mark != ONES]
    return replace(phrase, marks=(*kind, *rest), head=before.head, kind=before.kind)


def _with_it(value: Any, known: Phrase) -> Any:
    """The same with a phrase in the place of every pronoun, and its kind in that of every "one"."""

    def change(phrase: Phrase) -> Phrase | None:
        marks = tuple(mark for mark in phrase.marks if mark not in (IT, ONES))
        if IT in phrase.marks:
            return replace(known, marks=(*known.marks, *marks))
        if ONES in phrase.marks:
            return replace(phrase, marks=(*known.marks, *marks), head=known.head, kind=known.kind)
        return None

    return exchanged(value, change)


class _Own:
    """Actions that hang on what nouns and "made of" tell in a language."""

    def __init__(self, lexicon: Lexicon):
        self.noun, self.material = lexicon.noun, lexicon.made
        self.part = lexicon.own.get("part")
        self.belongs = lexicon.own.get("belongs")
        self.turns = "inverse" in lexicon.own.get("functions", {})
        self.finds = lexicon.finds

    def _named(self, phrase: Phrase | None) -> Asked | None:
        """What something is."""
        if phrase is None:
            return None
        word = self.part if phrase.kind == "part" else self.noun
        return _asked("query", replace(phrase, definite=True), word=word or "")

    def at_inverse(self, *said: Any) -> Any:
        """ "the thing that the cube is in front of" is behind the cube."""
        relation = next(one for one in said if isinstance(one, Relation))
        other = next(one for one in said if isinstance(one, Phrase))
        if other.others:
            return None
        if self.turns:
            return At(relation.name, replace(other, definite=True), turned=True)
        opposite = ENGLISH["opposites"].get(relation.name)
        return None if opposite is None else At(opposite, replace(other, definite=True))

    def what_inverse(self, *said: Any) -> Any:
        return self.what_where(self.at_inverse(*said))

    def which_inverse(self, phrase: Phrase, *said: Any) -> Any:
        return self.which(phrase, self.at_inverse(*said))

    def has(self, parts: Phrase) -> Any:
        """Parts that are things themselves stand in a relation to what they belong to."""
        if self.belongs is None:
            return _has(parts)
        if parts.others or parts.counted is not None or not parts.marks:
            return None
        return At(self.belongs, replace(parts, definite=True), turned=True)

    def possessed(self, whole: Phrase, phrase: Phrase) -> Any:
        if self.belongs is None:
            return _possessed(whole, phrase)
        return replace(phrase, definite=True).with_marks(At(self.belongs, whole))

    def what_made(self, phrase: Phrase) -> Asked | None:
        return _asked("query", phrase, word=self.material) if self.material else None

    def what_is(self, phrase: Phrase) -> Any:
        """What it is, or which it is where that is said already."""
        return self._named_or_shown(phrase)

    def _named_or_shown(self, phrase: Phrase | None) -> Any:
        """One thing is named; several are shown, and what has a name already is."""
        if phrase is None:
            return None
        word = self.part if phrase.kind == "part" else self.noun
        named = self.finds or any(isinstance(mark, Is | Alike) and mark.attribute == word for mark in phrase.marks)
        return [(self._named(phrase), 1.0 if named else 0.0), (_asked("refer", phrase), 0.0 if named else 1.0)]

    def what_where(self, mark: Any) -> Any:
        return self._named_or_shown(_such(Phrase(), mark))

    def what_side(self, mark: Any) -> Any:
        return self._named_or_shown(_such(Phrase(), mark))

    def which(self, phrase: Phrase, mark: Any) -> Any:
        """Which chair has wheels: that one is to be found. Which thing is left of it: what is it?"""
        such = _such(phrase, mark)
        if such is None:
            return None
        sort = isinstance(phrase.head, Is) and phrase.kind == "object" and phrase.head.attribute != self.noun
        told = any(isinstance(one, Is) and one.attribute == self.part for one in phrase.marks)
        named = sort or (phrase.kind == "part" and not told)
        if (phrase.marks or phrase.several) and not named:
            return _asked("refer", such)
        return self._named_or_shown(such)

    def which_not(self, phrase: Phrase, mark: Any) -> Any:
        return self.which(phrase, _denied(mark))

    def which_at_all(self, *said: Any) -> Any:
        mark = next((one for one in said if one != _NOTHING), None)
        such = _such(Phrase(), mark)
        if such is None or isinstance(mark, Ranked):
            return None
        return self._named_or_shown(such)

    def of_made(self, mark: Any) -> Any:
        """ "of metal": only what things are made of is said so."""
        return mark if isinstance(mark, Is) and mark.attribute == self.material else None

    def query_any(self, name: Attribute, mark: Any) -> Any:
        """What color is left of it: of what is there."""
        phrase = Phrase(kind="part") if name.name == self.part else Phrase()
        such = _such(phrase, mark)
        return None if such is None else _asked("query", replace(such, definite=True), word=name.name)

    def query_part(self, *said: Any) -> Any:
        """Which part of the chair is yellow, what is yellow on the chair."""
        mark, whole = (
            next((m for m in said if isinstance(m, Mark)), None),
            next(p for p in said if isinstance(p, Phrase)),
        )
        name = next((one.name for one in said if isinstance(one, Attribute)), self.part)
        if self.part is None or mark is None or name != self.part or whole.kind != "object":
            return None
        parts = _such(Phrase((Of(whole),), kind="part"), mark)
        return None if parts is None else _asked("query", replace(parts, definite=True), word=self.part)

    def alike(self, *said: Any) -> Any:
        names = [one.name for one in said if isinstance(one, Attribute)] or [self.material or ""]
        other = next(one for one in said if isinstance(one, Phrase))
        marks = tuple(Alike(name, other) for name in names if name)
        if not marks or other.others:
            return None
        return marks[0] if len(marks) == 1 else Both(marks)

    def alike_it(self, name: Attribute) -> Any:
        return Alike(name.name, _it()), 0.5

    def equal(self, *said: Any) -> Any:
        return self._both("equal", *said)

    def differ(self, *said: Any) -> Any:
        return self._both("differ", *said)

    def _both(self, head: str, *said: Any) -> Asked | None:
        names = {one.name for one in said if isinstance(one, Attribute)} or {self.material or ""}
        phrases = [one for one in said if isinstance(one, Phrase)]
        if len(phrases) == 1:
            phrases = [replace(phrases[0], others=()), *phrases[0].others]
        name = names.pop()
        if names or not name or len(phrases) != 2:
            return None
        one, other = phrases
        return _asked(head, one, _of_kind(other, one), word=name)


_PLAIN: dict[str, Callable[..., Any]] = {
    "apposed": _apposed,
    "as_many_adj": _compared_values("equal"),
    "as_many_pred": _compared_preds("equal"),
    "besides": _besides,
    "but_not": _but_not,
    "count_had": _count_had,
    "difference_of": _difference_of,
    "equal_parts": _equal_parts,
    "is_after": _is_after,
    "one_of": _one_of,
    "better_of": _better_of,
    "exist_among": _exist_among,
    "exist_said": _exist_said,
    "fewer_adj": _compared_values("less"),
    "more_adj": _compared_values("greater"),
    "fewer_pred": _compared_preds("less"),
    "fewer_such": _compared_such("less"),
    "more_first": lambda one, mark, other: _compared_such("greater")(one, other, mark),
    "more_pred": _compared_preds("greater"),
    "more_such": _compared_such("greater"),
    "other_nominal": _other_nominal,
    "pred_the": _pred_the,
    "told_after": _told_after,
    "verify_beside": _verify_beside,
    "verify_each": _verify_each,
    "verify_either": _verify_either,
    "verify_not": _verify_not,
    "verify_said": _verify_said,
    "adjectives": _adjectives,
    "anything": _anything,
    "as_many": _compared("equal"),
    "as_many_parts": _as_many_parts,
    "at": _at,
    "both": _both,
    "compound": _compound,
    "count": _count,
    "count_not": _count_not,
    "count_parts": _count_parts,
    "count_such": _count_such,
    "denied": _denied,
    "difference": _difference,
    "either": _either,
    "every": _every,
    "exist": _exist,
    "exist_left": _exist_left,
    "exist_such": _exist_such,
    "fewer": _compared("less"),
    "handed": _handed,
    "has_as_many": _has_compared("equal"),
    "has_fewer": _has_compared("less"),
    "has_more": _has_compared("greater"),
    "headless": _headless,
    "is_": _is,
    "it": _it,
    "its": _its,
    "more": _compared("greater"),
    "neither": _neither,
    "none": _none,
    "nothing": _nothing,
    "noun": _noun,
    "nth": _nth,
    "nth_of": _nth_of,
    "numbered": _numbered,
    "of_whole": _of_whole,
    "one": _one,
    "other_than": _other_than,
    "posted": _posted,
    "pred_noun": _pred_noun,
    "preceded": _preceded,
    "query": _query,
    "query_it": _query_its,
    "query_known": _query_known,
    "query_its": _query_its,
    "query_such": _query_such,
    "refer": _refer,
    "refer_bare": _refer_bare,
    "some": _noun,
    "the": _the,
    "together": _together,
    "told": _told,
    "also": _also,
    "alternatives": _alternatives,
    "everything": _everything,
    "at_it": _at_it,
    "exist_any": _exist_any,
    "most": _most,
    "exceeds": _exceeds,
    "query_left": _query_left,
    "count_any": _count_any,
    "refer_such": _refer_such,
    "refer_what": _refer_what,
    "told_such": _told_such,
    "analogy": _analogy,
    "analogy_last": _analogy_last,
    "handed_far": _handed_far,
    "has_difference": _has_difference,
    "more_where": _more_where,
    "refer_its": _refer_its,
    "subtraction": _subtraction,
    "all_but": _all_but,
    "among": _among,
    "first_few": _first_few,
    "identical": _identical,
    "refer_such_bare": _refer_such_bare,
    "told_bare": _told_bare,
    "valued": _valued,
    "whose": _whose,
    "verify": _verify,
}
