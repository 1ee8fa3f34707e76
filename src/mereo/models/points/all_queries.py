"""Parts of shapes of all categories, one by one and at all levels, by one network.

A shape is looked at for one set, a category at a level, of which the field `category` tells the number. Queries begin
at points that lie far apart, as in Mask3D: so alike parts, of which there may be dozens, are told apart by where they
are. Besides, every point tells what it is of, and what queries mark is called by what they and its points say together.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.points.instances import point_kinds
from mereo.models.points.layers import Backbone
from mereo.models.points.mask_queries import Queries
from mereo.models.points.neighbors import gathered

__all__ = ["AllMaskQueries"]


class AllMaskQueries(Queries):
    """Finds the parts of any set.

    counts : by set how many kinds of parts there are · queries : as many parts as are found, at most; they begin at
    the first centers of the backbone's pyramid · compiled : whether code is made for learning, which takes a minute
    """

    def __init__(
        self,
        backbone: Backbone,
        *,
        counts: Sequence[int],
        queries: int = 160,
        width: int = 128,
        layers: int = 3,
        compiled: bool = False,
    ):
        super().__init__(backbone, width=width, layers=layers)
        self.count = queries
        self.begin = nn.Linear(width, width)
        self.kind, self.label = _KindsOfSets(counts, width), _KindsOfSets(counts, width)
        self.reads = (*dict.fromkeys((*self.reads, "category")),)
        self._say = torch.compile(self.say, dynamic=False) if compiled else self.say

    def begun(self, batch: Batch, seen: Tensor) -> Tensor:
        """What is seen at points that lie far apart."""
        told: Tensor = self.begin(gathered(seen, batch["floor_0_centers"][:, : self.count].long()))
        return told

    def kinds(self, cells: Tensor, masks: Tensor, points: Tensor, batch: Batch) -> Tensor:
        """Queries say whether they mark anything, and what that is they say together with the points that they mark."""
        chance, sets = masks.detach().sigmoid(), batch["category"]
        there = chance.to(points.dtype) @ points / chance.sum(-1, keepdim=True).clamp(min=1e-6).to(points.dtype)
        told: Tensor = self.kind(cells, sets)
        return told + functional.pad(self.label(there, sets)[..., :-1].log_softmax(-1), (0, 1))

    def lesson(self, batch: Batch) -> Lesson:
        """What queries have to learn, and what each point is of."""
        known = {name: batch[name] for name in self.reads}
        said, besides = (self._say if self.training else self.say)(known)
        lesson = self.judged(said, besides, batch)
        told = self.label(said.points, batch["category"]).float()
        of = point_kinds(batch)
        wanted = torch.where(of >= 0, of, told.shape[-1] - 1)
        losses = {"label": functional.cross_entropy(told.flatten(0, 1), wanted.flatten())}
        marks = {"points": (told.argmax(-1) == wanted).float().mean()}
        return Lesson({**lesson.losses, **losses}, {**lesson.marks, **marks})


class _KindsOfSets(nn.Module):
    """Kinds of parts by set, last nothing. counts : of each set"""

    there: Tensor
    """(sets, most + 1) bool: which there are; tables are as wide as the widest."""

    def __init__(self, counts: Sequence[int], width: int):
        super().__init__()
        most = max(counts)
        there = torch.arange(most + 1, device="cpu") < torch.tensor(counts, device="cpu")[:, None]
        there[:, -1] = True
        self.register_buffer("there", there, persistent=False)
        self.heads = nn.Parameter(torch.randn(len(counts), most + 1, width) * width**-0.5)
        self.leanings = nn.Parameter(torch.zeros(len(counts), most + 1))

    def forward(self, cells: Tensor, sets: Tensor) -> Tensor:
        """(b, m, most + 1) logits: kinds that a set lacks are as unlikely as can be. cells : (b, m, d) · sets : (b,)"""
        logits = (cells @ self.heads[sets].mT.to(cells.dtype)).float() + self.leanings[sets, None]
        return logits.masked_fill(~self.there[sets, None], torch.finfo(logits.dtype).min / 4)
