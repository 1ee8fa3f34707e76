"""Resident memory of a worker that makes many scenes: does it grow?

python bench/memory.py                                 1,000 CLEVR scenes with small pictures
python bench/memory.py --of tables --scenes 200 --every 10
                                                       table tops with glass, whose light is gathered by code of our own
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from measure import save
from mereo.benchmarks.benchmark import benchmark
from mereo.chance import generator
from mereo.datasets.rows import picture_columns
from mereo.scenes.render import Set
from mereo.scenes.renderer import THREADS, settle
from mereo.scenes.scene import Paint, Placed, Pose, ShapeRef, Surface
from mereo.scenes.table_top import TABLE_LOOKS, WALL_LOOKS, table_scene

WIDTH, HEIGHT, SAMPLES = 160, 107, 8
"""Small and rough: what might leak is what is built up and compiled for each scene, not its rays."""


def resident() -> float:
    """MiB of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def of_benchmark(name: str, renderer: str) -> Callable[[int], object]:
    """Scenes as a worker of `mereo build` makes them."""
    chosen = benchmark(name)
    assert chosen.recipe is not None
    recipe = chosen.recipe(
        seed=0,
        questions_per_scene=1,
        preset=next(iter(chosen.presets)),
        pictures=True,
        width=WIDTH,
        height=HEIGHT,
        samples=SAMPLES,
        renderer=renderer,
    )
    return lambda index: recipe.scene("train", index)


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", default="clevr", help="a benchmark, or `tables`")
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--every", type=int, default=50, help="scenes between two looks at the memory")
    parser.add_argument("--renderer", default="auto")
    options = parser.parse_args()
    os.environ[THREADS] = "1"
    renderer = settle(options.renderer)
    make = of_tables(renderer) if options.of == "tables" else of_benchmark(options.of, renderer)
    seen, started = [], time.perf_counter()
    for index in range(options.scenes):
        make(index)
        if (index + 1) % options.every == 0:
            seen.append(round(resident(), 1))
            print(f"{index + 1:>6} scenes {seen[-1]:8.1f} MiB", flush=True)
    quarter = len(seen) // 4
    second, last = statistics.mean(seen[quarter : 2 * quarter]), statistics.mean(seen[-quarter:])
    print(f"peak {max(seen):.0f} MiB; second quarter {second:.0f}, last quarter {last:.0f}: {last / second - 1:+.1%}")
    result = {
        "renderer": renderer,
        "scenes": options.scenes,
        "size": f"{WIDTH}x{HEIGHT}",
        "samples": SAMPLES,
        "seconds": round(time.perf_counter() - started, 1),
        "MiB": seen,
        "growth from second to last quarter": last / second - 1,
    }
    save(f"memory-{options.of}-{renderer}", result)


if __name__ == "__main__":
    main()
