"""What phrases of a lexicon may be: tokens, and what these mean."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Attribute", "Bound", "Entry", "Form", "From", "Place", "Relation"]


class Attribute(NamedTuple):
    """An attribute that is spoken of by its name."""

    name: str


class Relation(NamedTuple):
    """A relation that is spoken of."""

    name: str


class Place(NamedTuple):
    """A place in an order, without the side that it is counted from."""

    number: str
    backward: bool = False
    """Whether it is counted from the end: "the last"."""


class Bound(NamedTuple):
    """How a number is spoken of: `exactly`, `least`, `most`, `more` or `fewer`."""

    name: str


class Form(NamedTuple):
    """The form of a word, which tells whether it speaks of several."""

    several: bool


class From(NamedTuple):
    """The side that is counted from."""

    side: str


class Entry(NamedTuple):
    """One phrase as one token."""

    token: str
    meaning: Any = None
