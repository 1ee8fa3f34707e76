"""Running programs: checked once, then as fast as Python goes, with the value of every step kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from sys import intern
from typing import Any, NamedTuple

from mereo.programs.check import check_structure, check_values
from mereo.programs.failures import ProgramFailure, UnknownInWorld
from mereo.programs.generate import Routine, generate
from mereo.programs.notation import parse_program
from mereo.programs.program import Program
from mereo.programs.step import Step, format_step
from mereo.programs.table import Function, Language
from mereo.programs.types import Type, plain, said
from mereo.world import UnknownToWorld, World, members

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
    """What programs that differ only in their literal values share: the functions, how they connect, the routine."""

    __slots__ = ("functions", "routine", "runs", "steps", "types")

    def __init__(self, steps: tuple[Step, ...], functions: tuple[Function, ...], types: tuple[Type, ...]):
        self.steps, self.functions, self.types, self.runs = steps, functions, types, 0
        self.routine: Routine = self._cold
        """Goes step by step until the structure is run often, and is generated code from then on."""

    def _cold(self, world: World, literals: tuple[Any, ...]) -> tuple[Any, ...]:
        self.runs += 1
        if self.runs > _HOT:
            self.routine = generate(self.steps, self.functions, self.stepwise)
        return self.stepwise(world, literals)

    def stepwise(self, world: World, literals: tuple[Any, ...]) -> tuple[Any, ...]:
        """The value of every step, function by function."""
        values: list[Any] = []
        self.run(world, literals, values)
        return tuple(values)

    def run(self, world: World, literals: tuple[Any, ...], values: list[Any]) -> None:
        """Add the value of each step in turn; where one fails, those before it are there."""
        at = 0
        for (_, inputs, own), function in zip(self.steps, self.functions, strict=True):
            arguments = [values[i] for i in inputs]
            if own:
                arguments += literals[at : at + len(own)]
                at += len(own)
            values.append(function.call(world, *arguments))


@dataclass(frozen=True, eq=False, slots=True)
class Executable:
    """A program that has been checked against a language and can be run on any world of its vocabulary."""

    program: Program
    language: Language
    types: tuple[Type, ...]
    literals: tuple[Any, ...]
    structure: _Structure

    def __call__(self, world: World) -> Trace:
        """Run; raises the `ProgramFailure` that says where and why there is no answer."""
        try:
            return Trace(self, world, self.structure.routine(world, self.literals))
        except _FAILURES as failure:
            raise self._located(_named(failure), world) from None

    def attempt(self, world: World) -> Trace | ProgramFailure:
        """Run; a failure is given back instead of raised, without the search for its step."""
        try:
            return Trace(self, world, self.structure.routine(world, self.literals))
        except _FAILURES as failure:
            return _named(failure)

    def _located(self, failure: ProgramFailure, world: World) -> ProgramFailure:
        """The failure with the step filled in, found by running once more step by step."""
        values: list[Any] = []
        try:
            self.structure.run(world, self.literals, values)
        except _FAILURES as raised:
            failure = _named(raised)
            failure.step, failure.text = len(values), format_step(self.program.steps[len(values)])
        return failure


def compile_program(program: Program | str, language: Language) -> Executable:
    """Check a program and make it ready to run; a string is read as notation."""
    if isinstance(program, str):
        program = parse_program(program)
    key = tuple([(step.function, step.inputs, len(step.values)) for step in program.steps])
    structures = language.compiled
    structure = structures.get(key)
    if structure is None:
        types = check_structure(program, language)
        if len(structures) >= _MOST_STRUCTURES:
            _make_room(structures)
        functions = tuple(language.functions[step.function] for step in program.steps)
        structure = structures[key] = _Structure(program.steps, functions, types)
    check_values(program, structure.functions)
    # Interned words are found in a world's tables without being compared letter by letter.
    literals = tuple([intern(v) if type(v) is str else v for step in program.steps for v in step.values])
    return Executable(program, language, structure.types, literals, structure)


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
            append(executable.structure.routine(world, executable.literals))
        except _FAILURES as failure:
            append(_named(failure))
    return results


_FAILURES = (ProgramFailure, UnknownToWorld)
"""Whatever else a function raises is its own mistake, and nobody's answer."""


def _named(failure: ProgramFailure | UnknownToWorld) -> ProgramFailure:
    """A failure by its name as one of a program."""
    return failure if isinstance(failure, ProgramFailure) else UnknownInWorld(str(failure))
