"""Why a program cannot be run, or has no answer in a world, by name."""

from __future__ import annotations

from mereo.errors import MereoError

__all__ = [
    "IllTyped",
    "NoValue",
    "NothingReferred",
    "ProgramFailure",
    "SeveralReferred",
    "UnknownFunction",
    "UnknownInWorld",
]


class IllTyped(MereoError, TypeError):
    """A program that no world could answer: a step gets what it does not take."""

    def __init__(self, step: int, text: str, reason: str):
        self.step = step
        super().__init__(f"program, step {step} ({text}): {reason}")


class UnknownFunction(MereoError, LookupError):
    """A program names a function that its language does not have."""


class ProgramFailure(MereoError):
    """A program that is sound but has no answer in this world.

    Functions raise it without knowing where they stand; the executor fills in the step.
    """

    name = "no answer"
    step: int | None = None
    text: str = ""

    def __str__(self) -> str:
        reason = super().__str__() or self.name
        return reason if self.step is None else f"program, step {self.step} ({self.text}): {reason}"


class NothingReferred(ProgramFailure):
    """Exactly one was to be referred to, and there is none."""

    name = "nothing referred to"


class SeveralReferred(ProgramFailure):
    """Exactly one was to be referred to, and there are several."""

    name = "several referred to"


class UnknownInWorld(ProgramFailure):
    """The world has no such attribute, value, relation or fact: it is of another vocabulary than the language."""

    name = "unknown in this world"


class NoValue(ProgramFailure):
    """What was asked for is not known of this entity, or not as a single value."""

    name = "no single value"
