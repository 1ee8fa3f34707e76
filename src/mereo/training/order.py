"""Which examples a step learns from, and its chance: both follow from the seed and the number of the step alone."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mereo.chance import mark
from mereo.training.device import seed_chance

__all__ = ["Order", "seed_of"]


class Order:
    """The order in which examples are seen: all of them in every pass, each time shuffled anew.

    What is left of a pass when it makes no full batch is left out of it, so that all batches are alike. Where examples
    are of several kinds, a batch has those of one kind alone, all of them where they are too few for a full one.
    """

    def __init__(self, kinds: Sequence[int], *, batch: int, seed: int, device: torch.device):
        """kinds : how many examples there are of each kind, one kind after the other"""
        self.kinds, self.seed, self.device = [count for count in kinds if count], seed, device
        self.batch = min(batch, max(self.kinds))
        self._sizes = [min(batch, count) for count in self.kinds]
        self.steps_in_pass = sum(count // size for count, size in zip(self.kinds, self._sizes, strict=True))
        self._pass = -1
        self._batches: Sequence[Tensor] = ()
        self._chance = torch.Generator(device)

    @property
    def examples_in_step(self) -> float:
        """How many a step learns from, in the mean of a pass."""
        seen = sum(count // size * size for count, size in zip(self.kinds, self._sizes, strict=True))
        return seen / self.steps_in_pass

    def places(self, step: int) -> Tensor:
        """The examples of a step. (b,) int64, on the processor where they are of several kinds: whoever makes the batch
        has to know which, and is not to wait for the device."""
        number, place = divmod(step, self.steps_in_pass)
        if number != self._pass:
            chance = torch.Generator().manual_seed(seed_of(self.seed, "pass", number))
            self._batches, self._pass = self._shuffled(chance), number
        return self._batches[place]

    def _shuffled(self, chance: torch.Generator) -> Sequence[Tensor]:
        """The batches of a pass."""
        found, before = [], 0
        for count, size in zip(self.kinds, self._sizes, strict=True):
            shuffled = before + torch.randperm(count, generator=chance)
            if self.device.type == "cuda" and len(self.kinds) == 1:
                # from pinned memory it gets there while the GPU works on
                shuffled = shuffled.pin_memory().to(self.device, non_blocking=True)
            found += shuffled[: count // size * size].split(size)
            before += count
        if len(self.kinds) == 1:
            return found
        return [found[place] for place in torch.randperm(len(found), generator=chance).tolist()]

    def chance(self, step: int) -> torch.Generator:
        """The chance by which the examples of a step are changed; that inside of networks begins anew, too."""
        seed_chance(self.device, seed_of(self.seed, "inside", step))
        return self._chance.manual_seed(seed_of(self.seed, "step", step))


def seed_of(seed: int, *place: str | int) -> int:
    """The seed for one thing, such as step 4711, as PyTorch takes it."""
    return mark(" ".join(map(str, (seed, *place)))) >> 1
