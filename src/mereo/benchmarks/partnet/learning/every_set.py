"""The shapes of all sets as examples that may stand in a batch together, for one network that is told the set."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from mereo.benchmarks.partnet.learning.set_source import SetSource, Truth
from mereo.benchmarks.partnet.names import AskedSet
from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone
from mereo.training.corpus import Corpus
from mereo.training.shaking import shaken

__all__ = ["EverySetSource"]


class EverySetSource:
    """Shapes of a split, each once for every set of its category: `category` (b,), the number of the set, `cloud`
    (b, n, 3), the fields of a backbone's pyramid, and those that are true.

    numbers : of the sets, as a network has them · shaking : whether shapes are a little changed where they are drawn by
    chance
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        numbers: Mapping[AskedSet, int],
        truth: Truth,
        backbone: Backbone,
        *,
        shaking: bool = False,
    ):
        self._own = SetSource(corpus, split, [*numbers], truth, backbone)
        self.sets, self.shaking = self._own.sets, shaking
        self._fields, self._shape, places = self._own.together()
        self._set = torch.tensor([*numbers.values()], device=places.device)[places]
        self._truths = self._own.truths()

    def __len__(self) -> int:
        return len(self._own)

    def places(self, number: int) -> Tensor:
        """The places of all shapes of a set."""
        return self._own.places(number)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The shapes at some places."""
        places = places.to(self._shape.device)
        shapes = self._shape[places]
        found = {name: values[shapes] for name, values in self._fields.items()}
        if self.shaking and chance is not None:
            found["cloud"] = shaken(found["cloud"], chance)
        truths = {name: values[places].long() for name, values in self._truths.items()}
        return {**found, "category": self._set[places], **truths}

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self._own.name(place)
