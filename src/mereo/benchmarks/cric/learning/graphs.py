"""The scene graphs of a split as tables: boxes to look into, and what is true of what they show.

s scenes; k things of one at most, each at the place that it has in its graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing
from mereo.benchmarks.cric.inspect import CricInspector
from mereo.benchmarks.cric.learning.vocabulary import Vocabulary, vocabulary_of
from mereo.training.corpus import Corpus

__all__ = ["Graphs", "bits", "graphs_of", "inspector_of_cric"]

_UNCLEAR = -1


class Graphs(NamedTuple):
    """What the scenes of a split hold."""

    boxes: Tensor
    """(s, k, 4) float: left, top, width and height in pixels of the pictures as the corpus gives them out."""
    present: Tensor
    """(s, k) bool: which things are there and have a box."""
    names: Tensor
    """(s, k) int64: -1 where there is no thing, or one that the vocabulary does not name."""
    words: Tensor
    """(s, k, w) int8: 1 where a word is true of a thing, 0 where it is not, -1 where only some would say so."""
    related: Tensor
    """(s, k, k) int16: how a thing stands to another, a bit for each predicate."""
    unclear: Tensor
    """(s, k, k) int16: the same for what only some would say."""


_KEPT: WeakKeyDictionary[Corpus, dict[str, Graphs]] = WeakKeyDictionary()
"""Graphs take a millisecond each to read, and every stage of a row wants them."""


def graphs_of(corpus: Corpus, split: str) -> Graphs:
    """The graphs of a split, on the device of the corpus."""
    kept = _KEPT.setdefault(corpus, {})
    if split not in kept:
        inspector = inspector_of_cric(corpus)
        graphs = []
        for place, row in enumerate(corpus.rows(split)):
            graphs.append(inspector.graph(row))
            corpus.progress(f"graphs of {split}", place + 1, len(corpus.rows(split)))
        size = corpus.size if corpus.lacking(["pictures"]) == [] else None
        kept[split] = _tables(graphs, vocabulary_of(inspector), size, corpus.device)
    return kept[split]


def inspector_of_cric(corpus: Corpus) -> CricInspector:
    """Who knows the graphs of a corpus: CRIC's rows are asked about CRIC's datasets alone."""
    return cast("CricInspector", corpus.inspector)


def bits(table: Tensor, count: int) -> Tensor:
    """(..., count) bool: the lowest bits of whole numbers, the lowest first."""
    return (table.unsqueeze(-1) >> torch.arange(count, device=table.device)) & 1 > 0


def _tables(
    graphs: Sequence[SceneGraph], vocabulary: Vocabulary, size: tuple[int, int] | None, device: torch.device
) -> Graphs:
    """size : height and width of the pictures; boxes stay as they are where there are none"""
    most = max((len(graph.things) for graph in graphs), default=0)
    shape = (len(graphs), most)
    boxes, present = np.zeros((*shape, 4), np.float32), np.zeros(shape, bool)
    names, words = np.full(shape, -1, np.int64), np.zeros((*shape, len(vocabulary.words)), np.int8)
    related, unclear = (np.zeros((*shape, most), np.int16) for _ in range(2))
    numbers = {name: number for number, name in enumerate(vocabulary.names)}
    for place, graph in enumerate(graphs):
        scale = (1.0, 1.0) if size is None else (size[1] / graph.width, size[0] / graph.height)
        for k, thing in enumerate(graph.things):
            names[place, k] = numbers.get(thing.name, -1)
            words[place, k] = _words(thing, vocabulary.words)
            if thing.box is not None and thing.candidate:
                boxes[place, k], present[place, k] = np.multiply(thing.box, (*scale, *scale)), True
        at = {thing.id: k for k, thing in enumerate(graph.things)}
        _mark(related[place], graph.relations, at, vocabulary.predicates)
        _mark(unclear[place], graph.unclear, at, vocabulary.predicates)
    found: list[NDArray[Any]] = [boxes, present, names, words, related, unclear]
    return Graphs(*(torch.from_numpy(one).to(device) for one in found))


def _words(thing: Thing, words: Sequence[str]) -> list[int]:
    sure, unsure = ({word for own in said.values() for word in own} for said in (thing.attributes, thing.unclear))
    return [1 if word in sure else _UNCLEAR if word in unsure else 0 for word in words]


def _mark(table: NDArray[np.int16], stated: Iterable[Stated], at: dict[str, int], predicates: Sequence[str]) -> None:
    for one in stated:
        if one.predicate in predicates:
            table[at[one.subject], at[one.object]] |= 1 << predicates.index(one.predicate)
