"""What is known, as a file that goes with a dataset: whoever has the dataset needs neither the dump nor a tagger.

The file also lists all names that the pictures can show, of some of which nothing may be known.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from mereo.benchmarks.cric.lore import Holding, Lore, Query
from mereo.errors import BadInput
from mereo.files import decode_json, read_bytes

__all__ = ["KeptLore", "decoded_lore", "encoded_lore", "read_lore"]


class _Held(msgspec.Struct, array_like=True):
    """The names that something is true of, and those of which it is unclear."""

    true: list[str]
    unclear: list[str] = []

    def holding(self) -> Holding:
        return Holding(frozenset(self.true), frozenset(self.unclear))


class _File(msgspec.Struct):
    names: list[str]
    categories: dict[str, _Held]
    facts: list[tuple[str, str, str, _Held]]
    patterns: list[tuple[str, str, str, dict[str, int]]]
    """Queries with VISION, and by the word that it stands for the number of the fact."""


class KeptLore(NamedTuple):
    """What is known, and all names that pictures can show, in order."""

    lore: Lore
    names: tuple[str, ...]


def encoded_lore(lore: Lore, names: Iterable[str]) -> bytes:
    """The content of the file, the same whatever the order in which all of it was found."""
    facts = sorted(lore.facts)
    places = {query: place for place, query in enumerate(facts)}
    patterns = sorted((query, sorted(words.items())) for query, words in lore.patterns.items())
    file = _File(
        sorted(set(names)),
        {category: _held(lore.categories[category]) for category in sorted(lore.categories)},
        [(*query, _held(lore.facts[query])) for query in facts],
        [(*query, {word: places[plain] for word, plain in words}) for query, words in patterns],
    )
    return msgspec.json.encode(file)


def _held(holding: Holding) -> _Held:
    return _Held(sorted(holding.true), sorted(holding.unclear))


def decoded_lore(content: bytes, *, file: Path | None = None) -> KeptLore:
    """What a file holds, checked."""
    told = decode_json(content, file=file, type=_File)
    facts = [(Query(*fact), held.holding()) for *fact, held in told.facts]
    patterns: dict[Query, dict[str, Query]] = {}
    for *pattern, words in told.patterns:
        for word, place in words.items():
            if not 0 <= place < len(facts):
                raise BadInput(f"'{word}' names fact {place}, which is not there", file=file, field="patterns")
            patterns.setdefault(Query(*pattern), {})[word] = facts[place][0]
    categories = {category: held.holding() for category, held in told.categories.items()}
    return KeptLore(Lore(dict(facts), categories, patterns=patterns), tuple(told.names))


@lru_cache(maxsize=8)
def read_lore(path: Path, sha256: str) -> KeptLore:
    """What a dataset's file holds. sha256 : of its content, so that a file that has changed is read again"""
    return decoded_lore(read_bytes(path), file=path)
