"""How many parts things have, as it is said of them: "more than two legs", "four-legged", "whose back is red"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.lexicon import Bound
from mereo.questions.free.marking import both_marks, whose
from mereo.questions.free.meaning import Either, Has, Is, Phrase
from mereo.questions.free.posting import with_mark
from mereo.questions.free.rules import rule


@rule("has_some", "has_several")
def has_some(*said: Any) -> Any:
    """ "more than two legs", "three or more red legs", "several drawers": how many parts things have."""
    parts = next(one for one in said if isinstance(one, Phrase))
    count = next((one for one in said if isinstance(one, int)), 1)
    bound = next((one.name for one in said if isinstance(one, Bound)), "more")
    mark = next((one for one in said if not isinstance(one, int | Bound | Phrase)), None)
    such = parts if mark is None else with_mark(parts, mark)
    if such is None or such.kind != "part" or such.others or such.definite:
        return None
    return Has(replace(such, several=None), count, bound)


@rule("has_parted")
def has_parted(told: Any, parts: Phrase) -> Any:
    """ "four-legged", "red-legged", "two-door"."""
    if parts.kind != "part" or parts.several or not isinstance(parts.head, Is):
        return None
    plain = replace(parts, several=None)
    return Has(plain, told) if isinstance(told, int) else Has(plain.with_marks(told))


@rule("has_either_number")
def has_either_number(one: int, other: int, parts: Phrase) -> Any:
    """ "two or three legs"."""
    if parts.kind != "part" or parts.others:
        return None
    return Either((Has(parts, one), Has(parts, other)))


@rule("whose_all")
def whose_all(one: Phrase, other: Phrase, mark: Any) -> Any:
    """ "whose back and legs are red"."""
    return whose_both(one, mark, other, mark)


@rule("whose_both")
def whose_both(one: Phrase, mark: Any, other: Phrase, more: Any) -> Any:
    """ "whose back is red and whose legs are blue"."""
    both = whose(one, mark), whose(other, more)
    return None if None in both else both_marks(*both)
