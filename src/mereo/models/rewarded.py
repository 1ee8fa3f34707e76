"""A parser that goes on learning without programs: what it writes by chance is rewarded where its answer is right.

REINFORCE (Williams 1992), as NS-VQA has it: first a few pairs with their programs, then rewards for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from mereo.models.grammar import PAD
from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.models.parser import Parser

__all__ = ["Reward", "Rewarded"]

Reward = Callable[[Sequence[int], Sequence[Sequence[int]]], Sequence[float]]
"""reward(numbers of questions, the tokens of a program for each): what each is worth, from 0 to 1."""


class Rewarded(Learner):
    """Writes programs, and writes those more often that were worth more than others are.

    question : (b, n) int64 · number : (b,) int64, by which whoever rewards knows the question
    """

    reads = ("question", "number")
    steady = False

    def __init__(self, parser: Parser, reward: Reward):
        super().__init__()
        self.parser, self._reward = parser, reward

    def parse(self, question: Tensor) -> list[list[int]]:
        """As the parser does."""
        return self.parser.parse(question)

    def lesson(self, batch: Batch) -> Lesson:
        """What was drawn counts by how much better it was than usual. Who is tried writes what is likeliest."""
        question = batch["question"]
        written = self.parser.parse(question, drawn=self.training)
        reward = question.new_tensor(self._reward(batch["number"].tolist(), written), dtype=torch.float32)
        longest = max(1, *map(len, written))
        program = question.new_tensor([[*tokens, *[PAD] * (longest - len(tokens))] for tokens in written])
        chance = self.parser.likelihoods(question, program)
        return Lesson({"reward": -((reward - reward.mean()) * chance).mean()}, {"right": reward.mean()})
