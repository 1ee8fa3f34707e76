"""A transformer over tokens: what lies around some hundred points becomes a token each, and every token looks at all.

Around each point its nearest neighbors are seen first, so that tokens know of edges; from tokens features come back to
the points that lie between them, beside what each point knew itself. All of it is products of large matrices and
indices that are made once for each shape, which is what a GPU is quickest at.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch
from mereo.models.layers import Block, heads_of, mixed
from mereo.models.points.layers import Backbone, Shared, highest
from mereo.models.points.neighbors import gathered, in_steps
from mereo.models.points.pyramid import Look, Rise, floors_of

__all__ = ["PointTokens"]

_RISE, _LOOK = Rise(512, 0.15, 24), Look(0, 0, 16)
_WIDER = 4
"""How many times as wide tokens are as points."""


class PointTokens(Backbone):
    """Points, tokens, and points again.

    width : of points · depth : layers in which tokens look at each other
    kinds : where a field `category` tells which of so many kinds of shapes a cloud is
    """

    rises = (_RISE,)
    looks = (_LOOK,)

    def __init__(self, width: int = 64, *, depth: int = 6, kinds: int | None = None):
        super().__init__()
        half, wide = max(1, width // 2), _WIDER * width
        self.beside, self.first = Shared(3, half, width, bent=nn.GELU), Shared(3 + width, width, width, bent=nn.GELU)
        self.kinds = nn.Embedding(kinds, width) if kinds is not None else None
        self.up = Shared(3 + width, 2 * width, wide, bent=nn.GELU)
        self.where = mixed(3, width, wide)
        self.blocks = nn.ModuleList(Block(wide, heads=heads_of(wide)) for _ in range(depth))
        self.norm = nn.LayerNorm(wide)
        self.down = Shared(wide + width + 3, 2 * width, 2 * width, bent=nn.GELU)
        self.channels = 2 * width

    @property
    def reads(self) -> tuple[str, ...]:
        """The cloud with its pyramid, and its category where that is to be told."""
        return (*super().reads, *(() if self.kinds is None else ("category",)))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features of each point, from the tokens around it."""
        points = batch["cloud"]
        (floor,) = floors_of(batch, self.rises)
        near = in_steps(gathered(points, batch[_LOOK.name]) - points[:, :, None])
        cells = self.first(torch.cat([points, highest(self.beside(near))], -1))
        if self.kinds is not None:
            cells = cells + self.kinds(batch["category"])[:, None]
        middles = gathered(points, floor.centers)
        around = (gathered(points, floor.around) - middles[:, :, None]) / _RISE.radius
        told = torch.cat([around.to(cells.dtype), gathered(cells, floor.around)], -1)
        tokens = highest(self.up(told)) + self.where(middles)
        present = torch.ones(tokens.shape[:2], dtype=torch.bool, device=tokens.device)
        for block in self.blocks:
            tokens = block(tokens, present)
        tokens = self.norm(tokens)
        carried = (gathered(tokens, floor.back.places) * floor.back.shares[..., None].to(tokens.dtype)).sum(2)
        beside = [carried, *(one.to(carried.dtype) for one in (cells, points))]
        return self.down(torch.cat(beside, -1)), points.new_zeros(())
