"""What is made of a question: its readings, or why there is none, and what is near it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from mereo.errors import BadInput
from mereo.programs import Program
from mereo.questions.template import Template

__all__ = ["Reading", "Understood"]


class Reading(NamedTuple):
    """A question as it was understood."""

    text: str
    template: Template | None
    """What it was read by; None for free words."""
    program: Program
    said: str = ""
    """Free words said back."""
    guessed_by: str = ""
    """Who guessed it, where nobody read it."""

    @property
    def about(self) -> str:
        """How it was understood, for people."""
        if self.guessed_by:
            return f"guessed by {self.guessed_by}: {self.said}"
        return (
            self.said if self.template is None else f"{self.template.family.replace('_', ' ')} · {self.template.name}"
        )


@dataclass(frozen=True)
class Understood:
    """What a question may mean: its readings, the likeliest first, or questions near it that can be read."""

    readings: tuple[Reading, ...]
    suggestions: tuple[Reading, ...] = ()
    told: str = ""
    """Why it has no answer here, or is not understood, as one sentence."""
    choices: tuple[Reading, ...] = ()
    """Where several things fit: a reading for each, whose text says which."""
    mended: Mapping[str, str] = field(default_factory=dict)
    """Words that were taken for slips of others."""

    @property
    def program(self) -> Program | None:
        """The program that is asked for, where the question was read."""
        return self.readings[0].program if self.readings else None

    @property
    def guess(self) -> Reading | None:
        """What somebody guessed, since nobody read it: to be told as a guess, and never as an answer."""
        return next((reading for reading in self.suggestions if reading.guessed_by), None)

    def sure(self, question: str) -> Program:
        """The program that is asked for; where there is none, or what it takes for granted is not so, a `BadInput`."""
        if self.program is not None and not self.told:
            return self.program
        near = "; ".join(reading.text for reading in self.suggestions)
        reason = self.told or "cannot be understood"
        raise BadInput(f"{reason.removesuffix('.')}{f' (perhaps: {near})' if near else ''}", record=repr(question))
