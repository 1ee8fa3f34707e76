"""MAC(P): what the perception of NS-VQA found of parts, as further channels beside the picture.

How much of a place is parts, and of these how likely each name and each color is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from mereo.benchmarks.ptr.learning.levels import LEVELS
from mereo.models.kinds import Batch
from mereo.training.seeing import Seen, SeenThing

if TYPE_CHECKING:
    from mereo.training.sources import QuestionSource

__all__ = ["CHANNELS", "PartQuestions", "all_channels", "channels_of"]

_TOLD = ("part", "color")
CHANNELS = 1 + sum(len(LEVELS["part"].words[name]) for name in _TOLD)
_GRID = (27, 40)
"""Rows and columns at which channels are kept: finer than what a network takes of them."""


class PartQuestions:
    """Questions with `channels` (g, c, rows, columns) beside the pictures. channels : of all scenes of the split"""

    def __init__(self, questions: QuestionSource, channels: Tensor):
        self.questions, self.channels = questions, channels

    def __len__(self) -> int:
        return len(self.questions)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The questions at some places, their pictures, and what is known of parts in these."""
        found = self.questions.batch(places, chance=chance)
        return {**found, "channels": self.channels[found["scene"]].float()}

    def name(self, place: int) -> str:
        """The id of a question, or of a scene."""
        return self.questions.name(place)


def all_channels(seen: Iterable[Seen], device: torch.device) -> Tensor:
    """(scenes, c, rows, columns) half: the channels of what was seen in each scene."""
    return torch.stack(list(_each(seen, device)))


def _each(seen: Iterable[Seen], device: torch.device) -> Iterator[Tensor]:
    for one in seen:
        yield channels_of(one, device).half()


def channels_of(seen: Seen, device: torch.device) -> Tensor:
    """(c, rows, columns) float: how much of each place is parts, and what these are."""
    if not seen.parts:
        return torch.zeros(CHANNELS, *_GRID, device=device)
    masks = torch.from_numpy(np.stack([part.mask for part in seen.parts])).to(device, torch.float32)
    covered = functional.adaptive_avg_pool2d(masks[None], _GRID)[0]
    known = torch.tensor([_told(part) for part in seen.parts], device=device)
    return torch.einsum("krw,kc->crw", covered, known)


def _told(part: SeenThing) -> list[float]:
    """1, and how likely each name and each color is: as was worked out, or for sure."""
    found = [1.0]
    for name in _TOLD:
        values = LEVELS["part"].words[name]
        sure = [float(value == part.words.get(name)) for value in values]
        found += part.odds[name].tolist() if name in part.odds else sure
    return found
