"""English as it is written: its own words, from `english.toml`, and the words of phrases in one spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mereo.files import read_toml
from mereo.questions.hearing import words_of

__all__ = ["ENGLISH", "spoken", "ways_to_say", "worded"]

ENGLISH: dict[str, Any] = read_toml(Path(__file__).with_name("english.toml"))
_POSSESSIVE = "'s"


def ways_to_say(phrase: str) -> Iterator[str]:
    """All phrases that a pattern stands for: "on (the|my|) left" is three."""
    group = re.search(r"\(([^()]*)\)", phrase)
    if group is None:
        yield phrase
        return
    for way in group[1].split("|"):
        yield from ways_to_say(phrase[: group.start()] + way + phrase[group.end() :])


def worded(*patterns: str) -> Iterator[tuple[str, ...]]:
    """The words of all phrases that some patterns stand for."""
    return (tuple(spoken(way)) for pattern in patterns for way in ways_to_say(pattern))


def spoken(phrase: str) -> Iterator[str]:
    """The words of a phrase as they are read: in small letters, each in one spelling, the possessive by itself."""
    for sign, words in ENGLISH["signs"].items():
        phrase = phrase.replace(sign, words)
    for word in words_of(phrase) if phrase != _POSSESSIVE else (_POSSESSIVE,):
        if word in ENGLISH["spelling"]:
            yield from ENGLISH["spelling"][word].split()
        elif word.endswith("'s") and word != _POSSESSIVE:
            yield from (word.removesuffix("'s"), "'s")
        else:
            yield word
