"""Mask R-CNN, as torchvision has it, on a ResNet with a feature pyramid: boxes are proposed, then masks in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.errors import MereoError
from mereo.models.detect.detector import Detected, Detector, true_masks
from mereo.models.kinds import Batch, Lesson

__all__ = ["MaskRCNN", "NoTorchvision", "pasted"]

_SIZES = (8, 16, 32, 64, 128)
"""Pixels, of magnified pictures: how large the boxes are that levels of the pyramid propose. Parts are small."""
_SHAPES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Heights of these boxes over their widths: legs are long and thin."""
_COMMON = 0.05
"""Scores below this are not told."""
_PROPOSED, _LOOKED_AT, _TRUE = 600, 256, 0.5
"""Boxes of a picture that are proposed, those of them that a lesson looks into, and how many of these may be true."""
_OFF = 0.5
"""Pixels by which torchvision is off when it cuts masks out of boxes: it takes the first edge of one for its middle."""


class NoTorchvision(MereoError, ImportError):
    """Mask R-CNN without the package that it comes from."""

    def __init__(self) -> None:
        super().__init__(
            "Mask R-CNN is torchvision's, which is not installed: pip install torchvision, or take mask2former"
        )


class MaskRCNN(Detector):
    """Masks in proposed boxes. Class-agnostic: there is a thing, or there is none."""

    steady = False
    """As many masks are looked at as there are true boxes. To try out each number was three times slower."""

    def __init__(
        self, *, most: int = 100, magnified: float = 2.0, width: int = 320, backbone: str = "resnet18"
    ) -> None:
        """most : things of a picture; width : columns of the widest pictures that will be shown, before magnifying

        backbone : one of torchvision's; a small one, because it begins from nothing
        """
        super().__init__()
        try:
            detection = import_module("torchvision.models.detection")
        except ImportError:
            raise NoTorchvision from None
        longest = round(width * magnified)
        self.network: Any = detection.MaskRCNN(
            detection.backbone_utils.resnet_fpn_backbone(
                backbone_name=backbone, weights=None, norm_layer=nn.BatchNorm2d, trainable_layers=5
            ),
            num_classes=2,
            min_size=longest,
            max_size=longest,  # the longer side becomes this, whatever the shorter one is
            image_mean=[0.5, 0.5, 0.5],
            image_std=[0.25, 0.25, 0.25],
            rpn_anchor_generator=detection.anchor_utils.AnchorGenerator(
                tuple((size,) for size in _SIZES), (_SHAPES,) * len(_SIZES)
            ),
            **{f"rpn_{when}_nms_top_n_{use}": _PROPOSED for when in ("pre", "post") for use in ("train", "test")},
            box_batch_size_per_image=_LOOKED_AT,
            box_positive_fraction=_TRUE,
            box_score_thresh=_COMMON,
            box_detections_per_img=most,
        )
        self.network.backbone = _Quick(self.network.backbone)
        self.network.rpn.head = _Quick(self.network.rpn.head)
        self.network.roi_heads.box_head = _Quick(self.network.roi_heads.box_head)
        self.network.roi_heads.mask_head = _Quick(self.network.roi_heads.mask_head)

    def lesson(self, batch: Batch) -> Lesson:
        targets = [_target(masks) for masks in true_masks(batch)]
        with _learning(self.network), torch.autocast(batch["picture"].device.type, enabled=False):
            losses = self.network(list(batch["picture"].float()), targets)
        return Lesson({name.removeprefix("loss_"): loss.float() for name, loss in losses.items()}, {})

    @torch.inference_mode()
    def find(self, picture: Tensor) -> list[Detected]:
        network = self.network.eval()
        with torch.autocast(picture.device.type, enabled=False):
            # What the network does by itself, but for pasting, which waits for the device several times for each mask.
            shown, _ = network.transform(list(picture.float()))
            features = network.backbone(shown.tensors)
            proposed, _ = network.rpn(shown, features)
            found, _ = network.roi_heads(features, proposed, shown.image_sizes)
        size = (picture.shape[2], picture.shape[3])
        detected = []
        for one, shown_size in zip(found, shown.image_sizes, strict=True):
            masks = pasted(one["masks"][:, 0].float(), one["boxes"].float(), shown_size, size) > 0.5
            detected.append(Detected(masks, one["scores"].float()))
        return detected


def pasted(masks: Tensor, boxes: Tensor, shown: tuple[int, int], size: tuple[int, int]) -> Tensor:
    """(n, h, w) float: masks of boxes as they lie in a picture, all at once.

    They are laid as torchvision cuts out those that it learns from. What it lays itself is moved and widened by up to a
    pixel: of things three to eight pixels across perfect masks, laid by it, overlap with the truth by 0.61 in the mean,
    and laid like this by 1.

    masks : (n, r, c) float · boxes : (n, 4) float, first and last edges as columns and rows of a picture of the size
    `shown` · size : of the picture that is wanted; both as rows and columns
    """
    along, within = [], []
    for axis in (1, 0):
        middles = (torch.arange(size[axis], device=boxes.device) + 0.5) * (shown[axis] / size[axis])
        first, last = boxes[:, 1 - axis, None], boxes[:, 3 - axis, None]
        along.append(2 * (middles - _OFF - first) / (last - first).clamp(min=1e-3) - 1)
        within.append((middles > first) & (middles < last))
    (across, down), (columns, rows) = along, within
    where = torch.stack([across[:, None, :].expand(-1, size[0], -1), down[:, :, None].expand(-1, -1, size[1])], -1)
    laid = functional.grid_sample(masks[:, None], where, padding_mode="border", align_corners=False)[:, 0]
    return laid * (rows[:, :, None] & columns[:, None, :])


class _Quick(nn.Module):
    """A piece of the network that a GPU reckons in bfloat16. What it finds is float again, since boxes need digits."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, given: Any) -> Any:
        device = next(self.inner.parameters()).device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            return _whole(self.inner(given))


def _whole(found: Any) -> Any:
    """All tensors of what was found in full precision."""
    if isinstance(found, Tensor):
        return found.float()
    if isinstance(found, Mapping):
        return type(found)((name, _whole(one)) for name, one in found.items())  # type: ignore[call-arg]
    assert isinstance(found, Sequence)
    return type(found)(_whole(one) for one in found)  # type: ignore[call-arg]


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
