"""Which items of knowledge a question finds: by words that it has in common with their ends, and by their relation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

from mereo.benchmarks.cric.inspect import CricInspector
from mereo.benchmarks.cric.shown import lore_knowledge
from mereo.chance import mark
from mereo.knowledge import Item, relations, singular
from mereo.training.lexicon import Lexicon, filled_up, split_words

__all__ = ["RELATIONS", "ItemWords", "Shelf", "item_words", "shelf_of"]

_AT_ONCE = 1024
"""Questions that items are found for together."""
_BUCKETS = 4096
"""Numbers that words are shared out to which stand in no question: knowledge may know any."""
_MEANT = 4.0
"""How many common words it outweighs that an item has a relation that the question asks by."""
_ENDINGS = re.compile(r"(?<=[^\W\d_]{3})(?:ing|ed|es|s|e)$")
"""What a word may end in, so that `cut food` finds `cutting food`."""
RELATIONS = tuple(relations())
"""All kinds of items, in an order that never changes."""


class Shelf:
    """All items that a dataset knows, and who finds them."""

    def __init__(self, items: Iterable[Item]):
        self.items = sorted(items, key=lambda item: (item.head, item.relation, item.tail))
        self.texts = [f"{item.head} {item.relation} {item.tail}" for item in self.items]
        self.relation = np.array([RELATIONS.index(item.relation) for item in self.items], np.int64)
        self._stems: dict[str, int] = {}
        told = [{*_stems(item.head), *_stems(item.tail)} for item in self.items]
        for stem in sorted({stem for own in told for stem in own}):
            self._stems[stem] = len(self._stems)
        self._incidence = self._table(told)

    def find(self, questions: Sequence[str], meant: NDArray[np.bool_], count: int) -> NDArray[np.int64]:
        """(q, count): the numbers of the items that share most with each question, the best first, -1 where none does.

        Rare words say more than frequent ones. meant : (q, r) bool, which relations a question asks by
        """
        rarity = np.log(len(self.items) / np.maximum(np.asarray(self._incidence.sum(0)).ravel(), 1))
        found = np.full((len(questions), count), -1, np.int64)
        for start in range(0, len(questions), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            asked = self._table([set(_stems(text)) for text in questions[some]])
            shared = np.asarray((asked.multiply(rarity).tocsr() @ self._incidence.T).todense())
            score = np.where(shared > 0, shared + _MEANT * meant[some][:, self.relation], 0.0)
            best = np.argsort(-score, axis=1, kind="stable")[:, :count]
            held = np.take_along_axis(score, best, 1) > 0
            found[some, : best.shape[1]] = np.where(held, best, -1)
        return found

    def _table(self, told: Sequence[set[str]]) -> Any:
        """(rows, stems): which of the stems that items have each row has."""
        pairs = [(row, self._stems[stem]) for row, own in enumerate(told) for stem in own if stem in self._stems]
        rows, columns = ([*side] for side in zip(*pairs, strict=True)) if pairs else ([], [])
        shape = (len(told), max(1, len(self._stems)))
        return sparse.csr_matrix((np.ones(len(pairs), np.float32), (rows, columns)), shape)


_KEPT: WeakKeyDictionary[CricInspector, Shelf] = WeakKeyDictionary()


def shelf_of(inspector: CricInspector) -> Shelf:
    """All that a dataset knows."""
    lore = inspector.known.lore
    if inspector not in _KEPT:
        _KEPT[inspector] = Shelf(lore_knowledge(lore).items())
    return _KEPT[inspector]


class ItemWords(NamedTuple):
    """Items as numbers of words."""

    head: Tensor
    relation: Tensor
    tail: Tensor
    words: int
    """How many numbers of words there are."""


def item_words(shelf: Shelf, lexicon: Lexicon) -> ItemWords:
    """The items in the numbers of a lexicon; words that it lacks share further numbers, always in the same way."""
    known: Mapping[str, int] = {word: number for number, word in enumerate(lexicon.words)}

    def numbers(text: str) -> list[int]:
        return [known.get(word, len(lexicon.words) + mark(word) % _BUCKETS) for word in split_words(text)]

    head, tail = (
        torch.from_numpy(filled_up([numbers(text) for text in texts]))
        for texts in ([item.head for item in shelf.items], [item.tail for item in shelf.items])
    )
    return ItemWords(head, torch.from_numpy(shelf.relation), tail, len(lexicon.words) + _BUCKETS)


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in split_words(text)]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """What is left of a word. Questions say the same few thousand words over and over."""
    return _ENDINGS.sub("", singular(word))
