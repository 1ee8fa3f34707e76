"""What physics says of a rebuilt room: what would fall, and what would keep it from falling."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import tee
from typing import NamedTuple

import numpy as np

from mereo.benchmarks.ptr.behavior import DISTANCES, SIDES
from mereo.benchmarks.ptr.learning.rebuild.room import Sighted, Walls, rebuilt
from mereo.benchmarks.ptr.learning.rebuild.solid import sighted
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.datasets.workers import in_order
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation, Thresholds, trials
from mereo.scenes.scene import Scene
from mereo.training.seeing import Seen, SeenThing

__all__ = ["Verdict", "verdicts", "with_verdicts"]

LIMITS = Thresholds(shift=0.15, turn=15.0, penetration=0.03)
"""Wider than those of the truth: what is rebuilt wobbles into place, and what falls moves much farther than that."""


class Verdict(NamedTuple):
    """What an object would do."""

    stable: bool
    changes: tuple[str, ...]
    """The ways in which moving it, if it is unstable, makes it stable."""


def verdicts(scene: Scene, *, limits: Thresholds = LIMITS) -> list[Verdict]:
    """What every object of a scene does when time runs."""
    simulation = Simulation(scene, limits)
    sides = {name: directions(scene)[name] for name in SIDES}
    motions = simulation.watch(range(len(scene.objects)), beyond=np.inf)
    found = []
    for number, motion in enumerate(motions):
        tried = () if motion.stable else trials(simulation, number, sides, distances=DISTANCES)
        found.append(Verdict(motion.stable, tuple(trial.direction for trial in tried if trial.motion.stable)))
    return found


def with_verdicts(seen: Iterable[Seen], wanted: Collection[int], *, workers: int = 1) -> Iterator[Seen]:
    """What was seen of scenes, with what physics says of the rebuilt rooms in place of what looked stable.

    wanted : the places of those scenes for which it is worked out
    """
    here, there = tee(seen)
    rooms = (sighted(one) if scene in wanted and one.objects else None for scene, one in enumerate(there))
    for one, found in zip(here, in_order(_verdicts_of, rooms, workers=workers), strict=True):
        yield one if found is None else replace(one, objects=[*map(_judged, one.objects, found)])


def _verdicts_of(room: tuple[list[Sighted], Walls] | None) -> list[Verdict] | None:
    return None if room is None else verdicts(rebuilt(*room))


def _judged(thing: SeenThing, verdict: Verdict) -> SeenThing:
    words = {**thing.words, "stability": "stable" if verdict.stable else "unstable", "change": verdict.changes}
    odds = {name: value for name, value in thing.odds.items() if name != "stability"}
    if "change" in odds:
        # Where moving helps according to physics comes first; among these, and among the others, what was seen decides.
        odds["change"] = odds["change"] + np.array([side in verdict.changes for side in VOCABULARY.words("change")])
    return replace(thing, words=words, odds=odds)
