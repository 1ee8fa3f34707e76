"""Small pictures made of a few colored things with parts, as batches to learn perception from."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.told import Told

__all__ = ["COLORS", "TOLD", "toy_batch", "toy_blocks"]

COLORS = torch.tensor([[0.9, 0.1, 0.1], [0.1, 0.8, 0.1], [0.15, 0.2, 0.9]])
_TABLE, _SHELF = 0, 1
_TOP, _LEG, _FRAME, _BAR = range(4)
_LINE = 0
_OBJECTS, _PARTS = 2, 12

TOLD = {
    "object": Told({"category": 2}, several={"loose": 2}, numbers={"place": 3}),
    "part": Told(
        {"part": 4, "color": 3, "geometry": 2},
        numbers={"axis": 3},
        signless=frozenset({"axis"}),
        absent={"geometry": 1},
    ),
}


def toy_batch(count: int, size: int = 32, *, seed: int = 0) -> Batch:
    """Tables with a top and legs, and shelves whose frame is made of bars: parts within a part.

    Some tables stand before others. The place of an object is where it is in the picture, the axis of a part the way it
    goes, told with either sign.
    """
    chance = torch.Generator().manual_seed(seed)
    batch: Batch = {
        "picture": 0.75 + 0.05 * torch.rand(count, 3, size, size, generator=chance),
        "object_ids": torch.zeros(count, size, size, dtype=torch.int64),
        "part_ids": torch.zeros(count, size, size, dtype=torch.int64),
        "part_outer": torch.zeros(count, size, size, dtype=torch.int64),
        "object_words_category": torch.full((count, _OBJECTS), -1),
        "object_several_loose": torch.zeros(count, _OBJECTS, 2, dtype=torch.bool),
        "object_numbers_place": torch.full((count, _OBJECTS, 3), math.nan),
        "part_numbers_axis": torch.full((count, _PARTS, 3), math.nan),
        "part_whole": torch.full((count, _PARTS), -1),
        **{f"part_words_{name}": torch.full((count, _PARTS), -1) for name in ("part", "color", "geometry")},
    }
    for picture in range(count):
        _Painter(batch, picture, chance).paint(size)
    for level in ("object", "part"):
        batch[f"{level}_present"] = batch[f"{level}_words_{TOLD[level].name}"] >= 0
    return batch


def toy_blocks(count: int, size: int = 32, *, seed: int = 0) -> Batch:
    """Two colored blocks side by side in every picture, to be found as objects."""
    chance = torch.Generator().manual_seed(seed)
    picture = 0.75 + 0.05 * torch.rand(count, 3, size, size, generator=chance)
    ids = torch.zeros(count, size, size, dtype=torch.int64)
    for place in range(count):
        for number in range(_OBJECTS):
            top, left, color = (
                int(torch.randint(most, (1,), generator=chance)) for most in (size - 12, 3, len(COLORS))
            )
            rows = slice(top, top + 12)
            columns = slice(left + number * size // 2, left + number * size // 2 + size // 2 - 4)
            picture[place, :, rows, columns] = COLORS[color][:, None, None]
            ids[place, rows, columns] = number + 1
    return {"picture": picture, "object_ids": ids}


class _Painter:
    """Paints one picture of a batch."""

    def __init__(self, batch: Batch, picture: int, chance: torch.Generator) -> None:
        self.batch, self.picture, self.chance, self.parts = batch, picture, chance, 0

    def paint(self, size: int) -> None:
        half = size // 2
        for number in range(_OBJECTS):
            left, top = number * half + self.draw(3), 1 + self.draw(half - 2)
            category = self.draw(2)
            self.set("object_words_category", number, category)
            self.set("object_several_loose", number, torch.tensor([category == _TABLE, top > half // 2]))
            self.set("object_numbers_place", number, torch.tensor([left / size, top / size, 0.5]))
            (self.table if category == _TABLE else self.shelf)(number, left, top, half - 4)

    def table(self, number: int, left: int, top: int, side: int) -> None:
        self.part(number, _TOP, (top, left, 3, side), axis=None)
        legs = 2 + self.draw(2)
        color = self.draw(3)
        for leg in range(legs):
            self.part(number, _LEG, (top + 3, left + leg * (side - 2) // (legs - 1), side - 4, 2), color=color, axis=0)

    def shelf(self, number: int, left: int, top: int, side: int) -> None:
        frame = self.parts
        self.part(number, _FRAME, None, axis=None)
        color = self.draw(3)
        for bar in range(2 + self.draw(2)):
            self.part(number, _BAR, (top + 4 * bar, left, 2, side), color=color, axis=1, within=frame)

    def part(
        self,
        whole: int,
        name: int,
        box: tuple[int, int, int, int] | None,
        *,
        axis: int | None,
        color: int | None = None,
        within: int | None = None,
    ) -> None:
        """A part that covers a box: top, left, height, width; one without a box has its pixels in parts within it."""
        color = self.draw(3) if color is None else color
        for field, value in (("whole", whole), ("words_part", name)):
            self.set(f"part_{field}", self.parts, value)
        if axis is not None:
            self.set("part_words_geometry", self.parts, _LINE)
            self.set("part_numbers_axis", self.parts, torch.eye(3)[axis] * (1 - 2 * self.draw(2)))
        self.parts += 1
        if box is None:
            return
        self.set("part_words_color", self.parts - 1, color)
        rows, columns = slice(box[0], box[0] + box[2]), slice(box[1], box[1] + box[3])
        shade = 0.8 + 0.2 * torch.rand(1, generator=self.chance)
        self.batch["picture"][self.picture, :, rows, columns] = (COLORS[color] * shade)[:, None, None]
        self.batch["object_ids"][self.picture, rows, columns] = whole + 1
        self.batch["part_ids"][self.picture, rows, columns] = self.parts
        self.batch["part_outer"][self.picture, rows, columns] = self.parts if within is None else within + 1

    def set(self, field: str, place: int, value: int | Tensor) -> None:
        self.batch[field][self.picture, place] = value

    def draw(self, below: int) -> int:
        return int(torch.randint(below, (1,), generator=self.chance))
