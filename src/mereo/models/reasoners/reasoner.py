"""What a reasoner is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import nn

from mereo.models.kinds import Memory, Question, Thought

__all__ = ["Reasoner"]


class Reasoner(nn.Module, ABC):
    """A question and a memory into a thought, all of one width."""

    @abstractmethod
    def forward(self, question: Question, memory: Memory) -> Thought:
        """What the memory says about the question."""
