"""SGPN: points of one part lie near each other in a space that is learned, and how sure each point is of its group.

b clouds of n points, c kinds of parts, a points as anchors, g groups.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import exactly
from mereo.models.learner import Learner
from mereo.models.points.instances import TRUTH, point_kinds, true_parts
from mereo.models.points.layers import Shared
from mereo.models.points.segmenting import PartLabels

__all__ = ["SGPN", "Groups", "grouped", "hinges", "squared_apart"]

_NEAR, _FAR = 1.0, 2.0
"""How far apart points of two parts of one kind are to be, and of two kinds: the margins of PartNet's paper."""
_ALIKE = 2.0
"""What two parts of one kind count against two kinds, as SGPN begins; its authors raise it later."""
_TRIED = tuple(_NEAR * k / 20 for k in range(1, 21))
"""The distances that may bound a group."""
_ANCHORS = 128
"""Points of a cloud by which bounds are learned."""
_SLOWLY = 0.1
"""How far bounds and sizes follow those of a batch."""
_UNSURE = 0.1
"""No group begins with a point that is less sure."""


class Told(NamedTuple):
    """What is told of clouds."""

    kinds: Tensor
    """(b, n, c) logits"""
    similar: Tensor
    """(b, n, d): where each point lies in the space in which parts are apart."""
    sure: Tensor
    """(b, n): 0 to 1"""


class SGPN(Learner):
    """Similar points, beside the kinds of `PartLabels`, which were learned before.

    What the paper takes from validation, where groups end and how large they are, is learned here as norms learn their
    averages: while training goes on.
    """

    bound: Tensor
    """(c,) how far from a point its group reaches, by its kind."""
    size: Tensor
    """(c,) which share of a cloud the mean part of each kind has."""

    def __init__(self, labels: PartLabels, *, kinds: int, alone: bool = False):
        """alone : whether only similarity is learned as yet"""
        super().__init__()
        width = labels.backbone.channels
        self.labels, self.alone = labels, alone
        self.similar = nn.Sequential(Shared(width, width), nn.Linear(width, width))
        self.sure = nn.Sequential(Shared(width, width), nn.Linear(width, 1))
        self.register_buffer("bound", torch.full((kinds,), _NEAR / 2))
        self.register_buffer("size", torch.zeros(kinds))
        self.reads = (*labels.backbone.reads, *TRUTH)

    def tell(self, batch: Batch) -> tuple[Told, Tensor]:
        """What is told, and a number that is to become small besides."""
        cells, besides = self.labels.backbone(batch)
        kinds, sure = self.labels.head(cells).float(), self.sure(cells)[..., 0].float().sigmoid()
        return Told(kinds, self.similar(cells).float(), sure), besides

    def lesson(self, batch: Batch) -> Lesson:
        """The double hinge of SGPN; and unless similarity is learned alone, kinds and how sure each point is."""
        told, besides = self.tell(batch)
        apart = squared_apart(told.similar)
        kind, number = point_kinds(batch), batch["instance"]
        known = kind >= 0
        together = (number[:, :, None] == number[:, None]) & known[:, :, None]
        losses = {"apart": hinges(apart, kind, together), "turned": besides}
        with torch.no_grad(), exactly(apart):
            if self.training:
                self._follow(batch, apart, kind, together)
            reached = self._reached(apart, kind, together)
        count = known.sum().clamp(min=1)
        if not self.alone:
            logits, wanted = told.kinds.flatten(0, 1), kind.clamp(min=0).flatten()
            surprise = nn.functional.cross_entropy(logits, wanted, reduction="none")
            losses["kind"] = (surprise * known.flatten()).sum() / count
            losses["sure"] = ((told.sure - reached).square() * known).sum() / count
        marks = {
            "points": ((told.kinds.argmax(-1) == kind) & known).sum() / count,
            "groups": (reached * known).sum() / count,
        }
        return Lesson(losses, marks)

    @torch.inference_mode()
    def ask(self, batch: Batch) -> list[Groups]:
        """The groups of every cloud, one cloud at a time: there are as many distances as pairs of points."""
        kinds, similar, sure = self.tell(batch)[0]
        apart = (squared_apart(cells)[0] for cells in similar.split(1))
        return [grouped(*one, self.bound) for one in zip(apart, sure, kinds.argmax(-1), strict=True)]

    def _reached(self, apart: Tensor, kind: Tensor, together: Tensor) -> Tensor:
        """(b, n): how far the group around each point is its true part (IoU). Unlabeled points are in no group."""
        known = kind >= 0
        return _overlap((apart < self.bound[kind.clamp(min=0)][..., None]) & known[:, None], together)

    def _follow(self, batch: Batch, apart: Tensor, kind: Tensor, together: Tensor) -> None:
        """Have bounds and sizes come a little nearer to the best ones of a batch."""
        count = kind.shape[1]
        some = torch.linspace(0, count - 1, min(_ANCHORS, count), device=kind.device).long()
        anchors, true, known = apart[:, some], together[:, some], (kind >= 0)[:, None]
        scores = torch.stack([_overlap((anchors < bound) & known, true) for bound in _TRIED], -1)
        best = (scores >= scores.amax(-1, keepdim=True)).float()  # where several do as well, the middle of them
        self._nearer(self.bound, best @ best.new_tensor(_TRIED) / best.sum(-1), kind[:, some])
        self._nearer(self.size, true_parts(batch).masks.mean(-1), batch["part"])

    def _nearer(self, kept: Tensor, values: Tensor, kinds: Tensor) -> None:
        """kept : (c,) · values, kinds : (b, any), -1 where a value is of no kind"""
        own = nn.functional.one_hot(kinds + 1, len(kept) + 1)[..., 1:].flatten(0, 1).float()
        count = own.sum(0)
        mean = values.flatten() @ own / count.clamp(min=1)
        step = torch.where(kept > 0, _SLOWLY, 1.0) * (count > 0)
        kept.lerp_(mean, step)


