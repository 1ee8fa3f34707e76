"""Detectors by name. The packages that they come from are imported when one is asked for."""

from __future__ import annotations

from collections.abc import Callable

from mereo.errors import UnknownName
from mereo.models.detect.detector import Detector

__all__ = ["make_detector"]


def make_detector(name: str, **settings: int | float) -> Detector:
    """A detector that has learned nothing yet, by name: `mask2former` or `mask_rcnn`."""
    from mereo.models.detect.mask2former import Mask2Former
    from mereo.models.detect.mask_rcnn import MaskRCNN

    known: dict[str, Callable[..., Detector]] = {"mask2former": Mask2Former, "mask_rcnn": MaskRCNN}
    if name not in known:
        raise UnknownName("detector", name, known)
    return known[name](**settings)
