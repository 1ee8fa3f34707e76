"""A small network for every module, all of one shape: their weights are stacked, so that steps of all run at once.

n steps, m modules, d channels, rows x columns of cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx
from torch.nn import functional

__all__ = ["Bank", "groups_of"]


class Bank(nn.Module):
    """The networks of all modules: each makes one map of as many as it takes."""

    places: Tensor
    """(m,) int64: which each module is among those that take as many."""

    def __init__(self, inputs: Sequence[int], width: int):
        """inputs : how many maps each module takes; who takes none is given the scene's"""
        super().__init__()
        takes = [max(1, count) for count in inputs]
        self.stacks = nn.ModuleDict({str(one): _stack(takes.count(one), one, width) for one in sorted(set(takes))})
        places = [takes[:number].count(one) for number, one in enumerate(takes)]
        self.register_buffer("places", torch.tensor(places), persistent=False)

    def forward(self, modules: Tensor, *inputs: Tensor) -> Tensor:
        """(n, d, rows, columns), of modules that take as many. modules : (n,) int64 · inputs : as many, alike"""
        made: Tensor = self.stacks[str(len(inputs))](torch.cat(inputs, 1), self.places[modules])
        return made


def groups_of(width: int) -> int:
    """In how many groups channels are normalized."""
    return max(1, width // 16)


def _stack(count: int, takes: int, width: int) -> nn.Module:
    return _Unaries(count, width) if takes == 1 else _Joints(count, takes, width)


class _Unaries(nn.Module):
    """One map into another: two convolutions beside a short cut."""

    def __init__(self, count: int, width: int):
        super().__init__()
        self.first, self.second = _Convolutions(count, width), _Convolutions(count, width)

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns). places : (n,) int64, whose weights each is to meet"""
        found = functional.relu(self.first(features, places))
        return functional.relu(features + self.second(found, places))


class _Joints(nn.Module):
    """Several maps into one."""

    def __init__(self, count: int, takes: int, width: int):
        super().__init__()
        self.weight = _drawn(count, width, takes * width, reads=takes * width)
        self.bias = _drawn(count, width, reads=takes * width)
        self.unary = _Unaries(count, width)

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """As of `_Unaries`. features : (n, all their channels, rows, columns)"""
        weight, bias = self.weight.index_select(0, places), self.bias.index_select(0, places)
        found = torch.baddbmm(bias.unsqueeze(-1), weight, features.flatten(2))
        joined: Tensor = self.unary(functional.relu(found).unflatten(2, features.shape[2:]), places)
        return joined


class _Convolutions(nn.Module):
    """Convolutions of cells with those around them, and group norms of what they make."""

    def __init__(self, count: int, width: int):
        super().__init__()
        self.groups = groups_of(width)
        self.weight = _drawn(count, width, 9 * width, reads=9 * width)
        bias, ones = _drawn(count, width, reads=9 * width).detach(), torch.ones(count, width)
        # (3, m, d): what a convolution adds, what its norm scales by and what that adds.
        self.scale_and_bias = nn.Parameter(torch.stack([bias, ones, torch.zeros(count, width)]))

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns)"""
        # Gathered as they are, and not in half of the digits, so that gradients are added up in all of them.
        weight = self.weight.index_select(0, places)
        bias, scale, shift = self.scale_and_bias.index_select(1, places).unbind()
        cells = _Around.apply(_in_precision(features))  # type: ignore[no-untyped-call]
        made = torch.baddbmm(bias.unsqueeze(-1), weight, cells)
        # As channels of a single map, each is scaled and shifted by numbers of its own.
        joined, groups = made.view(1, -1, made.shape[2]), len(places) * self.groups
        return functional.group_norm(joined, groups, scale.flatten(), shift.flatten()).view_as(features)


def _drawn(*shape: int, reads: int) -> nn.Parameter:
    """As `nn.Conv2d` begins. reads : how many numbers each that it makes is made of"""
    return nn.Parameter(torch.empty(shape).uniform_(-(reads**-0.5), reads**-0.5))


def _in_precision(features: Tensor) -> Tensor:
    """As matrices are multiplied here, before there is more of it."""
    kind = features.device.type
    return features.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else features


class _Around(torch.autograd.Function):
    """(n, 9 d, rows * columns): every cell with those around it. features : (n, d, rows, columns)

    As `functional.unfold`, of which a GPU makes each of the n by itself; its way back is made at once.
    """

    @staticmethod
    def forward(context: FunctionCtx, features: Tensor) -> Tensor:
        context.cells = features.shape[2:]  # type: ignore[attr-defined]
        near = functional.pad(features, (1, 1, 1, 1)).unfold(2, 3, 1).unfold(3, 3, 1)
        return near.permute(0, 1, 4, 5, 2, 3).flatten(4).flatten(1, 3)

    @staticmethod
    def backward(context: FunctionCtx, slopes: Tensor) -> Tensor:
        return functional.fold(slopes, context.cells, 3, padding=1)  # type: ignore[attr-defined]
