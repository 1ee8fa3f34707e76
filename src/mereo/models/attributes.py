"""Attribute networks: what a thing is like, from crops of it (NS-VQA, PTR's Appendix C).

A thing is looked at in up to three views: `crop`, the thing itself; `around`, the object that it is a part of; `scene`,
all of the picture. In each its own pixels, and those of its object, are marked in further layers. b things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.crops import crop
from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.models.residual import DEPTH_34, Residual

__all__ = ["Attributes", "Said"]

_MARGIN = 0.15
_HIDDEN = 256
_ROUGH = 0.1
"""From which error of a number on the loss grows no faster than the error."""


@dataclass(frozen=True)
class Said:
    """One thing that a network says."""

    name: str
    kind: Literal["words", "several", "numbers"]
    """One of several values, any number of them, or numbers."""
    size: int
    views: tuple[str, ...]
    """What it looks at."""
    knows: bool = False
    """Whether it is told what the thing is a part of."""
    absent: int | None = None
    """The value that stands for none; without one, things that have none teach nothing."""
    only: tuple[str, int] | None = None
    """Another attribute and its value: things that do not have it teach nothing."""


class Attributes(Learner):
    """Says what things are like. known : how many kinds of objects there are, where it is told that of parts"""

    def __init__(
        self,
        said: Sequence[Said],
        *,
        known: int = 0,
        size: int = 64,
        scene: tuple[int, int] = (72, 108),
        width: int = 32,
        blocks: Sequence[int] = DEPTH_34,
    ) -> None:
        super().__init__()
        self.said, self.known, self.size, self.scene = tuple(said), known, size, scene
        layers = 5 if known else 4
        views = dict.fromkeys(view for one in said for view in one.views)
        trunks = {view: Residual(layers, width=width, blocks=blocks) for view in views}
        features = {view: trunk.features + (4 if view == "scene" else 0) for view, trunk in trunks.items()}
        self.trunks = nn.ModuleDict(trunks)
        self.heads = nn.ModuleDict(
            {one.name: _head(sum(features[view] for view in one.views) + known * one.knows, one.size) for one in said}
        )
        whole = ("whole_mask", "whole_box", "known") if known else ()
        self.reads = ("picture", "mask", "box", *whole, *(f"{one.kind}_{one.name}" for one in said))

    def forward(self, batch: Batch) -> dict[str, Tensor]:
        """By name (b, size): what is said, words as logits.

        picture : (b, 3, h, w) float, 0 to 1 · mask, whole_mask : (b, h, w) bool, the pixels of the thing and its object
        box, whole_box : (b, 4) float, the boxes of both · known : (b,) int64, what its object is, -1 where it has none
        """
        seen = self._views(batch)
        looks = {view: cast(Tensor, self.trunks[view](seen[view])) for view in self.trunks}
        if "scene" in looks:
            looks["scene"] = torch.cat([looks["scene"], self._where(batch)], 1)
        if self.known:
            told = functional.one_hot(batch["known"] + 1, self.known + 1)[:, 1:].float()
        return {
            one.name: self.heads[one.name](
                torch.cat([*(looks[view] for view in one.views), *((told,) if one.knows else ())], 1)
            )
            for one in self.said
        }

    def lesson(self, batch: Batch) -> Lesson:
        """How far what is said is from what is so; of things of which that is not known nothing is asked."""
        found = {name: one.float() for name, one in self(batch).items()}
        losses, marks = {}, {}
        for one in self.said:
            right = batch[f"{one.kind}_{one.name}"]
            if one.absent is not None:
                right = torch.where(right < 0, one.absent, right)
            asked = torch.ones(len(right), dtype=torch.bool, device=right.device)
            if one.only is not None:
                asked = batch[f"words_{one.only[0]}"] == one.only[1]
            losses[one.name], marks[one.name] = _marked(one.kind, found[one.name], right, asked)
        return Lesson(losses, marks)

    @torch.inference_mode()
    def tell(self, batch: Batch) -> dict[str, Tensor]:
        """By name (b, size) float: how likely each value is, or the numbers. Looks as whoever has learned."""
        self.eval()
        found = {name: one.float() for name, one in self(batch).items()}
        return {one.name: _likely(one.kind, found[one.name]) for one in self.said}

    def _views(self, batch: Batch) -> dict[str, Tensor]:
        marked = [batch["mask"], *([batch["whole_mask"]] if self.known else [])]
        layers = torch.cat([batch["picture"] - 0.5, torch.stack(marked, 1).to(batch["picture"].dtype)], 1)
        found = {}
        if "crop" in self.trunks:
            found["crop"] = crop(layers, batch["box"], self.size, margin=_MARGIN)
        if "around" in self.trunks:
            found["around"] = crop(layers, batch["whole_box"], self.size, margin=_MARGIN)
        if "scene" in self.trunks:
            found["scene"] = functional.interpolate(layers, self.scene, mode="area")
        return found

    def _where(self, batch: Batch) -> Tensor:
        """(b, 4): the middle and the extent of each box, from -1 to 1 and as shares of the picture."""
        height, width = batch["mask"].shape[1:]
        box = batch["box"] / batch["box"].new_tensor([width, height, width, height])
        return torch.cat([2 * box[:, :2] + box[:, 2:] - 1, box[:, 2:]], 1)


def _likely(kind: str, said: Tensor) -> Tensor:
    return said.softmax(1) if kind == "words" else said.sigmoid() if kind == "several" else said


def _head(given: int, size: int) -> nn.Module:
    return nn.Sequential(nn.Linear(given, _HIDDEN), nn.LayerNorm(_HIDDEN), nn.GELU(), nn.Linear(_HIDDEN, size))


def _marked(kind: str, said: Tensor, right: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
    """The loss of what was said, and the share of what was said well, over the things that were asked about."""
    if kind == "words":
        asked = asked & (right >= 0)
        each = functional.cross_entropy(said, right.clamp(min=0), reduction="none")
        well = said.argmax(1) == right
    elif kind == "several":
        each = functional.binary_cross_entropy_with_logits(said, right.float(), reduction="none").sum(1)
        well = ((said > 0) == right).all(1)
    else:
        asked = asked & right.isfinite().all(1)
        off = said - torch.where(asked[:, None], right, said.detach())
        each = functional.smooth_l1_loss(off, torch.zeros_like(off), reduction="none", beta=_ROUGH).sum(1)
        well = off.abs().amax(1) < _ROUGH
    count = asked.sum().clamp(min=1)
    return (each * asked).sum() / count, (well & asked).sum() / count
