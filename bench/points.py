"""Farthest-point sampling and whole clouds of points, per CPU second; or the networks that look at clouds.

    python bench/points.py [--shapes 20] [--points 10000] [--rounds 3]
    python bench/points.py --networks [--device cuda] [--batch 24] [--points 10000] [--steps 30] [--rounds 3]

A cloud is 30,000 points drawn from a shape's surface and thinned to 10,000. mereo thins with fpsample's buckets; the
references are the loop of textbooks in numpy, in single precision, and fpsample's own plain loop in Rust. Without
fpsample, for which some Pythons have no wheels, mereo thins with a loop in numpy, too, and that of textbooks is the
only reference.

Of networks it is measured how long the pyramids of a batch take, which are made once for each shape, and how long each
backbone takes for a step of learning, at the size of its paper. That wants a GPU; `--quick` does it with small ones.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from measure import options, rates, save
from mereo.chance import generator
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats
from mereo.shapes.points import cloud, farthest, sample_points

SEED = 0
THINNING, CLOUDS = "farthest-point sampling", "a cloud of points"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", type=int, default=20)
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--networks", action="store_true", help="measure networks, and not the making of clouds")
    parser.add_argument("--device", default="auto", help="where networks are")
    parser.add_argument("--batch", type=int, default=24, help="clouds that a network learns from at once")
    parser.add_argument("--steps", type=int, default=30, help="steps that each network learns")
    given = options(parser)
    if given.quick:
        given.shapes, given.points, given.rounds = 1, 500, 1
    if given.networks:
        from point_networks import measured

        save("points-networks", given, measured(given))
    else:
        _measure_clouds(given)


def _measure_clouds(given: argparse.Namespace) -> None:
    """How fast clouds are made."""
    shapes = [make_shape("chair", seed=SEED, family=family) for family in range(given.shapes)]
    count, rounds = given.points, given.rounds
    dense = [sample_points(shape, 3 * count, generator(SEED)).points for shape in shapes]
    first = dense[0].astype(np.float32)

    def thinned() -> int:
        return sum(len(farthest(points, count)) > 0 for points in dense)

    def clouds() -> int:
        return sum(len(cloud(shape, count, rng=generator(SEED))) > 0 for shape in shapes)

    loop, rust, only = "loop in numpy", "loop in Rust, `fpsample.fps_sampling`", "thinning alone"
    quick = find_spec("fpsample") is not None
    made = {"unit": "points per CPU s", "against": rust if quick else loop, "table": THINNING}
    whole = {"unit": "clouds per CPU s", "against": only, "table": CLOUDS}
    rows = [
        *([rates(lambda: in_rust(first, count), rounds=1).row(rust, **made)] if quick else []),
        rates(lambda: len(plain(dense[0], count)), rounds=1).row(loop, **made),
        rates(lambda: len(farthest(dense[0], count)), rounds=rounds).row("mereo", **made),
        rates(thinned, rounds=rounds).row(only, **whole),
        rates(clouds, rounds=rounds).row("all of it: drawing, thinning, labels", **whole),
    ]
    save("points", given, rows, notes=[f"{count:,} points of {3 * count:,}, {len(shapes)} chairs, {rounds} rounds."])


def in_rust(points: NDArray[np.float32], count: int) -> int:
    """How many points fpsample's plain loop chooses."""
    import fpsample

    return len(fpsample.fps_sampling(points, count))


def plain(points: Floats, count: int) -> list[int]:
    """Farthest-point sampling, one point and all distances at a time."""
    single = points.astype(np.float32)
    away = np.full(len(single), np.inf, np.float32)
    chosen = [0]
    while len(chosen) < count:
        away = np.minimum(away, ((single - single[chosen[-1]]) ** 2).sum(1))
        chosen.append(int(away.argmax()))
    return chosen


if __name__ == "__main__":
    main()
