"""What physics says of a rebuilt room: what would fall, and what would keep it from falling."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mereo.benchmarks.ptr.behavior import DISTANCES, SIDES
from mereo.benchmarks.ptr.learning.rebuild.room import rebuilt
from mereo.benchmarks.ptr.learning.rebuild.solid import sighted
from mereo.benchmarks.ptr.world import VOCABULARY
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


def with_verdicts(seen: Seen) -> Seen:
    """What was seen, with what physics says of the rebuilt room in place of what looked stable."""
    if not seen.objects:
        return seen
    found = verdicts(rebuilt(*sighted(seen)))
    return replace(seen, objects=[_judged(thing, one) for thing, one in zip(seen.objects, found, strict=True)])


def _judged(thing: SeenThing, verdict: Verdict) -> SeenThing:
    words = {**thing.words, "stability": "stable" if verdict.stable else "unstable", "change": verdict.changes}
    odds = {name: value for name, value in thing.odds.items() if name != "stability"}
    if "change" in odds:
        # Where moving helps according to physics comes first; among these, and among the others, what was seen decides.
        odds["change"] = odds["change"] + np.array([side in verdict.changes for side in VOCABULARY.words("change")])
    return replace(thing, words=words, odds=odds)
