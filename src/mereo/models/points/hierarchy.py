"""Hierarchical segmentation of clouds: which parts each point belongs to, from the whole down.

The nodes of a hierarchy that a point belongs to are one way down from the root, so the last of them tells all. b clouds
of n points, t nodes, m of them leaves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import exactly
from mereo.models.learner import Learner
from mereo.models.points.layers import Backbone

__all__ = ["DIRECTIONS", "BottomUp", "Hierarchical", "TopDown", "Tree", "voted"]


class Tree(nn.Module):
    """The nodes of a hierarchy and how they lie below each other, on the device of whoever asks."""

    ways: Tensor
    """(t, t) bool: which nodes lie on the way from the root to each, itself included."""
    below: Tensor
    """(t, most) int64: the nodes right below each, -1 where there are no more."""

    def __init__(self, parents: Sequence[int]):
        """parents : of each node, all of which come before it; -1 for the root, which comes first"""
        super().__init__()
        ways = [{0}]
        for node, parent in enumerate(parents[1:], 1):
            ways.append({node, *ways[parent]})
        children = [[node for node, above in enumerate(parents) if above == one] for one in range(len(parents))]
        most = max(map(len, children))
        below = [[*own, *[-1] * (most - len(own))] for own in children]
        on_way = [[node in way for node in range(len(parents))] for way in ways]
        self.register_buffer("ways", torch.tensor(on_way), persistent=False)
        self.register_buffer("below", torch.tensor(below), persistent=False)
        self.leaves = [node for node, own in enumerate(children) if not own]
        self.depth = max(map(len, ways)) - 1

    def __len__(self) -> int:
        return len(self.ways)

    def descend(self, scores: Tensor, stays: Tensor | None = None) -> Tensor:
        """(b, n) int64: where one comes to from the root, by the best node below as long as there is one.

        scores : (b, n, t) · stays : (b, n, t), what it is worth to go no further; nobody stops above leaves without
        """
        at = torch.zeros(scores.shape[:-1], dtype=torch.int64, device=scores.device)
        for _ in range(self.depth):
            below = self.below[at]
            there = below >= 0
            best, which = scores.gather(-1, below.clamp(min=0)).masked_fill(~there, -torch.inf).max(-1, keepdim=True)
            go = there.any(-1, keepdim=True)
            if stays is not None:
                go &= best > stays.gather(-1, at[..., None])
            at = torch.where(go, below.gather(-1, which), at[..., None])[..., 0]
        return at


class Hierarchical(Learner):
    """Tells for every point the last node of its way down.

    node : (b, n) int64, that of the truth, -1 where a point has none and teaches nothing
    """

    def __init__(self, backbone: Backbone, parents: Sequence[int], *, dropout: float = 0.5):
        super().__init__()
        self.backbone, self.tree = backbone, Tree(parents)
        self.head = nn.Sequential(nn.Dropout(dropout), nn.Linear(backbone.channels, len(parents)))
        self.reads = (*backbone.reads, "node")

    @abstractmethod
    def surprise(self, logits: Tensor, node: Tensor) -> Tensor:
        """(b, n): what is to become small at every point. logits : (b, n, t) · node : (b, n)"""

    @abstractmethod
    def reached(self, logits: Tensor) -> Tensor:
        """(b, n) int64: the last node of every point's way down. logits : (b, n, t)"""

    def lesson(self, batch: Batch) -> Lesson:
        """The mark is the share of the nodes on true ways that are on those which are told."""
        cells, besides = self.backbone(batch)
        logits = self.head(cells).float()
        known, node = batch["node"] >= 0, batch["node"].clamp(min=0)
        loss = (self.surprise(logits, node) * known).sum() / known.sum().clamp(min=1)
        true = self.tree.ways[node] & known[..., None]
        hit = (true & self.tree.ways[self.reached(logits.detach())]).sum() / true.sum().clamp(min=1)
        return Lesson({"node": loss, "turned": besides}, {"nodes": hit})

    @torch.inference_mode()
    def ask(self, batch: Batch) -> Tensor:
        """(b, n, t) bool: which nodes each point belongs to."""
        return self.tree.ways[self.reached(self.head(self.backbone(batch)[0]).float())]


class BottomUp(Hierarchical):
    """Learns where ways end: a leaf, or what is none of the parts of a node. What is above sums up what is below it.

    An inner node stands for its own "other", so there are as many ends as nodes.
    """

    def surprise(self, logits: Tensor, node: Tensor) -> Tensor:
        """Of the end of each way."""
        return nn.functional.cross_entropy(logits.flatten(0, 1), node.flatten(), reduction="none").view_as(node)

    def reached(self, logits: Tensor) -> Tensor:
        """Down by the sums, unless the end here is likelier than any part below."""
        ends = logits.softmax(-1)
        with exactly(ends):
            return self.tree.descend(ends @ self.tree.ways.to(ends.dtype), stays=ends)


class TopDown(Hierarchical):
    """Learns all nodes of a way at once, as labels of one softmax, and is asked from the coarse to the fine."""

    def surprise(self, logits: Tensor, node: Tensor) -> Tensor:
        """The sum over the nodes of each way."""
        return -(logits.log_softmax(-1) * self.tree.ways[node]).sum(-1)

    def reached(self, logits: Tensor) -> Tensor:
        """Down to a leaf: what belongs to a node belongs to one of its parts."""
        return self.tree.descend(logits)


DIRECTIONS: dict[str, type[Hierarchical]] = {"bottom_up": BottomUp, "top_down": TopDown}
"""By name."""


def voted(scores: Sequence[Tensor], ways: Sequence[Tensor]) -> Tensor:
    """(b, n) int64: the way that networks for several levels like best, by the mean logarithm of what they score it.

    scores : for each network (b, n, c), which sum to 1 over its parts
    ways : for each network (w, c) bool, which of its parts lie on each way; one without any has no say about that way
    """
    liked = voices = scores[0].new_zeros(())
    for score, own in zip(scores, ways, strict=True):
        has = own.any(1)
        with exactly(score):
            likely = (score @ own.to(score.dtype).T).clamp(min=1e-12).log()
        liked, voices = liked + likely * has, voices + has
    return torch.where(voices > 0, liked / voices.clamp(min=1), -torch.inf).argmax(-1)
