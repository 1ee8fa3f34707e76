"""Places in an order: "the second of the cubes from the left", "the two leftmost", "the bigger of the two"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.english import ENGLISH, ORDINALS
from mereo.questions.free.lexicon import From, Place
from mereo.questions.free.marking import place_of
from mereo.questions.free.meaning import Is, Phrase, Ranked, Same
from mereo.questions.free.posting import (
    IT,
    LAST,
    ONES,
    first_places,
    ones,
    posted,
    priced,
    question_of,
    ranked,
    with_mark,
)
from mereo.questions.free.rules import rule

_THREE = 3
"""Of so many things and more one may be in the middle."""


@rule("at_number")
def at_number(*said: Any) -> Any:
    """ "cube number two from the left"."""
    phrase = next((one for one in said if isinstance(one, Phrase)), ones())
    count = next(one for one in said if isinstance(one, int))
    return with_mark(phrase, Place(ORDINALS[count - 1]))


@rule("last_but")
def last_but(place: Place, phrase: Phrase, *sides: From) -> Any:
    """ "the last cube but one"."""
    first, second, *_ = ORDINALS
    if not place.backward or place.number != first or any(isinstance(mark, Ranked) for mark in phrase.marks):
        return None
    one = replace(phrase, definite=True, several=False)
    return one.with_marks(_at(Place(second, backward=True), next(iter(sides), None)))


@rule("counted_to")
def counted_to(count: int, *said: Any) -> Any:
    """ "Count five along from the left and show me that one"."""
    *named, last = (one for one in said if isinstance(one, Phrase))
    side = next(one for one in said if isinstance(one, From))
    if set(last.marks) - {IT, ONES} or last.others or any(one.others for one in named):
        return None
    place = ranked(Place(ORDINALS[count - 1]), side.side)
    return question_of(
        "refer", with_mark(replace(named[0] if named else Phrase(), definite=True, several=False), place)
    )


@rule("first_few")
def first_few(*said: Any) -> Any:
    """ "the two leftmost cubes", "the first three from the left"."""
    count = next(one for one in said if isinstance(one, int))
    side = next(one.side for one in said if isinstance(one, Ranked | From))
    phrase = next((one for one in said if isinstance(one, Phrase)), ones())
    place = next((one for one in said if isinstance(one, Place)), None)
    if count < 2 or (place is not None and place.number != ORDINALS[0]):
        return None
    side = ranked(place, side).side if place is not None and isinstance(said[-1], From) else side
    return replace(phrase.with_marks(first_places(count, side)), definite=True, several=True)


@rule("both_nth")
def both_nth(*said: Any) -> Any:
    """ "the first and the third cube from the left"."""
    phrase = next((one for one in said if isinstance(one, Phrase)), ones())
    side = next((one for one in said if isinstance(one, From)), None)
    places = [one for one in said if isinstance(one, Place)]
    first, *others = (replace(phrase, definite=True, several=False).with_marks(_at(place, side)) for place in places)
    return replace(first, others=tuple(others))


def _at(place: Place, side: From | None) -> Ranked:
    return Ranked(place.number, LAST if place.backward else "") if side is None else ranked(place, side.side)


@rule("the_same")
def the_same(other: Phrase, *sides: Any) -> Any:
    """ "the block that is the fourth object from the left": counted among all, and not among the blocks."""
    such: Phrase | None = replace(other, definite=True)
    for side in sides:
        such = None if such is None else with_mark(such, side)
    if such is None or ONES in such.marks or such.several or such.kind != "object":
        return None
    return Same(such) if any(isinstance(mark, Ranked) and mark.side for mark in such.marks) else None


@rule("better_of")
def better_of(mark: Is | Ranked, *said: Any) -> Any:
    """ "the bigger of the two cubes"."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    made = posted(replace(phrase, several=False), mark)
    found = priced(made)[0]
    return None if found is None else replace(found, definite=True)


@rule("middle_of")
def middle_of(*said: Any) -> Phrase | None:
    """ "the middle one of the three cubes", from left to right where no side is named."""
    count = next(one for one in said if isinstance(one, int))
    phrase = next(one for one in said if isinstance(one, Phrase))
    side = next((one.side for one in said if isinstance(one, From)), next(iter(ENGLISH["sides"])))
    if count < _THREE or count % 2 == 0:
        return None
    place = Ranked(ORDINALS[count // 2], side)
    such = with_mark(replace(phrase, several=None), place)
    return None if such is None else replace(such, definite=True)


@rule("nth_of")
def nth_of(*said: Any) -> Phrase | None:
    """The second of the cubes from the left."""
    phrase = next(one for one in said if isinstance(one, Phrase))
    mark = place_of(*said)
    such = with_mark(replace(phrase, several=None), mark)
    return None if such is None else replace(such, definite=True)
