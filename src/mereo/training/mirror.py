"""What is told of things when the picture that shows them is mirrored."""

from __future__ import annotations

import torch
from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.told import Reflection
from mereo.training.seeing import Level

__all__ = ["in_mirror", "reflection_of"]


def reflection_of(level: Level) -> Reflection | None:
    """What becomes of a level's words and numbers in the mirror, by their places; None where nobody knows."""
    if level.mirror is None:
        return None
    values = {name: level.words.get(name) or level.several[name] for name in level.mirror.words}
    places = {name: tuple(map(values[name].index, others)) for name, others in level.mirror.words.items()}
    return Reflection(places, level.mirror.numbers)


def in_mirror(batch: Batch, level: str, told: Level, mirrored: Tensor) -> Batch:
    """The fields of a level that are others in the mirror, for the scenes that are mirrored.

    batch : with the fields of the level as they are without · mirrored : (g,) bool
    """
    reflection = reflection_of(told) or Reflection()
    found: Batch = {}
    for name, places in reflection.words.items():
        order = torch.tensor(places, device=mirrored.device)
        if name in told.words:
            given = batch[f"{level}_words_{name}"]
            found[f"{level}_words_{name}"] = _where(mirrored, _renamed(given, order), given)
        else:
            given = batch[f"{level}_several_{name}"]
            found[f"{level}_several_{name}"] = _where(mirrored, given[..., order.argsort()], given)
    for name, places in reflection.numbers.items():
        given = batch[f"{level}_numbers_{name}"]
        signed = torch.tensor(places, device=mirrored.device)
        found[f"{level}_numbers_{name}"] = _where(mirrored, given[..., signed.abs() - 1] * signed.sign(), given)
    return found


def _renamed(words: Tensor, order: Tensor) -> Tensor:
    """Numbers of values, -1 for none, as those that they become."""
    return torch.where(words < 0, words, order[words.clamp(min=0)])


def _where(mirrored: Tensor, changed: Tensor, given: Tensor) -> Tensor:
    return torch.where(mirrored.view(-1, *(1 for _ in given.shape[1:])), changed, given)
