"""Making shapes, CPU milliseconds of one process, category by category.

    python bench/shapes.py [--shapes 40] [--categories chair,mug]

Every shape is of a family of its own, from all splits in turn, and is made once, after one that is not counted. There
is no other maker of such shapes to measure against, so each category stands beside the median of all. A shape that
takes longer than 200 ms is named: it holds up everybody who waits for a scene.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time

from measure import options, save, spread
from mereo.shapes.grammar import SPLITS, all_grammars, make_shape
from mereo.shapes.library import chosen_categories

SEED = 0
SLOW = 200.0
"""Milliseconds above which a shape is named."""
TABLE, ALL, UNIT = "a shape, the slowest category first", "all categories", "CPU ms"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", type=int, default=40, help="of each category")
    parser.add_argument("--categories", default="all")
    given = options(parser)
    if given.quick:
        given.shapes, given.categories = 1, "chair,mug"
    spent = {name: taken(name, given.shapes) for name in chosen_categories(given.categories, list(all_grammars()))}
    every = [value for own in spent.values() for value in own.values()]
    by_speed = sorted(spent.items(), key=lambda item: -statistics.median(item[1].values()))
    rows = [spread(ALL, every, unit=UNIT, against=ALL, table=TABLE)]
    rows += [spread(name, list(own.values()), unit=UNIT, against=ALL, table=TABLE) for name, own in by_speed]
    slow = [f"{name} ({value:.0f} ms)" for own in spent.values() for name, value in own.items() if value > SLOW]
    named = f"Over {SLOW:.0f} ms: {', '.join(slow)}." if slow else f"No shape takes more than {SLOW:.0f} ms."
    save("shapes", given, rows, notes=[f"{given.shapes} shapes of each of {len(spent)} categories.", named])


def taken(category: str, count: int) -> dict[str, float]:
    """CPU milliseconds for each of some shapes, by name."""
    splits = list(SPLITS)
    make_shape(category, seed=SEED + 1)
    gc.collect()
    found = {}
    for number in range(count):
        split, family = splits[number % len(splits)], number // len(splits)
        started = time.process_time()
        shape = make_shape(category, seed=SEED, split=split, family=family)
        found[shape.name] = 1000 * (time.process_time() - started)
    return found


if __name__ == "__main__":
    main()
