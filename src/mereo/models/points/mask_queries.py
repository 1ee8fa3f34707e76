"""MaskQueries: queries look at the points of a cloud, and each marks the points of one part.

As in Mask2Former and Mask3D, a query looks only at the points that it marked before, and every layer is taught. Queries
begin as they were learned, the same for every shape, or as what is seen at points that lie far apart. b clouds of n
points, q queries, k true parts, l layers with what is said before the first, c kinds, d numbers each.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import Block, exactly, heads_of, mixed
from mereo.models.learner import Learner
from mereo.models.matching import matched
from mereo.models.points.instances import TRUTH, Parts, found_share, true_parts
from mereo.models.points.layers import Backbone
from mereo.models.referring.masks import mask_loss

__all__ = ["Marked", "MaskQueries", "Queries", "Said", "pairing_cost"]

_NOTHING = 0.1
"""What a query without a part counts: there are many more of these."""


class Said(NamedTuple):
    """What queries say, layer by layer."""

    kinds: Tensor
    """(l, b, q, c + 1): logits of what each marks, last nothing."""
    masks: Tensor
    """(l, b, q, n): logits of the points that it marks."""
    points: Tensor
    """(b, n, d): what is seen at each point."""


class Marked(NamedTuple):
    """What is found in clouds."""

    masks: Tensor
    """(b, q, n) bool"""
    kind: Tensor
    """(b, q) int64"""
    confidence: Tensor
    """(b, q): how likely there is a part of this kind, and how sure the mask is of its points."""


class Queries(Learner):
    """Finds parts by queries, wherever these begin."""

    def __init__(self, backbone: Backbone, *, width: int, layers: int):
        super().__init__()
        self.backbone = backbone
        self.points, self.place = mixed(backbone.channels, width, width), mixed(3, width, width)
        self.marked = nn.Linear(width, width)
        heads = heads_of(width)
        self.looks = nn.ModuleList(Block(width, heads=heads) for _ in range(layers))
        self.talks = nn.ModuleList(Block(width, heads=heads) for _ in range(layers))
        self.ready = nn.LayerNorm(width)
        self.marker = mixed(width, width, width)
        self.reads = (*backbone.reads, *TRUTH)

    @abstractmethod
    def begun(self, batch: Batch, seen: Tensor) -> Tensor:
        """(b, q, d): queries as they begin. seen : (b, n, d), what there is at the points, and where that is"""

    @abstractmethod
    def kinds(self, cells: Tensor, masks: Tensor, points: Tensor, batch: Batch) -> Tensor:
        """(b, q, c + 1): logits of what queries mark, last nothing.

        cells : (b, q, d) · masks : (b, q, n), logits of the points that they mark · points : (b, n, d)
        """

    def say(self, batch: Batch) -> tuple[Said, Tensor]:
        """What queries say, and a number that is to become small besides."""
        cells, besides = self.backbone(batch)
        points = self.points(cells)
        marked, seen = self.marked(points).mT, points + self.place(batch["cloud"].to(points.dtype))
        queries = self.begun(batch, seen)
        everyone = queries.new_ones(queries.shape[:2], dtype=torch.bool)
        told = [self._told(queries, marked, points, batch)]
        for look, talk in zip(self.looks, self.talks, strict=True):
            queries = talk(look(queries, told[-1][1].detach() > 0, seen), everyone)
            told.append(self._told(queries, marked, points, batch))
        kinds, masks = map(torch.stack, zip(*told, strict=True))
        return Said(kinds, masks, points), besides

    def _told(self, queries: Tensor, marked: Tensor, points: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """Kinds (b, q, c + 1) and masks (b, q, n) as queries are now. marked : (b, d, n) · points : (b, n, d)"""
        ready = self.ready(queries)
        masks = (self.marker(ready) @ marked * marked.shape[1] ** -0.5).float()
        return self.kinds(ready, masks, points, batch).float(), masks

    def lesson(self, batch: Batch) -> Lesson:
        """What queries have to learn."""
        return self.judged(*self.say(batch), batch)

    def judged(self, said: Said, besides: Tensor, batch: Batch) -> Lesson:
        """Masks and kinds of all layers, which share the pairs of the last: pairing off waits for the processor."""
        parts = true_parts(batch)
        pairs = matched(pairing_cost(said.kinds[-1], said.masks[-1], parts), parts.present)
        has, at = pairs >= 0, pairs.clamp(min=0)
        count = has.sum().clamp(min=1)
        mine = said.masks.gather(2, at[None, ..., None].expand(len(said.masks), -1, -1, said.masks.shape[-1]))
        true = parts.masks.expand(len(mine), -1, -1, -1)
        wrong = mask_loss(mine.flatten(0, 2), true.flatten(0, 2)).view(len(mine), *has.shape)
        losses = {
            "mask": (wrong * has).sum() / count / len(mine),
            "kind": _kind_loss(said.kinds, pairs, parts.kind),
            "turned": besides,
        }
        named = said.kinds[-1].argmax(-1).gather(1, at) == parts.kind
        marks = {
            "found": found_share(said.masks[-1].detach() > 0, parts),
            "kinds": (named & has).sum() / count,
        }
        return Lesson(losses, marks)

    @torch.inference_mode()
    def ask(self, batch: Batch) -> Marked:
        """What is found."""
        said = self.say(batch)[0]
        likely, kind = said.kinds[-1].softmax(-1)[..., :-1].max(-1)
        chance = said.masks[-1].sigmoid()
        masks = chance > 0.5
        sure = (chance * masks).sum(-1) / masks.sum(-1).clamp(min=1)
        return Marked(masks, kind, likely * sure)


class MaskQueries(Queries):
    """Queries that are learned, the same for all shapes.

    kinds : of parts that there are · queries : as many parts as are found, at most
    """

    def __init__(self, backbone: Backbone, *, kinds: int, queries: int = 100, width: int = 128, layers: int = 3):
        super().__init__(backbone, width=width, layers=layers)
        self.queries = nn.Parameter(torch.randn(queries, width) * width**-0.5)
        self.kind = nn.Linear(width, kinds + 1)

    def begun(self, batch: Batch, seen: Tensor) -> Tensor:
        """As they were learned."""
        return self.queries.to(seen.dtype).expand(len(seen), -1, -1)

    def kinds(self, cells: Tensor, masks: Tensor, points: Tensor, batch: Batch) -> Tensor:
        """As queries alone say."""
        told: Tensor = self.kind(cells)
        return told


@torch.no_grad()
def pairing_cost(kinds: Tensor, masks: Tensor, parts: Parts) -> Tensor:
    """(b, q, k): what `mask_loss` would say of each pair, less how likely the query has the kind.

    kinds : (b, q, c + 1) · masks : (b, q, n), logits both
    """
    true, chance = parts.masks, masks.sigmoid()
    with exactly(masks):
        inside, shared = masks @ true.mT, chance @ true.mT
    points = functional.softplus(masks).mean(-1)[..., None] - inside / masks.shape[-1]
    dice = 1 - (2 * shared + 1) / (chance.sum(-1)[..., None] + true.sum(-1)[:, None] + 1)
    named = kinds.softmax(-1).gather(2, parts.kind.clamp(min=0)[:, None].expand(-1, kinds.shape[1], -1))
    return 2 * points + dice - named


def _kind_loss(said: Tensor, pairs: Tensor, kind: Tensor) -> Tensor:
    """How surprising kinds are, nothing where a query has no part. said : (l, b, q, c + 1) · pairs, kind : (b, k)"""
    layers, _, queries, last = *said.shape[:3], said.shape[3] - 1
    table = torch.full((len(pairs), queries + 1), last, dtype=torch.int64, device=said.device)
    place = torch.where(pairs >= 0, pairs, queries)  # what is not paired goes to a last column that is cut off
    wanted = table.scatter(1, place, kind.clamp(min=0))[:, :queries].repeat(layers, 1)
    weight = torch.ones(last + 1, device=said.device)
    weight[last] = _NOTHING
    return functional.cross_entropy(said.flatten(0, 2), wanted.flatten(), weight=weight)
