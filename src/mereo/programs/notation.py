"""The one-line notation of programs, for people, templates and tests.

    count(filter_color[red](relate[left](unique(filter_shape[cube](scene())))))

Literal values stand in brackets, separated by commas: bare words, or JSON where a value is not a plain word. A step
that several others use is named first: `$1 = unique(…); equal_size(query_size($1), query_size($1))`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mereo.errors import BadInput
from mereo.programs.program import Program, arranged, needed
from mereo.programs.step import JSON_WORDS, PLAIN_WORD, Step

__all__ = ["Misspelled", "parse_program", "parse_steps"]

_NAME = re.compile(r"[A-Za-z_][\w\-]*")
_SPACE = re.compile(r"\s*")
_SHARED = re.compile(r"\$\d+")
_DEEPEST = 200


class Misspelled(BadInput):
    """A line that is no program. column : where it stops being one, from 0"""

    def __init__(self, reason: str, column: int, rest: str):
        self.column, self.wanted = column, reason
        super().__init__(
            f"column {column + 1} (at {rest!r}): {reason}" if rest else f"at its end: {reason}", record="program"
        )


def parse_program(text: str) -> Program:
    """The program that a line of notation stands for; a slip is reported with its column."""
    return parse_steps(text)[0]


def parse_steps(text: str) -> tuple[Program, tuple[int, ...]]:
    """The program, and for each of its steps the column at which it is written, from 0."""
    parser = _Parser(text)
    answer = parser.program()
    order = needed(parser.steps, answer)
    return arranged(parser.steps, order), tuple([parser.columns[position] for position in order])


class _Parser:
    def __init__(self, text: str):
        self.text, self.at, self.depth = text, 0, 0
        self.steps: list[Step] = []
        self.columns: list[int] = []
        self.shared: dict[str, int] = {}

    def program(self) -> int:
        """Read everything; which step gives the answer, since that may be one that was named before others."""
        self.skip()
        while (name := self.match(_SHARED)) is not None:
            if name in self.shared:
                if self.text.startswith("=", self.at):
                    raise self.error(f"{name} is given twice")
                answer = self.shared[name]
                break
            self.expect("=")
            self.shared[name] = self.expression()
            self.expect(";")
        else:
            answer = self.expression()
        if self.at < len(self.text):
            raise self.error("the program should end here")
        return answer

    def expression(self) -> int:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"nested deeper than {_DEEPEST} functions")
        name = self.match(_SHARED)
        if name is not None:
            if name not in self.shared:
                raise self.error(f"{name} is not given before")
            position = self.shared[name]
        else:
            position = self.application()
        self.depth -= 1
        return position

    def application(self) -> int:
        column, name = self.at, self.match(_NAME)
        if name is None:
            raise self.error("expected a function's name")
        values = self.values() if self.take("[") else ()
        self.expect("(")
        inputs = []
        if not self.take(")"):
            inputs.append(self.expression())
            while self.take(","):
                inputs.append(self.expression())
            self.expect(")")
        self.steps.append(Step(name, tuple(inputs), values))
        self.columns.append(column)
        return len(self.steps) - 1

    def values(self) -> tuple[Any, ...]:
        found = [self.value()]
        while self.take(","):
            found.append(self.value())
        self.expect("]")
        return tuple(found)

    def value(self) -> Any:
        plain = PLAIN_WORD.match(self.text, self.at)
        if plain and plain.group() not in JSON_WORDS:
            self.at = plain.end()
            self.skip()
            return plain.group()
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            raise self.error("expected a value: a plain word, or JSON") from None
        self.skip()
        return value

    def skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        self.skip()
        return found.group()

    def take(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += 1
        self.skip()
        return True

    def expect(self, mark: str) -> None:
        if not self.take(mark):
            raise self.error(f"expected '{mark}'")

    def error(self, reason: str) -> BadInput:
        return Misspelled(reason, self.at, self.text[self.at : self.at + 12])
