"""How weights follow the gradient: AdamW over one cycle of rates, with bounded gradients, and an average of weights."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from mereo.training.row import Pace

__all__ = ["Average", "Descent", "one_cycle"]

_BETAS = (0.9, 0.99)
_FIRST, _LAST = 25.0, 1e4
"""By how much the rate is lower at the beginning and at the end than at its highest."""
_SWIFT = 10
"""An average that is young follows faster: after as many steps it is about half of its own past."""


def one_cycle(step: int, steps: int, *, pace: Pace) -> float:
    """The learning rate of a step: it rises, and falls to almost nothing, both as a cosine."""
    top = max(1.0, pace.warm * steps)
    if step < top:
        low, share = pace.rate / _FIRST, step / top
    else:
        low, share = pace.rate / _LAST, 1 - (step - top) / max(1.0, steps - top)
    return low + (pace.rate - low) * (1 - math.cos(math.pi * share)) / 2


class Descent:
    """A network's weights on their way down."""

    def __init__(self, network: nn.Module, pace: Pace):
        self.pace = pace
        self.weights = [one for one in network.parameters() if one.requires_grad]
        held, free = _grouped(network)
        groups = [{"params": held, "weight_decay": pace.decay}, {"params": free, "weight_decay": 0.0}]
        self.adam = torch.optim.AdamW([one for one in groups if one["params"]], betas=_BETAS, fused=True)

    def go(self, rate: float) -> Tensor:
        """One step along the gradient, which is forgotten; gives how long it was before it was bounded."""
        length = nn.utils.clip_grad_norm_(self.weights, self.pace.clip)
        for group in self.adam.param_groups:
            group["lr"] = rate
        self.adam.step()
        self.adam.zero_grad(set_to_none=True)
        return length


def _grouped(network: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """The weights that decay, and those that do not: biases, and what norms scale by."""
    norms = {id(one) for part in network.modules() if "Norm" in type(part).__name__ for one in part.parameters(False)}
    held: list[nn.Parameter] = []
    free: list[nn.Parameter] = []
    for name, one in network.named_parameters():
        if one.requires_grad:
            spared = one.ndim < 2 or id(one) in norms or name.endswith("bias")
            (free if spared else held).append(one)
    return held, free


class Average:
    """Weights that follow a network's slowly (EMA), which answer better than any that they were averaged from."""

    def __init__(self, network: nn.Module, *, decay: float):
        self.decay = decay
        every = [*network.parameters(), *network.buffers()]
        self._live = [one for one in every if one.is_floating_point()]
        self._kept = [one.detach().clone() for one in self._live]

    @torch.no_grad()
    def follow(self, step: int) -> None:
        """Come a little nearer to the network as it is after a step."""
        decay = min(self.decay, (1 + step) / (_SWIFT + step))
        torch._foreach_lerp_(self._kept, [one.detach() for one in self._live], 1 - decay)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Have the network be its average for a while."""
        before = [one.detach().clone() for one in self._live]
        self.settle()
        try:
            yield
        finally:
            _copy(before, self._live)

    def settle(self) -> None:
        """Make the network its average. Values are copied: recurrent layers want theirs to stay where they lie."""
        _copy(self._kept, self._live)

    def state(self) -> list[Tensor]:
        """The averages, in the order of the network's weights."""
        return self._kept

    def load(self, state: Sequence[Tensor]) -> None:
        """Go on from averages that were kept."""
        _copy(state, self._kept)


@torch.no_grad()
def _copy(values: Sequence[Tensor], places: Sequence[Tensor]) -> None:
    for value, place in zip(values, places, strict=True):
        place.copy_(value)
