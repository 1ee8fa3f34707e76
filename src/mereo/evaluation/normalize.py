"""When two answers are the same: the one place that decides, recorded with every result by name and version."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from mereo.files import read_toml

__all__ = ["NORMALIZATION", "normalize"]

NORMALIZATION = "mereo-answers-1"
"""Name and version of the rules below."""

_WORDS = read_toml(Path(__file__).with_suffix(".toml"))
_REPLACED: dict[str, str] = _WORDS["words"]
_ARTICLES = frozenset(_WORDS["articles"]["words"])
_SEPARATORS = re.compile(r"[\s_]+")
_EDGES = " \t\r\n.,;:!?\"'`*()[]{}"


def normalize(answer: str | int | bool | None) -> str:
    """An answer in the form in which it is compared.

    In this order: true and false become yes and no, numbers their digits; capitals become small letters; quotes,
    brackets, asterisks and marks of punctuation at both ends go; spaces and underscores become one space; articles
    at the beginning go; a number written as a word becomes digits, and a few spellings become one (`normalize.toml`).
    No answer is the empty text, which is never right.
    """
    if answer is None:
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return _normalized(answer) if isinstance(answer, str) else str(answer)


@lru_cache(1 << 16)  # what models say has no end
def _normalized(answer: str) -> str:
    words = _SEPARATORS.sub(" ", answer.casefold().strip(_EDGES)).strip(_EDGES).split(" ")
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(_REPLACED.get(word, word) for word in words)
