"""From a sentence to the tokens that it may be made of.

A word may belong to several phrases, so there are several ways to cut a sentence; those with the fewest tokens come
first. A stretch may be several tokens at once ("glass" a noun and an adjective): the grammar decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from mereo.questions.free.english import spoken
from mereo.questions.free.lexicon import DROPPED, FIRST, LAST, Lexicon

__all__ = ["Cut", "Stretch", "cuts", "sentence_words"]

_DROPPING = 0.4
"""What it costs to leave words out, in tokens: a phrase that means something is preferred."""
_MOST = 2_000
"""Beyond so many beginnings of cuts no more are looked at."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some words as one token, or several at once."""

    start: int
    end: int
    tokens: Mapping[str, tuple[Any, ...]]
    """By the name of a token all that it may mean."""


Cut = tuple[Stretch, ...]


def sentence_words(sentence: str, known: frozenset[str]) -> tuple[str, ...]:
    """The words of a sentence in one spelling; those with a hyphen that nobody knows are several, and those that are
    said twice are one."""
    words = [part for word in spoken(sentence) for part in ([word] if word in known else word.split("-"))]
    return tuple(word for place, word in enumerate(words) if word != words[place - 1] or not place)


def cuts(words: tuple[str, ...], lexicon: Lexicon) -> Iterator[tuple[float, Cut]]:
    """The ways to cut words into tokens, the shortest first, each with its length."""
    at = [_stretches(words, place, lexicon) for place in range(len(words))]
    reaches = _reaching(at, len(words))
    heap: list[tuple[float, int, int, Cut, bool, bool]] = [(0.0, 0, 0, (), True, False)]
    count = 0
    while heap and count < _MOST:
        cost, _, place, cut, opening, closing = heappop(heap)
        if place == len(words):
            yield cost, cut
            continue
        for stretch in at[place]:
            if not reaches[stretch.end]:
                continue
            silent = [name for name in (DROPPED, FIRST, LAST) if name in stretch.tokens]
            loud = {name: meant for name, meant in stretch.tokens.items() if name not in (DROPPED, FIRST, LAST)}
            if loud and not closing:
                count += 1
                said = (*cut, Stretch(place, stretch.end, loud))
                heappush(heap, (cost + 1, count, stretch.end, said, False, False))
            dropped = DROPPED in silent or (FIRST in silent and opening) or (LAST in silent and place > 0)
            if dropped:
                count += 1
                only_last = LAST in silent and DROPPED not in silent and not (FIRST in silent and opening)
                heappush(heap, (cost + _DROPPING, count, stretch.end, cut, opening, closing or only_last))


def _stretches(words: tuple[str, ...], place: int, lexicon: Lexicon) -> list[Stretch]:
    """What may begin at a place."""
    found: dict[int, dict[str, list[Any]]] = {}
    ends = (place + length for length in lexicon.lengths.get(words[place], ()))
    for end in (end for end in ends if end <= len(words)):
        for entry in lexicon.phrases.get(words[place:end], ()):
            meanings = found.setdefault(end, {}).setdefault(entry.token, [])
            if entry.meaning not in meanings:
                meanings.append(entry.meaning)
    return [
        Stretch(place, end, {name: tuple(meant) for name, meant in tokens.items()}) for end, tokens in found.items()
    ]


def _reaching(at: list[list[Stretch]], end: int) -> list[bool]:
    """From which places the end can be reached."""
    reaches = [False] * end + [True]
    for place in range(end - 1, -1, -1):
        reaches[place] = any(reaches[stretch.end] for stretch in at[place])
    return reaches
