"""What physics says of a rebuilt room: what would fall, and what would keep it from falling."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mereo.benchmarks.ptr.behavior import DISTANCES, SIDES
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation, Thresholds, trials
from mereo.scenes.scene import Scene

__all__ = ["Verdict", "verdicts"]

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
