"""Scene graphs of boxes: what each shows, what that is like, and how it stands to the others.

s scenes; k boxes of one at most, of which t are there in all; w words; p predicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.crops import crop
from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import Block, heads_of, mixed
from mereo.models.learner import Learner
from mereo.models.residual import DEPTH_34, Residual
from mereo.models.sight import CODES, place_codes

__all__ = ["LikelyGraphs", "SceneGraphs"]

_MARGIN = 0.2
_SELDOM = -4.0
"""What logits begin with: most words are not true of a thing, and most pairs do not stand so."""
_GAPS = 16
"""Numbers that tell how two boxes lie to each other."""


class LikelyGraphs(NamedTuple):
    """How likely all is that could be said of some scenes."""

    names: Tensor
    """(s, k, names) float: sums to 1 over the names."""
    words: Tensor
    """(s, k, w) float: each word by itself."""
    related: Tensor
    """(s, k, k, p) float: how the first stands to the second, each predicate by itself."""


class SceneGraphs(Learner):
    """Looks at a crop of every box, lets what it saw of a scene look at each other, and tells of each and each pair.

    names : (s, k) int64, -1 where nothing is to be learned · words : (s, k, w) int8, -1 where that is unclear ·
    related, unclear : (s, k, k, p) bool
    """

    reads = ("picture", "boxes", "boxes_present", "names", "words", "related", "unclear")
    steady = False  # every batch has another number of boxes

    def __init__(
        self,
        *,
        names: int,
        words: int,
        predicates: int,
        width: int = 256,
        crop_width: int = 32,
        blocks: Sequence[int] = DEPTH_34,
        size: int = 64,
        layers: int = 2,
        dropout: float = 0.1,
    ):
        super().__init__()
        self.size, self.channels = size, 2 * width + 2 * CODES
        self.trunk = Residual(4, width=crop_width, blocks=blocks)
        self.seen = nn.Sequential(nn.Linear(self.trunk.features, width), nn.LayerNorm(width), nn.GELU())
        self.where = nn.Linear(2 * CODES, width)
        self.among = nn.ModuleList(Block(width, heads=heads_of(width), dropout=dropout) for _ in range(layers))
        self.names, self.words = mixed(2 * width, width, names), _seldom(mixed(2 * width, width, words))
        self.subject, self.object, self.gaps = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(_GAPS, width)
        self.pair = nn.Sequential(nn.LayerNorm(width), nn.GELU(), _seldom(mixed(width, width // 2, predicates)))

    def forward(self, batch: Batch) -> LikelyGraphs:
        """The same as logits."""
        edges = _edges(batch)
        own, places = self._looked(batch, edges)
        both = torch.cat([own, places], -1)
        ends = self.subject(places).unsqueeze(2) + self.object(places).unsqueeze(1)
        related = self.pair(ends + self.gaps(_apart(edges)))
        return LikelyGraphs(self.names(both).float(), self.words(both).float(), related.float())

    def lesson(self, batch: Batch) -> Lesson:
        """Of things and pairs that are there; what is unclear teaches nothing."""
        said, there = self(batch), batch["boxes_present"]
        things = there.sum().clamp(min=1)
        names = torch.where(there, batch["names"], -1)
        named = (names >= 0).sum().clamp(min=1)
        apart = functional.cross_entropy(said.names.flatten(0, 1), names.flatten(), ignore_index=-1, reduction="sum")
        told = (batch["words"] >= 0) & there.unsqueeze(-1)
        pairs = (there.unsqueeze(2) & there.unsqueeze(1) & ~_itself(there)).unsqueeze(-1) & ~batch["unclear"]
        found, true = (said.related > 0) & pairs, batch["related"] & pairs
        losses = {
            "names": apart / named,
            "words": _apart_by(said.words, batch["words"] > 0, told) / things,
            "related": _apart_by(said.related, true, pairs) / things,
        }
        wrong = (((said.words > 0) != (batch["words"] > 0)) & told).any(-1) & there
        marks = {
            "names": (said.names.argmax(-1) == names).sum() / named,
            "words": 1 - wrong.sum() / things,
            "related": (found & true).sum() / (found | true).sum().clamp(min=1),
        }
        return Lesson(losses, marks)

    @torch.inference_mode()
    def tell(self, batch: Batch) -> LikelyGraphs:
        """How likely all is; nothing stands to itself or to what is not there."""
        self.eval()
        said, there = self(batch), batch["boxes_present"]
        pairs = there.unsqueeze(2) & there.unsqueeze(1) & ~_itself(there)
        return LikelyGraphs(said.names.softmax(-1), said.words.sigmoid(), said.related.sigmoid() * pairs.unsqueeze(-1))

    @torch.inference_mode()
    def cells(self, batch: Batch) -> Tensor:
        """(s, k, channels): what each box shows, by itself and among the others, before that is put into words; and
        where it is."""
        self.eval()
        edges = _edges(batch)
        return torch.cat([*self._looked(batch, edges), _codes(edges)], -1)

    def _looked(self, batch: Batch, edges: Tensor) -> tuple[Tensor, Tensor]:
        """What each box shows by itself, and among the others, both (s, k, width). edges : (s, k, 4)"""
        own = self._crops(batch)
        places = own + self.where(_codes(edges))
        for block in self.among:
            places = block(places, batch["boxes_present"])
        return own, places

    def _crops(self, batch: Batch) -> Tensor:
        """(s, k, width): what the crops of boxes show, 0 where there is no box."""
        # Only what is there is looked at: boxes that fill up would spoil the norms of a batch.
        scene, place = batch["boxes_present"].nonzero(as_tuple=True)
        boxes = batch["boxes"][scene, place]
        shown = crop(batch["picture"][scene] - 0.5, boxes, self.size, margin=_MARGIN)
        own: Tensor = self.seen(self.trunk(torch.cat([shown, self._within(boxes, shown)], 1)))
        return own.new_zeros((*batch["boxes_present"].shape, own.shape[-1])).index_put((scene, place), own)

    def _within(self, boxes: Tensor, shown: Tensor) -> Tensor:
        """(t, 1, size, size): which part of a crop, which is square, lies within its box."""
        half = boxes[:, 2:] / boxes[:, 2:].amax(1, keepdim=True).clamp(min=1) / (1 + 2 * _MARGIN)
        across = ((torch.arange(self.size, device=boxes.device) + 0.5) / self.size * 2 - 1).abs()
        columns, rows = (across < half[:, axis, None] for axis in (0, 1))
        return (rows.unsqueeze(2) & columns.unsqueeze(1)).unsqueeze(1).to(shown.dtype)


def _seldom(layers: nn.Sequential) -> nn.Sequential:
    """Layers that say of nothing that it is so, to begin with."""
    last = layers[-1]
    assert isinstance(last, nn.Linear)
    nn.init.constant_(last.bias, _SELDOM)
    return layers


def _edges(batch: Batch) -> Tensor:
    """(s, k, 4): left, top, right and bottom of boxes as shares of the picture."""
    height, width = batch["picture"].shape[-2:]
    boxes = batch["boxes"] / batch["boxes"].new_tensor([width, height, width, height])
    return torch.cat([boxes[..., :2], boxes[..., :2] + boxes[..., 2:]], -1)


def _codes(edges: Tensor) -> Tensor:
    """(s, k, 2 CODES): where two corners of each box are."""
    return place_codes(edges.unflatten(-1, (2, 2)) * 2 - 1).flatten(-2)


def _apart(edges: Tensor) -> Tensor:
    """(s, k, k, gaps): how far each edge of a box is from those of another along the same axis, coarsely and finely."""
    corners = edges.unflatten(-1, (2, 2))  # two corners, each with column and row
    flat = (corners[:, :, None, :, None] - corners[:, None, :, None]).flatten(3)
    return torch.cat([torch.tanh(2 * flat), torch.tanh(16 * flat)], -1)


def _itself(there: Tensor) -> Tensor:
    return torch.eye(there.shape[1], dtype=torch.bool, device=there.device)


def _apart_by(said: Tensor, true: Tensor, counts: Tensor) -> Tensor:
    each = functional.binary_cross_entropy_with_logits(said, true.float(), reduction="none")
    return (each * counts).sum()
