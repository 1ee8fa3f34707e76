"""Reading ordinals: "second from the left of the red cubes" back to number, side and what is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from mereo.benchmarks.refer.describe import NUMBER, SIDE
from mereo.questions.hearing import Forms, Heard, Hearing, Words

__all__ = ["OrdinalHearing"]


class _Way(NamedTuple):
    names: dict[str, str]
    several: bool
    """Whether those that are counted follow in the plural."""


@dataclass(frozen=True)
class OrdinalHearing(Hearing):
    """Hears what an `OrdinalSpeech` says: each ordinal is followed by a noun phrase."""

    ordinals: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()

    def described(self, words: Words, place: int) -> Iterator[Heard]:
        """A plain description, or the one at some place in an order of those that fit one."""
        yield from super().described(words, place)
        for start in self._beginnings.at(words, place):
            names, several = start.meaning
            for heard in super().described(words, start.end):
                if heard.several == several:
                    yield Heard(heard.end, heard.meaning | names, None)

    @cached_property
    def _beginnings(self) -> Forms:
        found: list[tuple[str, Any]] = []
        for side, ways in self.ordinals.items():
            for number in self.numbers:
                for way in ways["first" if number == self.numbers[0] else "later"]:
                    said = way.format(one="", many="", nth=number)
                    found.append((said, _Way({NUMBER: number, SIDE: side}, "{many}" in way)))
        return Forms(found)

    @property
    def lexicon(self) -> frozenset[str]:
        """All words that descriptions are made of."""
        return super().lexicon | self._beginnings.words
