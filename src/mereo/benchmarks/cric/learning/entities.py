"""What is hidden at once, where texts are learned from: single words, or all words of something that is known.

Such texts are captions of scenes, and the items of knowledge themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from mereo.benchmarks.cric.learning.graphs import inspector_of_cric
from mereo.benchmarks.cric.learning.retrieving import RELATIONS, Shelf, item_words, shelf_of
from mereo.errors import UnknownName
from mereo.models.kinds import Batch
from mereo.models.well_read import ItemReader, Recalling
from mereo.training.lexicon import Lexicon, split_words
from mereo.training.row import Desk

__all__ = ["MASKING", "Entities", "ItemTexts", "RecalledItems", "hides_entities", "item_reader", "recalling"]

MASKING = ("words", "entities")
"""What is hidden at once."""
_HIDDEN = 0.25
"""The share of words that are hidden, where each is by itself."""


def hides_entities(desk: Desk, usual: str) -> bool:
    """Whether whole entities are hidden, as was chosen. usual : where nobody chooses"""
    chosen = str(desk.choices.get("masking", usual))
    if chosen not in MASKING:
        raise UnknownName("masking", chosen, MASKING)
    return chosen == "entities"


class Entities:
    """The ends of all items that are known, as words."""

    def __init__(self, shelf: Shelf):
        self._known = {tuple(split_words(end)) for item in shelf.items for end in (item.head, item.tail)}
        self._longest = max(map(len, self._known), default=1)

    def units(self, words: Sequence[str]) -> list[int]:
        """For each word of a text the place of the first word that is hidden with it, the longest entity first."""
        found: list[int] = []
        while (place := len(found)) < len(words):
            sizes = range(min(self._longest, len(words) - place), 1, -1)
            size = next((size for size in sizes if tuple(words[place : place + size]) in self._known), 1)
            found += [place] * size
        return found


class ItemTexts(NamedTuple):
    """Items as texts: a word that begins one, its head, its relation and its tail."""

    text: Tensor
    """(i, n) int64, 0 where there are no more words."""
    part: Tensor
    """(i, n) int64: 1 in the head, 2 for the relation, 3 in the tail, else 0."""
    words: int
    """How many numbers of words there are."""

    @classmethod
    def of(cls, shelf: Shelf, lexicon: Lexicon) -> ItemTexts:
        """All that is known, in the numbers of `item_words`; relations, and the word that begins, follow upon these."""
        told = item_words(shelf, lexicon)
        begin = torch.full_like(told.relation, told.words + len(RELATIONS))
        columns = [begin.unsqueeze(1), told.head, told.words + told.relation.unsqueeze(1), told.tail]
        parts = torch.cat([torch.full_like(own, part) for part, own in enumerate(columns)], 1)
        text = torch.cat(columns, 1)
        parts = parts.masked_fill(text == 0, 0)
        order = (text == 0).long().argsort(dim=1, stable=True)
        return cls(text.gather(1, order), parts.gather(1, order), told.words + len(RELATIONS) + 1)


def item_reader(desk: Desk, width: int) -> ItemReader:
    """The network that reads items, not yet trained."""
    texts = ItemTexts.of(shelf_of(inspector_of_cric(desk.corpus)), desk.lexicon)
    return ItemReader(texts.text, words=texts.words, width=width).to(desk.device)


def recalling(desk: Desk, width: int) -> Recalling:
    """The network that tells what is hidden of items, not yet trained."""
    items = item_reader(desk, width)
    return Recalling(items, width=width, count=items.words.known.num_embeddings)


class RecalledItems:
    """All items, with something hidden of each: its head, its relation or its tail, or single words."""

    def __init__(self, desk: Desk):
        told = ItemTexts.of(shelf_of(inspector_of_cric(desk.corpus)), desk.lexicon)
        self._text, self._part = told.text.to(desk.device), told.part.to(desk.device)
        self._whole = hides_entities(desk, "entities")

    def __len__(self) -> int:
        return len(self._text)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The items at some places; what is hidden of them is always drawn."""
        places, drawn = places.to(self._text.device), chance or torch.Generator().manual_seed(0)
        text, part = self._text[places], self._part[places]
        if self._whole:
            which = torch.randint(1, 4, (len(places), 1), generator=drawn, device=drawn.device).to(text.device)
            return {"text": text, "hidden": part == which}
        some = torch.rand(text.shape, generator=drawn, device=drawn.device).to(text.device) < _HIDDEN
        return {"text": text, "hidden": some & (part > 0)}

    def name(self, place: int) -> str:
        """Which item it is."""
        return f"item {place}"
