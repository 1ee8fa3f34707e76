"""What components need to know of words: how nouns are counted, where places are, how predicates are said."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from mereo.files import converted, read_toml
from mereo.knowledge import entities, singular
from mereo.questions.phrase import article, plural

__all__ = [
    "Words",
    "is_plural",
    "number_of",
    "one",
    "one_of_type",
    "placed",
    "preposition",
    "several",
    "some",
    "stuff",
    "words",
]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of words; what each list is for stands there."""

    mass: frozenset[str]
    plural: frozenset[str]
    several: frozenset[str]
    determiners: frozenset[str]
    before_things: frozenset[str]
    after_things: frozenset[str]
    visible: frozenset[str]
    unsaid: frozenset[str]
    turned: frozenset[str]
    places: Mapping[str, frozenset[str]]
    matter: Mapping[str, str]
    opposite: Mapping[str, str]
    said: Mapping[str, tuple[str, ...]]
    verbs: Mapping[str, str]
    participles: Mapping[str, str]


@cache
def words() -> Words:
    """What is known of words."""
    path = Path(__file__).with_name("words.toml")
    return converted(read_toml(path), file=path, type=Words)


@cache
def number_of(noun: str) -> Literal["count", "mass", "plural"]:
    """How a noun is spoken of: counted, not counted, or in the plural."""
    known = entities().get(noun)
    if known is not None:
        return known.number
    if noun in words().mass:
        return "mass"
    last = noun.rpartition(" ")[2]
    return "plural" if noun in words().plural or singular(last) != last else "count"


def is_plural(noun: str) -> bool:
    """Whether verbs that go with a noun are in the plural."""
    return number_of(noun) == "plural"


@cache
def several(noun: str) -> str:
    """More than one of it, where it is counted."""
    known = entities().get(noun)
    if known is not None and known.plural:
        return known.plural
    return plural(noun) if number_of(noun) == "count" else noun


def one(noun_phrase: str, noun: str) -> str:
    """A noun phrase with the article for something that is spoken of for the first time: "a mug", "any bread"."""
    return f"{article(noun_phrase)} {noun_phrase}" if number_of(noun) == "count" else f"any {noun_phrase}"


def some(noun: str) -> str:
    """A noun as others speak of it: "a handle", "legs", "sugar"."""
    first = noun.partition(" ")[0]
    if first in words().determiners or number_of(noun) != "count":
        return noun
    return several(noun) if noun in words().several else f"{article(noun)} {noun}"


def stuff(noun: str) -> str:
    """A noun as what something is made of: "flour", "eggs"."""
    return noun if noun.partition(" ")[0] in words().determiners else several(noun)


def placed(place: str) -> str:
    """A place with its preposition: "in a kitchen", "on a wall"."""
    return f"{preposition(place)} {some(place)}"


def preposition(place: str) -> str:
    """What stands before a place: "in" a kitchen, "on" a wall."""
    first, _, rest = place.partition(" ")
    noun = rest if first in words().determiners else place
    return next((how for how, known in words().places.items() if noun in known), "in")


def one_of_type(noun: str) -> str:
    """A noun as what something is: "a type of citrus fruit", "a member of the grass family"."""
    return f"a {noun}" if noun.startswith("member of") else f"a type of {noun}"
