"""Readers of pages: what a text says about a thing, in the light of what the thing looks like (SHOP-VRB).

b pages; n words; l numbers that tell how a thing looks: of every attribute how likely each value is, side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.words import Words

__all__ = ["PageReader", "Reading"]

_DOUBTED = 0.3
"""How often looks, and pages, are hidden while it learns: whoever leans on the one alone knows half."""
_PLAIN = 4.0
"""How much a look counts beside numbers of a page before anything was learned: there are few of the one and many of
the other."""
_HIDDEN = 0.6
"""The share of a page's words that are hidden where words vote: else few pages would be known by a word or two each."""

Reading = Literal["bilstm", "votes", "given"]
"""How pages are read: by a BiLSTM, word by word without their order, or not at all, since they come as vectors."""


class PageReader(Learner):
    """Says what a page tells.

    words : by attribute how many values it has, of which one holds · several : of which any number hold
    alone : the same as words, for what is told by the page alone, whatever the thing looks like
    looks : how many numbers tell how a thing looks · pages : how many words there are, or numbers of a vector
    """

    def __init__(
        self,
        words: Mapping[str, int],
        several: Mapping[str, int],
        *,
        alone: Mapping[str, int],
        looks: int,
        pages: int,
        width: int = 128,
        reading: Reading = "bilstm",
        dropout: float = 0.3,
    ) -> None:
        super().__init__()
        self.words, self.several, self.alone = dict(words), dict(several), dict(alone)
        self.reading = reading
        self.page = _PAGES[reading](pages, width)
        self.drop = nn.Dropout(dropout)
        both = {**words, **several}
        self.heads = nn.ModuleDict({name: nn.Linear(width + looks, size) for name, size in both.items()})
        self.blind = nn.ModuleDict({name: nn.Linear(width, size) for name, size in alone.items()})
        told = [f"words_{name}" for name in (*words, *alone)] + [f"several_{name}" for name in several]
        self.reads = ("page", "looks", *told)

    def forward(self, batch: Batch) -> dict[str, Tensor]:
        """By attribute (b, values), logits.

        page : (b, n) int64, numbers of words, 0 where there are none, or (b, pages) float; zeros for no page at all
        looks : (b, l) float
        """
        page, looks = batch["page"], batch["looks"]
        whole = self.drop(self.page(page)) * (page != 0).any(1, keepdim=True)
        if self.training:
            whole, looks = (one * (torch.rand(len(one), 1, device=one.device) >= _DOUBTED) for one in (whole, looks))
        both = torch.cat([whole, _PLAIN * looks], 1)
        said = {name: head(both).float() for name, head in self.heads.items()}
        return said | {name: head(whole).float() for name, head in self.blind.items()}

    def lesson(self, batch: Batch) -> Lesson:
        """What is not known of a thing, -1, teaches nothing. Of labels the mark is how often all of them are right."""
        said = self(batch)
        losses, marks = {}, {}
        for name in (*self.words, *self.alone):
            right = batch[f"words_{name}"]
            known = (right >= 0).sum().clamp(min=1)
            losses[name] = functional.cross_entropy(said[name], right, ignore_index=-1, reduction="sum") / known
            marks[name] = (said[name].argmax(1) == right).sum() / known
        for name in self.several:
            true = batch[f"several_{name}"]
            wrong = functional.binary_cross_entropy_with_logits(said[name], true.float(), reduction="none")
            losses[name] = wrong.sum(1).mean()
            marks[name] = ((said[name] > 0) == true).all(1).float().mean()
        return Lesson(losses, marks)

    @torch.inference_mode()
    def tell(self, batch: Batch) -> dict[str, Tensor]:
        """By attribute (b, values) float: how likely each value is. Reads as whoever has learned."""
        self.eval()
        return {name: one.sigmoid() if name in self.several else one.softmax(1) for name, one in self(batch).items()}


class _Sequence(nn.Module):
    """A BiLSTM over the words."""

    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.words = Words(words, width)

    def forward(self, page: Tensor) -> Tensor:
        whole: Tensor = self.words(page).whole
        return whole


class _Votes(nn.Module):
    """The sum of what each word says, wherever it stands: of new pages more is understood so, where few were read."""

    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=0)
        nn.init.normal_(self.words.weight, std=0.02)

    def forward(self, page: Tensor) -> Tensor:
        there = page > 0
        if self.training:
            there = there & (torch.rand(page.shape, device=page.device) >= _HIDDEN)
        said: Tensor = (self.words(page) * there[..., None]).sum(1)
        return said


_PAGES: Mapping[Reading, Callable[[int, int], nn.Module]] = {
    "bilstm": _Sequence,
    "votes": _Votes,
    "given": lambda size, width: mixed(size, width, width),
}
