"""Parses that need no model: the truth, the truth as an imperfect eye would see it, and what is usual.

oracle  boxes, masks, places and properties as they are
noise   with a rate: so many objects are missed and so many properties and labels mistaken for others; boxes are moved
        by up to that share of their size, places by chance with that spread; no masks, so that boxes count
blind   the boxes of a training scene drawn by chance, everything in them as most training objects are, in their midst
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.parses import Parse, ParseHeader, Seen
from mereo.benchmarks.shop.shown import Shown, ShownThing, shown_scenes
from mereo.chance import generator
from mereo.datasets.asked import Selection, is_training
from mereo.datasets.inspector import Inspector
from mereo.datasets.predictions import Mask
from mereo.datasets.store import Manifest, fingerprint
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.baselines import judged_splits
from mereo.masks import Box

__all__ = ["PARSERS", "parse_scenes"]

Value = str | tuple[str, ...]


class Usual(NamedTuple):
    """What scenes to learn from are mostly like."""

    scenes: Sequence[Shown]
    values: Mapping[str, Any]
    """The most frequent value of every property."""
    place: tuple[float, float] | None
    """The mean of all places."""


class Parser(NamedTuple):
    """One way to parse without a model."""

    kind: str
    """As headers tell it: `oracle` or `baseline`."""
    model: str
    parse: Callable[[Shown, Usual | None, float, np.random.Generator], list[Seen]]
    """parse(scene, what is usual, rate, chance)"""
    learns: bool = False
    """Whether it needs to know what is usual."""


def parse_scenes(
    folder: Path,
    manifest: Manifest,
    eye: Inspector,
    how: str,
    *,
    splits: Sequence[str] = (),
    rate: float = 0.0,
    seed: int = 0,
) -> tuple[ParseHeader, Iterator[Parse]]:
    """Parses of all scenes of some splits: where none are named, of all that are not for training."""
    if how not in PARSERS:
        raise UnknownName("parser", how, PARSERS)
    if not 0 <= rate <= 1:
        raise BadInput(f"must be between 0 and 1, not {rate:g}", field="--rate")
    own = PARSERS[how]
    wanted = tuple(splits) or judged_splits(list(manifest.scenes))
    for split in wanted:
        if split not in manifest.scenes:
            raise UnknownName("split", split, manifest.scenes)
    # Where there is nothing to learn from, what is judged is learned from, which flatters and is still blind.
    training = [split for split in manifest.scenes if is_training(split)] or wanted
    usual = _learned(list(shown_scenes(folder, manifest, eye, training))) if own.learns else None
    header = ParseHeader(
        dataset=fingerprint(manifest),
        benchmark=manifest.benchmark,
        model=own.model,
        selection=Selection(wanted),
        kind=own.kind,
        settings={"parser": how, "rate": rate, "seed": seed},
    )
    parses = (
        Parse(shown.scene, own.parse(shown, usual, rate, generator(seed, "parse", how, shown.scene)))
        for shown in shown_scenes(folder, manifest, eye, wanted)
    )
    return header, parses


def _oracle(shown: Shown, usual: Usual | None, rate: float, rng: np.random.Generator) -> list[Seen]:
    return [
        Seen(thing.box, Mask(shown.size, thing.mask["counts"]), place=thing.place, **_values(thing))
        for thing in shown.things
    ]


def _values(thing: ShownThing) -> dict[str, Any]:
    own = thing.entity.attributes
    return {name: own[name] for name in (*VISUAL, *TEXTUAL) if name in own}


def _noise(shown: Shown, usual: Usual | None, rate: float, rng: np.random.Generator) -> list[Seen]:
    found = []
    for thing in shown.things:
        missed, sure = rng.random() < rate, rng.uniform(0.5, 1.0)
        box = _moved(thing.box, shown.size, rng.uniform(-rate, rate, 2))
        values: dict[str, Any] = {name: _mistaken(name, value, rate, rng) for name, value in _values(thing).items()}
        aside = rng.normal(0.0, rate, 2)
        place = (thing.place[0] + float(aside[0]), thing.place[1] + float(aside[1])) if thing.place else None
        if not missed:
            found.append(Seen(box, score=float(sure), place=place, **values))
    return found


def _moved(box: Box, size: tuple[int, int], by: Iterable[float]) -> Box:
    """A box moved by shares of its own size, as far as the picture goes."""
    left, top, across, down = box
    right, lower = by
    left = min(max(0.0, left + float(right) * across), size[1] - across)
    return left, min(max(0.0, top + float(lower) * down), size[0] - down), across, down


def _mistaken(name: str, value: Value, rate: float, rng: np.random.Generator) -> Value:
    """With this probability another value; of several labels each becomes one that is not among them."""
    several = (value,) if isinstance(value, str) else value
    others = [word for word in VOCABULARY.words(name) if word not in several]
    said = tuple(others[int(rng.integers(len(others)))] if rng.random() < rate else word for word in several)
    return said[0] if isinstance(value, str) else tuple(dict.fromkeys(said))


def _learned(scenes: Sequence[Shown]) -> Usual:
    things = [thing for scene in scenes for thing in scene.things]
    places = [thing.place for thing in things if thing.place is not None]
    x, y = np.mean(places, axis=0).tolist() if places else (0.0, 0.0)
    told = [_values(thing) for thing in things]
    values = {name: _most([own.get(name) for own in told]) for name in (*VISUAL, *TEXTUAL)}
    return Usual(scenes, values, (x, y) if places else None)


def _blind(shown: Shown, usual: Usual | None, rate: float, rng: np.random.Generator) -> list[Seen]:
    assert usual is not None
    drawn = usual.scenes[int(rng.integers(len(usual.scenes)))]
    down, across = (ours / theirs for ours, theirs in zip(shown.size, drawn.size, strict=True))
    boxes = ((across * box[0], down * box[1], across * box[2], down * box[3]) for _, box, _ in drawn.things)
    return [Seen(box, place=usual.place, **usual.values) for box in boxes]


def _most(values: Sequence[Any]) -> Any:
    """The most frequent value that is told, the first by the alphabet among equals."""
    counts = Counter(value for value in values if value is not None)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None


PARSERS: Mapping[str, Parser] = {
    "oracle": Parser("oracle", "the truth", _oracle),
    "noise": Parser("oracle", "the truth, seen imperfectly", _noise),
    "blind": Parser("baseline", "what is usual, without looking", _blind, learns=True),
}
"""By the name under which they are run."""