def squared_apart(cells: Tensor) -> Tensor:
    """(b, n, n): squared distances. cells : (b, n, d)"""
    long = cells.square().sum(-1)
    with exactly(cells):
        return (long[:, :, None] - 2 * cells @ cells.mT + long[:, None]).clamp(min=0)


def hinges(apart: Tensor, kind: Tensor, together: Tensor) -> Tensor:
    """How wrong distances are: none within a part, and at least the margins between two. Unlabeled points count not."""
    alike = kind[:, :, None] == kind[:, None]
    near = torch.where(alike, _ALIKE * (_NEAR - apart).clamp(min=0), (_FAR - apart).clamp(min=0))
    known = (kind >= 0)[:, :, None] & (kind >= 0)[:, None]
    return (torch.where(together, apart, near) * known).sum() / known.sum().clamp(min=1)


def _overlap(one: Tensor, other: Tensor) -> Tensor:
    """(...): the points that both have over those that either has. one, other : (..., n) bool"""
    return (one & other).sum(-1) / (one | other).sum(-1).clamp(min=1)


class Groups(NamedTuple):
    """The groups of one cloud."""

    of: Tensor
    """(n,) int64: the number of each point's group, from 0; -1 for points of none."""
    kind: Tensor
    """(g,) int64"""
    sure: Tensor
    """(g,)"""


def grouped(apart: Tensor, sure: Tensor, kind: Tensor, bound: Tensor) -> Groups:
    """Groups one by one, each around the surest point that is free: all free points within the bound of its kind.

    A group is of the kind that most of its points are of, and as sure as they are in the mean.

    apart : (n, n) · sure : (n,) · kind : (n,) int64 · bound : (c,)
    """
    of = torch.full_like(kind, -1)
    kinds, sures = list[Tensor](), list[Tensor]()
    while True:
        surest, point = torch.where(of < 0, sure, -1.0).max(0)
        if surest < _UNSURE:
            break
        own = (apart[point] < bound[kind[point]]) & (of < 0)
        own[point] = True
        of[own] = len(kinds)
        kinds.append(kind[own].bincount(minlength=len(bound)).argmax())
        sures.append(sure[own].mean())
    if not kinds:
        return Groups(of, kind[:0], sure[:0])
    return Groups(of, torch.stack(kinds), torch.stack(sures))
