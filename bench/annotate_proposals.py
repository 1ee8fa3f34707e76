"""What the grammar proposes for shapes of families that it did not look at: how often it is right, and how fast.

    python bench/annotate_proposals.py [--shapes 20]

Chairs, tables and lamps of the test split, whose pieces are their leaves. A piece counts as right where the whole path
of names is that of its leaf. The reference calls every piece what most leaves of the grammar's shapes are called. CPU
seconds of one process.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from measure import options, save
from mereo.annotation.geometry.intake import grammar_intake
from mereo.annotation.geometry.likeness import known_shapes
from mereo.annotation.geometry.proposals import from_grammar
from mereo.cores import keep_to_one_core
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Mesh
from tables import Row

CATEGORIES = ("chair", "table", "lamp")
COMMONEST = "the commonest name"
SEED = 11
"""Not 7, on whose shapes it was chosen what of pieces is compared, and how many shapes vote."""


def main() -> None:
    """Measure and keep."""
    keep_to_one_core()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", type=int, default=20, help="of each category")
    given = options(parser)
    if given.quick:
        given.shapes = 2
    categories = CATEGORIES[:1] if given.quick else CATEGORIES
    save("annotate-proposals", given, [row for category in categories for row in rows(category, given.shapes)])


def rows(category: str, count: int) -> list[Row]:
    """The commonest name, and what is proposed, for shapes of one category."""
    shapes = [pieces_of(category, family) for family in range(count)]
    began = time.process_time()
    from_grammar(category, dict(enumerate(shapes[0][0])))
    first = time.process_time() - began
    began = time.process_time()
    said = [proposed(category, meshes) for meshes, _ in shapes]
    each = (time.process_time() - began) / count
    named = Counter(label for known in known_shapes(category, 100) for label in known.labels).most_common(1)[0][0]
    table = f"{sum(len(labels) for _, labels in shapes)} pieces of {count} {category}s"
    common = [[named] * len(labels) for _, labels in shapes]
    return [
        _row(COMMONEST, shapes, common, table, {}),
        _row("what is proposed", shapes, said, table, {"CPU s a shape": each, "the first one": first}),
    ]


def pieces_of(category: str, family: int) -> tuple[list[Mesh], list[str]]:
    """A shape's pieces, and what they are."""
    shape = make_shape(category, seed=SEED, split="test", family=family)
    return [piece.mesh for piece in grammar_intake(shape).pieces], [leaf.label for leaf in shape.leaves()]


def proposed(category: str, meshes: Sequence[Mesh]) -> list[str]:
    """What each piece is said to be; nothing where nothing is said."""
    said = {piece: one.label for one in from_grammar(category, dict(enumerate(meshes))) for piece in one.pieces}
    return [said.get(piece, "") for piece in range(len(meshes))]


def _row(
    what: str,
    shapes: Sequence[tuple[list[Mesh], list[str]]],
    said: Sequence[list[str]],
    table: str,
    more: dict[str, float | None],
) -> Row:
    right = np.array(
        [
            one == other
            for (_, own), told in zip(shapes, said, strict=True)
            for one, other in zip(own, told, strict=True)
        ]
    )
    areas = np.array([mesh.face_areas().sum() for meshes, _ in shapes for mesh in meshes])
    surface = 100 * float(areas[right].sum() / areas.sum())
    value = 100 * float(right.mean())
    return Row(
        what=what,
        value=value,
        unit="% right",
        against=COMMONEST,
        table=table,
        more={"% of the surface": surface, **more},
    )


if __name__ == "__main__":
    main()
