"""Dumbbells with all that the tasks of PartNet tell of points: the nodes of a small tree, and parts one by one.

    0 the whole -> 1 balls -> 2 the ball beside the knob, 3 the other
                -> 4 the knob

As instances the two balls are two parts of one kind. Every sixteenth point ends at "balls" and is of no part.
"""

from __future__ import annotations

import torch
from torch import Tensor

from test_models_points import Dumbbells

PARENTS = (-1, 0, 1, 1, 0)


class Toys(Dumbbells):
    """Two kinds, three parts a cloud, five nodes."""

    def __init__(self, count: int, *, seed: int):
        super().__init__(count, seed=seed)
        node = torch.tensor([1, 2, 3, 4])[self.label]
        part = torch.tensor([0, 0, 1]).expand(count, -1)
        number = torch.ones(count, dtype=torch.int64)
        self.fields |= {"node": node, "instance": self.label, "part": part, "category": number}
        self.node = node

    def all(self) -> dict[str, Tensor]:
        """All clouds as one batch."""
        return self.batch(torch.arange(len(self)))
