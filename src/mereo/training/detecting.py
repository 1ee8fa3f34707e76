"""Average precision: how well things are found in pictures, as COCO measures it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.errors import MissingExtra
from mereo.masks import Pixels, box_of, encode

__all__ = ["Outlines", "Precision", "average_precision"]

_MOST = 300
"""Things of a picture that are looked at, the surest; COCO's own 100 are fewer than a room has parts."""


@dataclass(frozen=True)
class Outlines:
    """The things of one picture: true ones, or those that were found."""

    masks: Sequence[Pixels]
    """(height, width) bool each"""
    scores: Sequence[float] = ()
    """How sure each is, of those that were found."""
    names: Sequence[int] | None = None
    """What each is; without names, to find something is all that counts."""


class Precision(NamedTuple):
    """Average precision, 0 to 1; NaN where there is nothing to be found."""

    box: float
    box50: float
    mask: float
    mask50: float
    """By boxes or by masks; as a mean over overlaps from 0.5 to 0.95, or at 0.5."""


def average_precision(found: Iterable[Outlines], true: Iterable[Outlines]) -> Precision:
    """How well the things of pictures were found, picture by picture; a mean over names where they have any."""
    truth, answers, categories = _annotations(found, true)
    box, mask = (_precision(truth, answers, categories, kind) for kind in ("bbox", "segm"))
    return Precision(*box, *mask)


def _annotations(
    found: Iterable[Outlines], true: Iterable[Outlines]
) -> tuple[dict[str, Any], list[dict[str, Any]], Sequence[int]]:
    """Pictures and true things in COCO's words, the things found, and all names of true things."""
    images: list[dict[str, Any]] = []
    there: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for picture, (given, told) in enumerate(zip(found, true, strict=True)):
        height, width = next((mask.shape for mask in [*told.masks, *given.masks]), (1, 1))
        images.append({"id": picture, "height": height, "width": width})
        for mask, name in zip(told.masks, _names(told), strict=True):
            if own := _outlined(mask, picture, name):
                # COCO takes number 0 for "matched with nothing", so that numbers begin with 1.
                there.append(own | {"id": len(there) + 1, "iscrowd": 0})
        for mask, name, score in zip(given.masks, _names(given), given.scores, strict=True):
            if own := _outlined(mask, picture, name):
                answers.append(own | {"id": len(answers) + 1, "score": float(score)})
    categories = sorted({one["category_id"] for one in there})
    return {"images": images, "annotations": there}, answers, categories


def _names(outlines: Outlines) -> Sequence[int]:
    return outlines.names if outlines.names is not None else [0] * len(outlines.masks)


def _outlined(mask: Pixels, picture: int, name: int) -> dict[str, Any] | None:
    """One thing in COCO's words; None where it has no pixels."""
    box = box_of(mask)
    if box is None:
        return None
    told = {"image_id": picture, "category_id": int(name), "bbox": list(box), "area": int(mask.sum())}
    return told | {"segmentation": encode(mask)}


def _precision(
    truth: Mapping[str, Any], answers: Sequence[Mapping[str, Any]], categories: Sequence[int], kind: str
) -> tuple[float, float]:
    """Average precision over all overlaps and at 0.5. kind : COCO's word for boxes or masks"""
    try:
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    except ImportError:
        raise MissingExtra("Average precision", "scenes") from None
    if not categories:
        return float("nan"), float("nan")
    with redirect_stdout(StringIO()):
        sets = []
        for annotations in (truth["annotations"], answers):
            data = COCO()
            data.dataset = {
                "images": truth["images"],
                "categories": [{"id": name} for name in categories],
                "annotations": [dict(one, iscrowd=0) for one in annotations],
            }
            data.createIndex()
            sets.append(data)
        judge = COCOeval(*sets, iouType=kind)
        judge.params.maxDets = [_MOST]
        judge.params.areaRng, judge.params.areaRngLbl = [[0, 1e10]], ["all"]
        judge.evaluate()
        judge.accumulate()
    precision: NDArray[np.float64] = judge.eval["precision"]
    return float(precision.mean()), float(precision[0].mean())
