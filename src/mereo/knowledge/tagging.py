"""Parts of speech of a phrase's words, by spaCy where its small English model is installed, else by textblob."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from mereo.errors import MissingExtra
from mereo.knowledge.lemmas import Lexicon, singular, verb_of

__all__ = ["MODEL", "Tagger", "Word", "tagged", "tagger"]

MODEL = "en_core_web_sm"
_FRAMES = {"verb": "they can", "noun": "the"}
"""What a model reads in front of a phrase of which we know what it begins with."""


class Word(NamedTuple):
    """A word of a phrase."""

    text: str
    tag: str
    """Its part of speech in the Penn Treebank's tags."""
    lemma: str
    verb: str = ""
    """The verb that it may be a form of: taggers that look at one word at a time take `guard` for a noun."""


class Tagger(Protocol):
    """What tags words."""

    name: str

    def __call__(self, phrase: str, opening: str) -> tuple[Word, ...]:
        """The words of a phrase which begins with a verb, a noun, or who knows what (``)."""
        ...


def tagged(phrase: str, *, opening: str = "") -> tuple[Word, ...]:
    """The words of a phrase with their parts of speech."""
    return tagger()(phrase, opening)


@cache
def tagger() -> Tagger:
    """The best tagger there is, loaded once."""
    return _Spacy() if find_spec("spacy") and find_spec(MODEL) else _Textblob()


class _Spacy:
    name = "spaCy"

    def __init__(self) -> None:
        import spacy

        self._model: Any = spacy.load(MODEL, exclude=["parser", "ner"])

    def __call__(self, phrase: str, opening: str) -> tuple[Word, ...]:
        frame = _FRAMES.get(opening, "")
        tokens = list(self._model(f"{frame} {phrase}".strip()))[len(frame.split()) :]
        return tuple(_of_spacy(one.text, one.tag_, one.lemma_.lower()) for one in tokens)


class _Textblob:
    """The tagger of the library pattern, which goes by a list of words and a few rules."""

    name = "textblob"

    def __init__(self) -> None:
        if find_spec("textblob") is None:
            raise MissingExtra("reading phrases", "knowledge")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it leaves its files open
            from textblob import en

            self._tag: Any = en.tag
            self._lexicon: Lexicon = {word: tag for word, tag in en.lexicon.items() if word.islower()}
            self._tag("the first phrase loads its rules")

    def __call__(self, phrase: str, opening: str) -> tuple[Word, ...]:
        return tuple(self._word(text, tag.partition("-")[0]) for text, tag in self._tag(phrase))

    def _word(self, text: str, tag: str) -> Word:
        verb = verb_of(text, self._lexicon) or (text if tag.startswith("VB") else "")
        if tag.startswith("VB"):
            return Word(text, tag, verb, verb)
        return Word(text, tag, singular(text) if tag == "NNS" else text, verb)


def _of_spacy(text: str, tag: str, lemma: str) -> Word:
    return Word(text, tag, lemma, lemma if tag.startswith("VB") else "")
