"""The programs of expressions for module networks: the true ones, or those that a parser makes of the words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

from mereo.benchmarks.refer.learning.source import ReferSource
from mereo.errors import MereoError
from mereo.models.grammar import program_of
from mereo.models.kinds import Batch
from mereo.models.modular.modules import Module, modules_of, steps_of
from mereo.programs import Language, Program, parse_program
from mereo.training.row import Desk

__all__ = ["ProgramsRead", "StepSource", "language_of", "modules_known", "programs_of", "true_programs"]

ProgramsRead = list[Program | None]
"""For each expression; None where none could be read."""


def language_of(desk: Desk) -> Language:
    """That of the dataset's expressions, which hangs on whose scenes they are about."""
    return desk.corpus.inspector.language


def modules_known(desk: Desk) -> tuple[Module, ...]:
    """All modules that programs of the desk's lexicon may use."""
    return modules_of(language_of(desk), desk.lexicon.tokens)


def programs_of(desk: Desk, split: str, places: Sequence[int] | None = None) -> ProgramsRead:
    """Of a split's expressions as they were understood; the true ones by the choice `programs`.

    places : of those that are wanted, where not all are
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    wanted = [*range(len(questions.ids))] if places is None else [*places]
    if desk.choices.get("programs"):
        return true_programs([questions.programs[place] for place in wanted])
    parser: Any = desk.networks["parser"]
    language, tokens = language_of(desk), desk.lexicon.tokens
    return [_read([tokens[one] for one in own], language) for own in parser.eval().parse(questions.words[wanted])]


def true_programs(lines: Sequence[str]) -> ProgramsRead:
    """The programs of lines of notation, each read once however often it occurs."""
    read = cache(parse_program)
    return [read(line) for line in lines]


def _read(tokens: Sequence[str], language: Language) -> Program | None:
    try:
        return program_of(tokens, language)
    except MereoError:
        return None


class StepSource:
    """What a `ReferSource` gives, with `steps`: programs in the numbers of modules."""

    def __init__(self, source: ReferSource, programs: Sequence[Program | None], modules: Sequence[Module]):
        """programs : of all expressions of the split"""
        self.source, self.together = source, source.together
        self._steps = steps_of(programs, modules).to(source.questions.scene.device)

    def __len__(self) -> int:
        return len(self.source)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places."""
        batch = self.source.batch(places, chance=chance)
        return {**batch, "steps": self._steps[batch["place"]]}

    def name(self, place: int) -> str:
        """As the source has it."""
        return self.source.name(place)
