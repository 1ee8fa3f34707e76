"""Answers by programs, run on the worlds that follow from what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.meanings import meanings
from mereo.benchmarks.ptr.learning.presumed import run_as_presumed
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.datasets.answers import stored_answer
from mereo.datasets.predictions import Prediction
from mereo.errors import MereoError
from mereo.programs import Executable, ProgramFailure, Trace, compile_program, parse_program
from mereo.training.seeing import Seen
from mereo.training.understanding import Answered, answers_by_programs
from mereo.world import World

if TYPE_CHECKING:
    from mereo.training.row import Desk

__all__ = ["Account", "account_of", "answer_by_programs", "run_program"]


class Account(NamedTuple):
    """How a program came to its answer, if it did."""

    trace: Trace | None
    """Of the program, as it was meant, in the reading in which it has an answer."""
    wrong: str | None
    """What was wrong with whatever was tried before."""

    @property
    def answer(self) -> str | None:
        """As datasets have it; None where there is none."""
        return None if self.trace is None else stored_answer(self.trace.values[-1], self.trace.executable.types[-1])


def run_program(line: str, readings: Iterable[World], *, literal: bool = False) -> Answered:
    """The answer of a program, and what was wrong with whatever was tried before: `account_of` in short."""
    told = account_of(line, readings, literal=literal)
    return told.answer, told.wrong


def account_of(line: str, readings: Iterable[World], *, literal: bool = False) -> Account:
    """How a program is answered in the first reading that has an answer.

    In each world the program is run as it is, and then as what its words may mean besides. If it has no answer in any,
    it is run once more as if what it takes for granted were so.

    literal : a question is taken at its word, in the first reading alone
    """
    wrong: str | None = None
    try:
        programs = [compile_program(one, LANGUAGE) for one in meanings(parse_program(line))]
    except MereoError as error:
        return Account(None, str(error))
    worlds = [*islice(readings, 1)] if literal else [*readings]
    for run in [Executable.attempt] if literal else [Executable.attempt, run_as_presumed]:
        for world, program in product(worlds, programs):
            found = run(program, world)
            if not isinstance(found, ProgramFailure):
                return Account(found, wrong)
            wrong = wrong or str(found)
    return Account(None, wrong)


def answer_by_programs(
    desk: Desk, split: str, programs: Sequence[str | None], seen: Iterable[Seen]
) -> Iterator[Prediction]:
    """An answer to every question of a split, in its order.

    programs : for each question, None where none could be read · seen : of each scene of the split, in its order
    """
    literal = bool(desk.choices.get("literal"))
    readings = ([*PtrSeeing().readings(one)] for one in seen)
    return answers_by_programs(
        desk, split, programs, readings, lambda line, own: run_program(line, own, literal=literal)
    )
