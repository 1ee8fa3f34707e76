"""Guests: objects of one scene that are seen in another as well, at the same place, before whatever is there.

So who learns to tell things apart meets more of them behind, beside and before each other than were ever rendered. What
a guest is and how it looks stays as it was. How it stands where it is now nobody knows, so nothing is taught of that.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.training.seeing import Level
from mereo.training.things import around, boxes_of

__all__ = ["with_guests"]

_BY_PIXEL = ("ids", "outer")
_REFERRING = ("whole", "within")


def with_guests(batch: Batch, levels: Mapping[str, Level], share: float, chance: torch.Generator) -> Batch:
    """Scenes, each of which some objects of the one before it visit; things of a level then have twice the places.

    batch : `picture`, and the fields of these levels, as in `training/fields.py`
    share : of all objects those that visit
    """
    objects, theirs = batch["object_present"], batch["object_ids"].roll(1, 0)
    invited = (torch.rand(objects.shape, generator=chance, device=chance.device) < share).to(objects.device)
    visited = functional.pad(invited, (1, 0)).gather(1, theirs.flatten(1)).view_as(theirs)
    picture = torch.where(visited[:, None], batch["picture"].roll(1, 0), batch["picture"])
    found = {**batch, "picture": picture}
    for level, told in levels.items():
        found |= _joined(batch, level, told, visited, objects.shape[1])
    return found


def _joined(batch: Batch, level: str, told: Level, visited: Tensor, objects: int) -> Batch:
    """The fields of a level. visited : (g, h, w) bool, pixels that show a guest · objects : places of a scene"""
    known, prefix = told.looks or (), f"{level}_"
    own = {name.removeprefix(prefix): field for name, field in batch.items() if name.startswith(prefix)}
    places = own["present"].shape[1]
    after = {"whole": objects, "within": places}
    found: Batch = {}
    for name, here in own.items():
        there = here.roll(1, 0)
        kind, _, word = name.partition("_")
        if name in _BY_PIXEL:
            found[name] = torch.where(visited, torch.where(there > 0, there + places, 0), here)
            continue
        if name in _REFERRING:
            there = torch.where(there < 0, there, there + after[name])
        elif name == "entity" or (kind == "words" and word not in known):
            there = torch.full_like(there, -1)
        elif kind == "numbers":
            there = torch.full_like(there, torch.nan)
        found[name] = torch.cat([here, there], 1)
    surrounding = around(found["ids"], found["within"])
    found["boxes"], found["present"] = boxes_of([found["ids"], surrounding], 2 * places)
    return {prefix + name: field for name, field in found.items()}
