"""Reading what is said of household objects back to what is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mereo.benchmarks.shop.speech import ShopSpeech
from mereo.programs import Type
from mereo.questions.hearing import Heard, Hearing, Words

__all__ = ["ShopHearing"]

_PAIR, _MADE_OF = ("pair", "of"), ("made", "of")


@dataclass(frozen=True)
class ShopHearing(Hearing):
    """Hears what a `ShopSpeech` says."""

    speech: ShopSpeech

    def ways(self, type: Type) -> Iterable[tuple[str, str]]:
        """Attributes, by their own names, are said before a noun; types, which have capitals, where a word is alone."""
        table = self.speech.before.get(type.name) or self.speech.alone[type.name]
        for value in type.values or ():
            for way in table[value]:
                yield way, value
                if type.name == "Name" and value in self.speech.pairs:
                    yield f"pair of {way}", value

    def described(self, words: Words, place: int) -> Iterator[Heard]:
        """A noun phrase, perhaps of a pair, perhaps with its material after it."""
        start = place + 2 if words[place : place + 2] == _PAIR else place
        materials = self._attribute("material")
        for heard in super().described(words, start):
            if start != place and heard.meaning.get("name") not in self.speech.pairs:
                continue
            yield heard
            if words[heard.end : heard.end + 2] == _MADE_OF and "material" not in heard.meaning:
                for material in materials.at(words, heard.end + 2):
                    yield Heard(material.end, {**heard.meaning, "material": material.meaning}, heard.several)

    @property
    def lexicon(self) -> frozenset[str]:
        """All words that descriptions are made of."""
        return super().lexicon.union(_PAIR, _MADE_OF)
