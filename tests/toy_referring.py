"""Small pictures of colored squares, and expressions that mean some of them, one of them or none, as batches.

"the red things", "the leftmost", "the red things and the leftmost": with their programs, masks, boxes and targets.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.models.modular.modules import Module

COLORS = ("red", "green", "blue")
WORDS = ("", "?", "the", "things", "leftmost", "and", *COLORS)
MODULES = (Module("scene", 0), *(Module(f"color[{color}]", 1) for color in COLORS), Module("leftmost", 1))
MODULES += (Module("union", 2),)
SIZE, SIDE, PLACES = 32, 8, 4
"""Pixels of a picture, of a square, and rows and columns of places."""
DETAIL = 4
_PAINTS = torch.tensor([[0.9, 0.1, 0.1], [0.1, 0.8, 0.1], [0.15, 0.2, 0.9]])
_LEFTMOST, _UNION = 4, 5


class ToyExpressions:
    """So many pictures with a few expressions each, as a `Source`.

    meaning : "one" where only those are wanted that mean one thing, as `ReferSource` has it
    kinds : 4 for colors and the leftmost, 7 with both at once
    """

    def __init__(
        self, count: int, *, seed: int, things: int = 4, together: int = 4, meaning: str = "any", kinds: int = 7
    ):
        chance = torch.Generator().manual_seed(seed)
        self.color = torch.randint(len(COLORS), (count, things), generator=chance)
        # Each square stands in a column of its own, so that one of them is the leftmost.
        columns = torch.rand(count, PLACES, generator=chance).argsort(1)[:, :things]
        rows = torch.randint(PLACES, (count, things), generator=chance)
        self.place = torch.stack([columns, rows], -1)
        self.asked = torch.randint(kinds, (count, together), generator=chance)
        if meaning == "one":
            self.asked = self._single(chance, kinds)

    def _single(self, chance: torch.Generator, kinds: int) -> Tensor:
        """Expressions that mean one thing each."""
        each = (torch.full_like(self.asked[:, :1], kind) for kind in range(kinds))
        fits = torch.stack([self._targets(asked)[:, 0].sum(-1) == 1 for asked in each])
        return torch.multinomial(fits.T.float(), self.asked.shape[1], replacement=True, generator=chance)

    def __len__(self) -> int:
        return len(self.color)

    def name(self, place: int) -> str:
        return f"toy {place}"

    def _targets(self, asked: Tensor, places: Tensor | None = None) -> Tensor:
        """(g, t, k) bool: expressions are a color, the leftmost, or both."""
        color, place = (self.color, self.place) if places is None else (self.color[places], self.place[places])
        named = color[:, None] == (asked % 4)[..., None]
        left = place[..., 0] == place[..., 0].amin(1, keepdim=True)
        return (named & (asked != 3)[..., None]) | (left[:, None] & (asked >= 3)[..., None])

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        color, asked = self.color[places], self.asked[places]
        corner = self.place[places] * SIDE
        pixel = torch.arange(SIZE)
        across = (pixel >= corner[..., :1]) & (pixel < corner[..., :1] + SIDE)
        down = (pixel >= corner[..., 1:]) & (pixel < corner[..., 1:] + SIDE)
        masks = (down[..., None] & across[..., None, :]).float()
        picture = 0.5 + torch.einsum("gkhw,gkc->gchw", masks, _PAINTS[color] - 0.5)
        target = self._targets(asked, places)
        covered = functional.avg_pool2d(masks, DETAIL)
        meant = torch.einsum("gtk,gkrc->gtrc", target.float(), covered)
        return {
            "picture": picture,
            "question": _QUESTIONS[asked].flatten(0, 1),
            "steps": _PROGRAMS[asked].flatten(0, 1),
            "scene_of": torch.arange(len(places)).repeat_interleave(asked.shape[1]),
            "target": target.flatten(0, 1),
            "meant": meant.flatten(0, 1),
            "covered": covered,
            "boxes": torch.cat([corner, torch.full_like(corner, SIDE)], -1).float(),
            "boxes_present": torch.ones_like(color, dtype=torch.bool),
        }


def _numbered(text: str, length: int = 6) -> list[int]:
    numbers = [WORDS.index(word) for word in text.split()]
    return numbers + [0] * (length - len(numbers))


def _program(*steps: tuple[int, ...], length: int = 4) -> list[list[int]]:
    filled = [[*step, *[-1] * (3 - len(step))] for step in steps]
    return filled + [[-1, -1, -1]] * (length - len(filled))


_QUESTIONS = torch.tensor(
    [_numbered(f"the {color} things") for color in COLORS]
    + [_numbered("the leftmost")]
    + [_numbered(f"the {color} things and the leftmost") for color in COLORS]
)
_PROGRAMS = torch.tensor(
    [_program((0,), (1 + k, 0)) for k in range(3)]
    + [_program((0,), (_LEFTMOST, 0))]
    + [_program((0,), (1 + k, 0), (_LEFTMOST, 0), (_UNION, 1, 2)) for k in range(3)]
)
