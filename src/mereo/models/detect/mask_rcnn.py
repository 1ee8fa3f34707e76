"""Mask R-CNN, as torchvision has it, on a ResNet-50 with a feature pyramid: boxes are proposed, then masks in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from mereo.errors import MereoError
from mereo.models.detect.detector import Detected, Detector, true_masks
from mereo.models.kinds import Batch, Lesson

__all__ = ["MaskRCNN", "NoTorchvision"]

_SIZES = (8, 16, 32, 64, 128)
"""Pixels, of magnified pictures: how large the boxes are that levels of the pyramid propose. Parts are small."""
_SHAPES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Heights of these boxes over their widths: legs are long and thin."""
_COMMON = 0.05
"""Scores below this are not told."""


class NoTorchvision(MereoError, ImportError):
    """Mask R-CNN without the package that it comes from."""

    def __init__(self) -> None:
        super().__init__(
            "Mask R-CNN is torchvision's, which is not installed: pip install torchvision, or take mask2former"
        )


class MaskRCNN(Detector):
    """Masks in proposed boxes. Class-agnostic: there is a thing, or there is none."""

    def __init__(self, *, most: int = 100, magnified: float = 2.0, width: int = 320) -> None:
        """most : things of a picture; width : columns of the widest pictures that will be shown, before magnifying"""
        super().__init__()
        try:
            torchvision = import_module("torchvision.models.detection")
        except ImportError:
            raise NoTorchvision from None
        longest = round(width * magnified)
        self.network: Any = torchvision.maskrcnn_resnet50_fpn(
            weights=None,
            weights_backbone=None,
            num_classes=2,
            min_size=longest,
            max_size=longest,  # the longer side becomes this, whatever the shorter one is
            image_mean=[0.5, 0.5, 0.5],
            image_std=[0.25, 0.25, 0.25],
            rpn_anchor_generator=torchvision.anchor_utils.AnchorGenerator(
                tuple((size,) for size in _SIZES), (_SHAPES,) * len(_SIZES)
            ),
            box_score_thresh=_COMMON,
            box_detections_per_img=most,
        )

    def lesson(self, batch: Batch) -> Lesson:
        targets = [_target(masks) for masks in true_masks(batch)]
        # In full precision, because nobody has tried yet whether it bears less.
        with _learning(self.network), torch.autocast(batch["picture"].device.type, enabled=False):
            losses = self.network(list(batch["picture"].float()), targets)
        return Lesson({name.removeprefix("loss_"): loss.float() for name, loss in losses.items()}, {})

    @torch.inference_mode()
    def find(self, picture: Tensor) -> list[Detected]:
        self.network.eval()
        return [Detected(one["masks"][:, 0] > 0.5, one["scores"].float()) for one in self.network(list(picture))]


def _target(masks: Tensor) -> dict[str, Tensor]:
    """What torchvision learns from: boxes as their first and last edges, labels, masks. masks : (n, h, w) bool"""
    rows, columns = masks.any(2), masks.any(1)
    edges = [edge for lines in (columns, rows) for edge in _edges(lines)]
    return {
        "boxes": torch.stack([edges[0], edges[2], edges[1], edges[3]], 1).float(),
        "labels": torch.ones(len(masks), dtype=torch.int64, device=masks.device),
        "masks": masks.to(torch.uint8),
    }


def _edges(lines: Tensor) -> tuple[Tensor, Tensor]:
    """(n,) each: where lines (n, m) bool begin, and where they end: one after the last."""
    count = lines.shape[1]
    places = torch.arange(count, device=lines.device)
    return torch.where(lines, places, count).amin(1), torch.where(lines, places, -1).amax(1) + 1


@contextmanager
def _learning(network: nn.Module) -> Iterator[None]:
    """torchvision tells losses only while it learns; whoever only tries it must not change what it has counted."""
    learns = network.training
    network.train()
    if not learns:
        for each in network.modules():
            if isinstance(each, nn.BatchNorm2d):
                each.eval()
    try:
        yield
    finally:
        network.train(learns)
