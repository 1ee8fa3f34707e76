"""The forms of verbs that items are said in: `cut food`, `cutting food`, `eaten raw`."""

from __future__ import annotations

import re
from functools import cache

from mereo.benchmarks.cric.words import words

__all__ = ["base_phrase", "gerund_phrase", "participle_phrase"]

_SYLLABLE = re.compile("[aeiouy]+")
_CLOSED = re.compile("[^aeiou][aeiouy][^aeiouwxy]$")
"""One consonant, one vowel, one consonant: what doubles its last letter, or has lost an "e"."""
_LOST = re.compile("(?:[^e]at|v|c|[aeiou]g|iz|eez|[bcdfgkptz]l|u|[^o]ur|as|os|us)$")
"""How what has lost an "e" ends, though it is longer than a syllable."""


def base_phrase(phrase: str) -> str:
    """A phrase with its first verb as dictionaries have it; as it is where that is no gerund."""
    verb, space, rest = phrase.partition(" ")
    return f"{_base(verb)}{space}{rest}"


def gerund_phrase(phrase: str) -> str:
    """A phrase with its first verb as a gerund."""
    verb, space, rest = phrase.partition(" ")
    return f"{_gerund(verb)}{space}{rest}"


def participle_phrase(phrase: str) -> str:
    """A phrase with its first verb as what is done to something; as it is where it says so."""
    verb, space, rest = phrase.partition(" ")
    return f"{_participle(verb)}{space}{rest}"


@cache
def _base(verb: str) -> str:
    known = {gerund: base for base, gerund in words().verbs.items()}
    if verb in known:
        return known[verb]
    stem = verb.removesuffix("ing")
    if stem == verb or not _SYLLABLE.search(stem):
        return verb
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lszfe":
        return stem[:-1]
    short = len(_SYLLABLE.findall(stem)) == 1
    return f"{stem}e" if (short and _CLOSED.search(stem)) or _LOST.search(stem) else stem


@cache
def _gerund(verb: str) -> str:
    if verb in words().verbs:
        return words().verbs[verb]
    if verb.endswith("ing") and _SYLLABLE.search(verb.removesuffix("ing")):
        return verb
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    short = len(_SYLLABLE.findall(verb)) == 1
    return f"{verb}{verb[-1]}ing" if short and _CLOSED.search(verb) else f"{verb}ing"


@cache
def _participle(verb: str) -> str:
    known = words().participles
    if verb in known.values() or (verb.endswith("ed") and len(verb) > len("feed")):
        return verb
    if verb in known:
        return known[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ied"
    return f"{_gerund(verb).removesuffix('ing')}ed"
