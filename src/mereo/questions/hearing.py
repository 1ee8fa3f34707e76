"""Hearing: the inverse of `Speech`, from words back to what they name.

A hearing reads noun phrases and single words at any place of a sentence. It never guesses: what it cannot read exactly
is left to whoever asks, see `understand`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mereo.programs import Type
from mereo.questions.phrase import Speech, plural
from mereo.world import Vocabulary

__all__ = ["Forms", "Heard", "Hearing", "Words", "words_of"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
Words = tuple[str, ...]


def words_of(sentence: str) -> Words:
    """The words of a sentence in small letters, without its marks; "an" is an "a"."""
    return tuple("a" if word == "an" else word for word in _WORD.findall(sentence.lower()))


class Heard(NamedTuple):
    """Something that was read."""

    end: int
    """The place after its last word."""
    meaning: Any
    several: bool | None
    """Whether it was in the plural; None where that makes no difference to the word."""

    def agrees(self, form: str) -> bool:
        """Whether it was said in a form: `plural`, `number` for either, or nothing for one."""
        return form == "number" or self.several is None or self.several == (form == "plural")


class Forms:
    """Phrases by their first words, so that those at one place of a sentence are found at once."""

    def __init__(self, phrases: Iterable[tuple[str, Any]], *, nouns: bool = False):
        """phrases : each with its meaning; nouns : whether they have a plural"""
        self._by_first: dict[str, list[tuple[Words, Any, bool | None]]] = {}
        self.words: set[str] = set()
        for phrase, meaning in phrases:
            one, more = words_of(phrase), words_of(plural(phrase)) if nouns else ()
            if more == one or not nouns:
                self._add(one, meaning, None)
            else:
                self._add(one, meaning, False)
                self._add(more, meaning, True)

    def _add(self, words: Words, meaning: Any, several: bool | None) -> None:
        self._by_first.setdefault(words[0], []).append((words, meaning, several))
        self.words.update(words)

    def at(self, words: Words, place: int) -> Iterator[Heard]:
        """All phrases that stand at a place."""
        if place < len(words):
            for phrase, meaning, several in self._by_first.get(words[place], ()):
                if words[place : place + len(phrase)] == phrase:
                    yield Heard(place + len(phrase), meaning, several)


@dataclass(frozen=True)
class Hearing:
    """Reads what a speech says. A benchmark whose speech has ways of its own brings a hearing of its own."""

    speech: Speech
    vocabulary: Vocabulary
    _forms: dict[Any, Forms] = field(default_factory=dict, repr=False, compare=False)

    def ways(self, type: Type) -> Iterable[tuple[str, str]]:
        """Every phrase for a value of a type, with the value."""
        for value in type.values or ():
            for word in self.speech.words.get(value) or (value,):
                yield word, value

    def spoken(self, type: Type, *, nouns: bool) -> Forms:
        """How the values of a type are said. nouns : whether also several of them"""
        key = (type.name, type.values, nouns)
        if key not in self._forms:
            self._forms[key] = Forms(self.ways(type), nouns=nouns)
        return self._forms[key]

    def described(self, words: Words, place: int) -> Iterator[Heard]:
        """The descriptions that stand at a place, as the attributes that they name with their values."""
        reached: list[tuple[int, dict[str, Any]]] = [(place, {})]
        for attribute in self.speech.phrases.adjectives:
            forms = self._attribute(attribute)
            reached += [
                (heard.end, {**names, attribute: heard.meaning})
                for at, names in reached
                for heard in forms.at(words, at)
            ]
        nouns = self._nouns()
        for at, names in reached:
            for heard in nouns.at(words, at):
                yield Heard(heard.end, {**names, **heard.meaning}, heard.several)

    def _attribute(self, attribute: str) -> Forms:
        if attribute not in self._forms:
            values = self.vocabulary.attributes[attribute].values
            self._forms[attribute] = Forms(self.ways(Type(attribute, "value", values)))
        return self._forms[attribute]

    def _nouns(self) -> Forms:
        """Every noun with what it names: nothing for "thing"."""
        if "nouns" not in self._forms:
            phrases = self.speech.phrases
            attribute = self.vocabulary.attributes.get(phrases.noun)
            values = self.ways(Type(phrases.noun, "value", attribute.values if attribute else ()))
            named: list[tuple[str, Mapping[str, str]]] = [(word, {phrases.noun: value}) for word, value in values]
            self._forms["nouns"] = Forms([*named, *((word, {}) for word in phrases.anything)], nouns=True)
        return self._forms["nouns"]

    @property
    def anything(self) -> str:
        """The word for something of which nothing is said."""
        return self.speech.phrases.anything[0]

    @property
    def lexicon(self) -> frozenset[str]:
        """All words that descriptions are made of."""
        adjectives = map(self._attribute, self.speech.phrases.adjectives)
        return frozenset(self._nouns().words).union(*(forms.words for forms in adjectives))
