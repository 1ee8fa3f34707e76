"""Mask2Former, as transformers has it, on a small ResNet: as many queries as there may be things, a mask from each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from mereo.errors import MissingExtra
from mereo.models.detect.detector import Detected, Detector, true_masks
from mereo.models.kinds import Batch, Lesson

__all__ = ["Mask2Former"]

_MEAN, _SPREAD = 0.5, 0.25
_COMMON = 0.05
"""Scores below this are not told."""


class Mask2Former(Detector):
    """Masks from queries. Its masks have a quarter of the size of what it is shown, so pictures are magnified first."""

    def __init__(
        self, *, queries: int = 100, width: int = 128, layers: int = 6, magnified: float = 2.0, points: int = 4096
    ) -> None:
        """width : channels; layers : of the decoder; points : of a mask that a lesson looks at"""
        super().__init__()
        self.magnified = magnified
        self.network = _network(queries, width, layers, points)

    def lesson(self, batch: Batch) -> Lesson:
        said = self._said(batch["picture"], every=True)
        true = true_masks(batch)
        with torch.autocast(batch["picture"].device.type, enabled=False):
            masks = said.masks_queries_logits.float()
            losses = self.network.get_loss_dict(
                masks_queries_logits=masks,
                class_queries_logits=said.class_queries_logits.float(),
                mask_labels=[one.float() for one in true],
                class_labels=[one.new_zeros(len(one), dtype=torch.int64) for one in true],
                auxiliary_predictions=[
                    {name: one.float() for name, one in each.items()} for each in said.auxiliary_logits
                ],
            )
        return Lesson(_by_kind(losses), {"found": _share_found(masks.detach(), true)})

    @torch.inference_mode()
    def find(self, picture: Tensor) -> list[Detected]:
        said = self._said(picture, every=False)
        chance = said.class_queries_logits.float().softmax(-1)[..., 0]
        size = picture.shape[-2:]
        found = []
        for odds, small in zip(chance, said.masks_queries_logits.float(), strict=True):
            order = odds.argsort(descending=True)
            order = order[odds[order] >= _COMMON]
            likely = functional.interpolate(small[None, order], size, mode="bilinear")[0].sigmoid()
            masks = likely > 0.5
            area = masks.sum((1, 2))
            # How sure a mask is of its own pixels says how well it fits, which a query's own odds do not.
            scores = odds[order] * (likely * masks).sum((1, 2)) / area.clamp(min=1)
            order = scores.argsort(descending=True)
            order = order[area[order] > 0]
            found.append(Detected(masks[order], scores[order]))
        return found

    def _said(self, picture: Tensor, *, every: bool) -> Any:
        shown = (picture - _MEAN) / _SPREAD
        if self.magnified != 1:
            shown = functional.interpolate(shown, scale_factor=self.magnified, mode="bilinear")
        return self.network(shown, output_auxiliary_logits=every)


def _by_kind(losses: dict[str, Tensor]) -> dict[str, Tensor]:
    """The losses of all layers by what they are about. They are weighted already."""
    kinds = {"class": "cross_entropy", "mask": "mask", "dice": "dice"}
    return {
        name: torch.stack([loss for key, loss in losses.items() if f"loss_{kind}" in key]).sum()
        for name, kind in kinds.items()
    }


def _share_found(masks: Tensor, true: list[Tensor]) -> Tensor:
    """The share of true things that some query's mask covers by half. masks : (b, q, h, w) logits, smaller than true"""
    hit = []
    for said, each in zip(masks > 0, true, strict=True):
        if len(each):
            small = functional.interpolate(each[None].float(), said.shape[-2:], mode="area")[0].flatten(1) >= 0.5
            ours, theirs = said.flatten(1).float(), small.float()
            both = theirs @ ours.T
            hit.append(both / (theirs.sum(1)[:, None] + ours.sum(1) - both).clamp(min=1))
    best = [one.amax(1) > 0.5 for one in hit]
    return torch.cat(best).float().mean() if best else masks.new_zeros(())


def _network(queries: int, width: int, layers: int, points: int) -> Any:
    try:
        models: Any = import_module("transformers")
    except ImportError:
        raise MissingExtra("Mask2Former", "train") from None
    with _quiet(models.logging):
        backbone = models.ResNetConfig(
            embedding_size=max(width // 2, 8),
            hidden_sizes=[width // 2, width, 2 * width, 4 * width],
            depths=[2, 2, 2, 2],
            layer_type="basic",
            out_features=["stage1", "stage2", "stage3", "stage4"],
        )
        settings = models.Mask2FormerConfig(
            backbone_config=backbone,
            feature_size=width,
            mask_feature_size=width,
            hidden_dim=width,
            encoder_feedforward_dim=4 * width,
            dim_feedforward=4 * width,
            encoder_layers=min(layers, 4),
            decoder_layers=layers,
            num_attention_heads=max(width // 32, 2),
            num_queries=queries,
            train_num_points=points,
            id2label={0: "thing"},
        )
        return models.Mask2FormerForUniversalSegmentation(settings)


@contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """Without the remark that ResNet is not what Mask2Former was published with."""
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)
