"""What can be learned: a network that says what it reads and what is to become small."""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import nn

from mereo.models.kinds import Batch, Lesson

__all__ = ["Learner", "parameters"]


class Learner(nn.Module, ABC):
    """A network with its lesson. What it answers when it is asked is its own: each kind of learner differs there."""

    reads: tuple[str, ...]
    """The fields that a batch must have for a lesson."""
    steady: bool = True
    """Whether its layers see the same sizes in every batch: then it pays to try out first how a device is fastest."""

    @abstractmethod
    def lesson(self, batch: Batch) -> Lesson:
        """Losses and marks of a batch."""


def parameters(network: nn.Module) -> int:
    """How many numbers a network learns."""
    return sum(one.numel() for one in network.parameters() if one.requires_grad)
