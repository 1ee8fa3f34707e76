"""Programs in notation, from the inside out, and what they take for granted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mereo.programs import Program, parse_program
from mereo.programs.step import Step, format_step
from mereo.questions.free.meaning import Phrase

__all__ = ["Made", "Presumed", "Unsayable", "call", "few", "quoted"]

_MOST = 12
"""How many sets a phrase may mean."""


class Unsayable(Exception):
    """The language has no function for this."""


class Presumed(NamedTuple):
    """What a sentence takes for granted: that there is one such thing, or any."""

    phrase: Phrase
    program: str
    one: bool


class Made(NamedTuple):
    """A program in notation, and what it takes for granted."""

    text: str
    presumed: tuple[Presumed, ...] = ()

    @property
    def program(self) -> Program:
        """The program itself."""
        return parse_program(self.text).canonical()


def few(made: Iterable[Made]) -> Iterator[Made]:
    """The first of many, leaving out those that cannot be said."""
    found, ways = 0, iter(made)
    while found < _MOST:
        try:
            yield next(ways)
        except StopIteration:
            return
        found += 1


def quoted(value: str | int) -> str:
    """A literal as notation writes it."""
    text = format_step(Step("x", (), (value,)))
    return text[2:-1]


def call(name: str, values: list[str] | list[int] | list[str | int] | None = None, *inputs: str) -> str:
    literals = f"[{', '.join(quoted(value) for value in values)}]" if values else ""
    return f"{name}{literals}({', '.join(inputs)})"
