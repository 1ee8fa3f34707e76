"""Scene graphs as cells of memory, for models that read a graph instead of looking at a picture (CRIC's Table 4).

A cell is a thing, or how one thing stands to another: the name of the first, its words, the predicate, the name of the
second, each as likely as it was seen, and 0 where a cell does not tell of it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from mereo.benchmarks.cric.learning.questions import RegionQuestions
from mereo.benchmarks.cric.learning.symbolic import GraphSource, told_graphs
from mereo.benchmarks.cric.learning.vocabulary import Vocabulary, vocabulary_of
from mereo.models.kinds import Batch
from mereo.training.row import Desk

__all__ = ["FactQuestions", "Facts", "channels_of", "facts_of"]

_RELATIONS = 192
"""Cells for how things stand to each other, at most: the likeliest."""
_SAID = 0.5
_AT_ONCE = 32


class Facts(NamedTuple):
    """What was seen of s scenes with k things each."""

    names: Tensor
    """(s, k, n) float16"""
    words: Tensor
    """(s, k, w) float16"""
    related: Tensor
    """(s, r) int64: subject, object and predicate as one number, the likeliest first, -1 where there is none."""


class FactQuestions(RegionQuestions):
    """Questions with the graphs of their scenes as cells: `vectors`, things first, and `vectors_present`."""

    def __init__(self, desk: Desk, split: str, *, true: bool, together: int = 1):
        """true : whether graphs are the true ones, and not those that the network `perception` sees"""
        super().__init__(desk, split, together=together, looks=False)
        self._vocabulary = vocabulary_of(desk.corpus.inspector)
        self._facts = facts_of(desk, split, true=true)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places; nothing in them is changed."""
        batch = super().batch(places, chance=chance)
        vectors, present = _cells(Facts(*(one[batch["scene"]] for one in self._facts)), self._vocabulary)
        there = torch.cat([batch["boxes_present"], present], 1)
        return {**batch, "vectors": vectors * there.unsqueeze(-1), "vectors_present": there}


def channels_of(vocabulary: Vocabulary) -> int:
    """Numbers of a cell."""
    return 2 * len(vocabulary.names) + len(vocabulary.words) + len(vocabulary.predicates)


def facts_of(desk: Desk, split: str, *, true: bool) -> Facts:
    """What is seen of the scenes of a split, or is true of them."""
    source, found = GraphSource(desk, split), []
    for some in torch.arange(len(source), device=desk.device).split(_AT_ONCE):
        told = told_graphs(desk, source.batch(some), true=true)
        flat = told.related.float().flatten(1)
        best = flat.topk(min(_RELATIONS, flat.shape[1]), dim=1)
        found.append(Facts(told.names.half(), told.words.half(), best.indices.masked_fill(best.values < _SAID, -1)))
    return Facts(*(torch.cat(tables) for tables in zip(*found, strict=True)))


def _cells(facts: Facts, vocabulary: Vocabulary) -> tuple[Tensor, Tensor]:
    """Things, then relations (g, m, c) float; and (g, r) bool, which relations there are."""
    names, words = facts.names.float(), facts.words.float()
    count, predicates = names.shape[1], len(vocabulary.predicates)
    which = facts.related.clamp(min=0)
    predicate = functional.one_hot(which % predicates, predicates).float()
    subject, other = (
        names.gather(1, ends.unsqueeze(-1).expand(-1, -1, names.shape[2]))
        for ends in (which // (predicates * count), which // predicates % count)
    )
    things = torch.cat([names, words, torch.zeros_like(names[..., :predicates]), torch.zeros_like(names)], -1)
    none = words.new_zeros((*which.shape, words.shape[2]))
    return torch.cat([things, torch.cat([subject, none, predicate, other], -1)], 1), facts.related >= 0
