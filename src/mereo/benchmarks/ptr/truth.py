"""Questions that say or ask what is not so beyond doubt, counted over a whole set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mereo.benchmarks.ptr.as_if import Record, bold, faintly_seen, whole
from mereo.benchmarks.ptr.doubts import line_doubts, seen_parts
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.world import SURFACES, VOCABULARY, WORDS, ptr_world
from mereo.datasets.answers import stored_answer
from mereo.datasets.columns import record_of
from mereo.datasets.gates import Gate, Row, Tell, Watch
from mereo.files import read_toml
from mereo.programs import INTEGER, OBJECT, Program, ProgramFailure, Trace, Type, compile_program
from mereo.questions.phrase import plural
from mereo.world import World

__all__ = ["GATES", "Truth", "faults", "names_in", "speaks_of_the_visible"]

GATES: dict[str, Any] = read_toml(Path(__file__).with_name("gates.toml"))
_VISIBLE = re.compile(rf"\b({'|'.join(GATES['visible'])})\b", re.IGNORECASE)
_COLORED = ("filter_part_color", "query_part_color", "same_part_color")


_COUNTED = {
    "false": "texts false at face value",
    "faint": "parts of a few pixels counted, numbered or denied",
    "dim": "colors of a few pixels told, asked or denied",
    "rough": "nearly parallel or perpendicular parts called or denied",
    "mixed": "lines and planes asked where only some parts of the name are",
    "given": "answers that stand in the question",
    "long": f"texts of more than {GATES['words']} words",
    "twice": "descriptions with the same part and number twice",
}


class Truth(Watch):
    """Counts questions that say, or ask about, what is not so beyond doubt."""

    def __init__(self) -> None:
        self._tells = {name: Tell(said) for name, said in _COUNTED.items()}

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Count what is wrong with each question."""
        for question, found in zip(questions, faults(record_of(scene), questions), strict=True):
            for name, tell in self._tells.items():
                tell.add(name in found, question["question_id"])

    def gates(self) -> Iterator[Gate]:
        """One for each fault."""
        for tell in self._tells.values():
            yield tell.gate()


def faults(record: Record, questions: Sequence[Row]) -> Iterator[set[str]]:
    """For each question about a scene what is wrong with it."""
    world, hidden, dim = ptr_world(record), ptr_world(whole(record)), ptr_world(bold(record))
    faint = [ptr_world(more) for more in faintly_seen(record)]
    seen = seen_parts(record)
    dimly = {number for number, part in seen.items() if part.dim}
    for question in questions:
        trace = compile_program(question["program"], LANGUAGE)(world)
        program, referred, text = trace.executable.program, trace.referred(), question["question"]
        doubts = line_doubts(program, referred, seen, **NUMBERS["angles"])
        found = {
            "false": not speaks_of_the_visible(text) and not _same(trace, hidden, OBJECT),
            "faint": not all(_same(trace, other, OBJECT, INTEGER) for other in faint),
            "dim": _colored(program, referred) & dimly or not _same(trace, dim, OBJECT),
            "rough": doubts.rough,
            "mixed": doubts.mixed,
            "given": question["answer"] in names_in(text),
            "long": len(text.split()) > GATES["words"],
            "twice": _told_twice(program),
        }
        yield {name for name, fault in found.items() if fault}


def _same(trace: Trace, world: World, *types: Type) -> bool:
    """Whether a program has the same answer in another world, and the same values of some types on the way."""
    try:
        other = compile_program(trace.executable.program, LANGUAGE)(world)
    except ProgramFailure:
        return False
    every = [*zip(trace.values, other.values, trace.executable.types, strict=True)]
    one, two, type = every[-1]
    if stored_answer(one, type) != stored_answer(two, type):
        return False
    return all(one == two for one, two, type in every if type in types)


def speaks_of_the_visible(text: str) -> bool:
    """Whether a text says that it means what can be seen."""
    return _VISIBLE.search(text) is not None


@cache
def _names() -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the names of things, parts and colors in a text, the longest first, and which each spelling means."""
    meant: dict[str, str] = {}
    for name in (*(word for attribute in VOCABULARY.attributes for word in VOCABULARY.words(attribute)), *SURFACES):
        for spelling in (name, *WORDS["words"].get(name, ())):
            meant |= {spelling: name, plural(spelling): name}
    longest = sorted(map(re.escape, meant), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(longest)})\b"), meant


def names_in(text: str) -> set[str]:
    """The values that a text names, in whichever words; of leg bars it names no legs."""
    pattern, meant = _names()
    return {meant[found] for found in pattern.findall(text.casefold())}


def _colored(program: Program, referred: Sequence[Sequence[int]]) -> set[int]:
    """The parts whose color a program tells or asks."""
    found: set[int] = set()
    for place, step in enumerate(program.steps):
        if step.function in _COLORED:
            found |= {*referred[place if step.function == "filter_part_color" else step.inputs[0]]}
    return found


def _told_twice(program: Program) -> bool:
    """Whether within one description things are told by the same number of the same part more than once."""
    told: list[set[tuple[Any, ...]]] = []
    for step in program.steps:
        before = set().union(*(told[place] for place in step.inputs))
        if step.function == "filter_part_count":
            number = (step.values[0], _part_named(program, step.inputs[0]))
            if number in before:
                return True
            before.add(number)
        told.append(before)
    return False


def _part_named(program: Program, place: int) -> Any:
    """The name of the parts that a step counts."""
    while program.steps[place].function != "filter_part_category":
        if not program.steps[place].inputs:
            return None
        place = program.steps[place].inputs[0]
    return program.steps[place].values[0]
