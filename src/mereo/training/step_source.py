"""What module networks learn from and are asked: questions of any source, with their programs as steps of modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.modular.modules import Module, steps_of
from mereo.programs import Program
from mereo.training.corpus import Questions
from mereo.training.fields import Source

__all__ = ["Asking", "StepSource"]


class Asking(Source, Protocol):
    """A source whose examples are questions of a split: those at `place` in a batch, so many `together`."""

    questions: Questions
    together: int

    def examples(self, questions: Tensor) -> Tensor:
        """The places of the examples of some questions, where each is asked alone."""
        ...


class StepSource:
    """What another source gives, with `steps`: programs in the numbers of modules."""

    def __init__(self, source: Asking, programs: Sequence[Program | None], modules: Sequence[Module]):
        """programs : of all questions of the split"""
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

    @property
    def runs(self) -> list[bool]:
        """For every question of the split whether its program can be run."""
        there: list[bool] = (self._steps[:, 0, 0] >= 0).tolist()
        return there
