"""Comparisons of what things have: "more legs than the table", "legs of the same color", "at least two drawers"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mereo.questions.free.comparing import bounded, of_another, of_like_sort
from mereo.questions.free.joining import joint
from mereo.questions.free.lexicon import Attribute, Bound
from mereo.questions.free.meaning import Asked, Of, Phrase
from mereo.questions.free.posting import of_each, of_kind, question_of, within
from mereo.questions.free.rules import RULES, rule


@rule("has_difference")
def has_difference(parts: Phrase, one: Phrase, other: Phrase) -> Asked | None:
    if parts.kind != "part" or one.kind != "object" or other.kind != "object":
        return None
    return question_of("difference", parts.with_marks(Of(one)), parts.with_marks(Of(other)))


@rule("has_subtraction")
def has_subtraction(parts: Phrase, one: Phrase, other: Phrase) -> Asked | None:
    """ "How many fewer legs does the chair have than the table?"."""
    return has_difference(parts, other, one)


@rule("has_bounded")
def has_bounded(whole: Phrase, *said: Any) -> Any:
    """ "Does the table have more than two drawers?"."""
    parts = next(one for one in said if isinstance(one, Phrase))
    bound, count = (next(one for one in said if isinstance(one, kind)) for kind in (Bound, int))
    return bounded(bound, count, parts.with_marks(Of(whole))) if has_each(whole, parts) else None


def has_each(whole: Phrase, parts: Phrase) -> bool:
    """Whether it is one thing whose parts are spoken of: of several, each may be meant, or all together."""
    return whole.kind == "object" and whole.one_known and parts.kind == "part"


def has_compared(word: str) -> Callable[..., Asked | None]:
    def compare(*said: Phrase) -> Asked | None:
        if said[0].kind == "part":
            return within_compared(word, *said)
        if said[0].kind != "object":
            return None
        parts = [one for one in said if one.kind == "part"]
        wholes = [one for one in said if one.kind == "object"]
        if any(whole.every for whole in wholes):
            return None  # "does every chair have more legs than the table?" is about each
        wholes = [wholes[0], *(of_kind(whole, wholes[0]) for whole in wholes[1:])]
        if len(wholes) == 1 and len(wholes[0].others) == 1:
            wholes = [replace(wholes[0], others=()), wholes[0].others[0]]
        if len(parts) == 1 and len(wholes) == 1:
            parts = [replace(parts[0], others=()), *parts[0].others]
        pairs = list(zip(parts * (3 - len(parts)), wholes * (3 - len(wholes)), strict=False))
        if len(pairs) != 2 or len(parts) + len(wholes) < 3:
            return None
        if len(parts) > 1:
            parts = [of_like_sort(parts[0], parts[1]), of_like_sort(parts[1], parts[0])]
            pairs = list(zip(parts, (whole for _, whole in pairs), strict=True))
        return question_of("compare", *(part.with_marks(Of(whole)) for part, whole in pairs), word=word)

    return compare


@rule("has_difference_to")
def has_difference_to(other: Phrase, parts: Phrase, one: Phrase) -> Asked | None:
    """ "Compared with the chair, how many more legs does the table have?"."""
    return has_difference(parts, one, other)


@rule("own_difference")
def own_difference(*said: Phrase) -> Asked | None:
    """ "How many more legs than arms does the chair have?", "How many more legs does the chair have than arms?"."""
    whole = next((one for one in said if one.kind == "object"), None)
    parts = [one for one in said if one.kind == "part" and not one.others and not one.definite]
    if whole is None or not whole.one_known or len(parts) != 2:
        return None
    return question_of("difference", *(one.with_marks(Of(whole)) for one in parts))


@rule("own_subtraction")
def own_subtraction(*said: Phrase) -> Asked | None:
    """ "How many fewer arms than legs does the chair have?"."""
    return own_difference(*reversed(said))


def within_compared(word: str, whole: Phrase, *parts: Phrase) -> Asked | None:
    """ "Does the back of the chair have fewer horizontal bars than vertical ones?"."""
    if len(parts) == 1:
        parts = (replace(parts[0], others=()), *parts[0].others)
    if not whole.definite or whole.others or len(parts) != 2:
        return None
    one, other = parts[0], of_kind(parts[1], parts[0])
    if one.kind != "part" or other.kind != "part":
        return None
    one, other = of_like_sort(one, other), of_like_sort(other, one)
    both = within(one, whole), within(other, whole)
    return None if None in both else question_of("compare", *both, word=word)


@rule("and_those_of")
def and_those_of(parts: Phrase, whole: Phrase) -> Any:
    """ "the legs of the bed and of the table"."""
    owned = parts.kind == "part" and any(isinstance(mark, Of) for mark in parts.marks)
    return joint(parts, of_another(parts, whole)) if owned and whole.kind == "object" else None


@rule("equal_parts")
def equal_parts(*said: Any) -> Any:
    """ "Do the chair and the table have legs of the same color?"."""
    name = next(one for one in said if isinstance(one, Attribute))
    phrases = [each for one in said if isinstance(one, Phrase) for each in (replace(one, others=()), *one.others)]
    each = [phrase for phrase in phrases if phrase.kind == "object"]
    parts = next((phrase for phrase in phrases if phrase.kind == "part"), None)
    if parts is None or len(each) != 2 or len(phrases) != 3:
        return None
    return question_of("equal", *(replace(parts, definite=True).with_marks(Of(one)) for one in each), word=name.name)


def together_compared(word: str) -> Callable[..., Any]:
    """ "Do the table and the bed together have as many legs as the chairs?"."""

    def compare(one: Phrase, parts: Phrase, other: Phrase) -> Any:
        known = one.kind == other.kind == "object" and parts.kind == "part" and not parts.others
        return question_of("compare", of_each(parts, one), of_each(parts, other), word=word) if known else None

    return compare


RULES.update(
    {
        "together_as_many": together_compared("equal"),
        "together_fewer": together_compared("less"),
        "together_more": together_compared("greater"),
        "has_fewer_than_it": lambda other, one, parts: has_compared("less")(one, parts, other),
        "has_more_than_it": lambda other, one, parts: has_compared("greater")(one, parts, other),
        "has_as_many": has_compared("equal"),
        "has_fewer": has_compared("less"),
        "has_more": has_compared("greater"),
    }
)
