"""Checking a program against the function table, once, before it ever runs."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.errors import nearest
from mereo.programs.failures import IllTyped, UnknownFunction
from mereo.programs.program import Program
from mereo.programs.step import Step, format_step
from mereo.programs.table import Function, Language
from mereo.programs.types import Type

__all__ = ["check_structure", "check_values"]


def check_structure(program: Program, language: Language) -> tuple[Type, ...]:
    """The type of every step whatever its literals, or the first step that is wrong, with what was expected there."""
    types: list[Type] = []
    for position, step in enumerate(program.steps):
        function = language.functions.get(step.function)
        if function is None:
            known = nearest(step.function, language.functions)
            raise UnknownFunction(f"program, step {position}: {language.name} has no function '{step.function}'{known}")
        if tuple([types[i] for i in step.inputs]) != function.inputs:
            raise _wrong_inputs(program, position, function, types)
        if len(step.values) != len(function.values):
            needs = " and ".join(map(str, function.values)) or "none"
            raise _ill_typed(
                step, position, f"expected {len(function.values)} values ({needs}), got {len(step.values)}"
            )
        types.append(function.output)
    return tuple(types)


def check_values(program: Program, functions: Sequence[Function]) -> None:
    """Check the literals of a program whose structure is known to be right."""
    for position, (step, function) in enumerate(zip(program.steps, functions, strict=True)):
        if not step.values:
            continue
        for value, type in zip(step.values, function.values, strict=True):
            if not type.admits(value):
                known = nearest(value, type.values) if type.values else ""
                raise _ill_typed(step, position, f"{value!r} is not a {type}{known}")


def _wrong_inputs(program: Program, position: int, function: Function, types: list[Type]) -> IllTyped:
    step = program.steps[position]
    if len(step.inputs) != len(function.inputs):
        takes = ", ".join(map(str, function.inputs)) or "none"
        return _ill_typed(step, position, f"expected {len(function.inputs)} inputs ({takes}), got {len(step.inputs)}")
    for number, (i, expected) in enumerate(zip(step.inputs, function.inputs, strict=True), 1):
        if types[i] != expected:
            given = program.steps[i].function
            return _ill_typed(step, position, f"input {number} must be {expected}, but {given} gives {types[i]}")
    raise AssertionError("called for a step whose inputs are right")


def _ill_typed(step: Step, position: int, reason: str) -> IllTyped:
    return IllTyped(position, format_step(step), reason)
