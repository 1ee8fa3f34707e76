"""A toy that asks for both halves: eight things with a color and a place, and questions about color and number.

"what color is the leftmost" and "how many are red", of which neither can be told from the words or the things alone.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mereo.models.kinds import Batch

COLORS = ("red", "green", "blue", "gray")
THINGS = 8
WORDS = ("", "?", "what", "color", "is", "the", "leftmost", "how", "many", "are", *COLORS)
ANSWERS = (*COLORS, *map(str, range(THINGS + 1)))
FEATURES = len(COLORS) + 2
CELLS = 8
"""Rows and columns of places in a picture."""
PIXELS = 4
"""Width and height of a place."""


class ToyScenes:
    """So many scenes with one question each, as a `Source`: what is there as vectors or as a picture of blobs."""

    def __init__(self, count: int, *, seed: int, pictures: bool = False):
        chance = torch.Generator().manual_seed(seed)
        self.color = torch.randint(len(COLORS), (count, THINGS), generator=chance)
        self.place = torch.rand(count, CELLS * CELLS, generator=chance).argsort(-1)[:, :THINGS]
        # Half of the questions are about the leftmost, number len(COLORS); the others count one of the colors.
        wanted = torch.randint(len(COLORS), (count,), generator=chance)
        self.asked = torch.where(torch.rand(count, generator=chance) < 0.5, len(COLORS), wanted)
        self.pictures = pictures

    def __len__(self) -> int:
        return len(self.asked)

    def name(self, place: int) -> str:
        return f"toy {place}"

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """What everything here is asked for: words and answers, and vectors or pictures."""
        color, place, asked = self.color[places], self.place[places], self.asked[places]
        seen = {"picture": _blobs(color, place)} if self.pictures else _vectors(color, place)
        return {"question": _QUESTIONS[asked], "answer": _answers(color, place, asked), **seen}


def _across(place: Tensor) -> Tensor:
    """Columns, in which ties go to the upper row."""
    return place % CELLS + place // CELLS / CELLS


def _answers(color: Tensor, place: Tensor, asked: Tensor) -> Tensor:
    leftmost = color.gather(1, _across(place).argmin(1, keepdim=True)).squeeze(1)
    counted = (color == asked.unsqueeze(1)).sum(1) + len(COLORS)
    return torch.where(asked == len(COLORS), leftmost, counted)


def _vectors(color: Tensor, place: Tensor) -> Batch:
    where = torch.stack([_across(place), place // CELLS], -1) / CELLS * 2 - 1
    vectors = torch.cat([torch.nn.functional.one_hot(color, len(COLORS)), where], -1)
    return {"vectors": vectors, "vectors_present": torch.ones_like(color, dtype=torch.bool)}


def _blobs(color: Tensor, place: Tensor) -> Tensor:
    """(b, 3, 32, 32): squares on black."""
    cells = torch.zeros(len(color), CELLS * CELLS, 3)
    cells.scatter_(1, place.unsqueeze(-1).expand(-1, -1, 3), _PAINTS[color])
    grid = cells.transpose(1, 2).reshape(-1, 3, CELLS, CELLS)
    return grid.repeat_interleave(PIXELS, -1).repeat_interleave(PIXELS, -2)


def _numbered(text: str, length: int = 6) -> list[int]:
    numbers = [WORDS.index(word) for word in text.split()]
    return numbers + [0] * (length - len(numbers))


_QUESTIONS = torch.tensor(
    [_numbered(f"how many are {color}") for color in COLORS] + [_numbered("what color is the leftmost")]
)
_PAINTS = torch.tensor([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [0.5, 0.5, 0.5]])
