"""Questions about moves: which way a thing should be moved, or whether one way would do.

They come in any order of words, most of which only say what for; so whatever is said of moving is taken out, and what
is left must be the thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from mereo.questions.free.english import worded
from mereo.questions.free.lexicon import Lexicon

__all__ = ["Moved", "moved"]


_KINDS = ("dropped", "goal", "falls", "way", "verb", "asks", "ought", "alternatives")
"""What phrases about moves say, but for the directions; where one says two things, the later holds."""


class Moved(NamedTuple):
    """What is said of moving, and the other words."""

    attribute: str
    direction: str | None
    """The way that is asked about; None where it is asked for."""
    rest: tuple[str, ...]


def moved(words: tuple[str, ...], lexicon: Lexicon) -> Moved | None:
    """What a sentence says of moving; None where it speaks of none."""
    told = lexicon.own.get("moves")
    if told is None:
        return None
    rest: list[str] = []
    directions: list[str] = []
    said = Counter[str]()
    place = 0
    phrases = _phrases(lexicon)
    while place < len(words):
        kind, value, length = _longest(words, place, phrases)
        said[kind] += 1
        if kind == "direction":
            directions.append(value)
        elif not kind:
            rest.append(words[place])
        place += max(length, 1)
    if said["asks"] and not directions and (said["goal"] or said["falls"]):
        return Moved(told["attribute"], None, tuple(rest))
    asked = said["way"] or (said["ought"] and said["alternatives"])
    if not said["verb"] or not (asked or directions):
        return None
    if said["falls"] and not asked:
        return None
    direction = directions[0] if len(set(directions)) == 1 and not asked else None
    return Moved(told["attribute"], direction, tuple(rest))


@cache
def _phrases(lexicon: Lexicon) -> dict[tuple[str, ...], tuple[str, str]]:
    told = lexicon.own["moves"]

    def every() -> Iterator[tuple[str, str, str]]:
        for kind in _KINDS:
            yield from ((kind, "", phrase) for phrase in told.get(kind, ()))
        for value, phrases in told["directions"].items():
            yield from (("direction", value, phrase) for phrase in phrases)

    return {words: (kind, value) for kind, value, phrase in every() for words in worded(phrase)}


def _longest(
    words: tuple[str, ...], place: int, phrases: dict[tuple[str, ...], tuple[str, str]]
) -> tuple[str, str, int]:
    """The longest phrase at a place: its kind, what it means and its length."""
    for length in range(min(8, len(words) - place), 0, -1):
        found = phrases.get(words[place : place + length])
        if found is not None:
            return (*found, length)
    return "", "", 0
