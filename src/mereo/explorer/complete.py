"""What may stand where in a typed program: completions at the cursor, functions that could come next, and faults.

Everything follows from the function table. A place in an unfinished program knows the type that is wanted there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mereo.errors import nearest
from mereo.programs import Function, IllTyped, Language, Program, Type, compile_program
from mereo.programs.check import check_structure
from mereo.programs.notation import Misspelled, parse_steps

__all__ = ["Completion", "Fault", "Option", "applicable", "complete", "fault_in"]

_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_][\w\-]*)|(?P<shared>\$\d*)|(?P<quoted>\"(?:[^\"\\]|\\.)*\"?)|(?P<mark>[\[\](),;=])"
)
_INTEGERS = tuple(map(str, range(11)))
_ENDS = ("]", ")", "$")
"""After these no function may begin."""


class Option(NamedTuple):
    """Something that may be written."""

    label: str
    text: str
    """What is put in."""
    about: str
    cursor: int
    """Where one goes on writing, counted from the beginning of what is put in."""


class Completion(NamedTuple):
    """What may stand at the cursor, and what of the line it takes the place of."""

    start: int
    end: int
    wanted: str
    """What is expected there, in words."""
    options: tuple[Option, ...]


class Fault(NamedTuple):
    """Why a line is no program of a language, and where."""

    column: int
    length: int
    reason: str


@dataclass
class _Open:
    """A function whose brackets are not closed before the cursor."""

    function: Function | None
    inputs: int = 0
    values: int = 0
    listing: bool = False
    """Whether its values are being written, not its inputs."""


def fault_in(text: str, language: Language) -> Fault | None:
    """The first thing that is wrong with a line, or None."""
    try:
        program, columns = parse_steps(text)
    except Misspelled as error:
        return Fault(error.column, 1, error.wanted)
    for column, step in zip(columns, program.steps, strict=True):
        if step.function not in language.functions:
            reason = f"{language.name} has no function '{step.function}'{nearest(step.function, language.functions)}"
            return Fault(column, len(step.function), reason)
    try:
        check_structure(program, language)
        compile_program(program, language)
    except IllTyped as error:
        name = program.steps[error.step].function
        return Fault(columns[error.step], len(name), str(error).partition("): ")[2])
    return None


def complete(text: str, cursor: int, language: Language) -> Completion:
    """What may be written at the cursor of an unfinished program."""
    before, after = text[:cursor], text[cursor:]
    opened, start, previous = _scan(before, language)
    start += len(before[start:]) - len(before[start:].lstrip())
    inside = opened[-1] if opened else None
    if inside is not None and inside.listing:
        return Completion(start, cursor, *_values(inside, before[start:].strip(), after))
    if previous in _ENDS:
        return Completion(cursor, cursor, *_closing(inside, previous, after))
    typed = before[start:]
    wanted = _wanted(inside)
    named = language.functions.get(typed)
    if named is not None and after[:1] in ("[", "("):
        return Completion(start, cursor, f"{named.signature}: {named.about}", ())
    fitting = [function for function in language.functions.values() if wanted is None or function.output == wanted]
    options = [_option(function) for function in _matching(fitting, typed)]
    return Completion(start, cursor, f"a function that gives {wanted}" if wanted else "a function", tuple(options))


def applicable(program: Program, text: str, language: Language) -> tuple[Option, ...]:
    """The functions that can be applied to a whole program, each as the line that then stands there."""
    given = check_structure(program, language)[-1]
    found = []
    for function in language.functions.values():
        if given not in function.inputs:
            continue
        values = "[]" if function.values else ""
        place = function.inputs.index(given)
        blanks = [""] * len(function.inputs)
        blanks[place] = text.strip()
        line = f"{function.name}{values}({', '.join(blanks)})"
        if function.values:
            cursor = len(function.name) + 1
        elif len(blanks) == 1:
            cursor = len(line)
        else:
            cursor = len(line) - 1 if place == 0 else len(function.name) + 1
        found.append(Option(function.name, line, function.about, cursor))
    return tuple(found)


def _scan(before: str, language: Language) -> tuple[list[_Open], int, str]:
    """What is open at the end of some text, where its last word begins, and the last mark before that."""
    opened: list[_Open] = []
    start, name, previous = 0, "", ""
    for match in _TOKEN.finditer(before):
        token = match.group()
        inside = opened[-1] if opened else _Open(None)
        if inside.listing and token not in ("]", ","):
            continue
        start = match.end()
        if match.lastgroup == "name":
            name, start = token, match.start()
        elif token == "[" or (token == "(" and previous != "]"):
            opened.append(_Open(language.functions.get(name), listing=token == "["))
        elif token == "]":
            inside.listing = False
        elif token == ")":
            del opened[-1:]
        elif token == "," and inside.listing:
            inside.values += 1
        elif token == ",":
            inside.inputs += 1
        previous = "$" if match.lastgroup == "shared" else token
    return opened, start, previous


def _wanted(inside: _Open | None) -> Type | None:
    """The type of the next input of what is open; None where anything will do."""
    if inside is None or inside.function is None or inside.inputs >= len(inside.function.inputs):
        return None
    return inside.function.inputs[inside.inputs]


def _values(inside: _Open, typed: str, after: str) -> tuple[str, tuple[Option, ...]]:
    """The words of the type that is wanted in brackets, and what comes after them."""
    function = inside.function
    if function is None or inside.values >= len(function.values):
        return "nothing more", ()
    type = function.values[inside.values]
    words = _INTEGERS if type.form == "integer" else type.values or ()
    if after.lstrip().startswith(("]", ",")):
        end, skip = "", 1 + after.startswith("](")
    elif inside.values + 1 < len(function.values):
        end, skip = ", ", 0
    else:
        end, skip = "](" if function.inputs else "]()", 0
    options = [Option(word, word + end, str(type), len(word + end) + skip) for word in _alike(words, typed)]
    return f"a {type}", tuple(options)


def _closing(inside: _Open | None, previous: str, after: str) -> tuple[str, tuple[Option, ...]]:
    """What follows the values of a function, or an expression."""
    if inside is None:
        return "nothing more", ()
    function = inside.function
    if previous == "]":
        mark = "(" if function is None or function.inputs else "()"
        return "its inputs", () if after.startswith("(") else (Option(mark, mark, "its inputs", len(mark)),)
    if function is not None and inside.inputs + 1 < len(function.inputs):
        return "the next input", () if after.lstrip().startswith(",") else (Option(",", ", ", "the next input", 2),)
    if after.lstrip().startswith((")", "(")):
        return "nothing more", ()
    return "the end of the inputs", (Option(")", ")", "the end of the inputs", 1),)


def _option(function: Function) -> Option:
    end = "[" if function.values else "(" if function.inputs else "()"
    return Option(
        function.name, function.name + end, f"{function.signature} · {function.about}", len(function.name + end)
    )


def _matching(functions: Iterable[Function], typed: str) -> list[Function]:
    by_name = {function.name: function for function in functions}
    return [by_name[name] for name in _alike(by_name, typed)]


def _alike(words: Iterable[str], typed: str) -> list[str]:
    """The words that begin with what was typed, then those that have it somewhere."""
    small = typed.lower()
    found = [word for word in words if small in word.lower()]
    return sorted(found, key=lambda word: not word.lower().startswith(small))
