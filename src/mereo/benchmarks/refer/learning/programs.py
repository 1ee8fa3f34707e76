"""The programs of expressions for module networks: the true ones, or those that a parser makes of the words."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mereo.benchmarks.refer.learning.source import ReferSource
from mereo.models.kinds import Batch
from mereo.models.modular.modules import Module, modules_of, steps_of
from mereo.programs import Language, Program
from mereo.training.row import Desk
from mereo.training.understanding import parsed, read_programs

__all__ = ["StepSource", "language_of", "modules_known", "programs_of"]


def language_of(desk: Desk) -> Language:
    """That of the dataset's expressions, which hangs on whose scenes they are about."""
    return desk.corpus.inspector.language


def modules_known(desk: Desk) -> tuple[Module, ...]:
    """All modules that programs of the desk's lexicon may use."""
    return modules_of(language_of(desk), desk.lexicon.tokens)


def programs_of(desk: Desk, split: str, places: Sequence[int] | None = None) -> list[Program | None]:
    """Of a split's expressions as they were understood; the true ones by the choice `programs`.

    places : of those that are wanted, where not all are
    """
    return read_programs(parsed(desk, split, language_of(desk), places))


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
