"""MDETR: words and picture in one transformer, which finds the boxes that the words speak of (Kamath et al. 2021).

Cells of the picture and words of the question look at each other in an encoder. A decoder asks them by some queries:
most look for one thing each, and tell its box and which words speak of it; a few look for the answer. b questions,
n words, m cells, q queries, k things of a scene, d numbers each.

Unlike in the paper nothing is pretrained, queries point at words and not at places of a sentence, and each query has a
box that it starts from and that every layer corrects (DAB-DETR, Liu et al. 2022), which is meant to learn sooner.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.answering import Reply
from mereo.models.kinds import Batch, Lesson, Thought
from mereo.models.layers import Attention, Block, FeedForward, mixed
from mereo.models.learner import Learner
from mereo.models.mdetr_losses import Aims, aims, detection
from mereo.models.sight import Sight
from mereo.models.words import Words

__all__ = ["MDETR", "Found"]

_WAVES = 6
"""Doublings of the slowest wave in which a box tells where it is."""


class Found(NamedTuple):
    """What the decoder came to, l layers, the last one last."""

    boxes: Tensor
    """(l, b, q, 4): center column, center row, width and height, 0 to 1."""
    tokens: Tensor
    """(l, b, q, n + 2): how much each word speaks of it, that none does, that there is nothing; before the softmax."""
    alike: Tensor
    """(b, q, n): how near the meaning of what was found is to that of each word."""
    answer: Tensor
    """(b, d): what the queries for the answer came to."""
    attention: Tensor
    """(b, 1, m): where these looked in the picture at last; sums to 1 over the cells."""
    grid: tuple[int, int] | None = None
    """Rows and columns of the cells, where they are those of a picture."""


class MDETR(Learner):
    """Finds things and answers.

    levels : whose things are found, of which a batch has `LEVEL_present` (s, k) and `LEVEL_boxes` (s, k, 4) in pixels;
    `spans` (b, k, n) bool tells which words speak of the things of all levels, in their order
    answering : whether it learns to answer, too
    """

    def __init__(
        self,
        words: Words,
        sight: Sight,
        *,
        width: int,
        answers: int,
        levels: tuple[str, ...] = ("part",),
        answering: bool = True,
        layers: tuple[int, int] = (4, 4),
        heads: int = 8,
        queries: int = 100,
        asking: int = 4,
    ):
        """layers : of the encoder and the decoder · asking : how many queries look for the answer"""
        super().__init__()
        fields = [f"{level}_{field}" for level in levels for field in ("present", "boxes")]
        self.levels, self.answering = levels, answering
        self.reads = ("question", *sight.reads, *fields, "spans", *(("answer",) if answering else ()))
        self.words, self.sight = words, sight
        self.kind = nn.Parameter(torch.randn(2, width) * width**-0.5)
        self.encoder = nn.ModuleList(Block(width, heads=heads) for _ in range(layers[0]))
        self.encoded = nn.LayerNorm(width)
        self.decoder = _Decoder(width, layers=layers[1], heads=heads, queries=queries, asking=asking)
        self.head = mixed(asking * width, width, answers)

    def forward(self, batch: Batch) -> Found:
        """What is found in the picture with the words in mind."""
        question, memory = self.words(batch["question"]), self.sight(batch)
        of = batch.get("scene_of")
        cells, there = (memory.cells, memory.present) if of is None else (memory.cells[of], memory.present[of])
        both = torch.cat([question.words + self.kind[0], cells + self.kind[1]], 1)
        present = torch.cat([question.present, there], 1)
        for block in self.encoder:
            both = block(both, present)
        found: Found = self.decoder(self.encoded(both), present, batch["question"].shape[1])
        return found._replace(grid=memory.grid)

    def ask(self, batch: Batch) -> Reply:
        """Logits of all answers, and where the answer was looked for."""
        found = self(batch)
        return Reply(self.head(found.answer).float(), Thought(found.answer, found.attention), found.grid)

    def lesson(self, batch: Batch) -> Lesson:
        """Boxes, words that speak of them and, where it is learned, the answer."""
        found, size = self(batch), batch["picture"].shape[-2:]
        losses, marks = detection(found.boxes, found.tokens, found.alike, self.aims(batch, (size[0], size[1])))
        if self.answering:
            logits, answer = self.head(found.answer).float(), batch["answer"]
            known = (answer >= 0).sum().clamp(min=1)
            losses["answer"] = functional.cross_entropy(logits, answer, ignore_index=-1, reduction="sum") / known
            marks["right"] = (logits.argmax(-1) == answer).float().mean()
        return Lesson(losses, marks)

    def aims(self, batch: Batch, size: tuple[int, int]) -> Aims:
        """What is to be found."""
        present = torch.cat([batch[f"{level}_present"] for level in self.levels], 1)
        boxes = torch.cat([batch[f"{level}_boxes"] for level in self.levels], 1)
        if "scene_of" in batch:
            present, boxes = present[batch["scene_of"]], boxes[batch["scene_of"]]
        return aims(boxes, present, batch["spans"], batch["question"] > 0, size=size)


class _Decoder(nn.Module):
    """Queries that look at cells and words, layer by layer."""

    def __init__(self, width: int, *, layers: int, heads: int, queries: int, asking: int):
        super().__init__()
        self.queries = queries
        self.start = nn.Parameter(torch.randn(queries + asking, width) * width**-0.5)
        self.anchors = nn.Parameter(_spread(queries))
        self.where = mixed(8 * _WAVES, width, width)
        self.layers = nn.ModuleList(_Layer(width, heads=heads) for _ in range(layers))
        self.settled = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.moves = nn.ModuleList(_still(mixed(width, width, 4)) for _ in range(layers))
        self.points, self.named = nn.Linear(width, width), nn.Linear(width, width)
        self.others = nn.Parameter(torch.randn(2, width) * width**-0.5)
        self.meant, self.meaning = nn.Linear(width, 64), nn.Linear(width, 64)

    def forward(self, memory: Tensor, present: Tensor, words: int) -> Found:
        """memory : (b, n + m, d), words and then cells"""
        state = self.start.expand(len(memory), -1, -1)
        boxes = self.anchors.sigmoid().expand(len(memory), -1, -1)
        said, there = memory[:, :words], present[:, :words]
        names = torch.cat([self.named(said), self.others.to(said.dtype).expand(len(said), -1, -1)], 1)
        known = functional.pad(there, (0, 2), value=True)[:, None]
        placed, tokens = [], []
        looked = state
        for layer, settle, move in zip(self.layers, self.settled, self.moves, strict=True):
            where = functional.pad(self.where(_waves(boxes)), (0, 0, 0, state.shape[1] - self.queries))
            state, looked = layer(state, where, memory, present)
            told = settle(state)
            with torch.autocast(memory.device.type, enabled=False):
                boxes = (boxes.logit(eps=1e-4) + move(told[:, : self.queries].float())).sigmoid()
            pointed = self.points(told[:, : self.queries]) @ names.mT * names.shape[-1] ** -0.5
            placed.append(boxes)
            tokens.append(pointed.float().masked_fill(~known, -1e4))
            boxes = boxes.detach()
        mine = functional.normalize(self.meant(told[:, : self.queries]).float(), dim=-1)
        alike = mine @ functional.normalize(self.meaning(said).float(), dim=-1).mT
        looked = looked[:, self.queries :, words:].mean(1, keepdim=True)
        looked = looked / looked.sum(-1, keepdim=True).clamp(min=1e-9)
        return Found(torch.stack(placed), torch.stack(tokens), alike, told[:, self.queries :].flatten(1), looked)


class _Layer(nn.Module):
    """Queries look at each other, and then at memory."""

    def __init__(self, width: int, *, heads: int):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.each_other, self.memory = Attention(width, heads=heads), Attention(width, heads=heads)
        self.forth = FeedForward(width)

    def forward(self, state: Tensor, where: Tensor, memory: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """The state, and where it looked: (b, q, n + m)."""
        ready = self.before(state) + where
        state = state + self.each_other(ready, ready, ready.new_ones(ready.shape[:2], dtype=torch.bool))
        found, looked = self.memory.looking(self.between(state) + where, memory, present)
        state = state + found
        return state + self.forth(state), looked


def _waves(boxes: Tensor) -> Tensor:
    """(..., 8 waves): a box in sines and cosines of faster and faster waves. boxes : (..., 4)"""
    angles = (boxes[..., None] * (torch.pi * 2.0 ** torch.arange(_WAVES, device=boxes.device))).flatten(-2)
    return torch.cat([angles.sin(), angles.cos()], -1)


def _spread(count: int) -> Tensor:
    """(count, 4): boxes to start from, spread over the picture (by the golden ratio), before the sigmoid."""
    places = torch.arange(count) + 0.5
    centers = torch.stack([places / count, places * 0.6180339887 % 1], -1)
    return torch.cat([centers, torch.full((count, 2), 0.1)], -1).logit(eps=0.02)


def _still(layers: nn.Sequential) -> nn.Sequential:
    """Layers that begin by moving nothing."""
    for parameter in layers[-1].parameters():
        nn.init.zeros_(parameter)
    return layers
