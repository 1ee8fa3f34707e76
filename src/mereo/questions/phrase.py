"""Putting questions into words: synonyms, plurals, articles, optional words, capital letters."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from mereo.world import World

if TYPE_CHECKING:
    from pluralizer import Pluralizer

__all__ = ["VISIBLE", "NounPhrases", "Optional", "Piece", "Said", "Speech", "Text", "Visible", "article", "plural"]

VISIBLE = "visible"


@dataclass(frozen=True)
class Said:
    """What each hole was filled with, and the world that it was said of."""

    fillings: Mapping[str, Any]
    referents: Mapping[str, int]
    """The object that each hole refers to, where it is one."""
    world: World
    meant: Mapping[str, Any] = field(default_factory=dict)
    """What each chosen word leads to, such as the parts that it names."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The name of the type of each chosen word."""
    visible: bool = False
    """Whether the words must speak of what is visible, because what is hidden would change the answer."""
    whole: World | None = None
    """The world with what is hidden, where it is known: a description that fits others there speaks of the visible."""

    def several(self, hole: str) -> bool:
        """Whether a hole stands for more than one."""
        value = self.meant[hole]
        return isinstance(value, int) and value.bit_count() > 1


Piece = str | Callable[["Speech", Said, random.Random], str]
"""A stretch of text: fixed words, or what a hole makes of its filling."""


@dataclass(frozen=True)
class Optional:
    """Words that may as well be left out."""

    pieces: tuple[Piece, ...]

    def __call__(self, speech: Speech, said: Said, chance: random.Random) -> str:
        return speech.join(self.pieces, said, chance) if chance.random() < 0.5 else ""


@dataclass(frozen=True)
class Visible:
    """The word "visible", where that is what a text speaks of."""

    def __call__(self, speech: Speech, said: Said, chance: random.Random) -> str:
        return VISIBLE if said.visible else ""


@dataclass(frozen=True)
class Text:
    """One way to say a template."""

    pieces: tuple[Piece, ...]
    source: str
    """As its author wrote it."""

    @cached_property
    def of_visible(self) -> bool:
        """Whether it speaks of what is visible, or can: not in words that may be left out."""
        return _OF_VISIBLE.search(_LEFT_OUT.sub("", self.source)) is not None

    @cached_property
    def may_be(self) -> bool:
        """Whether it may as well not say that it speaks of what is visible."""
        return any(isinstance(piece, Visible) for piece in self.pieces)


@dataclass(frozen=True)
class NounPhrases:
    """How a description becomes a noun phrase: adjectives in their order, then the noun."""

    adjectives: tuple[str, ...]
    """The attributes that are said as adjectives."""
    noun: str
    """The attribute that is said as the noun."""
    anything: tuple[str, ...]
    """Nouns for when that attribute is not named."""


