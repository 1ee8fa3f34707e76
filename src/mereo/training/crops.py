"""Things one by one, for networks that look at one at a time: each with its picture, its pixels and what is true of it.

picture : (b, 3, h, w) float, 0 to 1 · mask : (b, h, w) bool, the pixels of the thing · box : (b, 4) float, around these
words_NAME : (b,) int64, -1 for none · several_NAME : (b, v) bool · numbers_NAME : (b, d) float, NaN where not known

Of parts also what they are parts of:

whole_mask : (b, h, w) bool · whole_box : (b, 4) float · known : (b,) int64, the name of the whole, -1 where it has none
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from mereo.models.crops import boxes_around, widened
from mereo.models.kinds import Batch
from mereo.training.things import Things, around

if TYPE_CHECKING:
    from mereo.training.corpus import Corpus

__all__ = ["CONTEXT", "ThingSource", "shown_by"]

CONTEXT = 2.0
"""How much larger what is looked at around a part without an object is than the part."""
_SHAKEN = 0.05
"""How far boxes are moved and resized, as a share of their extent: nobody finds them exactly."""
_ALONE = 0.1
"""How often a part is shown as if nobody had found its object."""


class ThingSource:
    """The things of a level of a split. whole : the attribute that objects are called by, where a part is told it"""

    def __init__(self, corpus: Corpus, split: str, level: str, *, whole: str | None = None):
        self.pictures, self.names = corpus.pictures(split), corpus.scene_ids(split)
        self.things = corpus.things(split, level)
        self.wholes = corpus.things(split, "object") if whole is not None else None
        self.whole = whole
        self.scene, self.number = self.things.present.nonzero(as_tuple=True)

    def __len__(self) -> int:
        return len(self.scene)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The things at some places; with chance in another light, with boxes that are a little off."""
        scene, number = self.scene[places], self.number[places]
        found = {"picture": self._pictures(scene, chance), "mask": shown_by(self.things, scene, number)}
        found["box"] = _shaken(boxes_around(found["mask"]), chance)
        if self.wholes is not None:
            found |= self._wholes(found["box"], self.wholes, scene, self.things.whole[scene, number], chance)
        for kind in ("words", "several", "numbers"):
            found |= {f"{kind}_{name}": table[scene, number] for name, table in getattr(self.things, kind).items()}
        return found

    def name(self, place: int) -> str:
        """The id of the scene, and which of its things."""
        return f"{self.names[int(self.scene[place])]}, thing {int(self.number[place])}"

    def _pictures(self, scene: Tensor, chance: torch.Generator | None) -> Tensor:
        pictures: Tensor = self.pictures[scene].float().div_(255)
        if chance is None:
            return pictures
        from mereo.training.augment import Change, recolored

        return recolored(pictures, Change(), chance)

    def _wholes(
        self, box: Tensor, wholes: Things, scene: Tensor, whole: Tensor, chance: torch.Generator | None
    ) -> Batch:
        """What parts are parts of; around a part without an object what is near it is looked at."""
        there = whole >= 0
        if chance is not None:
            there = there & (torch.rand(len(whole), generator=chance, device=chance.device).to(whole.device) >= _ALONE)
        masks = shown_by(wholes, scene, whole.clamp(min=0)) & there[:, None, None]
        near = torch.where(there[:, None], _shaken(boxes_around(masks), chance), widened(box, CONTEXT))
        names = wholes.words[str(self.whole)][scene, whole.clamp(min=0)]
        return {"whole_mask": masks, "whole_box": near, "known": torch.where(there, names, -1)}


def shown_by(things: Things, scene: Tensor, number: Tensor) -> Tensor:
    """(b, h, w) bool: the pixels that show things, and parts within them. scene, number : (b,) int64"""
    ids, own = things.ids[scene].long(), (number + 1)[:, None, None]
    return (ids == own) | (around(ids, things.within[scene]) == own)


def _shaken(boxes: Tensor, chance: torch.Generator | None) -> Tensor:
    """Boxes that are a little off."""
    if chance is None:
        return boxes
    by = (torch.rand(len(boxes), 4, generator=chance, device=chance.device).to(boxes.device) * 2 - 1) * _SHAKEN
    return boxes + by * boxes[:, 2:].repeat(1, 2)
