"""Half of the input: what one can tell without looking, or without being asked."""

from __future__ import annotations

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import mean_of, mixed
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["Blind", "Deaf"]


class Blind(Reasoner):
    """The question alone."""

    def __init__(self, width: int):
        super().__init__()
        self.think = mixed(width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Nothing is looked at."""
        return Thought(self.think(question.whole))


class Deaf(Reasoner):
    """The picture alone: the mean of its cells."""

    def __init__(self, width: int):
        super().__init__()
        self.think = mixed(width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Nothing is read."""
        return Thought(self.think(mean_of(memory.cells, memory.present)))
