"""Running programs: checked once, then as fast as Python goes, with the value of every step kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Any, NamedTuple

from mereo.programs.check import check_structure, check_values
from mereo.programs.failures import ProgramFailure, UnknownInWorld
from mereo.programs.generate import Routine, generate
from mereo.programs.notation import format_step, parse_program
from mereo.programs.program import Program, Step
from mereo.programs.table import Function, Language
from mereo.programs.types import Type, plain, said
from mereo.world import World, members

__all__ = ["Executable", "Trace", "TraceStep", "compile_program", "execute", "execute_many"]

_HOT = 8
"""Runs after which a structure is worth the fifth of a millisecond that generating its code takes."""
_LISTED = 5
"""Entities that are named where a trace is printed."""
_MOST_STRUCTURES = 8192
"""Kept at a time; those that were run only now and then are the first to go."""


class TraceStep(NamedTuple):
    """One step of a run, as one shows it."""

    step: Step
    type: Type
    value: Any
    """Entity ids where the step refers to entities, else the plain value."""
    referred: list[int]
    """The indices of the entities that the step refers to."""


class Trace(NamedTuple):
    """What came out of a run: the value of every step, in the form its type says."""

    executable: Executable
    world: World
    values: tuple[Any, ...]

    @property
    def answer(self) -> Any:
        """The last step's value; entities as their ids."""
        return plain(self.values[-1], self.executable.types[-1], self.world)

    def referred(self) -> list[list[int]]:
        """For every step the indices of the entities that it refers to."""
        return [_referred(value, type) for value, type in zip(self.values, self.executable.types, strict=True)]

    def steps(self) -> Iterator[TraceStep]:
        """Every step with its value, to be shown."""
        executable = self.executable
        for step, type, value in zip(executable.program.steps, executable.types, self.values, strict=True):
            yield TraceStep(step, type, plain(value, type, self.world), _referred(value, type))

    def __repr__(self) -> str:
        """A line for every step: its number, the steps that it takes from, and its value."""
        steps = list(self.steps())
        calls = [f"{format_step(one.step)}({', '.join(map(str, one.step.inputs))})" for one in steps]
        width = max(map(len, calls))
        return "\n".join(f"{k:>3}  {calls[k]:{width}}  {_shortly(one.value)}" for k, one in enumerate(steps))


def _shortly(value: Any) -> str:
    """A step's value on one line."""
    if isinstance(value, list) and len(value) > _LISTED:
        return f"{said(value[:_LISTED])}, … ({len(value)} in all)"
    return said(value)


def _referred(value: Any, type: Type) -> list[int]:
    return [value] if type.form == "entity" else members(value) if type.form == "entities" else []


class _Structure:
    """What all programs that differ only in their literal values share: the functions, their wiring, the routine."""

    __slots__ = ("functions", "routine", "runs", "steps", "types", "wiring")

    def __init__(self, steps: tuple[Step, ...], functions: tuple[Function, ...], types: tuple[Type, ...]):
        self.steps, self.functions, self.types, self.runs = steps, functions, types, 0
        self.wiring = [_SHARED.setdefault(wire, wire) for wire in _wired(steps, functions)]
        self.routine: Routine = self._interpret
        """Interprets until the structure is run often, and is generated code from then on."""

    def _interpret(self, world: World, constants: tuple[Any, ...]) -> tuple[Any, ...]:
        self.runs += 1
        if self.runs > _HOT:
            self.routine = generate(self.steps, self.functions)
        values: list[Any] = []
        append = values.append
        for call, first, second, constant in self.wiring:
            if constant >= 0:
                append(call(world, values[first], constants[constant]))
            elif first >= 0 > second:
                append(call(world, values[first]))
            elif second >= 0:
                append(call(world, values[first], values[second]))
            elif first == _NONE:
                append(call(world))
            else:
                append(call(world, values, constants))
        return tuple(values)

    def run_stepwise(self, world: World, constants: tuple[Any, ...], values: list[Any]) -> Iterator[Any]:
        """Each step's value in turn; `values` must hold those given so far."""
        at = 0
        for step, function in zip(self.steps, self.functions, strict=True):
            end = at + len(step.values)
            yield function.call(world, *[values[i] for i in step.inputs], *constants[at:end])
            at = end


_NONE, _OTHER = -1, -2
_SHARED: dict[Any, Any] = {}
"""One copy of each wire: thousands of structures share a few hundred, which then stay in the processor's cache."""


