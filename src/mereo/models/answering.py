"""Answering questions: words, something to look at, a reasoner, and a head that chooses among all answers."""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson, Memory, Thought
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.reasoners import Reasoner
from mereo.models.sight import Sight
from mereo.models.words import Words

__all__ = ["Answering", "Reply"]

Guidance = Literal["share", "each"]
"""How attention is taught: as one whole that is shared among cells (KL), or each cell by itself (BCE)."""


class Reply(NamedTuple):
    """What was said to a batch of questions."""

    logits: Tensor
    """(b, answers) float"""
    thought: Thought
    grid: tuple[int, int] | None = None
    """Rows and columns of what was looked at, where it is a picture's."""


class Answering(Learner):
    """A question and its scene to one of many answers.

    What is seen has one row for each scene of a batch, and `scene_of` (b,) int64 says which row each question is about,
    so that the questions of a scene share the work of looking at it. Without it there is a row for each question.
    """

    def __init__(
        self,
        words: Words,
        sight: Sight,
        reasoner: Reasoner,
        *,
        width: int,
        answers: int,
        dropout: float = 0.1,
        guided: float = 0.0,
        guidance: Guidance = "share",
    ):
        """guided : weight of the loss on the last attention; the field `looked` (b, m) float, 0 to 1, then says which
        cells are to be looked at, none where all are 0
        """
        super().__init__()
        self.words, self.sight, self.reasoner = words, sight, reasoner
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Dropout(dropout), mixed(width, 2 * width, answers))
        self.guided, self.guidance = guided, guidance
        self.reads = ("question", "answer", *sight.reads, *(("looked",) if guided else ()))

    def ask(self, batch: Batch) -> Reply:
        """Logits of all answers, and how they were come to."""
        memory = self.sight(batch)
        if "scene_of" in batch and self.sight.reads:
            memory = _of_questions(memory, batch["scene_of"])
        thought = self.reasoner(self.words(batch["question"]), memory)
        return Reply(self.head(thought.vector).float(), thought, memory.grid)

    def lesson(self, batch: Batch) -> Lesson:
        """Questions whose answer is -1, one that was never learned, teach nothing and count as wrong."""
        reply, answer = self.ask(batch), batch["answer"]
        known = (answer >= 0).sum().clamp(min=1)
        losses = {"answer": functional.cross_entropy(reply.logits, answer, ignore_index=-1, reduction="sum") / known}
        if self.guided:
            losses["looked"] = self.guided * attention_loss(reply.thought, batch["looked"], self.guidance)
        return Lesson(losses, {"right": (reply.logits.argmax(-1) == answer).float().mean()})


def attention_loss(thought: Thought, looked: Tensor, guidance: Guidance) -> Tensor:
    """How far the last attention is from where it should be, the mean over questions that say so. looked : (b, m)"""
    if thought.attention is None:
        raise TypeError("a reasoner without attention cannot be taught where to look")
    attention, told = thought.attention[:, -1].float(), looked.sum(-1) > 0
    if guidance == "share":
        wanted = looked / looked.sum(-1, keepdim=True).clamp(min=1e-6)
        apart = (torch.xlogy(wanted, wanted) - wanted * attention.clamp(min=1e-6).log()).sum(-1)
    else:
        near = attention.clamp(1e-6, 1 - 1e-6)
        apart = -(looked * near.log() + (1 - looked) * (1 - near).log()).mean(-1)
    return (apart * told).sum() / told.sum().clamp(min=1)


def _of_questions(memory: Memory, scene_of: Tensor) -> Memory:
    return Memory(memory.cells.index_select(0, scene_of), memory.present.index_select(0, scene_of), memory.grid)
