"""Resident memory of a worker that makes many scenes: does it grow?

    python bench/memory.py [--of clevr] [--scenes 1000] [--every 50]
    python bench/memory.py --of tables --scenes 200 --every 10

The second is of table tops with glass, whose light is gathered by code of our own. What the last quarter of the scenes
needs is measured against what the second did; in the first, code is compiled and textures are filled in.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from measure import options, save
from mereo.chance import generator
from mereo.datasets.pictures import picture_columns
from mereo.errors import NoScene
from mereo.scenes.render import Set
from mereo.scenes.renderer import THREADS, choose_renderer
from mereo.scenes.scene import Paint, Placed, Pose, ShapeRef, Surface
from mereo.scenes.table_top import TABLE_LOOKS, WALL_LOOKS, table_scene
from mereo.workbench.building import plan_build
from tables import Row

WIDTH, HEIGHT, SAMPLES = 160, 107, 8
"""Small and rough: what might leak is what is built up and compiled for each scene, not its rays."""


def resident() -> float:
    """MiB of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def of_benchmark(name: str, renderer: str) -> Callable[[int], object]:
    """Scenes as a worker of `mereo build` makes them."""
    chosen: dict[str, Any] = {
        "questions_per_scene": 1,
        "size": f"{WIDTH}x{HEIGHT}",
        "samples": SAMPLES,
        "renderer": renderer,
    }
    recipe = plan_build(name, **chosen).recipe

    def make(index: int) -> None:
        with suppress(NoScene):  # a build leaves these out, too
            recipe.scene("train", index)

    return make


def of_tables(renderer: str) -> Callable[[int], object]:
    """Solids on table tops, half of them of glass."""

    def make(index: int) -> object:
        rng = generator(0, "memory", index)
        objects = [
            Placed(
                ShapeRef(str(rng.choice(["cube", "cylinder", "sphere"]))),
                Pose((0.15 * place - 0.3, float(rng.uniform(-0.15, 0.15)), 0.0)),
                float(rng.uniform(0.03, 0.06)),
                {"": Paint("glass" if place % 2 else "ceramic", (0.7, 0.8, float(rng.random())))},
            )
            for place in range(int(rng.integers(2, 6)))
        ]
        top = Surface(str(rng.choice(TABLE_LOOKS)), int(rng.integers(2)))
        wall = Surface(str(rng.choice(WALL_LOOKS)), int(rng.integers(2)))
        scene = table_scene(objects, top=top, wall=wall, rng=rng, width=WIDTH, height=HEIGHT)
        stage = Set(scene, renderer=renderer)
        picture = stage.picture(samples=SAMPLES, seed=index)
        return picture_columns(scene, stage.frame(), picture, str(index), amodal=stage.amodal())

    return make


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", default="clevr", help="a benchmark, or `tables`")
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--every", type=int, default=50, help="scenes between two looks at the memory")
    parser.add_argument("--renderer", default="auto")
    given = options(parser)
    if given.quick:
        given.scenes, given.every = 4, 1
    os.environ[THREADS] = "1"
    renderer = choose_renderer(given.renderer)
    make = of_tables(renderer) if given.of == "tables" else of_benchmark(given.of, renderer)
    seen = []
    for index in range(given.scenes):
        make(index)
        if (index + 1) % given.every == 0:
            seen.append(resident())
    save(f"memory-{given.of}", given, rows(given.of, seen), notes=[_note(given.scenes, given.every, renderer)])


def rows(of: str, seen: list[float]) -> list[Row]:
    """Quarters and peak of what was seen, MiB."""
    quarter = len(seen) // 4
    reference = "second quarter"
    found = {
        reference: statistics.mean(seen[quarter : 2 * quarter]),
        "last quarter": statistics.mean(seen[-quarter:]),
        "peak": max(seen),
    }
    heading = f"one worker, {of}"
    return [Row(what=what, value=size, unit="MiB", against=reference, table=heading) for what, size in found.items()]


def _note(scenes: int, every: int, renderer: str) -> str:
    size = f"{WIDTH}x{HEIGHT} with {SAMPLES} samples"
    return f"{scenes:,} scenes at {size}, renderer `{renderer}`, looked at every {every} scenes."


if __name__ == "__main__":
    main()