def _wired(steps: Sequence[Step], functions: Sequence[Function]) -> Iterator[tuple[Callable[..., Any], int, int, int]]:
    """Each function with the places of its inputs and of its literal, for the four forms that nearly all steps have."""
    at = 0
    for step, function in zip(steps, functions, strict=True):
        inputs, count = step.inputs, len(step.values)
        if count == 0 and len(inputs) <= 2:
            first, second = (*inputs, _NONE, _NONE)[:2]
            yield function.call, first, second, _NONE
        elif count == 1 and len(inputs) == 1:
            yield function.call, inputs[0], _NONE, at
        else:
            yield _unwired(function.call, inputs, at, at + count), _OTHER, _NONE, _NONE
        at += count


def _unwired(call: Callable[..., Any], inputs: tuple[int, ...], start: int, stop: int) -> Callable[..., Any]:
    def gather(world: World, values: list[Any], constants: tuple[Any, ...]) -> Any:
        return call(world, *[values[i] for i in inputs], *constants[start:stop])

    return gather


@dataclass(frozen=True, eq=False, slots=True)
class Executable:
    """A program that has been checked against a language and can be run on any world of its vocabulary."""

    program: Program
    language: Language
    types: tuple[Type, ...]
    constants: tuple[Any, ...]
    structure: _Structure

    def __call__(self, world: World) -> Trace:
        """Run; raises the `ProgramFailure` that says where and why there is no answer."""
        try:
            return Trace(self, world, self.structure.routine(world, self.constants))
        except (ProgramFailure, KeyError) as failure:
            raise self._located(_named(failure), world) from None

    def attempt(self, world: World) -> Trace | ProgramFailure:
        """Run; a failure is given back instead of raised, without the search for its step."""
        try:
            return Trace(self, world, self.structure.routine(world, self.constants))
        except (ProgramFailure, KeyError) as failure:
            return _named(failure)

    def _located(self, failure: ProgramFailure, world: World) -> ProgramFailure:
        """The failure with the step filled in, found by running once more step by step."""
        values: list[Any] = []
        try:
            for value in self.structure.run_stepwise(world, self.constants, values):
                values.append(value)
        except (ProgramFailure, KeyError) as raised:
            again = _named(raised)
            again.step, again.text = len(values), format_step(self.program.steps[len(values)])
            return again
        return failure


def compile_program(program: Program | str, language: Language) -> Executable:
    """Check a program and make it ready to run; a string is read as notation."""
    if isinstance(program, str):
        program = parse_program(program)
    key = tuple([(step.function, step.inputs, len(step.values)) for step in program.steps])
    structures = language.memory
    structure = structures.get(key)
    if structure is None:
        types = check_structure(program, language)
        if len(structures) >= _MOST_STRUCTURES:
            _make_room(structures)
        functions = tuple(language.functions[step.function] for step in program.steps)
        structure = structures[key] = _Structure(program.steps, functions, types)
    check_values(program, structure.functions)
    # Interned words are found in a world's tables without being compared letter by letter.
    constants = tuple([intern(v) if type(v) is str else v for step in program.steps for v in step.values])
    return Executable(program, language, structure.types, constants, structure)


def _make_room(structures: dict[Any, _Structure]) -> None:
    """Forget the structures that were not run often, or the oldest half if all were."""
    hot = {key: structure for key, structure in structures.items() if structure.runs > _HOT}
    if len(hot) > _MOST_STRUCTURES // 2:
        hot = dict(list(hot.items())[_MOST_STRUCTURES // 2 :])
    structures.clear()
    structures.update(hot)


def execute(program: Program | str, world: World, language: Language) -> Trace:
    """Check and run a program once."""
    return compile_program(program, language)(world)


def execute_many(runs: Iterable[tuple[Executable, World]]) -> list[tuple[Any, ...] | ProgramFailure]:
    """Run many checked programs, each on its world: the values of every step, or the failure, for each.

    What training by reinforcement calls: nothing is allocated per run but the tuple of values.
    """
    results: list[tuple[Any, ...] | ProgramFailure] = []
    append = results.append
    for executable, world in runs:
        try:
            append(executable.structure.routine(world, executable.constants))
        except (ProgramFailure, KeyError) as failure:
            append(_named(failure))
    return results


def _named(failure: ProgramFailure | KeyError) -> ProgramFailure:
    """A failure by its name: the tables of a world have no entry for what its vocabulary lacks."""
    if isinstance(failure, ProgramFailure):
        return failure
    return UnknownInWorld(f"this world knows no {failure.args[0]!r}")
