"""Programs owned by splits: what is asked to train is not asked again to test.

Splits that draw from the same few thousand programs share many, and a model may remember them. So each program belongs
to one split, by a digest of its text. Programs of little variety cannot be dealt out: there are five ways to ask how
many things of a category there are. These are common to all splits, and kept rare.
"""

from __future__ import annotations

from mereo.chance import mark
from mereo.programs import Language, Program
from mereo.questions.rules import Rules

__all__ = ["is_common", "owner_of"]

_NUMBERS = 10
"""How many numbers a literal may be taken to be."""


def owner_of(program: Program, language: Language, rules: Rules) -> str | None:
    """The split that alone may ask a program; None where all may."""
    if not rules.owners or is_common(program, language, rules):
        return None
    at = mark(str(program)) / 2**64 * sum(rules.owners.values())
    for split, share in rules.owners.items():
        at -= share
        if at < 0:
            return split
    return split


def is_common(program: Program, language: Language, rules: Rules) -> bool:
    """Whether there are too few programs that differ from it by their literals alone."""
    variety = 1
    for step in program.steps:
        for type in language.function(step.function).values:
            variety *= len(type.values) if type.values else _NUMBERS
    return variety < rules.variety
