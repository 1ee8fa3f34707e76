"""What a detector is: it finds the masks of things of one level, and does not say what they are."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.learner import Learner

__all__ = ["Detected", "Detector", "true_masks"]


class Detected(NamedTuple):
    """What was found in one picture, surest first."""

    masks: Tensor
    """(n, h, w) bool; they may overlap."""
    scores: Tensor
    """(n,) float, 0 to 1"""


class Detector(Learner):
    """Finds things of one level in pictures."""

    reads = ("picture",)
    """And `LEVEL_ids`, `LEVEL_outer` of the level whose things are to be found: the only one that a batch has."""

    @abstractmethod
    def find(self, picture: Tensor) -> list[Detected]:
        """The things in each of some pictures (b, 3, h, w), 0 to 1."""


def true_masks(batch: Batch) -> list[Tensor]:
    """For each picture (n, h, w) bool: the pixels of each thing that can be seen, also of those around others."""
    level = next(field.removesuffix("_ids") for field in ("part_ids", "object_ids") if field in batch)
    ids = batch[f"{level}_ids"].long()
    outer = batch.get(f"{level}_outer", ids).long()
    found = []
    for inner_map, outer_map in zip(ids, outer, strict=True):
        numbers = torch.unique(torch.stack([inner_map, outer_map]))
        each = numbers[numbers > 0][:, None, None]
        found.append((inner_map == each) | (outer_map == each))
    return found
