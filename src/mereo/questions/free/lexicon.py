"""Which phrases are which tokens: English's own, and those of what a benchmark speaks of.

A benchmark's lexicon is a TOML file. It names the attribute that nouns tell, and for attributes, values, parts and
relations the phrases that mean them; whatever is left out is said as it is called.
Phrases may be patterns: "on (the|my) left" stands for two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mereo.files import read_toml
from mereo.programs import Language
from mereo.questions.free.english import ENGLISH, ORDINALS, ways_to_say, worded
from mereo.questions.free.entries import Attribute, Bound, Entry, Form, From, Place, Relation
from mereo.questions.free.meaning import At, Either, Has, Is, Not, Of, Phrase, Ranked
from mereo.questions.phrase import plural

__all__ = ["Attribute", "Bound", "Entry", "Form", "From", "Lexicon", "Place", "Relation"]

DROPPED = "DROPPED"
FIRST, LAST = "FIRST", "LAST"
"""Tokens that are left out: anywhere, only before and only after everything else."""
_CONTENT = frozenset(
    [
        "ACT",
        "ADJ",
        "ATTRIBUTE",
        "COMPARATIVE",
        "FEATURE",
        "FROM",
        "NOUN",
        "PART",
        "RELATION",
        "SIDE",
        "SIDEMOST",
        "SURFACE",
    ]
)
"""Tokens of what can be here."""
_LONG = 4
"""Phrases of so many words have others than such as can be here."""
_SILENT = {"anywhere": DROPPED, "first": FIRST, "last": LAST}


@dataclass(frozen=True, eq=False)
class Lexicon:
    """All phrases that can be read."""

    language: Language
    own: Mapping[str, Any]
    """What the benchmark's file says."""
    more: Sequence[tuple[str, Entry]] = ()
    """Phrases that no file lists, as those of what is known."""

    @staticmethod
    def read(language: Language, *paths: Path) -> Lexicon:
        """The lexicon of a file, or of several of which each adds to those before."""
        own: dict[str, Any] = {}
        for path in paths:
            own = _added(own, read_toml(path))
        return Lexicon(language, own)

    @property
    def noun(self) -> str:
        """The attribute that nouns tell, which "what is it" asks for."""
        return str(self.own["noun"])

    @property
    def made(self) -> str | None:
        """The attribute that "made of" speaks of."""
        return self.own.get("made")

    @property
    def finds(self) -> bool:
        """Whether a phrase without a verb rather means what is to be found than asks whether there is such a thing."""
        return bool(self.own.get("finds"))

    @cached_property
    def phrases(self) -> dict[tuple[str, ...], list[Entry]]:
        """All phrases with what they may be."""
        found: dict[tuple[str, ...], dict[Entry, None]] = {}
        for phrase, entry in self._all():
            for words in worded(phrase):
                if words:
                    found.setdefault(words, {})[entry] = None
        return {words: list(entries) for words, entries in found.items()}

    @cached_property
    def lengths(self) -> dict[str, tuple[int, ...]]:
        """Of how many words the phrases are that begin with a word."""
        found: dict[str, dict[int, None]] = {}
        for words in self.phrases:
            found.setdefault(words[0], {})[len(words)] = None
        return {first: tuple(lengths) for first, lengths in found.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of every phrase."""
        moves = self.own.get("moves", {})
        spoken_of = [phrase for phrases in moves.values() if isinstance(phrases, list) for phrase in phrases]
        spoken_of += [phrase for phrases in moves.get("directions", {}).values() for phrase in phrases]
        others = (word for words in worded(*spoken_of) for word in words)
        return frozenset(others).union(*self.phrases)

    @cached_property
    def content(self) -> frozenset[str]:
        """Words for what can be here, which no sentence says for nothing."""
        every = [(words, entry.token) for words, entries in self.phrases.items() for entry in entries]
        told = frozenset(word for words, token in every if token in _CONTENT and len(words) < _LONG for word in words)
        light = frozenset(ENGLISH["asides"]["light"])
        return told - light - {words[0] for words, token in every if token not in _CONTENT and len(words) == 1}

    @cached_property
    def foreign(self) -> frozenset[str]:
        """Words of other things, which are no slips, in the singular and the plural."""
        words = [*ENGLISH["foreign"], *self.own.get("foreign", ())]
        return frozenset(form for word in words for form in (word, plural(word)))

    def _all(self) -> Iterator[tuple[str, Entry]]:
        yield from _english()
        yield from self._nouns()
        yield from self._values()
        yield from self._lacking()
        yield from self._attributes()
        for relation, phrases in self.own.get("relations", {}).items():
            yield from ((phrase, Entry("RELATION", Relation(relation))) for phrase in phrases)
        for relation, phrases in self.own.get("mutual", {}).items():
            yield from ((phrase, Entry("MUTUAL", Relation(relation))) for phrase in phrases)
        for phrase, mark in self.own.get("comparatives", {}).items():
            yield phrase, Entry("COMPARATIVE", Is(*mark))
        for phrase, (relation, surface) in self.own.get("postures", {}).items():
            other = Phrase((Is("surface", surface),), kind="surface", definite=True)
            yield phrase, Entry("ADJ", At(relation, other))
        for pattern, mark in self.own.get("acts", {}).items():
            for verb, space, rest in (phrase.partition(" ") for phrase in ways_to_say(pattern)):
                yield from ((f"{form}{space}{rest}", Entry("ACT", Is(*mark))) for form in (verb, plural(verb)))
        for phrase, mark in self.own.get("features", {}).items():
            yield phrase, Entry("FEATURE", Is(*mark))
        for token, phrases in self.own.get("tokens", {}).items():
            yield from ((phrase, Entry(token)) for phrase in phrases)
        yield from self.more
        known, whose = ENGLISH["dropped_of"]["known"], ENGLISH["dropped_of"]["whose"]
        for phrase in self.own.get("dropped", ()):
            yield from ((way, Entry(DROPPED)) for way in dict.fromkeys((phrase, phrase.replace(known, whose))))

    def _nouns(self) -> Iterator[tuple[str, Entry]]:
        yield from _both_numbers(self.own["anything"], "NOUN", Phrase())
        for value, phrases in self._said(self.noun):
            yield from _both_numbers(phrases, "NOUN", Phrase((Is(self.noun, value),)))
        part = self.own.get("part")
        for phrase, (value, had) in self.own.get("wholes_with", {}).items():
            having = Has(Phrase((Is(self.own["part"], had),), kind="part"))
            yield from _both_numbers([phrase], "NOUN", Phrase((Is(self.noun, value), having)))
        if part is not None:
            yield from _both_numbers(self.own["any_part"], "PART", Phrase(kind="part"))
            for value, phrases in self._said(part):
                yield from _both_numbers(phrases, "PART", Phrase((Is(part, value),), kind="part"))
        for phrase, values in self.own.get("part_sorts", {}).items():
            sorts = Either(tuple(Is(self.own["part"], value) for value in values))
            yield from _both_numbers([phrase], "PART", Phrase((sorts,), kind="part"))
        for attribute, values in self.own.get("part_nouns", {}).items():
            for value, phrases in values.items():
                yield from _both_numbers(phrases, "PART", Phrase((Is(attribute, value),), kind="part"))
        for phrase, (value, whole) in self.own.get("parts_of", {}).items():
            owner = Of(Phrase((Is(self.noun, whole),)))
            yield from _both_numbers([phrase], "PART", Phrase((Is(self.own["part"], value), owner), kind="part"))
        for value, phrases in self.own.get("surfaces", {}).items():
            yield from _both_numbers(phrases, "SURFACE", Phrase((Is("surface", value),), kind="surface"))

    def _values(self) -> Iterator[tuple[str, Entry]]:
        """Values that are said before or after a noun; of nouns' values only such forms as "cubic"."""
        part = self.own.get("part")
        for attribute in self.language.vocabulary.attributes:
            if attribute not in (self.noun, part):
                for value, phrases in self._said(attribute):
                    yield from ((phrase, Entry("ADJ", Is(attribute, value))) for phrase in phrases)
                    if attribute in self.own.get("nouns", ()):
                        yield from _in_plural(phrases, Is(attribute, value))
        for attribute, values in self.own.get("adjectives", {}).items():
            for value, phrases in values.items():
                yield from ((phrase, Entry("ADJ", Is(attribute, value))) for phrase in phrases)

    def _lacking(self) -> Iterator[tuple[str, Entry]]:
        """Words for what has no parts of a name, or has some: "armless", "four-legged"."""
        for phrase, value in self.own.get("lacking", {}).items():
            part = Phrase((Is(self.own["part"], value),), kind="part")
            yield phrase, Entry("ADJ", Not(Has(part)))
        for phrase, value in self.own.get("having", {}).items():
            yield phrase, Entry("ADJ", Has(Phrase((Is(self.own["part"], value),), kind="part")))
        for phrase, value in self.own.get("possessing", {}).items():
            part = Phrase((Is(self.own["part"], value),), kind="part", head=Is(self.own["part"], value))
            yield phrase, Entry("PARTED", part)

    def _attributes(self) -> Iterator[tuple[str, Entry]]:
        for name, ways in self.own.get("attributes", {}).items():
            meant = Attribute(name)
            for phrase in ways.get("names", ()):
                yield phrase, Entry("ATTRIBUTE", meant)
                yield plural(phrase), Entry("ATTRIBUTE", meant)
            yield from ((phrase, Entry("LIKE", meant)) for phrase in ways.get("like", ()))
            yield from ((phrase, Entry("EQUALLY", meant)) for phrase in ways.get("alike", ()))
            yield from ((phrase, Entry("UNLIKE", meant)) for phrase in ways.get("unlike", ()))
            for word in ways.get("how", ()):
                yield f"how {word}", Entry("HOW", meant)
                yield f"as {word}", Entry("AS_MUCH", meant)
                yield f"just as {word}", Entry("AS_MUCH", meant)
                yield f"equally {word}", Entry("EQUALLY", meant)

    def _said(self, attribute: str) -> Iterator[tuple[str, Sequence[str]]]:
        """The values of an attribute and how each is said."""
        words = self.own.get("words", {}).get(attribute, {})
        for value in self.language.vocabulary.attributes[attribute].values or words:
            yield value, words.get(value, (value,))


def _added(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables together; where they are about the same, the second holds."""
    inner = {key: _added(one[key], value) for key, value in other.items() if isinstance(one.get(key), dict)}
    return {**one, **other, **inner}


def _both_numbers(phrases: Iterable[str], token: str, meant: Phrase) -> Iterator[tuple[str, Entry]]:
    """Nouns in the singular and the plural."""
    for phrase in (way for pattern in phrases for way in ways_to_say(pattern)):
        noun, mark, rest = phrase.partition("*")  # where the plural ends, if not at the end: "bar* between the legs"
        phrase, more = f"{noun}{rest}", f"{plural(noun)}{rest}" if mark else plural(phrase)
        if more == phrase:
            yield phrase, Entry(token, _numbered(meant, several=None))
        else:
            yield phrase, Entry(token, _numbered(meant, several=False))
            yield more, Entry(token, _numbered(meant, several=True))


def _in_plural(phrases: Iterable[str], mark: Is) -> Iterator[tuple[str, Entry]]:
    """Values as nouns: "the reds"."""
    for phrase in phrases:
        if phrase.isalpha():
            yield plural(phrase), Entry("NOUN", Phrase((mark,), head=mark, several=True))


def _numbered(phrase: Phrase, *, several: bool | None) -> Phrase:
    return Phrase(phrase.marks, phrase.kind, head=phrase.marks[0] if phrase.marks else None, several=several)


def _english() -> Iterator[tuple[str, Entry]]:
    for token, phrases in ENGLISH["token"].items():
        yield from ((phrase, Entry(token)) for phrase in phrases)
    for where, kinds in ENGLISH["dropped"].items():
        yield from ((phrase, Entry(_SILENT[where])) for phrases in kinds.values() for phrase in phrases)
    for word, number in ENGLISH["numbers"].items():
        yield word, Entry("NUMBER", number)
    for token, table in (("BOUND", "bounds"), ("BOUNDED", "bounds_after")):
        for bound, phrases in ENGLISH[table].items():
            yield from ((phrase, Entry(token, Bound(bound))) for phrase in phrases)
    for table, backward in (("ordinals", False), ("ordinals_backward", True)):
        for number, phrases in ENGLISH[table].items():
            yield from ((phrase, Entry("NTH", Place(number, backward))) for phrase in phrases)
    for token, forms in ENGLISH["forms"].items():
        for form, phrases in forms.items():
            yield from ((phrase, Entry(token, Form(form == "several"))) for phrase in phrases)
    for side, ways in ENGLISH["sides"].items():
        yield from ((phrase, Entry("SIDEMOST", Ranked(ORDINALS[0], side))) for phrase in ways["most"])
        yield from ((phrase, Entry("COMPARATIVE", Ranked(ORDINALS[0], side))) for phrase in ways.get("more", ()))
        yield from ((phrase, Entry("SIDEWORD", Ranked(ORDINALS[0], side))) for phrase in ways.get("word", ()))
        yield from ((phrase, Entry("FROM", From(side))) for phrase in ways["from"])
        yield from ((phrase, Entry("SIDE", Ranked(ORDINALS[0], side))) for phrase in ways["at"])
        yield from ((phrase, Entry("ITS_RELATION", Relation(side))) for phrase in ways.get("its", ()))
