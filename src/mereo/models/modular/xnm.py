"""XNM: explainable neural modules over a scene graph (Shi, Zhang and Li 2019).

Things are nodes, what lies between two of them are edges, and a program is run step by step as attention to nodes.
Every step is one of a few modules, whatever its words: these only say what is attended to.

b questions; t steps; k things; f numbers that tell of a thing; d numbers of a vector.

steps : (b, t, 3) int64, programs as `models/modular/layout.py` runs them, with the numbers of `KINDS` · words :
(b, t, 1) int64, the word of each step · node : (b, k, f) float · present : (b, k) bool · place : (b, k, 2) float
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import attended, mixed
from mereo.models.learner import Learner
from mereo.models.modular.layout import Group, execute, lay_out

__all__ = ["KINDS", "XNM", "Traced"]

KINDS = (
    "scene",
    "filter",
    "relate",
    "same",
    "unique",
    "intersect",
    "union",
    "count",
    "exist",
    "query",
    "equal",
    "compare",
)
"""What steps can be, in the order of their numbers."""
_FARTHEST = 10
"""The largest number that is told apart from larger ones."""
_SHARP = 4.0
"""How much a node that is alike counts more than one that is not, before anything was learned."""


class Traced(NamedTuple):
    """What all steps of some programs came to."""

    logits: Tensor
    """(b, answers) float"""
    attention: Tensor
    """(b, t, k): how much each thing is attended to, 0 to 1; 0 in steps that give no things."""


class _Graph(NamedTuple):
    """The graphs that programs run on."""

    node: Tensor
    """(b, k, d)"""
    edge: Tensor
    """(b, k, k, d)"""
    present: Tensor
    """(b, k) float, 0 or 1"""


class _Given(NamedTuple):
    """What a step gives: things, a vector and a number, zeros where it gives none of the kind."""

    things: Tensor
    """(n, k): how much each is attended to."""
    vector: Tensor
    """(n, d)"""
    number: Tensor
    """(n, 1)"""


class _Known(NamedTuple):
    """What a step finds there: its own word, and what the steps gave that it takes. n programs of the b."""

    own: Tensor
    """(n,) int64: which they are. A graph is taken only by those modules that look at it."""
    word: Tensor
    """(n, d)"""
    one: _Given
    other: _Given


class XNM(Learner):
    """Runs programs as attention, and answers by what the last step gave.

    words : how many words steps can have, 0 being none · features : numbers that tell of a thing
    """

    reads = ("steps", "words", "node", "present", "place", "answer")

    def __init__(self, words: int, features: int, *, answers: int, width: int = 128) -> None:
        super().__init__()
        self.width = width
        self.words = nn.Embedding(words, width)
        self.node = nn.Sequential(mixed(features, width, width), nn.LayerNorm(width))
        self.edge = nn.Sequential(mixed(4, width, width), nn.LayerNorm(width))
        self.alike = nn.ModuleDict({name: _Alike(width) for name in ("filter", "relate", "same")})
        self.asked = mixed(2 * width, width, width)
        self.numbers = nn.Linear(2 * _FARTHEST + 1, width)
        self.pairs = mixed(2 * width, width, width)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, answers))
        self.modules_by_kind: dict[str, Callable[[_Known, _Graph], _Given]] = {
            "scene": lambda known, graph: self._things(graph.present[known.own]),
            "filter": self._filter,
            "relate": self._relate,
            "same": self._same,
            "unique": lambda known, graph: self._things(_shares(known.one.things)),
            "intersect": lambda known, graph: self._things(known.one.things * known.other.things),
            "union": lambda known, graph: self._things(torch.maximum(known.one.things, known.other.things)),
            "count": self._count,
            "exist": self._count,
            "query": self._query,
            "equal": self._equal,
            "compare": self._compare,
        }

    def run(self, batch: Batch) -> Traced:
        """All programs of a batch, each of at least one step."""
        edge = self.edge(_between(batch["place"])).float()
        graph = _Graph(self.node(batch["node"]).float(), edge, batch["present"].float())
        things = graph.present.shape[1]
        layout = lay_out(batch["steps"], None, batch["words"])

        def run(group: Group, inputs: Sequence[Tensor]) -> Tensor:
            given = [_apart(one, things) for one in inputs]
            known = _Known(group.scene, self.words(group.words[:, 0]), given[0], given[-1])
            return torch.cat(self.modules_by_kind[KINDS[group.module]](known, graph), 1)

        # Steps that follow upon none are given everything that is there, and no vector and no number.
        values = execute(run, layout, torch.cat(self._things(graph.present), 1))
        every = _apart(torch.cat(values), things)
        attention = every.things[layout.steps.clamp(min=0)] * (layout.steps >= 0).unsqueeze(-1)
        return Traced(self.head(every.vector[layout.ends]).float(), attention)

    def lesson(self, batch: Batch) -> Lesson:
        """Questions whose answer is -1, one that was never learned, teach nothing and count as wrong."""
        with torch.autocast(batch["node"].device.type, enabled=False):
            logits, answer = self.run(batch).logits, batch["answer"]
        known = (answer >= 0).sum().clamp(min=1)
        loss = functional.cross_entropy(logits, answer, ignore_index=-1, reduction="sum") / known
        return Lesson({"answer": loss}, {"right": (logits.argmax(1) == answer).float().mean()})

    def _things(self, attention: Tensor) -> _Given:
        count = len(attention)
        return _Given(attention, attention.new_zeros(count, self.width), attention.new_zeros(count, 1))

    def _told(self, known: _Known, vector: Tensor, number: Tensor | None = None) -> _Given:
        """What a step gives that gives no things."""
        none = torch.zeros_like(known.one.number)
        return _Given(torch.zeros_like(known.one.things), vector, none if number is None else number)

    def _filter(self, known: _Known, graph: _Graph) -> _Given:
        """Of some things those that are alike to a word."""
        return self._things(known.one.things * self.alike["filter"](graph.node[known.own], known.word[:, None]))

    def _relate(self, known: _Known, graph: _Graph) -> _Given:
        """Attention goes along the edges that are alike to a word."""
        weights = self.alike["relate"](graph.edge[known.own], known.word[:, None, None])
        return self._things(attended(known.one.things, weights).clamp(max=1.0) * graph.present[known.own])

    def _same(self, known: _Known, graph: _Graph) -> _Given:
        """The other things that are alike to one, in what a word says."""
        node, word, own = graph.node[known.own], known.word[:, None], known.one.things
        weights = self.alike["same"](node * word, attended(own, node)[:, None] * word)
        return self._things(weights * (1 - own.clamp(max=1.0)) * graph.present[known.own])

    def _count(self, known: _Known, graph: _Graph) -> _Given:
        number = known.one.things.sum(1, keepdim=True)
        return self._told(known, self.numbers(_hills(number)) + known.word, number)

    def _query(self, known: _Known, graph: _Graph) -> _Given:
        """What is attended to, in what a word says."""
        looked = attended(known.one.things, graph.node[known.own])
        return self._told(known, self.asked(torch.cat([looked * known.word, known.word], 1)))

    def _equal(self, known: _Known, graph: _Graph) -> _Given:
        one, other = known.one.vector, known.other.vector
        return self._told(known, self.pairs(torch.cat([(one - other).abs(), one * other], 1)) + known.word)

    def _compare(self, known: _Known, graph: _Graph) -> _Given:
        apart = self.numbers(_hills(known.one.number - known.other.number))
        return self._told(known, self.pairs(torch.cat([apart, apart * known.word], 1)) + known.word)


class _Alike(nn.Module):
    """How alike vectors are to what is wanted, 0 to 1."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.seen, self.wanted = nn.Linear(width, width), nn.Linear(width, width)
        self.sharp, self.least = nn.Parameter(torch.tensor(_SHARP)), nn.Parameter(torch.tensor(0.0))

    def forward(self, vectors: Tensor, wanted: Tensor) -> Tensor:
        """(...) from (..., d) each."""
        near = functional.cosine_similarity(self.seen(vectors), self.wanted(wanted), dim=-1)
        return torch.sigmoid(self.sharp * near + self.least)


def _apart(values: Tensor, things: int) -> _Given:
    """What steps gave. values : (n, things + d + 1)"""
    return _Given(*values.split([things, values.shape[1] - things - 1, 1], 1))


def _shares(attention: Tensor) -> Tensor:
    """Attention as if it were one thing."""
    return attention / attention.sum(1, keepdim=True).clamp(min=1e-3)


def _between(place: Tensor) -> Tensor:
    """(b, k, k, 4): from each thing to each other, the way and its direction."""
    way = place[:, None] - place[:, :, None]
    return torch.cat([way, way / way.norm(dim=-1, keepdim=True).clamp(min=1e-3)], -1)


def _hills(number: Tensor) -> Tensor:
    """(n, 2 * _FARTHEST + 1): how near a number is to each whole one, below 0 and above. number : (n, 1)"""
    whole = torch.arange(-_FARTHEST, _FARTHEST + 1, device=number.device)
    return (1 - (number.clamp(-_FARTHEST, _FARTHEST) - whole).abs()).clamp(min=0)
