"""What a question takes for granted though nobody saw it so.

Who asks about "the table with four legs" says that there is one and no more. If no table was seen to have four, that
with three is meant: one leg was overlooked, or taken for part of another. So where a description fits nothing, or
several, it means what fits it best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.programs import Executable, Program, ProgramFailure, Trace
from mereo.programs.failures import SeveralReferred
from mereo.world import World, members

__all__ = ["run_as_presumed"]

_WORDS = {"filter_object_category": ("category", 5.0), "filter_stability": ("stability", 2.0)}
"""By function the attribute that it looks at, and what speaks against an object that has another value."""
_ELSEWHERE = 4.0
"""What speaks against one that is not where it is said to be."""
_OTHER_COLOR, _NO_PART = 1.5, 2.5
"""What speaks against one whose parts of a name have other colors, and one that has none of them."""
_MISCOUNTED = 0.7
"""What each part too many or too few counts."""


def run_as_presumed(program: Executable, world: World) -> Trace | ProgramFailure:
    """Run a program whose descriptions mean what fits them best; or why it has no answer nevertheless."""
    steps, values = program.program.steps, list[Any]()
    for place, step in enumerate(steps):
        arguments = [*(values[k] for k in step.inputs), *step.values]
        try:
            values.append(LANGUAGE.functions[step.function].call(world, *arguments))
        except ProgramFailure as failure:
            found = _meant(program.program, place, values, world, failure)
            if isinstance(found, ProgramFailure):
                return found
            values.append(found)
    return Trace(program, world, tuple(values))


def _meant(program: Program, place: int, values: Sequence[Any], world: World, failure: ProgramFailure) -> Any:
    """What a step gives that takes something for granted; or why there is nothing nevertheless."""
    step = program.steps[place]
    if step.function == "unique" and world.objects:
        return _best(program, step.inputs[0], values, world)
    if not isinstance(failure, SeveralReferred):
        return failure
    # Parts of one name or color were meant: those of which there are most.
    inputs = [_most(_most(values[k], world, "part"), world, "color") for k in step.inputs]
    try:
        return LANGUAGE.functions[step.function].call(world, *inputs, *step.values)
    except ProgramFailure:
        return failure


def _most(parts: int, world: World, attribute: str) -> int:
    """Of some parts those that have the commonest value of an attribute."""
    return max((parts & own for own in world.having[attribute].values()), key=int.bit_count, default=0) or parts


def _best(program: Program, place: int, values: Sequence[Any], world: World) -> int:
    """The object that fits a description best; the first of those that do so equally."""
    return max(members(world.objects), key=lambda thing: (-_against(program, place, values, world, thing), -thing))


def _against(program: Program, place: int, values: Sequence[Any], world: World, thing: int) -> float:
    """What speaks against an object as one of those that a step gives."""
    function, inputs, own = program.steps[place]
    if function == "scene":
        return 0.0
    if function in _WORDS:
        attribute, weight = _WORDS[function]
        rest = _against(program, inputs[0], values, world, thing)
        return rest + (weight if world.value[attribute][thing] != own[0] else 0.0)
    if function == "filter_part_exist":
        return _against_parts(program, inputs[0], values, world, thing, None)
    if function == "filter_part_count":
        return _against_parts(program, program.steps[place - 1].inputs[0], values, world, thing, own[0])
    return 0.0 if values[place] >> thing & 1 else _ELSEWHERE


def _against_parts(
    program: Program, place: int, values: Sequence[Any], world: World, thing: int, number: int | None
) -> float:
    """What speaks against an object by its parts, of which there are to be so many, or any at all."""
    there, uncolored = world.parts[thing], world.parts[thing]
    while program.steps[place].function != "expand_parts":
        function, inputs, own = program.steps[place]
        if function == "filter_part_category":
            there &= world.having["part"][own[0]]
            uncolored &= world.having["part"][own[0]]
        elif function == "filter_part_color":
            there &= world.having["color"][own[0]]
        else:
            return 0.0 if values[place] & world.parts[thing] else _NO_PART
        place = inputs[0]
    rest = _against(program, program.steps[place].inputs[0], values, world, thing)
    if not there:
        return rest + (_OTHER_COLOR if uncolored else _NO_PART)
    return rest + (_MISCOUNTED * abs(there.bit_count() - number) if number is not None else 0.0)
