"""Which shapes stand for their categories in pictures, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mereo.benchmarks.partnet.clouds import Cloud, cloud_of
from mereo.benchmarks.partnet.labels import read_labels
from mereo.benchmarks.partnet.names import AskedSet
from mereo.benchmarks.partnet.scoring import Found, found_of, together
from mereo.benchmarks.partnet.views import shape_view
from mereo.datasets.asked import Asked
from mereo.datasets.point_views import PointView, Telling
from mereo.datasets.predictions import Predictions
from mereo.datasets.reading import scene_rows
from mereo.errors import BadInput

__all__ = ["Runs", "Shape", "Specimen", "all_say", "choose_specimens", "read_shapes"]

Runs = Mapping[str, Predictions]
"""What to call each run, and its predictions for the questions that are drawn."""


class Score(NamedTuple):
    """What a run scores, each between 0 and 1."""

    here: float
    """On one shape."""
    everywhere: float
    """On all of its category."""

    def __str__(self) -> str:
        return f"{100 * self.here:.1f} ({100 * self.everywhere:.1f})"


@dataclass(frozen=True)
class Specimen:
    """The shape that stands for a category."""

    own: AskedSet
    answered: Sequence[int]
    """Where the questions of its category stand, of those that all runs answered."""
    place: int
    """Its own: that in the middle by what the first run scores, or the first where there is no run."""
    scores: Sequence[Score]
    """By run."""

    @property
    def title(self) -> str:
        """What it is."""
        return self.own.category.replace("_", " ")

    @property
    def level(self) -> str:
        """How fine its parts are told apart."""
        return "" if self.own.level is None else f"level {self.own.level}"


def choose_specimens(asked: Asked, runs: Runs, *, level: int | None = None) -> list[Specimen]:
    """One of every category of which all runs say something.

    asked : questions of one task · level : else the finest that a category has
    """
    sets: dict[AskedSet, list[int]] = {}
    for place, name in enumerate(asked.words("subtype")):
        sets.setdefault(AskedSet.named(name), []).append(place)
    answered = {own: [place for place in places if all_say(runs, place)] for own, places in sets.items()}
    finest = {
        own.category: own
        for own in sorted(sets, key=lambda own: (own.category, own.level or 0))
        if answered[own] and (level is None or own.level in (None, level))
    }
    if not finest:
        asks = "asks nothing of the kind"
        raise BadInput(f"{asks} that {' and '.join(runs)} answered" if runs else asks, file=asked.folder)
    places = [place for own in finest.values() for place in sets[own]]
    some = asked.take(places)
    found = [dict(zip(places, found_of(some, run.take(places)), strict=True)) for run in runs.values()]
    return [_specimen(own, sets[own], answered[own], found) for own in finest.values()]


def all_say(runs: Runs, place: int) -> bool:
    """Whether all runs answer a question."""
    given = [run.given[place] for run in runs.values()]
    return all(one is not None and one.masks is not None for one in given)


def _specimen(
    own: AskedSet, places: Sequence[int], answered: Sequence[int], found: Sequence[Mapping[int, Found]]
) -> Specimen:
    """found : by run the scores of every question"""
    ranked = sorted(answered, key=lambda place: np.nan_to_num(found[0][place].shape_mean)) if found else answered[:1]
    usual = ranked[len(ranked) // 2]
    scores = [Score(one[usual].shape_mean, together([one[place] for place in places]).part.mean.value) for one in found]
    return Specimen(own, answered, usual, scores)


class Shape(NamedTuple):
    """A shape that is drawn."""

    scene: str
    cloud: Cloud
    view: PointView

    def finest(self, own: AskedSet) -> Telling:
        """What is true where a set is asked about; of a hierarchy, at its lowest nodes."""
        return [telling for telling in self.view.tellings if telling.asked == own.name][-1]


def read_shapes(asked: Asked, places: Sequence[int]) -> dict[int, Shape]:
    """By question the shape that it is about. places : where the questions stand"""
    scenes, labels = asked.words("scene_id"), read_labels(asked.manifest)
    found = {}
    for row in scene_rows(asked, {scenes[place] for place in places}, pictures=True):
        cloud = cloud_of(row, labels)
        found[row["scene_id"]] = Shape(row["scene_id"], cloud, shape_view(row, cloud))
    return {place: found[scenes[place]] for place in places}
