"""What the fields of a batch hold. b examples; n words; k things of a scene at most; h, w rows and columns of pixels.

Questions (one example a question; what is of its scene is gathered for it):

question : (b, n) int64, numbers of words, 0 where there are none · answer : (b,) int64, number of the answer
program : (b, p) int64, numbers of program tokens in prefix order, 0 where there are none · scene : (b,) int64, its
place among the scenes of the split

Scenes (one example a scene, or the scene of a question):

picture : (b, 3, h, w) float, 0 to 1, sRGB · ids : (b, h, w) int64, the number of the thing that a pixel shows, 0 none
things : the table of what is in a scene, see `training/things.py`
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from mereo.models.kinds import Batch

__all__ = ["PAD", "Source"]

PAD = 0
"""The number that fills up where there is no word and no token."""


class Source(Protocol):
    """Examples that batches are made of. They lie on the device where the network is, so that nobody waits for them."""

    def __len__(self) -> int:
        """How many examples there are."""
        ...

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places, (b,) int64; with chance changed a little, as pictures are to learn from."""
        ...

    def name(self, place: int) -> str:
        """What a person finds an example by: the id of its question or scene."""
        ...
