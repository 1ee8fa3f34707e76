"""What eyes and pages say together: a page names its thing, and labels come in lists that were met before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.shop.learning.levels import READ, SEEN
from mereo.training.seeing import SeenThing

__all__ = ["NAMED", "called_together", "known_lists", "with_known_list"]

NAMED = "page_name"
"""What a page calls the thing that it is about."""
_LEAST = 1e-6


def called_together(thing: SeenThing, told: Mapping[str, NDArray[np.float32]]) -> SeenThing:
    """A thing that is called what eyes and page together say; what the eyes alone say where either says nothing.

    told : by attribute how likely each value is, as read
    """
    if NAMED not in told or "name" not in thing.odds:
        return thing
    both = thing.odds["name"] * told[NAMED] + _LEAST
    name = SEEN.words["name"][int(both.argmax())]
    return replace(thing, words={**thing.words, "name": name}, odds={**thing.odds, "name": both / both.sum()})


def known_lists(answers: Sequence[str]) -> list[tuple[str, ...]]:
    """The answers that are lists of labels."""
    known = {*READ.several["attribute"]}
    found = [tuple(answer.split(", ")) for answer in answers]
    return [labels for labels in found if len(labels) > 1 and known.issuperset(labels)]


def with_known_list(thing: SeenThing, lists: Sequence[tuple[str, ...]]) -> SeenThing:
    """A thing that has the labels of the likeliest list."""
    if not lists or "attribute" not in thing.odds:
        return thing
    likely = np.clip(thing.odds["attribute"].astype(np.float64), _LEAST, 1 - _LEAST)
    rows = np.array([[label in own for label in READ.several["attribute"]] for own in lists])
    best = int((rows * np.log(likely) + ~rows * np.log(1 - likely)).sum(1).argmax())
    return replace(thing, words={**thing.words, "attribute": lists[best]})
