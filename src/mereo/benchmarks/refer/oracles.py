"""Predictors of referring expressions that need no model: the truth, the truth moved aside, and nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mereo.benchmarks.refer.judge import Truth
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Header, Mask, Prediction, Predictions
from mereo.masks import shifted

__all__ = ["PREDICTORS", "point_at_nothing", "point_beside", "point_rightly"]

ASIDE = 20
"""Pixels."""


def point_rightly(asked: Asked, *, steps: bool = True) -> Predictions:
    """The true masks, and the true box where one entity is meant. steps : the masks of all steps, too"""
    truth = Truth(asked)
    masks, boxes = truth.last("masks"), truth.last("boxes")
    by_step: list[list[str]] = truth.table.column("masks").to_pylist() if steps else [[] for _ in asked.ids]
    given = []
    for place, name in enumerate(asked.ids):
        size = truth.sizes[place]
        said: dict[str, Any] = {"masks": [Mask(size, masks[place])]}
        if len(boxes[place]) == 1:
            left, top, width, height = boxes[place][0]
            said["boxes"] = [(left, top, width, height)]
        if steps:
            said["steps"] = [Mask(size, counts) for counts in by_step[place]]
        given.append(Prediction(name, **said))
    return Predictions(_header(asked, "the true masks"), given)


def point_beside(asked: Asked, *, by: int = ASIDE) -> Predictions:
    """The true masks and boxes, moved to the right as far as the picture goes."""
    truth = Truth(asked)
    masks, boxes = shifted(truth.masks(truth.last("masks"), range(len(asked))), by), truth.last("boxes")
    given = []
    for place, name in enumerate(asked.ids):
        width = truth.sizes[place][1]
        said: dict[str, Any] = {"masks": [Mask(truth.sizes[place], masks[place]["counts"])]}
        if len(boxes[place]) == 1:
            left, top, across, down = boxes[place][0]
            said["boxes"] = [(min(left + by, width), top, max(0, min(across, width - left - by)), down)]
        given.append(Prediction(name, **said))
    return Predictions(_header(asked, f"the true masks, {by} pixels to the right"), given)


def point_at_nothing(asked: Asked) -> Predictions:
    """Not one pixel, whatever is meant."""
    truth = Truth(asked)
    given = [
        Prediction(name, boxes=[], masks=[Mask(size, [size[0] * size[1]])])
        for name, size in zip(asked.ids, truth.sizes, strict=True)
    ]
    return Predictions(_header(asked, "nothing"), given)


def _header(asked: Asked, model: str) -> Header:
    return Header(
        dataset=asked.checksum,
        benchmark=asked.manifest.benchmark,
        model=model,
        selection=asked.selection,
        kind="oracle",
    )


PREDICTORS: Mapping[str, Callable[[Asked], Predictions]] = {
    "oracle": point_rightly,
    "shifted": point_beside,
    "empty": point_at_nothing,
}
"""By the name under which they are run."""
