"""ReferQueries: things are found as masks, each is asked whether an expression means it, and any number may say yes.

A picture becomes features of its cells. Where the middle of a thing seems to be, a query stands up, which marks the
cells of its thing; queries are matched with the things that are there (Hungarian method). Then the queries of a
picture read each expression about it: words and queries look at each other, and each query tells whether it is meant.
Several targets are as natural as one or none, and nothing but the masks that were found can be marked.

b expressions, n words, g scenes, q queries, k things, d numbers each, rows x columns of cells.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import Block, heads_of, mixed
from mereo.models.matching import matched
from mereo.models.pyramid import Pyramid
from mereo.models.referring.masks import Marking, mask_loss, mask_overlap
from mereo.models.sight import CODES, cell_places, place_codes
from mereo.models.words import Words

__all__ = ["Pointed", "ReferQueries"]

_NOTHING = -10.0
"""What is said of cells that no target has."""
_SURE = 0.1
"""How likely there must be a thing for its query to be taken."""
_MIDDLE, _THING, _TARGET = 1.0, 1.0, 2.0
"""What middles, whether there is a thing, and whether it is meant count beside masks."""
_RARE = 4.0
"""What a target counts against a thing that is not meant, of which there are more."""


class Found(NamedTuple):
    """What was found in pictures, before anything is read."""

    middle: Tensor
    """(g, rows, columns): whether the middle of a thing is here; logits."""
    masks: Tensor
    """(g, q, rows, columns): the cells of each query's thing; logits."""
    thing: Tensor
    """(g, q): whether there is one; logits."""
    queries: Tensor
    """(g, q, d)"""
    cells: Tensor
    """(g, q) int64: where each query stands."""


class Pointed(NamedTuple):
    """What expressions mean."""

    found: Found
    target: Tensor
    """(b, q): whether a query's thing is meant; logits."""


