"""The forms of words: one thing instead of several, and verbs as a dictionary lists them.

For taggers that do not tell. What a word may be is worked out from a lexicon that knows one part of speech of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mereo.files import converted, read_toml

if TYPE_CHECKING:
    from pluralizer import Pluralizer

__all__ = ["Lexicon", "singular", "verb_of"]

Lexicon = Mapping[str, str]
"""The usual tag of each word, in lower case."""
_FILE = Path(__file__).with_name("lemmas.toml")
_BASES = ("NN", "JJ", "RB", "IN")
"""What a word may be besides a verb that no ending was added to."""
_VOWELS = "aeiou"
_KEPT = 3
"""Letters that must stay when an ending is taken off: `thing` is no form of `th`."""


def singular(word: str) -> str:
    """A noun as there is one of it; the same where there is no one of it, as of clothes."""
    return word if word in _always_many() else str(_pluralizer().singular(word))


@cache
def _pluralizer() -> Pluralizer:
    from pluralizer import Pluralizer  # twenty milliseconds

    rules: Pluralizer = Pluralizer()  # type: ignore[no-untyped-call]
    return rules


def verb_of(word: str, lexicon: Lexicon) -> str:
    """The verb that a word is a form of, or may be; nothing where there is none.

    A lexicon with one part of speech for each word has `guard` as a noun, but also `guarding`, which tells.
    """
    if word in _irregular():
        return _irregular()[word]
    return next((form for form in (*_stems(word), word) if _is_verb(form, lexicon)), "")


def _is_verb(form: str, lexicon: Lexicon) -> bool:
    return lexicon.get(form) in ("VB", "VBP") or (lexicon.get(form) in _BASES and _bends(form, lexicon))


def _bends(verb: str, lexicon: Lexicon) -> bool:
    """Whether a lexicon has one of the forms that a verb would have, as such; or both, as whatever."""
    if verb in _irregular().values():
        return True
    short, end = verb.removesuffix("e"), verb[-1:]
    doing = [lexicon[form] for form in (f"{short}ing", f"{verb}{end}ing") if form in lexicon]
    done = [lexicon[form] for form in (f"{short}ed", f"{verb}{end}ed", f"{verb[:-1]}ied") if form in lexicon]
    return "VBG" in doing or "VBD" in done or "VBN" in done or bool(doing and done)


def _stems(word: str) -> Iterator[str]:
    """What a word may be a form of, the likelier first."""
    for ending in ("ing", "ed", "s"):
        stem = word.removesuffix(ending)
        if (
            stem == word
            or word.endswith("ss")
            or len(stem) < _KEPT - (ending != "s")
            or not any(letter in "aeiouy" for letter in stem)
        ):
            continue
        if ending == "s":
            yield from (stem[:-2] + "y", stem[:-1], stem) if stem.endswith("ie") else (stem, stem.removesuffix("e"))
            continue
        if ending == "ed" and stem.endswith("i"):
            yield stem[:-1] + "y"
        if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
            yield stem[:-1]
        bare = stem[-1] not in _VOWELS + "wxy" and stem[-2:-1] in tuple(_VOWELS) and stem[-3:-2] not in tuple(_VOWELS)
        yield from (stem + "e", stem) if bare else (stem, stem + "e")
        if len(stem) > 2 and stem[-1] == stem[-2]:
            yield stem[:-1]


@cache
def _irregular() -> Mapping[str, str]:
    return converted(read_toml(_FILE)["verbs"], file=_FILE, type=dict[str, str])


@cache
def _always_many() -> frozenset[str]:
    return frozenset(converted(read_toml(_FILE)["always_many"], file=_FILE, type=list[str]))
