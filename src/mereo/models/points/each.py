"""Several networks that learn side by side, each from examples of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from torch import nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner

__all__ = ["OneEach"]


class OneEach(Learner):
    """A network for each set of examples. A batch is of one set, and teaches the network of that set alone.

    `set` () int64, on the processor: which set a batch is of. Whatever else a network reads is its own.
    """

    def __init__(self, networks: Mapping[str, Learner]):
        """networks : by name, in the order of the sets; a name has no dots"""
        super().__init__()
        self.networks = nn.ModuleDict(networks)
        self.reads = ("set", *dict.fromkeys(name for network in networks.values() for name in network.reads))

    def __len__(self) -> int:
        return len(self.networks)

    def of(self, number: int) -> Learner:
        """The network of a set."""
        return cast("Learner", list(self.networks.values())[number])

    def lesson(self, batch: Batch) -> Lesson:
        """That of the one network."""
        return self.of(int(batch["set"])).lesson(batch)
