"""Looking at tables of a split, and reading the pages of what stands on them: by networks, or by the truth.

Scenes are given by their places in the split; where none are given, all are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.shop.learning.levels import SEEN
from mereo.benchmarks.shop.learning.truth import read_truly
from mereo.training.looking import (
    found_by,
    found_in_truth,
    looked_ahead,
    pictures_of,
    seen_instances,
    seen_thing,
    seen_truly,
    sightings_of,
    told_of,
)
from mereo.training.seeing import Seen

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.training.row import Desk

__all__ = ["Look", "crops_and_pages", "look_at_crops", "look_at_pixels", "pixels_and_pages"]

_AT_ONCE = 32
"""Scenes whose pages are read together."""

Look = Callable[["Desk", str, Sequence[int] | None], Iterator[Seen]]


def look_at_crops(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """NS-VQA's way, scene by scene. Its choices `masks` and `attributes` put the truth in place of what is seen."""
    if desk.choices.get("attributes"):
        yield from _truly(desk, split, scenes)
        return
    from mereo.training.device import mixed

    networks: dict[str, Any] = dict(desk.networks)
    true = desk.corpus.things(split, "object") if desk.choices.get("masks") else None

    def look(places: Sequence[int], pictures: Tensor) -> list[Seen]:
        size = (pictures.shape[2], pictures.shape[3])
        with mixed(desk.device):
            if true is not None:
                found = [found_in_truth(true, place) for place in places]
            else:
                found = found_by(networks["objects"], pictures)
            of = [k for k, one in enumerate(found) for _ in one.masks]
            told = told_of(networks["attributes"], pictures, of, [mask for one in found for mask in one.masks])
            said = [[next(told) for _ in one.masks] for one in found]
        each = [zip(one.masks, own, one.scores, strict=True) for one, own in zip(found, said, strict=True)]
        return [Seen(size, [seen_thing(SEEN, mask, words, score=score) for mask, words, score in one]) for one in each]

    yield from looked_ahead(look, pictures_of(desk, split, scenes))


def look_at_pixels(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """The dense network's way, scene by scene; by the choice `attributes` the truth."""
    if desk.choices.get("attributes"):
        yield from _truly(desk, split, scenes)
    else:
        found = sightings_of(desk, split, scenes)
        yield from (Seen(size, seen_instances(SEEN, one.objects)) for size, one in found)


def crops_and_pages(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """NS-VQA's way, with what is read about the things."""
    return _read(desk, split, scenes, look_at_crops(desk, split, scenes), agreeing=False)


def pixels_and_pages(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """The dense network's way, with what is read about the things, on which eyes and pages agree."""
    return _read(desk, split, scenes, look_at_pixels(desk, split, scenes), agreeing=True)


def _truly(desk: Desk, split: str, scenes: Sequence[int] | None) -> Iterator[Seen]:
    return (seen_truly(desk.corpus, split, scene) for scene in _all(desk, split, scenes))


def _all(desk: Desk, split: str, scenes: Sequence[int] | None) -> Sequence[int]:
    return range(len(desk.corpus.rows(split))) if scenes is None else scenes


def _read(
    desk: Desk, split: str, scenes: Sequence[int] | None, seen: Iterator[Seen], *, agreeing: bool
) -> Iterator[Seen]:
    """What was seen, with what the reader tells of it; by the choice `pages` with what is truly to be read."""
    from mereo.benchmarks.shop.learning.pages import read_about, read_in_agreement

    read, wanted = read_in_agreement if agreeing else read_about, _all(desk, split, scenes)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        own = [*islice(seen, len(some))]
        if desk.choices.get("pages"):
            yield from (read_truly(desk.corpus, split, scene, one) for scene, one in zip(some, own, strict=True))
        else:
            yield from read(desk, split, some, own)
