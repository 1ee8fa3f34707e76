"""A second look at a picture in the mirror, and what both looks say together."""

from __future__ import annotations

import torch
from torch import Tensor

from mereo.models.dense_loss import Foretold
from mereo.models.told import Reflection

__all__ = ["mean_of", "reflected"]


def reflected(foretold: Foretold, reflection: Reflection) -> Foretold:
    """What was foretold of the pixels of a mirrored picture, as it is to be said of those of the picture itself."""
    return Foretold(
        way=foretold.way.flip(-1) * foretold.way.new_tensor([1.0, -1.0]).view(2, 1, 1),
        near=foretold.near.flip(-1),
        heat=foretold.heat.flip(-1),
        told={name: _turned(name, said.flip(-1), reflection) for name, said in foretold.told.items()},
    )


def mean_of(one: Foretold, other: Foretold) -> Foretold:
    """What two looks say on average."""
    return Foretold(
        *(torch.lerp(mine.float(), its.float(), 0.5) for mine, its in zip(one[:3], other[:3], strict=True)),
        {name: torch.lerp(said.float(), other.told[name].float(), 0.5) for name, said in one.told.items()},
    )


def _turned(field: str, said: Tensor, reflection: Reflection) -> Tensor:
    """What is said of one field, in the order and with the signs of a picture that is not mirrored."""
    kind, name = field.split("_", 1)
    if kind == "numbers" and name in reflection.numbers:
        signed = torch.tensor(reflection.numbers[name], device=said.device)
        return said[:, signed.abs() - 1] * signed.sign().view(-1, 1, 1)
    if kind in ("words", "several") and name in reflection.words:
        return said[:, [*reflection.words[name]]]
    return said
