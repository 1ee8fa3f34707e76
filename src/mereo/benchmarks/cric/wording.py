"""Putting descriptions and questions into words, each component in one of its wordings."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mereo.benchmarks.cric.components import components, filled
from mereo.benchmarks.cric.description import Description, Known, Related, Word
from mereo.benchmarks.cric.graph import KINDS
from mereo.benchmarks.cric.lore import VISION
from mereo.benchmarks.cric.predicates import manner, said_as
from mereo.benchmarks.cric.sayings import NUMBERS, THE, said
from mereo.benchmarks.cric.words import is_plural, one, words
from mereo.questions.phrase import article

__all__ = ["Spoken", "Wording", "ended"]

_BEFORE, _BARE, _WHAT_OTHERS_DO = 0.9, 0.7, 0.5
"""How often an attribute stands before its noun, a relation right after it, and an item as what others do."""
_LONG = 6
"""Words of a description after which not all texts go on well."""
_ENDS = re.compile(r"\{the\}$|^\{the\}|that \{the\}")
_ORDER = ("size", "state", "other", "shape", "color", "pattern", "material")
"""In which attributes stand before a noun."""
assert set(_ORDER) == set(KINDS)


class Spoken(NamedTuple):
    """A text, and the component and the number of the wording by which it was said."""

    text: str
    wording: str


class _Clause(NamedTuple):
    text: str
    does: bool
    """Whether the thing described is its subject, so that another such clause may follow with "and"."""


class Wording:
    """Chooses words by chance."""

    def __init__(self, chance: random.Random):
        self.chance = chance

    def one_of(self, component: str, texts: Sequence[str], places: Mapping[str, str]) -> Spoken:
        """One of several texts, filled. What is long stands last, or right before a verb."""
        numbers: Sequence[int] = range(len(texts))
        if len(places.get(THE, "").split()) > _LONG:
            numbers = [number for number in numbers if _ENDS.search(texts[number])] or numbers
        number = self.chance.choice(numbers)
        return Spoken(filled(texts[number], places), f"{component}-{number}")

    def the(self, description: Description, *, ends: bool = True) -> str:
        """ "the red mug that can hold liquid" """
        return f"the {self.phrase(description, ends=ends)}"

    def any(self, description: Description) -> str:
        """ "a red mug that can hold liquid" """
        return one(self.phrase(description), description.noun)

    def phrase(self, description: Description, *, ends: bool = True) -> str:
        """A description without an article.

        ends : whether all may follow the noun; if not, only what does not read as belonging to what comes next
        """
        several = is_plural(description.noun)
        before: list[str] = []
        clauses: list[_Clause] = []
        for word in sorted(description.words, key=lambda word: _ORDER.index(word.kind)):
            if not ends or self.chance.random() < _BEFORE:
                before.append(word.word)
            else:
                clauses.append(_Clause(self.word(word, several=several), does=True))
        clauses += [self.clause(item, several=several) for item in description.known]
        after = ""
        for related in description.related:
            if not clauses and (not ends or self.chance.random() < _BARE):
                after = self._bare(related, several=several)
            if not after:
                clauses.append(self._standing(related, several=several))
        return " ".join([*before, description.noun, *([after] if after else ()), *self._joined(clauses)])

    def _joined(self, clauses: Sequence[_Clause]) -> list[str]:
        said: list[str] = []
        for number, clause in enumerate(clauses):
            follows = number and clause.does and clauses[number - 1].does and self.chance.random() < 0.5
            said += [*(["and"] if number else ()), *(() if follows else ["that"]), clause.text]
        return said

    def word(self, word: Word, *, several: bool) -> str:
        """An attribute after "that"."""
        texts = components().attributes[word.kind].does
        return self.one_of(word.kind, texts, {**NUMBERS[several], **worded(word.word)}).text

    def clause(self, item: Known, *, several: bool) -> _Clause:
        """An item after "that"."""
        saying = said(item.query, item.plain, several=several)
        assert saying is not None, "only what can be said is asked about"
        others = not saying.does or (bool(saying.done) and self.chance.random() < _WHAT_OTHERS_DO)
        return _Clause(self.visible(item, self.chance.choice(saying.done if others else saying.does)), does=not others)

    def visible(self, item: Known, text: str) -> str:
        """A text of an item with the thing that it speaks of described, where it does."""
        return text.replace(VISION, self.the(item.beside)) if item.beside else text

    def how(self, predicate: str) -> str:
        """A predicate as it is said."""
        return self.chance.choice(said_as(predicate))

    def _bare(self, related: Related, *, several: bool) -> str:
        """A relation right after a noun; nothing where it is not said so."""
        if not related.subject:
            return ""
        texts = components().relations[manner(related.predicate)].bare
        return self.one_of("bare", texts, {**NUMBERS[several], **self._places(related)}).text

    def _standing(self, related: Related, *, several: bool) -> _Clause:
        component = components().relations[manner(related.predicate)]
        texts = component.does if related.subject else component.whereon
        spoken = self.one_of("standing", texts, {**NUMBERS[several], **self._places(related)})
        return _Clause(spoken.text, does=related.subject)

    def _places(self, related: Related) -> dict[str, str]:
        the = self.the(related.other, ends=False)
        return {"{how}": self.how(related.predicate), **agreeing(related.other), THE: the}


def agreeing(description: Description) -> dict[str, str]:
    """What agrees with the number of what is described as {the}."""
    several = is_plural(description.noun)
    return {"{is_the}": "are" if several else "is", "{s_the}": "" if several else "s"}


def worded(word: str) -> dict[str, str]:
    """The places for a word of an attribute."""
    matter = words().matter.get(word, word)
    return {"{word}": word, "{a_word}": f"{article(word)} {word}", "{matter}": matter}


def ended(text: str) -> str:
    """A question as it is written: with a capital letter, and a question mark."""
    return f"{text[0].upper()}{text[1:]}?"
