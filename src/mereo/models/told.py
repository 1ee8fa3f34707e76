"""What a network tells of the things it sees, as plain names and sizes, and vectors that have no sign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

__all__ = ["Reflection", "Told", "outer", "vector_of"]


@dataclass(frozen=True)
class Reflection:
    """What is told of things in a mirrored picture. Done twice it is undone, and what is not named stays as it is."""

    words: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By attribute the number of the value that each of its values becomes."""
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By name which of the numbers, counted from 1, each is then; less than 0 where its sign is another."""


@dataclass(frozen=True)
class Told:
    """What is told of the things of one level."""

    words: Mapping[str, int]
    """By attribute how many values it has; the first attribute is the name of the thing."""
    several: Mapping[str, int] = field(default_factory=dict)
    """The same for attributes that have any number of their values."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """By name how many numbers."""
    signless: frozenset[str] = frozenset()
    """The numbers that are a direction both ways, as the axis of a leg."""
    absent: Mapping[str, int] = field(default_factory=dict)
    """By attribute the value that says that a thing has none; without one, things without a value teach nothing."""
    reflection: Reflection | None = None
    """Where it is known: then who has learned looks at every picture in the mirror too."""

    @property
    def name(self) -> str:
        """The attribute that things are called by."""
        return next(iter(self.words))

    @property
    def names(self) -> int:
        """How many names there are."""
        return self.words[self.name]

    def learned(self, name: str) -> int:
        """How many numbers are predicted for some numbers: a direction of d without a sign needs d(d+1)/2."""
        size = self.numbers[name]
        return size * (size + 1) // 2 if name in self.signless else size


def outer(vectors: Tensor) -> Tensor:
    """The products of a direction's numbers with each other, which are the same for both of its signs.

    vectors : (..., d), of any length but 0; gives (..., d(d+1)/2)
    """
    unit = torch.nn.functional.normalize(vectors, dim=-1)
    rows, columns = torch.triu_indices(vectors.shape[-1], vectors.shape[-1], device=vectors.device)
    return unit[..., rows] * unit[..., columns]


def vector_of(products: Tensor, size: int) -> Tensor:
    """(..., d): the direction, one of the two, that products (..., d(d+1)/2) of its numbers come nearest to."""
    rows, columns = torch.triu_indices(size, size, device=products.device)
    matrix = products.new_zeros(*products.shape[:-1], size, size)
    matrix[..., rows, columns] = products
    matrix[..., columns, rows] = products
    axes: Tensor = torch.linalg.eigh(matrix).eigenvectors
    return axes[..., -1]
