"""The words in which networks tell what they see: names of things, words for what they are like, predicates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mereo.benchmarks.cric.graph import kinds_of_words
from mereo.datasets.inspector import Inspector
from mereo.files import converted, read_toml

__all__ = ["Vocabulary", "vocabulary_of"]


class Vocabulary(NamedTuple):
    """What can be told of a scene, each in the order of its numbers."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    """Attributes of all kinds."""
    predicates: tuple[str, ...]

    @property
    def kinds(self) -> Mapping[str, tuple[int, ...]]:
        """By kind of attribute the numbers of its words."""
        found: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            found.setdefault(kinds_of_words()[word], []).append(number)
        return {kind: tuple(numbers) for kind, numbers in found.items()}


def vocabulary_of(inspector: Inspector) -> Vocabulary:
    """That of a dataset: all names that its pictures can show, and the words and predicates that come with mereo."""
    return Vocabulary(tuple(inspector.categories()), tuple(kinds_of_words()), _predicates())


@cache
def _predicates() -> tuple[str, ...]:
    path = Path(__file__).with_name("predicates.toml")
    return converted(read_toml(path), file=path, type=dict[str, tuple[str, ...]])["predicates"]
