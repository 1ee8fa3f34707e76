"""A second look at a picture in the mirror, and what both looks say together."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from mereo.models.dense_loss import Foretold
from mereo.models.told import Reflection, Told

__all__ = ["reflected", "with_second_look"]


def reflected(told: Mapping[str, Tensor], reflection: Reflection) -> dict[str, Tensor]:
    """What is told of the pixels of a mirrored picture, as it is to be said of those of the picture itself.

    told : as in `Foretold`
    """
    return {field: _turned(field, said.flip(-1), reflection) for field, said in told.items()}


def with_second_look(first: Foretold, second: Foretold, told: Told) -> Foretold:
    """What both looks say on average, where only the first says where things are, and what they are called.

    The two differ by a pixel here and there, and things that are no larger would be blurred. second : in the mirror
    """
    if told.reflection is None:
        return first
    back = reflected(second.told, told.reflection)
    mean = {field: torch.lerp(said.float(), back[field].float(), 0.5) for field, said in first.told.items()}
    name = f"words_{told.name}"
    return first._replace(told=mean | {name: first.told[name]})


def _turned(field: str, said: Tensor, reflection: Reflection) -> Tensor:
    """What is said of one field, in the order and with the signs of a picture that is not mirrored."""
    kind, name = field.split("_", 1)
    if kind == "numbers" and name in reflection.numbers:
        signed = torch.tensor(reflection.numbers[name], device=said.device)
        return said[:, signed.abs() - 1] * signed.sign().view(-1, 1, 1)
    if kind in ("words", "several") and name in reflection.words:
        return said[:, [*reflection.words[name]]]
    return said
