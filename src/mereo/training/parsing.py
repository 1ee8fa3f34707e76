"""How well questions are parsed: programs that are the true ones, that are programs at all, and that run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mereo.errors import MereoError
from mereo.models.grammar import program_of, tokens_of
from mereo.programs import Executable, Language, ProgramFailure, compile_program
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


class _Parse(NamedTuple):
    exact: bool
    sound: bool
    running: bool


def judge_parses(
    parses: Sequence[Sequence[str]],
    programs: Sequence[str],
    language: Language,
    *,
    types: Sequence[str] = (),
    worlds: Sequence[World] | None = None,
) -> dict[str, Parses]:
    """The shares by type of question, in order, and under "all" those of all questions.

    parses : what was parsed, in tokens · programs : the true ones, as lines · types, worlds : of each question
    """
    found: dict[str, list[_Parse]] = {}
    for place, (tokens, program) in enumerate(zip(parses, programs, strict=True)):
        one = _judge(tokens, program, language, worlds[place] if worlds is not None else None)
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


def _judge(tokens: Sequence[str], program: str, language: Language, world: World | None) -> _Parse:
    ready = executable(tokens, language)
    runs = ready is not None and world is not None and not isinstance(ready.attempt(world), ProgramFailure)
    return _Parse(list(tokens) == tokens_of(program), ready is not None, runs)


def _shares(parses: Sequence[_Parse], run: bool) -> Parses:
    exact, sound, running = (sum(column) / len(parses) for column in zip(*parses, strict=True))
    return Parses(len(parses), exact, sound, running if run else None)