class ReferQueries(Marking):
    """Finds all things, and tells which of them are meant."""

    reads = ("picture", "scene_of", "question", "covered", "boxes_present", "target", "meant")

    def __init__(
        self, words: Words, pyramid: Pyramid, *, width: int, detail: int = 4, queries: int = 24, layers: int = 6
    ):
        """detail : pixels to a side of a cell · queries : things that are found in one picture, at most"""
        super().__init__()
        self.words, self.pyramid, self.detail, self.count = words, pyramid, detail, queries
        self.cells = nn.Sequential(nn.Conv2d(pyramid.channels, width, 3, padding=1), nn.GroupNorm(1, width), nn.GELU())
        self.middle = nn.Conv2d(width, 1, 1)
        nn.init.constant_(self.middle.bias, -3.0)  # type: ignore[arg-type] # middles are rare
        self.pixels = nn.Conv2d(width + CODES, width, 1)
        self.marker = mixed(width + CODES, width, width + 1)
        self.told = mixed(2 * width + CODES, width, width)
        self.among = Block(width, heads=heads_of(width))
        self.thing = mixed(width, width, 1)
        # Without a hint of the whole expression at once, whether reading begins at all hung on the seed.
        self.ready, self.hint = nn.LayerNorm(width), nn.Linear(width, width)
        self.kind = nn.Parameter(torch.randn(2, width) * width**-0.5)
        self.blocks = nn.ModuleList(Block(width, heads=heads_of(width)) for _ in range(layers))
        self.meant = nn.Sequential(nn.LayerNorm(width), mixed(width, width, 1))

    def find(self, pictures: Tensor) -> Found:
        """All things that pictures show. pictures : (g, 3, h, w)"""
        height, across = (-(-size // self.detail) for size in pictures.shape[-2:])
        features = self.cells(functional.adaptive_avg_pool2d(self.pyramid(pictures), (height, across)))
        middle = self.middle(features)[:, 0].float()
        at = _tops(middle.detach(), self.count)
        places = place_codes(cell_places(height, across, features.device)).to(features.dtype)
        flat = features.flatten(2).mT
        own = torch.cat([_at(flat, at), places[at]], -1)
        codes = places.T.view(1, CODES, height, across).expand(len(features), -1, -1, -1)
        pixels = self.pixels(torch.cat([features, codes], 1)).flatten(2)
        marker = self.marker(own)
        masks = (marker[..., :-1] @ pixels * pixels.shape[1] ** -0.25 + marker[..., -1:]).float()
        # What a query knows of its thing is what lies under its mask, which it may not change to please a reader.
        weight = masks.detach().sigmoid()
        pooled = (weight / weight.sum(-1, keepdim=True).clamp(min=1)).to(flat.dtype) @ flat
        queries = self.told(torch.cat([own, pooled], -1))
        queries = self.among(queries, queries.new_ones(queries.shape[:2], dtype=torch.bool))
        thing = self.thing(queries)[..., 0].float()
        return Found(middle, masks.unflatten(2, (height, across)), thing, queries, at)

    def point(self, batch: Batch) -> Pointed:
        """Which of the things that were found each expression means."""
        found, question = self.find(batch["picture"]), self.words(batch["question"])
        queries = self.ready(found.queries)[batch["scene_of"]] * (1 + self.hint(question.whole))[:, None]
        both = torch.cat([question.words + self.kind[0], queries + self.kind[1]], 1)
        there = (found.thing.detach() > _logit(_SURE))[batch["scene_of"]]
        present = torch.cat([question.present, there], 1)
        for block in self.blocks:
            both = block(both, present)
        return Pointed(found, self.meant(both[:, -queries.shape[1] :])[..., 0].float())

    def mark(self, batch: Batch) -> Tensor:
        """All cells of what is meant."""
        return self.marked(self.point(batch), batch["scene_of"])

    def marked(self, pointed: Pointed, scene_of: Tensor) -> Tensor:
        """(b, rows, columns): of the things that are meant the surest at each cell."""
        found = pointed.found
        chosen = (pointed.target > 0) & (found.thing > 0)[scene_of]
        best = torch.full_like(found.middle[scene_of], _NOTHING)
        for query in range(chosen.shape[1]):  # all at once would be every mask for every expression
            masks = found.masks[:, query][scene_of]
            best = torch.where(chosen[:, query, None, None], torch.maximum(best, masks), best)
        return best

    def lesson(self, batch: Batch) -> Lesson:
        """Middles and masks of all things, whether there is one, and whether it is meant."""
        pointed, covered = self.point(batch), batch["covered"]
        found, present = pointed.found, batch["boxes_present"] & (covered.flatten(2).sum(-1) > 0)
        pairs = matched(_cost(found, covered), present)
        taken, at = pairs >= 0, pairs.clamp(min=0)
        queries = found.thing.shape[1]
        is_thing = _spread(taken, at, taken, queries)
        target = _spread(batch["target"] & taken[batch["scene_of"]], at[batch["scene_of"]], None, queries)
        own = found.masks.gather(1, at[..., None, None].expand(-1, -1, *covered.shape[2:]))
        wrong = mask_loss(own.flatten(0, 1), covered.flatten(0, 1)).view_as(taken)
        losses = {
            "middle": _MIDDLE * _middle_loss(found.middle, covered, present),
            "mask": (wrong * taken).sum() / taken.sum().clamp(min=1),
            "thing": _THING * functional.binary_cross_entropy_with_logits(found.thing, is_thing),
            "target": _TARGET * _target_loss(pointed.target, target, is_thing[batch["scene_of"]]),
        }
        with torch.no_grad():
            said = (pointed.target > 0) & (found.thing > 0)[batch["scene_of"]]
            meant = batch["meant"]
            right = ((said == (target > 0)).all(1)).float().mean()
            marks = {"right": right, "iou": mask_overlap(self.marked(pointed, batch["scene_of"]), meant).mean()}
        return Lesson(losses, marks)


def _logit(share: float) -> float:
    return float(torch.tensor(share).logit())


def _at(cells: Tensor, places: Tensor) -> Tensor:
    """cells : (g, m, d) · places : (g, q) · gives (g, q, d)"""
    return cells.gather(1, places[..., None].expand(-1, -1, cells.shape[-1]))


def _tops(middle: Tensor, count: int) -> Tensor:
    """(g, q) int64: the cells that are likeliest to be middles, and likelier than all beside them; the best first."""
    highest = functional.max_pool2d(middle[:, None], 3, 1, 1)[:, 0]
    ranked = torch.where(middle >= highest, middle, middle - 1e3).flatten(1)
    return ranked.topk(min(count, ranked.shape[1]), 1).indices


def _middles(covered: Tensor) -> Tensor:
    """(g, k) int64: the cell of each thing that is nearest to the middle of its cells."""
    rows, columns = covered.shape[2:]
    places = cell_places(rows, columns, covered.device)
    flat = covered.flatten(2)
    middle = flat @ places / flat.sum(-1, keepdim=True).clamp(min=1e-6)
    apart = torch.cdist(middle, places.expand(len(flat), -1, -1)) - flat.clamp(max=0.5)
    return apart.argmin(-1)


def _middle_loss(middle: Tensor, covered: Tensor, present: Tensor) -> Tensor:
    """CenterNet's focal loss: middles are to be found, and the cells around one are less wrong than others."""
    heat = middle.new_zeros(len(middle), middle[0].numel())
    top = heat.scatter_reduce(1, _middles(covered), present.to(heat.dtype), "amax").view_as(middle)
    around = functional.max_pool2d(top[:, None], 3, 1, 1)[:, 0]
    chance = middle.sigmoid()
    found = -((1 - chance) ** 2) * functional.logsigmoid(middle)
    invented = -((1 - 0.8 * around) ** 4) * chance**2 * functional.logsigmoid(-middle)
    return torch.where(top > 0, found, invented).sum() / top.sum().clamp(min=1)


@torch.no_grad()
def _cost(found: Found, covered: Tensor) -> Tensor:
    """(g, q, k): how little a query's mask is that of a thing, and how unsure it is that there is one."""
    chance, true = found.masks.sigmoid().flatten(2), covered.flatten(2)
    both = chance @ true.mT
    dice = 2 * both / (chance.sum(-1)[..., None] + true.sum(-1)[:, None]).clamp(min=1e-6)
    # A query is for the thing on which it stands, whatever it marks as yet.
    stands = true.gather(2, found.cells[:, None].expand(-1, true.shape[1], -1)).mT
    return -2 * dice - stands - found.thing.sigmoid()[..., None]


def _spread(values: Tensor, at: Tensor, taken: Tensor | None, queries: int) -> Tensor:
    """(b, q) float: what is true of things, at the queries that stand for them; 0 where a query stands for none.

    values : (b, k) bool · at : (b, k) · taken : (b, k) bool, by default those whose value is true
    """
    here = torch.where(values if taken is None else taken, at, queries)  # the others go to a last row that is cut off
    table = values.new_zeros(len(values), queries + 1, dtype=torch.float32)
    return table.scatter(1, here, values.float())[:, :queries]


def _target_loss(said: Tensor, target: Tensor, thing: Tensor) -> Tensor:
    """Whether each thing is meant; what is no thing teaches a little."""
    weight = torch.where(target > 0, _RARE, torch.where(thing > 0, 1.0, 0.1))
    loss = functional.binary_cross_entropy_with_logits(said, target, reduction="none")
    return (loss * weight).sum() / weight.sum()
