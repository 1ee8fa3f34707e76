"""Of which things somebody spoke in the words of a fact, whatever was said: it may be true of them, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from mereo.benchmarks.cric.selection import selection
from mereo.knowledge import Item

__all__ = ["Mentions"]

_ENDINGS = ("ing", "ed", "es", "s", "e")
_KEPT = 3


class Mentions:
    """Names by all words of each thing that was said of them."""

    def __init__(self, items: Iterable[Item]):
        self._names: list[str] = []
        self._with: dict[str, set[int]] = defaultdict(set)
        for place, item in enumerate(items):
            self._names.append(item.head)
            for stem in _stems(item.tail):
                self._with[stem].add(place)

    def of(self, phrase: str) -> frozenset[str]:
        """The names of which something was said in all words of a phrase, and perhaps more."""
        found = [self._with.get(stem, set()) for stem in _stems(phrase)]
        return frozenset(self._names[place] for place in set.intersection(*found)) if found else frozenset()


@lru_cache(maxsize=1 << 16)
def _stems(phrase: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in phrase.split() if word not in selection().small)


def _stem(word: str) -> str:
    """A word without its ending, roughly: `sitting`, `sits` and `sit` are one."""
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _KEPT:
            return stem[:-1] if len(stem) > _KEPT and stem[-1] == stem[-2] else stem
    return word
