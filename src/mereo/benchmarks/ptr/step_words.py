"""What a step of a program does, as one would say it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.files import read_toml
from mereo.programs import Step
from mereo.questions.phrase import plural

__all__ = ["step_words"]

_FILE = Path(__file__).with_name("step_words.toml")


def step_words(step: Step) -> str:
    """A step of PTR's language in plain words."""
    said = _said()[step.function]
    value = str(step.values[0]) if step.values else ""
    return said[value] if isinstance(said, dict) else said.format(value=value, several=plural(value) if value else "")


@cache
def _said() -> dict[str, str | dict[str, str]]:
    """By function what is said of it, or by its value."""
    return read_toml(_FILE)
