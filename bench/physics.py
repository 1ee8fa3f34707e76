"""Physical scenes of PTR: what their physics costs, and whether a simulation at half the time step agrees.

    python bench/physics.py [--scenes 50] [--workers 2]

Labels are measured against a second simulation with half the step, and the seconds of the physics (as things stand,
and for unstable objects every change that might save them) against those of making the whole scene.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import Counter
from typing import Any

from measure import options, save
from mereo.benchmarks.ptr.behavior import DISTANCES, SIDES, behaviors
from mereo.benchmarks.ptr.physical import physical_scene
from mereo.benchmarks.ptr.scenes import Wanted
from mereo.chance import generator
from mereo.datasets.workers import LocalCrew, Task
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation, Thresholds, possible_changes
from mereo.scenes.renderer import THREADS
from mereo.scenes.scene import Scene
from tables import Row

LABELS, COST = "labels at half the step", "the physics of a scene"


def again(scene: Scene, step: float) -> list[tuple[bool, tuple[str, ...]]]:
    """For each object whether it is stable and which changes would make it so, simulated with another step."""
    simulation = Simulation(scene, Thresholds(step=step, penetration=0.005))
    simulation.reset()
    sides = {name: side for name, side in directions(scene).items() if name in SIDES}
    found: list[tuple[bool, tuple[str, ...]]] = []
    for number, motion in enumerate(simulation.watch(range(len(scene.objects)))):
        if motion.stable:
            found.append((True, ()))
        else:
            changes = possible_changes(scene, number, sides, distances=DISTANCES, simulation=simulation)
            found.append((False, tuple(sorted(changes))))
    return found


def deepest(scene: Scene) -> float:
    """How deep any object sticks in another, in the floor or in a wall, meters."""
    simulation = Simulation(scene)
    simulation.reset()
    return max(simulation.overlap(number) for number in range(len(scene.objects)))


def measured(index: int) -> dict[str, Any]:
    """One scene, made and simulated twice."""
    started = time.process_time()
    shown, first = physical_scene(Wanted("train"), generator(0, "bench", index))
    made = time.process_time()
    behaviors(shown.scene)
    simulated = time.process_time()
    said = [(each.stable, tuple(sorted(each.changes))) for each in first]
    return {
        "make": made - started,
        "simulate": simulated - made,
        "said": said,
        "again": again(shown.scene, 0.0025),
        "deepest": deepest(shown.scene),
    }


def rows(results: list[dict[str, Any]]) -> list[Row]:
    """Shares of labels that agree, and seconds."""
    pairs = [pair for result in results for pair in zip(result["said"], result["again"], strict=True)]
    stable = sum(said[0] == other[0] for said, other in pairs)
    both = sum(said == other for said, other in pairs)
    whole, physics = "making the scene", "its physics"
    made = [each["make"] for each in results]
    simulated = [each["simulate"] for each in results]
    return [
        Row(what=what, value=100 * agree / len(pairs), unit="% of objects", against="half the time step", table=LABELS)
        for what, agree in (("the same stability", stable), ("the same stability and changes", both))
    ] + [
        Row(
            what=what,
            value=statistics.mean(seconds),
            unit="CPU s",
            against=whole,
            low=min(seconds),
            high=max(seconds),
            table=COST,
        )
        for what, seconds in ((whole, made), (physics, simulated))
    ]


def note(results: list[dict[str, Any]]) -> str:
    """What the scenes are like."""
    said = [one for result in results for one in result["said"]]
    unstable = [changes for stable, changes in said if not stable]
    sides = Counter("/".join(changes) or "nowhere" for changes in unstable)
    shares = ", ".join(f"{side} {100 * count / len(unstable):.0f}%" for side, count in sides.most_common(5))
    stable = 100 - 100 * len(unstable) / len(said)
    overlap = 1e6 * max(each["deepest"] for each in results)
    return (
        f"{len(results)} scenes, {len(said)} objects, {stable:.0f}% of them stable. "
        f"Where the others are saved: {shares}. Deepest overlap at the start: {overlap:.2g} µm."
    )


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    given = options(parser)
    if given.quick:
        given.scenes, given.workers = 1, 1
    os.environ[THREADS] = "1"
    results, failed = [], 0
    for done in LocalCrew(given.workers).run(
        [Task(f"scene {index}", measured, (index,)) for index in range(given.scenes)]
    ):
        if done.failure is not None:
            print(f"{done.task.name}: {done.failure}")
            failed += 1
        else:
            results.append(done.result)
    notes = [note(results)] + ([f"{failed} scenes could not be made."] if failed else [])
    save("physics", given, rows(results), notes=notes)


if __name__ == "__main__":
    main()
