"""Looking at pictures of a split: by detectors and attribute networks, by the dense network, or by the truth.

Scenes are given by their places in the split; where none are given, all are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.ptr.learning.levels import LEVELS
from mereo.benchmarks.ptr.learning.nesting import with_wholes
from mereo.benchmarks.ptr.learning.truth import seen_of_truth
from mereo.datasets.reading import split_rows
from mereo.training.looking import (
    Found,
    found_by,
    found_in_truth,
    looked_ahead,
    pictures_of,
    seen_instances,
    sightings_of,
)
from mereo.training.seeing import COUNTS, Seen, SeenThing

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.training.row import Desk

__all__ = ["look_at_crops", "look_at_pixels", "look_at_truth"]


def look_at_crops(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """NS-VQA's way, scene by scene. Its choices `masks` and `attributes` put the truth in place of what is seen."""
    if desk.choices.get("attributes"):
        # How large masks are stands in the records; only who shows some scenes wants their shapes.
        everything = scenes is None
        yield from map(seen_of_truth, desk.corpus.rows(split)) if everything else look_at_truth(desk, split, scenes)
        return
    from mereo.benchmarks.ptr.learning.eyes import Eyes
    from mereo.training.device import mixed

    networks: dict[str, Any] = dict(desk.networks)
    eyes = Eyes(networks["object_attributes"], networks["part_attributes"])
    true = {level: desk.corpus.things(split, level) for level in LEVELS} if desk.choices.get("masks") else {}

    def found(level: str, places: Sequence[int], pictures: Tensor) -> list[Found]:
        if level in true:
            return [found_in_truth(true[level], place) for place in places]
        return found_by(networks[f"{level}s"], pictures)

    def look(places: Sequence[int], pictures: Tensor) -> list[Seen]:
        with mixed(desk.device):
            seen = eyes.see(pictures, *(found(level, places, pictures) for level in LEVELS))
        return [with_wholes(one) for one in seen]

    yield from looked_ahead(look, pictures_of(desk, split, scenes))


def look_at_pixels(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """The dense network's way, scene by scene."""
    for size, (objects, parts) in sightings_of(desk, split, scenes):
        wholes, own = seen_instances(LEVELS["object"], objects), seen_instances(LEVELS["part"], parts)
        if not desk.choices.get("counted"):
            wholes = [_uncounted(thing) for thing in wholes]
        yield with_wholes(Seen(size, wholes, own))


def _uncounted(thing: SeenThing) -> SeenThing:
    """An object of which nobody says how many parts it has: these are those that are found."""
    return replace(thing, numbers={name: value for name, value in thing.numbers.items() if name != COUNTS})


def look_at_truth(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """What an eye without fault would see, scene by scene."""
    corpus = desk.corpus
    if scenes is None:
        yield from map(seen_of_truth, split_rows(corpus.folder, corpus.manifest, [split], heavy=("instances",)))
    else:
        yield from (seen_of_truth(corpus.whole_row(split, scene)) for scene in scenes)
