"""Lists by commas: "cubes, balls and cylinders" are read as if each had been joined to the next by a word."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.questions.free.english import ENGLISH, spoken
from mereo.questions.free.lexicon import Lexicon

__all__ = ["joined_lists"]


def joined_lists(sentence: str, lexicon: Lexicon) -> str:
    """A sentence with the word between the last two of a list in the place of each comma before."""
    clauses = sentence.split(",")
    joined = clauses[0]
    for place, clause in enumerate(clauses[1:], 1):
        word = "" if _is_choice(clauses, place, lexicon) else _joint(clauses, place, lexicon)
        joined += f" {word} {clause.lstrip()}" if word else f",{clause}"
    return joined


def _is_choice(clauses: Sequence[str], place: int, lexicon: Lexicon) -> bool:
    """Whether answers to choose from come after a comma: "What is left of the cube, a ball or a cylinder?"."""
    asks, first = spoken(clauses[0])[:1], spoken(clauses[place])[:1]
    several = any(word == "or" for clause in clauses[place:] for word in spoken(clause))
    asked = bool(asks) and asks[0] in ENGLISH["lists"]["asks"]
    return asked and several and bool(first) and "A" in _tokens(first[0], lexicon)


def _joint(clauses: Sequence[str], place: int, lexicon: Lexicon) -> str:
    """The word that a comma before a clause stands for; nothing where it stands for none."""
    before = spoken(clauses[place - 1])
    if not before or not _tokens(before[-1], lexicon) & _nouns() or not _alike(before, clauses[place], lexicon):
        return ""
    for clause in clauses[place:]:
        words = spoken(clause)
        if words[:1] and words[0] in _joints() and clause is not clauses[place]:
            return words[0]
        length = _item(words, lexicon)
        after = words[length] if length < len(words) else ""
        if length and after in _joints():
            return after
        if not length or after:
            return ""
    return ""


def _alike(before: Sequence[str], clause: str, lexicon: Lexicon) -> bool:
    """Whether what comes before a comma may be of the same list as what comes after: an article asks for another."""
    articles = frozenset(ENGLISH["lists"]["articles"])
    if not _tokens(next(iter(spoken(clause)), ""), lexicon) & articles:
        return True
    start = len(before)
    while start and _tokens(before[start - 1], lexicon) & (frozenset(ENGLISH["lists"]["items"]) | _nouns()):
        start -= 1
    return any(_tokens(word, lexicon) & articles for word in before[start:])


def _item(words: Sequence[str], lexicon: Lexicon) -> int:
    """How many words at the beginning are a noun with what may stand before it; none where they are not."""
    parts = frozenset(ENGLISH["lists"]["items"])
    for length, word in enumerate(words, 1):
        tokens = _tokens(word, lexicon)
        if tokens & _nouns():
            return length
        if not tokens & parts:
            return 0
    return 0


def _tokens(word: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset(entry.token for entry in lexicon.phrases.get((word,), ()))


def _nouns() -> frozenset[str]:
    return frozenset(ENGLISH["lists"]["nouns"])


def _joints() -> frozenset[str]:
    return frozenset(ENGLISH["lists"]["joints"])
