"""The rules by which words of others are brought into ours, and what they deny."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from mereo.files import converted, read_toml

__all__ = ["Groups", "Rules", "denied_by", "rules"]

Groups = Sequence[Sequence[str]]
"""Words that belong together."""


class _Synonyms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: Groups
    attributes: Groups
    predicates: Groups


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `cleaning.toml` holds; it says itself what each part means."""

    articles: frozenset[str]
    copulas: frozenset[str]
    unnamed: frozenset[str]
    prepositions: frozenset[str]
    exclusive: frozenset[str]
    opposites: Sequence[Groups]
    inverse: Mapping[str, str]
    within: frozenset[str]
    wider: Mapping[str, str]
    synonyms: _Synonyms


@cache
def rules() -> Rules:
    """The rules, read once."""
    path = Path(__file__).with_name("cleaning.toml")
    return converted(read_toml(path), file=path, type=Rules)


@cache
def denied_by(word: str) -> frozenset[str]:
    """The words that a word denies."""
    denied = set[str]()
    for groups in rules().opposites:
        if any(word in group for group in groups):
            denied |= {other for group in groups if word not in group for other in group}
    return frozenset(denied)
