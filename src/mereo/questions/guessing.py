"""Guesses at what nobody reads: a program that somebody proposes, held against the language and the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mereo.errors import MereoError
from mereo.programs import Program, ProgramFailure, compile_program
from mereo.questions.free.listener import FreeListener
from mereo.questions.free.retelling import Retelling
from mereo.questions.understood import Reading
from mereo.world import World

__all__ = ["Guesser", "guessed"]


class Guesser(NamedTuple):
    """Who proposes programs for questions, as a trained parser does."""

    name: str
    propose: Callable[[str], Program | None]
    """A program for a question; None where it says too little to whoever proposes."""


def guessed(question: str, world: World | None, listener: FreeListener, guesser: Guesser) -> Reading | None:
    """What is guessed, said back; None where that is no program of the language, or has no answer in the world."""
    program = guesser.propose(question)
    if program is None:
        return None
    try:
        executable = compile_program(program, listener.language)
    except MereoError:
        return None
    if world is not None and isinstance(executable.attempt(world), ProgramFailure):
        return None
    asked = Retelling(listener.composer).asked(program)
    said = str(program) if asked is None else listener.paraphrase.asked(asked)
    reading = Reading(question, None, program, said, guesser.name)
    return reading._replace(text=reading.about)
