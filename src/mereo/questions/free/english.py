"""English as it is written: its own words, from `english.toml`, and the words of phrases in one spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from mereo.files import read_toml
from mereo.questions.hearing import words_of

__all__ = ["ENGLISH", "ORDINALS", "spoken", "ways_to_say", "without_signs", "worded"]

ENGLISH: dict[str, Any] = read_toml(Path(__file__).with_name("english.toml"))
ORDINALS: tuple[str, ...] = tuple(ENGLISH["ordinals"])
"""What places in an order are called: first, second and so on."""
_POSSESSIVE = "'s"
_SIGN = re.compile("|".join(map(re.escape, ENGLISH["signs"])))
_BRACKETS = re.compile(r"([(|)])")


def ways_to_say(pattern: str) -> list[str]:
    """All phrases that a pattern stands for: "on (the|my|) left" is three."""
    open_groups: list[tuple[list[str], list[str]]] = [([], [""])]
    """Of each its alternatives that are done, and all ways to say the one that is being read."""
    for piece in _BRACKETS.split(pattern):
        done, ways = open_groups[-1]
        if piece == "(":
            open_groups.append(([], [""]))
        elif piece == "|" and len(open_groups) > 1:
            open_groups[-1] = ([*done, *ways], [""])
        elif piece == ")" and len(open_groups) > 1:
            open_groups.pop()
            others, before = open_groups[-1]
            open_groups[-1] = (others, [one + way for one in before for way in (*done, *ways)])
        else:
            open_groups[-1] = (done, [way + piece for way in ways])
    return open_groups[0][1]


def worded(*patterns: str) -> Iterator[tuple[str, ...]]:
    """The words of all phrases that some patterns stand for."""
    return (_words(way) for pattern in patterns for way in ways_to_say(pattern))


def without_signs(sentence: str) -> str:
    """A sentence with words in the place of signs and of what is shortened by a dot."""
    return _SIGN.sub(lambda found: ENGLISH["signs"][found[0]], sentence)


def spoken(phrase: str) -> tuple[str, ...]:
    """The words of a phrase as they are read: in small letters, each in one spelling, the possessive by itself."""
    return _words(without_signs(phrase))


def _words(phrase: str) -> tuple[str, ...]:
    """The words of a phrase without signs."""
    return tuple(chain.from_iterable(map(_spelled, phrase.split())))


@lru_cache(1 << 14)
def _spelled(written: str) -> tuple[str, ...]:
    """What stands between two spaces, in words."""
    if written == _POSSESSIVE:
        return (written,)
    found: list[str] = []
    for word in words_of(written):
        if word in ENGLISH["spelling"]:
            found += ENGLISH["spelling"][word].split()
        elif word.endswith(_POSSESSIVE):
            found += (word.removesuffix(_POSSESSIVE), _POSSESSIVE)
        else:
            found.append(word)
    return tuple(found)
