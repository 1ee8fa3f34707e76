"""Programs to run and to look at, for people who live in notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from mereo.programs import Executable, Language, Program, Trace, compile_program
from mereo.programs.types import said
from mereo.workbench.showing import answered_html
from mereo.world import World

if TYPE_CHECKING:
    from mereo.workbench.dataset import StoredScene

__all__ = ["Answered", "AskedProgram"]


class Answered(NamedTuple):
    """What came out of a run: the answer, and the value of every step."""

    answer: Any
    """A word, a number, True or False, or the ids of entities."""
    trace: Trace
    """One value for every step; `trace.steps()` goes through them, and `print` lists them."""
    scene: StoredScene | None = None
    """What it was run on, where that is a scene of a dataset."""
    guessed_by: str = ""
    """Who guessed the program, where nobody could read the question; else nothing."""

    def __repr__(self) -> str:
        return said(self.answer) + (f" (guessed by {self.guessed_by})" if self.guessed_by else "")

    def _repr_html_(self) -> str:
        return answered_html(self)


@dataclass(frozen=True)
class AskedProgram:
    """A program in its language."""

    executable: Executable

    @staticmethod
    def of(program: Program | str, language: Language) -> AskedProgram:
        """A program, checked; a string is read as notation."""
        return AskedProgram(compile_program(program, language))

    def run(self, world: World) -> Answered:
        """Answer it on a world; raises a `ProgramFailure` where there is no answer."""
        trace = self.executable(world)
        return Answered(trace.answer, trace)

    def __str__(self) -> str:
        return str(self.executable.program)

    __repr__ = __str__