@dataclass(frozen=True)
class Speech:
    """The words of a language: synonyms by value, and how they are put together."""

    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    phrases: NounPhrases = NounPhrases((), "", ("thing",))
    finish: Callable[[str, Said], str] = lambda text, said: text
    """A last hand at a whole sentence."""
    mended: Callable[[str], str] = lambda text: text
    """What is replaced as soon as the holes are filled, while there may still be a space before a mark."""
    visibly: float = 0.0
    """How often `{visible}` is said where it need not be, so that the word does not tell."""
    longest: int | None = None
    """The most words of a sentence, if there is a limit."""

    def word(self, value: str, chance: random.Random) -> str:
        """A word for a value."""
        synonyms = self.words.get(value)
        return synonyms[int(chance.random() * len(synonyms))] if synonyms else value

    def spoken(self, hole: str, said: Said, chance: random.Random, *, several: bool) -> str:
        """A word for the value in a hole, or for several of it."""
        word = self.word(said.fillings[hole], chance)
        return plural(word) if several else word

    def noun_phrase(self, names: Mapping[str, str], chance: random.Random, *, several: bool) -> str:
        """What a description names, as "large red cube" or "large red cubes"."""
        phrases = self.phrases
        words = [self.word(names[attribute], chance) for attribute in phrases.adjectives if attribute in names]
        value = names.get(phrases.noun)
        noun = self.word(value, chance) if value else phrases.anything[int(chance.random() * len(phrases.anything))]
        return " ".join([*words, plural(noun) if several else noun])

    def described(self, hole: str, said: Said, chance: random.Random, *, several: bool) -> str:
        """The description in a hole as a noun phrase."""
        return self.noun_phrase(said.fillings[hole], chance, several=several)

    def fits(self, names: Mapping[str, Any], referent: int, world: World) -> bool:
        """Whether an object would fit what a description names."""
        return all(world.having[attribute].get(value, 0) >> referent & 1 for attribute, value in names.items())

    def join(self, pieces: Sequence[Piece], said: Said, chance: random.Random) -> str:
        """The pieces as one string, not yet tidied."""
        return "".join([piece if isinstance(piece, str) else piece(self, said, chance) for piece in pieces])

    def several(self, hole: str, said: Said) -> bool:
        """Whether what a hole stands for is said in the plural."""
        return said.several(hole)

    def say(self, texts: Sequence[Text], said: Said, chance: random.Random) -> str | None:
        """One of the texts, its holes filled, as a clean sentence; None where all that may be said are too long."""
        left = [text for text in texts if text.of_visible] if said.visible else list(texts)
        while left:
            sentence = self._sentence(left.pop(int(chance.random() * len(left))), said, chance)
            if self.longest is None or len(sentence.split()) <= self.longest:
                return sentence
        return None

    def _sentence(self, text: Text, said: Said, chance: random.Random) -> str:
        if (
            text.of_visible and not said.visible
        ):  # once for the whole text, so that numbers agree with what it speaks of
            said = replace(said, visible=not text.may_be or chance.random() < self.visibly)
        words = self.mended(" ".join(self.join(text.pieces, said, chance).split()))
        for mark in _MARKS:
            if mark in words:  # nearly never, so that looking is cheaper than replacing
                words = words.replace(mark, mark[1])
        sentence = self.finish(words, said)
        return sentence[:1].upper() + sentence[1:]


_OF_VISIBLE = re.compile(r"\bvisible\b|\bcan be seen\b|\b(?:can|do) you see\b|\byou can see\b", re.IGNORECASE)
_LEFT_OUT = re.compile(r"\[[^\[\]]*\]")
_MARKS = (" ?", " ;", " ,", " .")
_VOWEL_SOUND = re.compile(
    r"(?i:hour|honest|honou?r|heir)"
    r"|(?!(?i:eu|ewe|on(?:e|ce)\b|u(?:bi|fo|k[ur]|nanim|ni(?!n|m|de)|r[aeiou]|s[aeu]|t[eio]))|U(?![a-z]))[AEIOUaeiou]"
    r"|[FHLMNRSX](?![a-z])"  # letters that are said by their names
    r"|8|1[18](?!\d)"
)
_PREPOSITION = re.compile(r" (?:of|in|on|with|for|from) ")
_MENDED = {"lens": "lenses", "ottoman": "ottomans"}
"""Nouns that the library's rules get wrong."""
_MASS = ("furniture", "luggage")
"""Nouns without a plural that it does not know."""


def article(noun_phrase: str) -> str:
    """ "a" or "an", by the sound that follows."""
    return "an" if _VOWEL_SOUND.match(noun_phrase) else "a"


@lru_cache(4096)
def plural(noun: str) -> str:
    """Several of it; "scissors" and other plurals stay as they are."""
    before = _PREPOSITION.split(noun, maxsplit=1)[0]  # chests of drawers
    head, space, last = before.rpartition(" ")
    several = f"{last}s" if last.isupper() else _pluralizer().pluralize(last)  # TVs
    return f"{head}{space}{several}{noun[len(before) :]}"


@cache
def _pluralizer() -> Pluralizer:
    from pluralizer import Pluralizer  # twenty milliseconds, for those who say plurals

    rules: Pluralizer = Pluralizer()  # type: ignore[no-untyped-call]
    for one, several in _MENDED.items():
        rules.add_irregular_rule(one, several)
    for noun in _MASS:
        rules.add_uncountable_rule(noun)
    return rules
