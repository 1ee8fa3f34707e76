"""A small network for every module, all of one shape: their weights are stacked, so that steps of all run at once.

n steps, m modules, d channels, rows x columns of cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx
from torch.nn import functional

__all__ = ["Bank", "Convolutions", "groups_of", "places_among"]


class Bank(nn.Module):
    """The networks of all modules: each makes one map of as many as it takes."""

    places: Tensor

    def __init__(self, inputs: Sequence[int], width: int):
        """inputs : how many maps each module takes; who takes none is given the scene's"""
        super().__init__()
        takes = [max(1, count) for count in inputs]
        self.stacks = nn.ModuleDict({str(one): _stack(takes.count(one), one, width) for one in sorted(set(takes))})
        self.register_buffer("places", places_among(takes), persistent=False)

    def forward(self, modules: Tensor, *inputs: Tensor) -> Tensor:
        """(n, d, rows, columns), of modules that take as many. modules : (n,) int64 · inputs : as many, alike"""
        made: Tensor = self.stacks[str(len(inputs))](torch.cat(inputs, 1), self.places[modules])
        return made


def places_among(kinds: Sequence[int | str]) -> Tensor:
    """(m,) int64: which each module is among those of its kind, whose weights are one stack."""
    return torch.tensor([kinds[:number].count(kind) for number, kind in enumerate(kinds)], dtype=torch.int64)


def groups_of(width: int) -> int:
    """In how many groups channels are normalized."""
    return max(1, width // 16)


def _stack(count: int, takes: int, width: int) -> nn.Module:
    return _Unaries(count, width) if takes == 1 else _Joints(count, takes, width)


class _Unaries(nn.Module):
    """One map into another: two convolutions beside a short cut."""

    def __init__(self, count: int, width: int):
        super().__init__()
        self.convolutions = nn.ModuleList(Convolutions(count, width, width) for _ in range(2))
        self.norms = nn.ModuleList(_Norms(count, width) for _ in range(2))

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns). places : (n,) int64, whose weights each is to meet"""
        found = functional.relu(self.norms[0](self.convolutions[0](features, places), places))
        return functional.relu(features + self.norms[1](self.convolutions[1](found, places), places))


class _Joints(nn.Module):
    """Several maps into one."""

    def __init__(self, count: int, takes: int, width: int):
        super().__init__()
        self.join = Convolutions(count, takes * width, width, side=1)
        self.unary = _Unaries(count, width)

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """As of `_Unaries`. features : (n, all their channels, rows, columns)"""
        joined: Tensor = self.unary(functional.relu(self.join(features, places)), places)
        return joined


class Convolutions(nn.Module):
    """A convolution for every module, of cells with those around them or of single ones.

    They begin as `nn.Conv2d` does or, where they are lively, with weights as `nn.init.kaiming_normal_` draws them.
    """

    def __init__(self, count: int, before: int, after: int, *, side: int = 3, far: int = 1, lively: bool = False):
        """side : 3, or 1 for single cells · far : how far apart the cells are that are taken in"""
        super().__init__()
        self.side, self.far, reads = side, far, before * side**2
        weight, bound = torch.empty(count, after, reads), reads**-0.5
        self.weight = nn.Parameter(weight.normal_(std=bound * 2**0.5) if lively else weight.uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(count, after).uniform_(-bound, bound))

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """(n, after, rows, columns). features : (n, before, rows, columns) · places : (n,) int64"""
        # Gathered as they are, and not in half of the digits, so that gradients are added up in all of them.
        weight, bias = self.weight.index_select(0, places), self.bias.index_select(0, places)
        own = _in_precision(features)
        cells: Tensor = _Around.apply(own, self.far) if self.side == 3 else own.flatten(2)  # type: ignore[no-untyped-call]
        made: Tensor = torch.baddbmm(bias.unsqueeze(-1), weight, cells).unflatten(2, features.shape[2:])
        return made


class _Norms(nn.Module):
    """A group norm for every module."""

    def __init__(self, count: int, width: int):
        super().__init__()
        self.groups = groups_of(width)
        # (2, m, d): what is scaled by, and what is added.
        self.scale_and_bias = nn.Parameter(torch.stack([torch.ones(count, width), torch.zeros(count, width)]))

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns), as it is given"""
        scale, shift = self.scale_and_bias.index_select(1, places).flatten(1)
        # As channels of a single map, each is scaled and shifted by numbers of its own.
        joined = features.reshape(1, -1, *features.shape[2:])
        return functional.group_norm(joined, len(places) * self.groups, scale, shift).view_as(features)


def _in_precision(features: Tensor) -> Tensor:
    """As matrices are multiplied here, before there is more of it."""
    kind = features.device.type
    return features.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else features


class _Around(torch.autograd.Function):
    """(n, 9 d, rows * columns): every cell with those around it. features : (n, d, rows, columns)

    As `functional.unfold`, of which a GPU makes each of the n by itself; its way back is made at once.
    """

    @staticmethod
    def forward(context: FunctionCtx, features: Tensor, far: int) -> Tensor:
        context.cells, context.far = features.shape[2:], far  # type: ignore[attr-defined]
        wide = functional.pad(features, (far, far, far, far))
        n, d, row, column = wide.stride()
        size, steps = (*features.shape[:2], 3, 3, *features.shape[2:]), (n, d, far * row, far * column, row, column)
        return wide.as_strided(size, steps).flatten(4).flatten(1, 3)

    @staticmethod
    def backward(context: FunctionCtx, slopes: Tensor) -> tuple[Tensor, None]:
        far = context.far  # type: ignore[attr-defined]
        return functional.fold(slopes, context.cells, 3, dilation=far, padding=far), None  # type: ignore[attr-defined]
