"""What is said of a thing of a picture to tell it from the others, before it is put into words or into a program."""

from __future__ import annotations

from typing import NamedTuple

from mereo.benchmarks.cric.graph import KINDS
from mereo.benchmarks.cric.lore import ANYTHING, Query

__all__ = ["Description", "Known", "Related", "Word"]


class Word(NamedTuple):
    """An attribute: its kind, and what it is."""

    kind: str
    word: str


class Known(NamedTuple):
    """An item that a thing fills the blank of."""

    query: Query
    plain: Query
    """The same with a word for VISION."""
    beside: Description | None = None
    """The thing that VISION is."""


class Related(NamedTuple):
    """How a thing stands to another, or the other to it."""

    predicate: str
    subject: bool
    """Whether it is the thing described that stands so to the other."""
    other: Description


class Description(NamedTuple):
    """All that is said of a thing: what it is called, and what else it is."""

    noun: str
    """A name, a category, or a word for anything."""
    named: bool = False
    """Whether the noun is the thing's name."""
    words: tuple[Word, ...] = ()
    known: tuple[Known, ...] = ()
    related: tuple[Related, ...] = ()

    @property
    def vague(self) -> bool:
        """Whether the noun tells nothing."""
        return not self.named and self.noun in ANYTHING

    @property
    def asked_as(self) -> str:
        """What its name is asked for as: materials are things, too, but `material` asks what a thing is made of."""
        return "object" if self.noun in KINDS else self.noun
