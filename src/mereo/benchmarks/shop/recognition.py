"""How well objects are found and recognized: parses beside what is there, object by object.

An object counts as found where a parse has a mask of it (or, without masks, a box) that overlaps the true one by more
than a threshold. Parsed objects choose the true one that they overlap most, the surest first, one to one. A property is
right only of an object that is found, and every score is a share of all objects, as in SHOP-VRB's tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.parses import Parses, Seen, checked_masks
from mereo.benchmarks.shop.shown import Shown, ShownThing
from mereo.evaluation.boxes import Detections, overlaps, paired, right_ones
from mereo.masks import areas, shared

__all__ = ["LABELS", "Looked", "Recognized", "detections", "looked_at", "recognized"]

LABELS = VOCABULARY.words("attribute")
"""The labels of which an object has several at once."""
_PROPERTIES = tuple(name for name in (*VISUAL, *TEXTUAL) if name != "attribute")

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Looked(NamedTuple):
    """One scene and what a parse sees in it."""

    shown: Shown
    seen: Sequence[Seen]
    boxes: Floats
    """(seen, things): by how much their boxes overlap."""
    overlap: Floats
    """(seen, things): by how much their masks do or, where a parse has none, their boxes."""

    @property
    def scores(self) -> list[float]:
        """How sure each object is."""
        return [one.score for one in self.seen]


class Recognized(NamedTuple):
    """What became of every true object of some scenes."""

    scenes: NDArray[np.int64]
    """(n,) the scene of each, counted from 0."""
    found: Flags
    """(n,)"""
    right: Mapping[str, Floats]
    """By property (n,): 1 where the object is found and its value right; NaN where the dataset tells no value."""
    distance: Floats
    """(n,) from where it stands to where it is said to; NaN where it is not found or one of the two is not told."""
    true: Flags
    """(n, labels)"""
    said: Flags
    """(n, labels), none of an object that is not found."""


def looked_at(shown: Shown, parses: Parses) -> Looked:
    """A scene beside its parse: one that is not parsed has nothing in it."""
    if shown.scene not in parses.by_scene:
        return Looked(shown, (), *[np.zeros((0, len(shown.things)))] * 2)
    seen, masks = parses.by_scene[shown.scene].objects, checked_masks(parses, shown.scene, shown.size)
    boxes = overlaps([one.box for one in seen], [thing.box for thing in shown.things])
    overlap = boxes.copy()
    true = [thing.mask for thing in shown.things]
    for place, mask in masks.items():
        both = shared([mask] * len(true), true)
        overlap[place] = both / (areas([mask]) + areas(true) - both)
    return Looked(shown, seen, boxes, overlap)


def recognized(looked: Sequence[Looked], *, least: float) -> Recognized:
    """What is recognized in some scenes. least : by more than this masks must overlap"""
    pairs: list[tuple[ShownThing, Seen | None]] = []
    scenes: list[int] = []
    for number, own in enumerate(looked):
        found = paired(own.overlap, own.scores, least=least)
        for place, thing in enumerate(own.shown.things):
            pairs.append((thing, own.seen[found[place]] if place in found else None))
            scenes.append(number)
    return Recognized(
        np.array(scenes, np.int64),
        np.array([seen is not None for _, seen in pairs], bool),
        {name: np.array([_right(name, *pair) for pair in pairs]) for name in _PROPERTIES},
        np.array([_distance(*pair) for pair in pairs]),
        _labels([thing.entity.attributes.get("attribute") or () for thing, _ in pairs]),
        _labels([(seen.attribute or ()) if seen is not None else () for _, seen in pairs]),
    )


def _right(name: str, thing: ShownThing, seen: Seen | None) -> float:
    true = thing.entity.attributes.get(name)
    return math.nan if true is None else float(seen is not None and getattr(seen, name) == true)


def _distance(thing: ShownThing, seen: Seen | None) -> float:
    if seen is None or seen.place is None or thing.place is None:
        return math.nan
    return math.dist(seen.place, thing.place)


def _labels(told: Sequence[str | tuple[str, ...]]) -> Flags:
    """(n, labels): which labels each object has."""
    return np.array([[label in own for label in LABELS] for own in told], bool).reshape(-1, len(LABELS))


def detections(looked: Sequence[Looked], name: str) -> Detections:
    """What is found of a class in some scenes, by boxes, whatever their masks are."""
    scores: list[float] = []
    right: list[bool] = []
    scenes: list[int] = []
    counts = np.zeros(len(looked), np.int64)
    for number, own in enumerate(looked):
        true = [k for k, thing in enumerate(own.shown.things) if thing.entity.attributes["name"] == name]
        seen = [k for k, one in enumerate(own.seen) if one.name == name]
        counts[number] = len(true)
        if seen:
            sure = [own.seen[k].score for k in seen]
            right += right_ones(own.boxes[np.ix_(seen, true)], sure).tolist()
            scores += sure
            scenes += [number] * len(seen)
    return Detections(scores, right, scenes, counts)
