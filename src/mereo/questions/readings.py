"""Readings: what a scene may be taken for besides the world that is asked about.

A scene is shown to people who may see a little more or less than the world says, and who know that a chair has a leg
behind it. An answer is beyond doubt where it is the same in every such reading.
"""

from __future__ import annotations

from dataclasses import dataclass

from mereo.programs import Language, Program, ProgramFailure, Trace, compile_program
from mereo.programs.types import INTEGER, OBJECT
from mereo.questions.search import Instance
from mereo.questions.template import Apply, Describe
from mereo.world import World

__all__ = ["Readings", "hides", "stands_in"]


@dataclass(frozen=True, eq=False)
class Readings:
    """Worlds in which all that the asked one has stands in the same places, and what they have more comes after."""

    by_eye: tuple[World, ...] = ()
    """What a careful eye could see instead. Every question must have its answer in each of them."""
    whole: World | None = None
    """What is there, hidden or not. Words that do not speak of what is visible must be true of it."""


def stands_in(world: World, trace: Trace, language: Language, *, numbers: bool = False) -> bool:
    """Whether a program refers to the same objects and has the same answer in another reading as where it was run.

    numbers : whether all that it counts on the way must be as many, too
    """
    kept = (OBJECT, INTEGER) if numbers else (OBJECT,)
    program: Program = trace.executable.program
    other = compile_program(program, language).attempt(world)
    if isinstance(other, ProgramFailure):
        return False
    last = len(trace.values) - 1
    return all(
        one == two
        for place, (one, two, type) in enumerate(zip(trace.values, other.values, trace.executable.types, strict=True))
        if place == last or type in kept
    )


def hides(instance: Instance, whole: World) -> bool:
    """Whether what is hidden would change the answer of a question whose descriptions speak of what is visible."""
    plan, values = instance.plan, list(instance.values)
    for k, node in enumerate(plan.template.nodes):
        if isinstance(node, Describe):
            continue
        literals = node.values if isinstance(node, Apply) else (instance.picks[getattr(node, "of", k)],)
        try:
            values[k] = plan.calls[k](whole, *map(values.__getitem__, node.inputs), *literals)
        except ProgramFailure:
            return True
    return bool(values[-1] != instance.answer)
