"""Physical scenes of PTR: how long they take, how often things fall and where to, and whether half the step agrees.

python bench/physics.py --scenes 200 --workers 2
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import Counter
from typing import Any

import msgspec

from measure import save
from mereo.benchmarks.ptr.behavior import DISTANCES, SIDES, behaviors
from mereo.benchmarks.ptr.physical import physical_scene
from mereo.benchmarks.ptr.scenes import Asked, candidate, with_upright
from mereo.chance import generator
from mereo.datasets.workers import LocalCrew, Task
from mereo.scenes.layout import NoPlace
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation, Thresholds, possible_changes
from mereo.scenes.renderer import THREADS
from mereo.scenes.scene import Scene


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
    shown, first = physical_scene(Asked("train"), generator(0, "bench", index))
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


def six_objects(tries: int = 20) -> float:
    """CPU seconds that the physics of one scene of six objects takes, all possible changes included."""
    for index in range(tries):
        rng = generator(0, "six", index)
        shown, first = physical_scene(Asked("train"), rng)
        if len(first) != 5 or sum(not each.stable for each in first) < 2:
            continue
        try:
            scene = with_upright(shown.scene, [candidate(Asked("train"), rng)], rng)
        except NoPlace:
            continue
        started = time.process_time()
        simulation = Simulation(msgspec.structs.replace(scene), Thresholds(penetration=0.005))
        simulation.reset()
        for number, motion in enumerate(simulation.watch(range(6), beyond=1e9)):
            if not motion.stable:
                possible_changes(scene, number, directions(scene), distances=DISTANCES, simulation=simulation)
        return time.process_time() - started
    raise SystemExit("no scene of six objects was found")


def report(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Shares and seconds over all scenes."""
    pairs = [pair for result in results for pair in zip(result["said"], result["again"], strict=True)]
    unstable = [said for said, _ in pairs if not said[0]]
    sides = Counter("/".join(changes) or "none" for _, changes in unstable)
    return {
        "scenes": len(results),
        "objects": len(pairs),
        "stable": sum(said[0] for said, _ in pairs) / len(pairs),
        "same stability at half the step": sum(said[0] == other[0] for said, other in pairs) / len(pairs),
        "same stability and changes at half the step": sum(said == other for said, other in pairs) / len(pairs),
        "changes of unstable objects": {side: round(count / len(unstable), 3) for side, count in sides.most_common()},
        "deepest overlap, meters": max(each["deepest"] for each in results),
        "CPU seconds to make a scene": statistics.mean(each["make"] for each in results),
        "CPU seconds of its physics": statistics.mean(each["simulate"] for each in results),
        "most CPU seconds of physics": max(each["simulate"] for each in results),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.environ[THREADS] = "1"
    started = time.perf_counter()
    results = []
    for done in LocalCrew(options.workers).run(
        [Task(f"scene {index}", measured, (index,)) for index in range(options.scenes)]
    ):
        if done.failure is not None:
            print(f"{done.task.name}: {done.failure}")
        else:
            results.append(done.result)
    result = report(results) | {"scenes per second": len(results) / (time.perf_counter() - started)}
    result["CPU seconds of physics, six objects"] = six_objects()
    for name, value in result.items():
        print(f"{name:<45} {value:.4f}" if isinstance(value, float) else f"{name:<45} {value}")
    save("physics", result)


if __name__ == "__main__":
    main()
