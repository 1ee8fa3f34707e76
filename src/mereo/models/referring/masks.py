"""What all that marks pixels has in common: a learner that gives a mask for each expression, and how wrong it is.

b expressions, rows x columns of cells.
"""

from __future__ import annotations

from abc import abstractmethod

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner

__all__ = ["Marking", "mask_loss", "mask_overlap"]


class Marking(Learner):
    """Marks the pixels that an expression means."""

    @abstractmethod
    def mark(self, batch: Batch) -> Tensor:
        """(b, rows, columns) float: above 0 where what is meant is shown, on any grid over the picture."""

    def lesson(self, batch: Batch) -> Lesson:
        """How far the marked pixels are from those that are meant; the mean overlap of both is the mark."""
        meant = batch["meant"]
        said = fitted(self.mark(batch), (meant.shape[1], meant.shape[2]))
        return Lesson({"mask": mask_loss(said, meant).mean()}, {"iou": mask_overlap(said, meant).mean()})


def fitted(said: Tensor, size: tuple[int, int]) -> Tensor:
    """Masks (b, any, any) at this many rows and columns."""
    said = said.float()
    return said if said.shape[1:] == size else functional.interpolate(said[:, None], size, mode="bilinear")[:, 0]


def mask_loss(said: Tensor, meant: Tensor) -> Tensor:
    """(b,): how wrong masks are, cell by cell (BCE), and as a whole (Dice), so that small things count as large ones.

    said : (b, rows, columns), logits · meant : the same, 0 to 1
    """
    said, meant = said.float().flatten(1), meant.float().flatten(1)
    cells = functional.binary_cross_entropy_with_logits(said, meant, reduction="none").mean(1)
    chance = said.sigmoid()
    dice = 1 - (2 * (chance * meant).sum(1) + 1) / (chance.sum(1) + meant.sum(1) + 1)
    return 2 * cells + dice


@torch.no_grad()
def mask_overlap(said: Tensor, meant: Tensor) -> Tensor:
    """(b,): cells that both have over those that either has; 1 where neither has any."""
    ours, theirs = (said > 0).flatten(1), (meant > 0.5).flatten(1)
    both, either = (ours & theirs).sum(1), (ours | theirs).sum(1)
    return torch.where(either > 0, both / either.clamp(min=1), 1.0)
