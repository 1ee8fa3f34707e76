"""What the objects of a scene do when time runs, where that is beyond doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.scenes import Refused
from mereo.scenes.observe import directions
from mereo.scenes.physics import Clear, Simulation, Thresholds, trials
from mereo.scenes.scene import Scene
from mereo.shapes.mesh import Floats

__all__ = ["CLEAR", "DISTANCES", "LIMITS", "SIDES", "Behavior", "behaviors", "clear_changes"]

DISTANCES: tuple[float, ...] = tuple(NUMBERS["physical"]["distances"])
"""Meters by which an unstable object is moved to see whether it is stable there."""
SIDES = ("left", "right", "front", "behind")
"""The directions in which it is moved, as the camera sees them."""
LIMITS = Thresholds(penetration=0.005)
CLEAR = Clear()


@dataclass(frozen=True, eq=False)
class Behavior:
    """What an object does when time runs."""

    stable: bool
    changes: Mapping[str, float]
    """Where it is unstable: the directions in which moving it makes it stable, each with the least distance, meters."""
    on: tuple[int, ...]
    """The objects that it stands on."""
    trace: Floats
    """(k, 8) float: seconds, position and quaternion (w, x, y, z)."""


def behaviors(scene: Scene, *, limits: Thresholds = LIMITS, clear: Clear = CLEAR) -> list[Behavior]:
    """What every object does; raises `Refused` where that is in doubt."""
    simulation = Simulation(scene, limits)
    numbers = range(len(scene.objects))
    under = [simulation.below(number) for number in numbers]
    simulation.reset()
    if max(simulation.overlap(number) for number in numbers) > limits.penetration:
        raise Refused("objects run into each other")
    motions = simulation.watch(numbers, beyond=np.inf)
    stable = [motion.verdict(limits, clear) for motion in motions]
    if None in stable:
        raise Refused("an object is neither clearly stable nor clearly unstable")
    found = []
    for number in numbers:
        changes = {} if stable[number] else clear_changes(simulation, number, clear=clear)
        found.append(Behavior(bool(stable[number]), changes, tuple(under[number]), motions[number].trace))
    return found


def clear_changes(simulation: Simulation, number: int, *, clear: Clear) -> dict[str, float]:
    """The possible changes of an unstable object; raises `Refused` where one is in doubt."""
    sides = directions(simulation.scene)
    found: dict[str, float] = {}
    for trial in trials(
        simulation, number, {name: sides[name] for name in SIDES}, distances=DISTANCES, beyond=1.25 * clear.unstable
    ):
        verdict = trial.motion.verdict(simulation.limits, clear)
        if verdict is None:
            raise Refused("a possible change is neither clearly stable nor clearly unstable")
        if verdict:
            found[trial.direction] = trial.distance
    return found
