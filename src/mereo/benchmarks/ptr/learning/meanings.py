"""What the words of a question leave open about its program.

"A line parallel to the red part" does not say whether the red part is a line or a plane, and a program does. In a world
it is one of the two, so of the programs that the words may mean no more than one has an answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from mereo.benchmarks.ptr.world import GEOMETRIC
from mereo.programs import Program

__all__ = ["meanings"]

_SISTERS = {"line": "plane", "plane": "line"}


def meanings(program: Program) -> Iterator[Program]:
    """A program, and then those that the same words may mean: with the sister of one of its geometric relations."""
    yield program
    for position, step in enumerate(program.steps):
        if step.function == "relate_part" and set(step.values) <= set(GEOMETRIC):
            yield program.replaced(position, step._replace(values=tuple(map(_sister, step.values))))


def _sister(relation: str) -> str:
    """What it is called to a plane, for a relation to a line, and the other way round."""
    pair, how = relation.split(" ")
    own, other = pair.split("-")
    return f"{own}-{_SISTERS[other]} {how}"
