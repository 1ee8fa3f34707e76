"""What eyes and pages say together: a page names its thing, and labels come in lists that were met before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mereo.benchmarks.shop.learning.levels import READ, SEEN
from mereo.training.seeing import Seen, SeenThing

if TYPE_CHECKING:
    from mereo.training.row import Desk

__all__ = ["NAMED", "agreed"]

NAMED = "page_name"
"""What a page calls the thing that it is about."""
_LEAST = 1e-6


def agreed(desk: Desk, seen: Iterable[Seen]) -> Iterator[Seen]:
    """Things with the labels of the likeliest list that was an answer in training, and by the choice `named` called
    what eyes and page together say."""
    lists, named = _lists(desk.lexicon.answers), bool(desk.choices.get("named"))
    for one in seen:
        yield replace(one, objects=[_agreed(thing, lists, named=named) for thing in one.objects])


def _lists(answers: Sequence[str]) -> list[tuple[str, ...]]:
    """The answers that are lists of labels."""
    known = {*READ.several["attribute"]}
    found = [tuple(answer.split(", ")) for answer in answers]
    return [labels for labels in found if len(labels) > 1 and known.issuperset(labels)]


def _agreed(thing: SeenThing, lists: Sequence[tuple[str, ...]], *, named: bool) -> SeenThing:
    words, odds = dict[str, Any](thing.words), dict(thing.odds)
    if named and NAMED in odds and "name" in odds:
        both = odds["name"] * odds[NAMED] + _LEAST
        odds["name"] = both / both.sum()
        words["name"] = SEEN.words["name"][int(both.argmax())]
    if lists and "attribute" in odds:
        likely = np.clip(odds["attribute"].astype(np.float64), _LEAST, 1 - _LEAST)
        rows = np.array([[label in own for label in READ.several["attribute"]] for own in lists])
        best = int((rows * np.log(likely) + ~rows * np.log(1 - likely)).sum(1).argmax())
        words["attribute"] = lists[best]
    return replace(thing, words=words, odds=odds)
