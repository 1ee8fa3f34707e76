"""What a sentence means before it is a program: whom it speaks of, and what it asks of them.

A phrase is marks on everything there is: "the big cubes left of the ball" are things marked as large, as cubes and as
left of another phrase. Nothing here knows a language; `compose` makes programs of it by the function table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

__all__ = [
    "Alike",
    "Asked",
    "At",
    "Besides",
    "Both",
    "Either",
    "Has",
    "Is",
    "Known",
    "Lying",
    "Mark",
    "Not",
    "Of",
    "Phrase",
    "Ranked",
    "Same",
    "contradictory",
    "exchanged",
]


@dataclass(frozen=True)
class Is:
    """Has a value of an attribute."""

    attribute: str
    value: str


@dataclass(frozen=True)
class Not:
    """Has not what a mark says."""

    mark: Mark


@dataclass(frozen=True)
class Either:
    """Has one of several marks."""

    ways: tuple[Mark, ...]


@dataclass(frozen=True)
class Both:
    """Has all of several marks."""

    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class At:
    """Stands in a relation to another."""

    relation: str
    other: Phrase
    turned: bool = False
    """Whether it is the other that stands so to it."""


@dataclass(frozen=True)
class Besides:
    """Is another than one that is known."""

    other: Phrase


@dataclass(frozen=True)
class Alike:
    """Has the same value of an attribute as another."""

    attribute: str
    other: Phrase


@dataclass(frozen=True)
class Ranked:
    """Is at a place in an order, counted from a side."""

    number: str
    side: str


@dataclass(frozen=True)
class Has:
    """Has parts, this many if a number is said."""

    parts: Phrase
    count: int | None = None
    bound: str = "exactly"
    """How the number is meant: `exactly`, `least`, `most`, `more` or `fewer`."""


@dataclass(frozen=True)
class Of:
    """Belongs to a whole."""

    whole: Phrase


@dataclass(frozen=True)
class Known:
    """Is what is known to be so, as a question to what is known says it."""

    query: tuple[str, ...]
    said: str
    """In words, of one thing: "is used for cutting food"."""
    reverse: bool = False
    """Whether the thing stands at the end of what is known."""


@dataclass(frozen=True)
class Lying:
    """Lies to a third as another lies to one."""

    third: Phrase
    other: Phrase
    one: Phrase


@dataclass(frozen=True)
class Same:
    """Is the very one that a phrase means."""

    other: Phrase


Mark = Same | Lying | Is | Not | Either | Both | At | Besides | Alike | Ranked | Has | Of | Known


@dataclass(frozen=True)
class Phrase:
    """Some things, by their marks."""

    marks: tuple[Mark, ...] = ()
    kind: str = "object"
    """What they are: `object`, `part`, or `surface`, which has the name of one as its only mark."""
    head: Mark | None = None
    """The mark that its noun says."""
    definite: bool = False
    """Whether they are spoken of as known: "the cube"."""
    several: bool | None = None
    """Whether the words are in the plural; None where they leave it open."""
    every: bool = False
    """Whether all of them are spoken of: "every cube"."""
    each: bool = False
    """Whether each of them is spoken of by itself: "for each cube"."""
    counted: int | None = None
    """How many of them, where a number is said."""
    others: tuple[Phrase, ...] = ()
    """What is spoken of together with them: "the cubes and the balls"."""
    either: bool = False
    """Whether one or the other is spoken of."""
    other: bool = False
    """Whether it is another than what was spoken of: "the other cube"."""
    only: bool = False
    """Whether nothing else is spoken of: "only cubes"."""

    @property
    def one_known(self) -> bool:
        """Whether it speaks of one thing, as known."""
        return self.definite and not self.several and not self.others

    @property
    def of_each(self) -> bool:
        """Whether it speaks of parts of several things, of each by itself: "legs per chair"."""
        return any(isinstance(mark, Of) and mark.whole.each for mark in self.marks)

    def with_marks(self, *marks: Mark) -> Phrase:
        """The same with more marks, each once."""
        return replace(self, marks=tuple(dict.fromkeys((*self.marks, *marks))))


def contradictory(marks: Iterable[Mark]) -> bool:
    """Whether marks say that one thing has two values, as "a red blue cube" does."""
    values: dict[str, str] = {}
    marks = tuple(marks)
    sorts = [{way for way in mark.ways if isinstance(way, Is)} for mark in marks if isinstance(mark, Either)]
    told = {mark for mark in marks if isinstance(mark, Is)}
    for ways in sorts:
        if any(mark not in ways and {way.attribute for way in ways} == {mark.attribute} for mark in told):
            return True
    return any(isinstance(mark, Is) and values.setdefault(mark.attribute, mark.value) != mark.value for mark in marks)


@dataclass(frozen=True)
class Asked:
    """What is asked: a head, as `count`, with the phrases it is about and the words that it takes."""

    head: str
    phrases: tuple[Phrase, ...]
    word: str = ""
    """The attribute, comparison or value that the head is about."""
    mark: Mark | None = None
    """What is asked whether it holds."""


def exchanged(value: Any, change: Callable[[Phrase], Phrase | None]) -> Any:
    """The same meaning with phrases exchanged, wherever they stand; None from `change` keeps one and looks into it."""
    if isinstance(value, Phrase):
        other = change(value)
        if other is not None:
            return other
        marks = tuple(exchanged(mark, change) for mark in value.marks)
        return replace(value, marks=marks, others=tuple(exchanged(one, change) for one in value.others))
    if isinstance(value, tuple):
        return tuple(exchanged(one, change) for one in value)
    if isinstance(value, Asked):
        phrases = tuple(exchanged(phrase, change) for phrase in value.phrases)
        return replace(value, phrases=phrases, mark=exchanged(value.mark, change))
    if isinstance(value, At | Alike | Besides | Same):
        return replace(value, other=exchanged(value.other, change))
    if isinstance(value, Lying):
        return Lying(*(exchanged(each, change) for each in (value.third, value.other, value.one)))
    if isinstance(value, Of):
        return Of(exchanged(value.whole, change))
    if isinstance(value, Has):
        return replace(value, parts=exchanged(value.parts, change))
    if isinstance(value, Not):
        return Not(exchanged(value.mark, change))
    if isinstance(value, Either):
        return Either(tuple(exchanged(way, change) for way in value.ways))
    if isinstance(value, Both):
        return Both(tuple(exchanged(mark, change) for mark in value.marks))
    return value
