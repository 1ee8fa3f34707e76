"""Seconds for a cloud of 10,000 points, and farthest-point sampling against a plain loop in the same run.

    python bench/points.py [--shapes 20] [--points 10000] [--rounds 3]

A cloud is 30,000 points drawn from a shape's surface and thinned to 10,000. The plain loop is the one of textbooks: for
each point chosen, the distances of all to it, in numpy and in single precision as fpsample has it.
"""

from __future__ import annotations

import argparse

import numpy as np

from measure import machine, rate, save, table
from mereo.chance import generator
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats
from mereo.shapes.points import cloud, farthest, sample_points

SEED = 0


def main() -> None:
    """Measure and print."""
    options = _options()
    shapes = [make_shape("chair", seed=SEED, family=family) for family in range(options.shapes)]
    print(f"{machine()}, {len(shapes)} chairs, {options.points:,} points, {options.rounds} rounds")

    def clouds() -> int:
        return sum(len(cloud(shape, options.points, rng=generator(SEED))) > 0 for shape in shapes)

    dense = sample_points(shapes[0], 3 * options.points, generator(SEED)).points
    made = rate(clouds, rounds=options.rounds)
    chosen = {
        "plain loop": rate(lambda: len(plain(dense, options.points)), rounds=1, warm_up=False),
        "mereo": rate(lambda: len(farthest(dense, options.points)), rounds=options.rounds),
    }
    print(f"\none cloud: {1 / made.median:.3f} s (median), {1 / made.best:.3f} s (best)")
    table("Farthest-point sampling", chosen, against="plain loop", unit="points/s")
    result = {"shapes": len(shapes), "points": options.points, "seconds_per_cloud": 1 / made.median}
    save("points", {**result, **{name: measured._asdict() for name, measured in chosen.items()}})


def plain(points: Floats, count: int) -> list[int]:
    """Farthest-point sampling, one point and all distances at a time."""
    single = points.astype(np.float32)
    away = np.full(len(single), np.inf, np.float32)
    chosen = [0]
    while len(chosen) < count:
        away = np.minimum(away, ((single - single[chosen[-1]]) ** 2).sum(1))
        chosen.append(int(away.argmax()))
    return chosen


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=int, default=20)
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
