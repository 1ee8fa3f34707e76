"""What MDETR learns from: boxes, words that speak of them, and meanings that come near to each other.

b questions, n words, q queries, k things, l layers.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.matching import centered, generalized_overlap, matched, overlap

__all__ = ["Aims", "aims", "detection"]

_CORNERS, _OVERLAP = 5.0, 2.0
"""What distances of boxes and their overlap weigh against one word, in matching as in learning."""
_NOTHING = 0.1
"""What a query without a thing weighs: there are many more of these."""
_SHARP = 0.07
"""The temperature of nearness."""


class Aims(NamedTuple):
    """What is to be found."""

    boxes: Tensor
    """(b, k, 4): center column, center row, width and height, 0 to 1."""
    present: Tensor
    """(b, k) bool"""
    tokens: Tensor
    """(b, k, n + 2): which share each word has in speaking of it; the last but one where none does."""
    spans: Tensor
    """(b, k, n) bool"""
    words: Tensor
    """(b, n) bool: which words there are."""


def aims(boxes: Tensor, present: Tensor, spans: Tensor, words: Tensor, *, size: tuple[int, int]) -> Aims:
    """What is to be found. boxes : (b, k, 4), left, top, width and height in pixels of a picture of this size"""
    present = present & (boxes.nan_to_num()[..., 2:] > 0).all(-1)
    spans = spans & words[:, None] & present[..., None]
    spoken = functional.pad(spans.float(), (0, 2))
    spoken[..., -2] = ~spans.any(-1)
    shares = spoken / spoken.sum(-1, keepdim=True)
    return Aims(centered(boxes.nan_to_num().float(), size), present, shares, spans, words)


def detection(boxes: Tensor, tokens: Tensor, alike: Tensor, aim: Aims) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Losses and marks. boxes : (l, b, q, 4) · tokens : (l, b, q, n + 2) · alike : (b, q, n)

    Layers share the pairs of the last: pairing off is the one thing here that waits for the processor.
    """
    pairs = matched(_cost(boxes[-1], tokens[-1].softmax(-1), aim), aim.present)
    taken, at = pairs >= 0, pairs.clamp(min=0)
    count = taken.sum().clamp(min=1)
    mine = boxes.gather(2, at[None, ..., None].expand(len(boxes), -1, -1, 4))
    apart = (mine - aim.boxes).abs().sum(-1)
    beside = 1 - generalized_overlap(mine, aim.boxes)
    losses = {
        "corners": _CORNERS * (apart * taken).sum() / count / len(boxes),
        "overlap": _OVERLAP * (beside * taken).sum() / count / len(boxes),
        "tokens": _token_loss(tokens, at, taken, aim),
        "nearness": _nearness(alike.gather(1, at[..., None].expand(-1, -1, alike.shape[-1])), alike, at, taken, aim),
    }
    with torch.no_grad():
        pointed = tokens[-1].gather(1, at[..., None].expand(-1, -1, tokens.shape[-1])).argmax(-1, keepdim=True)
        spoken = aim.spans.any(-1) & taken
        told = functional.pad(aim.spans, (0, 2)).gather(-1, pointed).squeeze(-1)
        marks = {
            "found": ((overlap(mine[-1], aim.boxes) > 0.5) & taken).sum() / aim.present.sum().clamp(min=1),
            "pointed": (told & spoken).sum() / spoken.sum().clamp(min=1),
        }
    return losses, marks


def _cost(boxes: Tensor, tokens: Tensor, aim: Aims) -> Tensor:
    """(b, q, k)"""
    boxes, tokens = boxes.detach(), tokens.detach()
    apart = torch.cdist(boxes, aim.boxes, p=1)
    near = generalized_overlap(boxes[:, :, None], aim.boxes[:, None])
    return _CORNERS * apart - _OVERLAP * near - tokens @ aim.tokens.mT


def _token_loss(tokens: Tensor, at: Tensor, taken: Tensor, aim: Aims) -> Tensor:
    """How far the words of every query are from those that speak of its thing, or from nothing where it has none."""
    layers, examples, queries, words = tokens.shape
    wanted = tokens.new_zeros(examples, queries + 1, words)
    wanted[..., -1] = 1
    place = torch.where(taken, at, queries)  # what is not taken goes to a last row that is cut off
    wanted = wanted.scatter(1, place[..., None].expand(-1, -1, words), aim.tokens)[:, :queries]
    weight = torch.where(wanted[..., -1] > 0, _NOTHING, 1.0)
    lost = -(wanted * tokens.log_softmax(-1)).sum(-1) * weight
    return lost.sum() / taken.sum().clamp(min=1) / layers


def _nearness(mine: Tensor, alike: Tensor, at: Tensor, taken: Tensor, aim: Aims) -> Tensor:
    """Things are nearest to the words that speak of them, and words to their things.

    mine : (b, k, n), the nearness of matched queries to words · alike : (b, q, n), that of all queries
    """
    spans = aim.spans & taken[..., None]
    to_words = (mine / _SHARP).masked_fill(~aim.words[:, None], -1e4).log_softmax(-1)
    to_things = (alike / _SHARP).log_softmax(1).gather(1, at[..., None].expand_as(mine))
    things, words = spans.sum(-1), spans.sum(1)
    first = (-(to_words * spans).sum(-1) / things.clamp(min=1)).sum() / (things > 0).sum().clamp(min=1)
    second = (-(to_things * spans).sum(1) / words.clamp(min=1)).sum() / (words > 0).sum().clamp(min=1)
    return (first + second) / 2
