"""Segmentation in prediction files: a mask over the points of a shape for each part that is said to be there.

    {"question_id": "test-000004-02", "answer": "chair/chair_seat=0.93, chair/chair_arm=0.7", "masks": [...]}

`answer` names the part of every mask by its label and, where instances are asked for, tells how sure each is; `masks`
are COCO's run lengths of pictures that are one row of points. At semantic segmentation no point may be in two masks.
A network that fills the same masks for every shape may say which of them it is, as `chair/chair_seat=0.93@17`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.metrics import Instances
from mereo.datasets.predictions import Mask, Prediction
from mereo.errors import BadInput, nearest
from mereo.masks import BadMask, decode, encode

__all__ = ["Said", "said_by", "saying"]

Bools = NDArray[np.bool_]


class Said(NamedTuple):
    """What a prediction says of n points.

    places : (k,) int, the place of each mask's part among the names, from 0
    masks : (k, n) bool
    confidence : (k,) float
    slots : (k,) int, which of a network's masks each is, -1 where that is not said
    """

    places: NDArray[np.int64]
    masks: Bools
    confidence: NDArray[np.float64]
    slots: NDArray[np.int64]

    def labels(self) -> NDArray[np.int64]:
        """(n,) the number of each point's part, from 1; 0 for those of none."""
        if (self.masks.sum(0) > 1).any():
            raise BadInput("puts a point into two parts", field="masks")
        found: NDArray[np.int64] = (self.masks * (self.places + 1)[:, None]).sum(0)
        return found

    def nodes(self, count: int) -> Bools:
        """(n, c) bool, the nodes of each point. count : how many nodes there are"""
        table = np.zeros((count, self.masks.shape[1]), bool)
        np.logical_or.at(table, self.places, self.masks)
        return table.T

    def instances(self) -> Instances:
        """Each mask as an instance."""
        return Instances(self.masks, self.places, np.ones(len(self.places), bool), self.confidence)


def saying(
    question: str,
    names: Sequence[str],
    masks: Any,
    confidence: Sequence[float] | None = None,
    slots: Sequence[int] | None = None,
) -> Prediction:
    """A prediction. names : of the part of each mask; masks : (k, n) bool; confidence : (k,)

    slots : (k,) which of a network's masks each is, where it fills the same ones for every shape
    """
    sure = [""] * len(names) if confidence is None else [f"={float(one):.6g}" for one in confidence]
    which = [""] * len(names) if slots is None else [f"@{slot}" for slot in slots]
    answer = ", ".join("".join(part) for part in zip(names, sure, which, strict=True))
    coded = [encode(np.asarray(mask, bool)[None]) for mask in masks]
    return Prediction(question, answer, masks=[Mask((1, one["size"][1]), one["counts"]) for one in coded])


def said_by(prediction: Prediction | None, names: Sequence[str], points: int) -> Said:
    """What a prediction says, checked; nothing where there is none. names : of the parts that there are"""
    masks = [] if prediction is None or prediction.masks is None else prediction.masks
    answer = "" if prediction is None or prediction.answer is None else str(prediction.answer)
    told = [part.strip() for part in answer.split(",")] if answer.strip() else []
    if len(told) != len(masks):
        raise BadInput(f"names {len(told):,} parts, and there are {len(masks):,} masks", field="answer")
    known = {name: place for place, name in enumerate(names)}
    places, sure, slots = [], [], []
    for part in told:
        said, at, slot = part.partition("@")
        name, equals, confidence = said.partition("=")
        if name not in known:
            raise BadInput(f"there is no part '{name}' to be told apart here{nearest(name, known)}", field="answer")
        places.append(known[name])
        sure.append(_number(confidence) if equals else 1.0)
        slots.append(_slot(slot) if at else -1)
    found = [_mask(mask, points, place) for place, mask in enumerate(masks)]
    marked = np.array(found, bool).reshape(len(found), points)
    return Said(np.array(places, np.int64), marked, np.array(sure), np.array(slots, np.int64))


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise BadInput(f"'{text}' does not say how sure a part is", field="answer")
    return number


def _slot(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadInput(f"'{text}' does not say which mask of a network a part is", field="answer")
    return int(text)


def _mask(mask: Mask, points: int, place: int) -> Bools:
    if tuple(mask.size) != (1, points):
        tall, wide = mask.size
        raise BadInput(f"is of {tall} x {wide:,} points, the shape of 1 x {points:,}", field=f"masks[{place}].size")
    try:
        found: Bools = decode({"size": list(mask.size), "counts": mask.counts})[0]
    except BadMask as error:
        raise BadInput(error.reason, field=f"masks[{place}].{error.field}") from None
    return found
