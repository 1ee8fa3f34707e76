"""Which examples a step learns from, and its chance: both follow from the seed and the number of the step alone."""

from __future__ import annotations

import torch
from torch import Tensor

from mereo.chance import mark
from mereo.training.device import seed_chance

__all__ = ["Order", "seed_of"]


class Order:
    """The order in which examples are seen: all of them in every pass, each time shuffled anew.

    What is left of a pass when it makes no full batch is left out of it, so that all batches are alike.
    """

    def __init__(self, examples: int, *, batch: int, seed: int, device: torch.device):
        self.examples, self.seed, self.device = examples, seed, device
        self.batch = min(batch, examples)
        self.steps_in_pass = examples // self.batch
        self._pass = -1
        self._shuffled = torch.empty(0, dtype=torch.int64)
        self._chance = torch.Generator(device)

    def places(self, step: int) -> Tensor:
        """The examples of a step. (b,) int64"""
        number, place = divmod(step, self.steps_in_pass)
        if number != self._pass:
            chance = torch.Generator().manual_seed(seed_of(self.seed, "pass", number))
            shuffled = torch.randperm(self.examples, generator=chance)
            if self.device.type == "cuda":  # from pinned memory it gets there while the GPU works on
                shuffled = shuffled.pin_memory()
            self._shuffled = shuffled.to(self.device, non_blocking=True)
            self._pass = number
        return self._shuffled[place * self.batch : (place + 1) * self.batch]

    def chance(self, step: int) -> torch.Generator:
        """The chance by which the examples of a step are changed; that inside of networks begins anew, too."""
        seed_chance(self.device, seed_of(self.seed, "inside", step))
        return self._chance.manual_seed(seed_of(self.seed, "step", step))


def seed_of(seed: int, *place: str | int) -> int:
    """The seed for one thing, such as step 4711, as PyTorch takes it."""
    return mark(" ".join(map(str, (seed, *place)))) >> 1
