"""Detection by segmentation, PartNet's own network for instances: each point is shared out among a fixed set of masks.

b clouds of n points, q masks, k true parts.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.models.matching import matched
from mereo.models.points.instances import TRUTH, found_share, point_kinds, relaxed_iou, true_parts
from mereo.models.points.layers import Backbone, Shared

__all__ = ["Detected", "PartMasks"]

_SPARSE = 0.1
"""What unused masks count: the paper's weight of the l2,1 norm. All other losses count 1."""
_MATCHED = 0.1
"""A mask that shares more than this with a part is one that should be sure of itself."""


class Detected(NamedTuple):
    """What is found in clouds of c kinds of parts."""

    kinds: Tensor
    """(b, n, 1 + c): logits of what each point is, first nothing."""
    scores: Tensor
    """(b, n, q + 1): how far each point is in each mask, and last in none; they sum to 1."""
    confidence: Tensor
    """(b, q): 0 to 1"""


class PartMasks(Learner):
    """Every point tells its kind and its mask, and a whole cloud how sure each of its masks is.

    kinds : of parts that there are
    masks : as many instances as there may be, 200 in the paper
    """

    def __init__(self, backbone: Backbone, *, kinds: int, masks: int = 200, dropout: float = 0.5):
        super().__init__()
        self.backbone = backbone
        width = backbone.channels
        self.kinds = nn.Sequential(nn.Dropout(dropout), nn.Linear(width, 1 + kinds))
        self.masks = nn.Sequential(Shared(width, width), nn.Linear(width, masks + 1))
        self.sure = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, masks))
        self.reads = (*backbone.reads, *TRUTH)

    def find(self, batch: Batch) -> tuple[Detected, Tensor]:
        """What is found, and a number that is to become small besides."""
        cells, besides = self.backbone(batch)
        scores = self.masks(cells).float().softmax(-1)
        sure = self.sure(cells.amax(1)).float().sigmoid()
        return Detected(self.kinds(cells).float(), scores, sure), besides

    def lesson(self, batch: Batch) -> Lesson:
        """The paper's five losses, counted as its published code counts them."""
        found, besides = self.find(batch)
        parts = true_parts(batch)
        soft = found.scores.mT
        masks, other = soft[:, :-1], soft[:, -1:]
        iou = relaxed_iou(masks, parts.masks)
        pairs = matched(-iou, parts.present)
        mine = iou.gather(1, pairs.clamp(min=0)[:, None])[:, 0]
        has = pairs >= 0
        unlabeled = (batch["instance"] == 0).float()[:, None]
        kind = point_kinds(batch) + 1
        losses = {
            "kind": nn.functional.cross_entropy(found.kinds.flatten(0, 1), kind.flatten()),
            "mask": ((1 - mine) * has).sum() / has.sum().clamp(min=1),
            "other": _other(other, unlabeled),
            "sure": _sureness(found.confidence, mine.detach(), pairs),
            "sparse": _SPARSE * soft.norm(dim=-1).sum(1).mean() / soft.shape[-1],
            "turned": besides,
        }
        marks = {
            "points": (found.kinds.argmax(-1) == kind).float().mean(),
            "found": found_share(masks.detach() > 0.5, parts),
        }
        return Lesson(losses, marks)

    @torch.inference_mode()
    def ask(self, batch: Batch) -> Detected:
        """What is found."""
        return self.find(batch)[0]


def _other(said: Tensor, unlabeled: Tensor) -> Tensor:
    """How little the last mask is that of all points without a part; nothing where every point has one.

    said, unlabeled : (b, 1, n)
    """
    there = unlabeled.any(-1).flatten()
    apart = 1 - relaxed_iou(said, unlabeled).flatten()
    return (apart * there).sum() / there.sum().clamp(min=1)


def _sureness(said: Tensor, reached: Tensor, pairs: Tensor) -> Tensor:
    """How far masks are from as sure as they are right; those that are and the many that are not count alike.

    said : (b, q) · reached : (b, k), what the mask of each part shares with it · pairs : (b, k)
    """
    count = said.shape[1]
    table = said.new_zeros(len(said), count + 1)
    wanted = table.scatter(1, torch.where(pairs >= 0, pairs, count), reached)[:, :count]
    wrong, some = (said - wanted).square(), wanted > _MATCHED
    return sum(((wrong * own).sum() / own.sum().clamp(min=1) for own in (some, ~some)), said.new_zeros(()))
