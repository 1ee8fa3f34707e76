"""How well questions are parsed: programs that are the true ones, that are programs at all, that run, that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from mereo.errors import MereoError
from mereo.models.grammar import program_of, tokens_of
from mereo.programs import Executable, Language, Program, ProgramFailure, compile_program, parse_program
from mereo.world import World

__all__ = ["Parses", "executable", "judge_parses"]


class Parses(NamedTuple):
    """Shares of some questions, from 0 to 1."""

    questions: int
    exact: float
    """Whose program is the true one, step by step; whether equal steps are shared makes no difference."""
    sound: float
    """Whose program is one of the language."""
    running: float | None
    """Whose program has an answer in the world that the question is about; None where the worlds are not known."""
    meant: float
    """Whose program is one of those that its words may mean: the exact ones where words leave nothing open."""


class _Parse(NamedTuple):
    exact: bool
    sound: bool
    running: bool
    meant: bool


def _alone(program: Program) -> Iterable[Program]:
    """What words mean that leave nothing open."""
    return (program,)


def judge_parses(
    parses: Sequence[Sequence[str]],
    programs: Sequence[str],
    language: Language,
    *,
    types: Sequence[str] = (),
    worlds: Sequence[World] | None = None,
    meanings: Callable[[Program], Iterable[Program]] = _alone,
) -> dict[str, Parses]:
    """The shares by type of question, in order, and under "all" those of all questions.

    parses : what was parsed, in tokens · programs : the true ones, as lines · types, worlds : of each question
    meanings : a true program, and all others that the same words may mean
    """
    found: dict[str, list[_Parse]] = {}
    for place, (tokens, program) in enumerate(zip(parses, programs, strict=True)):
        meant = [str(one) for one in meanings(parse_program(program))]
        one = _judge(tokens, program, meant, language, worlds[place] if worlds is not None else None)
        for name in ("all", *types[place : place + 1]):
            found.setdefault(name, []).append(one)
    return {
        name: _shares(found[name], worlds is not None) for name in sorted(found, key=lambda name: (name != "all", name))
    }


def executable(tokens: Sequence[str], language: Language) -> Executable | None:
    """A parse, ready to run; None where it is no program of the language."""
    try:
        return compile_program(program_of(tokens, language), language)
    except MereoError:
        return None


def _judge(
    tokens: Sequence[str], program: str, meant: Sequence[str], language: Language, world: World | None
) -> _Parse:
    ready = executable(tokens, language)
    runs = ready is not None and world is not None and not isinstance(ready.attempt(world), ProgramFailure)
    exact = list(tokens) == tokens_of(program)
    return _Parse(exact, ready is not None, runs, exact or any(list(tokens) == tokens_of(one) for one in meant))


def _shares(parses: Sequence[_Parse], run: bool) -> Parses:
    exact, sound, running, meant = (sum(column) / len(parses) for column in zip(*parses, strict=True))
    return Parses(len(parses), exact, sound, running if run else None, meant)
