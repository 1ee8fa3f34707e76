"""Grasps of household objects: whether a gripper in MuJoCo lifts what is called free, and what finding them takes.

    python bench/grasps.py [--scenes 70] [--workers 2]

Table tops with three to seven objects of twenty categories, strewn by chance. Every grasp is tried. A lift succeeds if
the object is 6 cm higher at the end and no other was moved by more than 1 cm or 10 degrees. Shares are measured against
what was foretold; the time to find a grasp, with what follows from the shape alone in stock, against that to try it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from typing import Any

from measure import options, save
from mereo.benchmarks.shop.language import VOCABULARY
from mereo.chance import generator
from mereo.datasets.workers import LocalCrew, Task
from mereo.scenes.grasping import grasps_in
from mereo.scenes.layout import Candidate, Floor, NoPlace, place
from mereo.scenes.lifting import lifted
from mereo.scenes.scene import Paint, Scene, ShapeRef, Surface
from mereo.scenes.table_top import table_scene
from tables import Row

FLOOR = Floor(-0.36, 0.36, -0.26, 0.26, gap=0.012, margin=0.02)
PAINT = {"": Paint("ceramic", (0.7, 0.7, 0.7))}
FORETOLD, COST = "what a lift comes to", "the time of a grasp"


def strewn(index: int) -> Scene:
    """Some household objects on a table."""
    rng = generator(0, "bench", "grasps", index)
    names = [name.replace(" ", "_") for name in VOCABULARY.words("name")]
    while True:
        drawn = [(names[rng.integers(len(names))], int(rng.integers(12))) for _ in range(rng.integers(3, 8))]
        candidates = [Candidate(ShapeRef(name, family=family), 1.0, PAINT) for name, family in drawn]
        try:
            objects = place(candidates, FLOOR, across=(1.0, 0.0, 0.0), away=(0.0, 1.0, 0.0), rng=rng)
        except NoPlace:
            continue
        return table_scene(objects, top=Surface("beech_worktop"), wall=Surface("white_plaster"), rng=rng)


def measured(index: int) -> dict[str, Any]:
    """One scene: what was foretold of each object and what came of it, and CPU seconds."""
    scene = strewn(index)
    grasps_in(scene)
    started = time.process_time()
    found = grasps_in(scene)
    took = (time.process_time() - started) / len(found)
    outcomes, lifting = [], []
    for number, grasp in enumerate(found):
        if grasp is None:
            outcomes.append(("none", "", scene.objects[number].shape.category))
            continue
        started = time.process_time()
        outcome = lifted(scene, number, grasp)
        lifting.append(time.process_time() - started)
        said = "free" if grasp.free else "blocked" if grasp.holds else "too heavy"
        became = "lifted" if outcome.succeeded else "pushed" if outcome.disturbed else "lost"
        outcomes.append((said, became, scene.objects[number].shape.category))
    return {"find": took, "lift": lifting, "outcomes": outcomes}


def rows(results: list[dict[str, Any]]) -> list[Row]:
    """Shares of grasps, and seconds."""
    outcomes = Counter((said, became) for result in results for said, became, _ in result["outcomes"])
    found = []
    for said, became in (("free", "lifted"), ("blocked", "pushed"), ("blocked", "lost"), ("too heavy", "lost")):
        count = sum(times for (other, _), times in outcomes.items() if other == said)
        if count:
            share = 100 * outcomes[said, became] / count
            row = Row(
                what=f"called {said}: {became}", value=share, unit="% of grasps", against="forecast", table=FORETOLD
            )
            found.append(row)
    lifts = [seconds for result in results for seconds in result["lift"]]
    finds = [result["find"] for result in results]
    for what, seconds in (("trying it", lifts), ("finding it", finds)):
        mean = statistics.mean(seconds)
        found.append(Row(what=what, value=1000 * mean, unit="CPU ms", against="trying it", table=COST))
    return found


def note(results: list[dict[str, Any]]) -> str:
    """How many there were, and of which things those called free were not lifted."""
    outcomes = [outcome for result in results for outcome in result["outcomes"]]
    said = Counter(one for one, _, _ in outcomes)
    missed = Counter(category for one, became, category in outcomes if one == "free" and became != "lifted")
    counts = ", ".join(f"{count} {name}" for name, count in said.most_common())
    failures = ", ".join(f"{category} {count}" for category, count in missed.most_common()) or "none"
    return f"{len(results)} scenes, {len(outcomes)} objects: {counts}. Called free and not lifted: {failures}."


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=70)
    parser.add_argument("--workers", type=int, default=2)
    given = options(parser)
    if given.quick:
        given.scenes, given.workers = 1, 1
    tasks = [Task(f"scene {index}", measured, (index,)) for index in range(given.scenes)]
    results = []
    for done in LocalCrew(given.workers).run(tasks):
        if done.failure is not None:
            raise RuntimeError(f"{done.task.name}: {done.failure}")
        results.append(done.result)
    save("grasps", given, rows(results), notes=[note(results)])


if __name__ == "__main__":
    main()
