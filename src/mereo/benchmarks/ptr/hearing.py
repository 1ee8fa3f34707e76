"""Reading PTR's English: "the chair with two red arms" back to category, part, number and color."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.questions import ptr_questions
from mereo.benchmarks.ptr.referring import referring
from mereo.benchmarks.ptr.world import VOCABULARY, WORDS
from mereo.programs import Type
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.listener import FreeListener
from mereo.questions.hearing import Forms, Heard, Hearing, Words
from mereo.questions.phrase import VISIBLE
from mereo.questions.template_set import TemplateSet
from mereo.questions.understand import Listener

__all__ = ["PartHearing", "listener"]

_RENAMED = frozenset(part for part in VOCABULARY.words("part") if part not in WORDS["words"].get(part, (part,)))
"""The parts that are never said by their names in the paper."""


@dataclass(frozen=True)
class PartHearing(Hearing):
    """Hears of objects by their parts."""

    def ways(self, type: Type) -> Iterable[tuple[str, str]]:
        """Relations of lines and planes, and moves, are said in their own ways; PTR's own names are understood, too."""
        if type.name == "GeometricRelation":
            return [(f"{value.partition(' ')[2]} to", value) for value in type.values or ()]
        if type.name == "PossibleChange":
            return [(way, value) for value in type.values or () for way in WORDS["moves"][value]]
        names = ((value, value) for value in type.values or () if value in _RENAMED)
        return [*super().ways(type), *names]

    def described(self, words: Words, place: int) -> Iterator[Heard]:
        """An object, and the parts that it has, if any are said."""
        for whole in self._wholes.at(words, place):
            yield whole
            if words[whole.end : whole.end + 1] == ("with",):
                for parts in self._some_parts(words, whole.end + 1):
                    yield Heard(parts.end, whole.meaning | parts.meaning, whole.several)

    def _some_parts(self, words: Words, place: int) -> Iterator[Heard]:
        """ "two visible red arms", "a back", "arms"."""
        starts = [(heard.end, {"count": heard.meaning}) for heard in self._numbers.at(words, place)]
        starts += [(place + (words[place : place + 1] == ("a",)), {})]
        starts += [(end + 1, names) for end, names in starts if words[end : end + 1] == (VISIBLE,)]
        for start, number in starts:
            colored = [(heard.end, {"color": heard.meaning}) for heard in self._colors.at(words, start)]
            for at, color in [(start, {}), *colored]:
                for part in self._parts.at(words, at):
                    yield Heard(part.end, {"part": part.meaning, **number, **color}, part.several)

    @cached_property
    def _wholes(self) -> Forms:
        named = [(word, {"category": value}) for word, value in self._said("category")]
        return Forms([*named, *((word, {}) for word in WORDS["speech"]["anything"])], nouns=True)

    @cached_property
    def _parts(self) -> Forms:
        return Forms(self._said("part"), nouns=True)

    @cached_property
    def _colors(self) -> Forms:
        return Forms(self._said("color"))

    @cached_property
    def _numbers(self) -> Forms:
        """From one on: of objects without any, descriptions say nothing, and numbers are told of all objects alike."""
        words = list(enumerate(WORDS["speech"]["numbers"]))[1:]
        return Forms([(way, number) for number, word in words for way in (word, str(number))])

    def _said(self, attribute: str) -> Iterable[tuple[str, str]]:
        return self.ways(Type(attribute, "value", VOCABULARY.attributes[attribute].values))

    @property
    def anything(self) -> str:
        """The word for something of which nothing is said."""
        return str(WORDS["speech"]["anything"][0])

    @property
    def lexicon(self) -> frozenset[str]:
        """All words that descriptions are made of."""
        every = (self._wholes, self._parts, self._colors, self._numbers)
        return frozenset({"with", VISIBLE}).union(*(forms.words for forms in every))


def listener() -> Listener:
    """Understands questions, and expressions that refer to objects or parts, in the words of our templates, and in
    others."""
    questions = ptr_questions()
    expressions, _ = referring().expressions(false_premise=False)
    both = TemplateSet((*questions.templates, *expressions.templates), questions.speech, questions.dataset)
    free = FreeListener(Lexicon.read(LANGUAGE, Path(__file__).with_name("lexicon.toml")))
    return Listener(both, PartHearing(questions.speech, VOCABULARY), LANGUAGE, free)
