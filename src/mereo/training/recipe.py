"""What a model that answers questions about pictures is put together from. Light: the zoo is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mereo.training.row import Pace

__all__ = ["Recipe"]

_PACE = Pace(batch=32, rate=1e-3, decay=0.02, average=0.999)
"""An example is a picture with as many questions as are asked together, so a batch has 512 questions."""


@dataclass(frozen=True)
class Recipe:
    """What a model that answers questions about pictures is put together from; choices of a person go before it."""

    reasoner: str
    """One of `models.reasoners.REASONERS`."""
    sight: Literal["nothing", "pooled", "grid", "given"]
    """What it looks at: nothing, the picture as one vector, all its places, or vectors that its row makes of it."""
    about: str
    width: int = 256
    reader: Literal["lstm", "gru", "transformer"] = "lstm"
    dropout: float = 0.1
    trunk: Literal["usual", "small"] = "usual"
    """How large the network is that looks at pictures; the small one is for machines without a GPU."""
    vectors: str = ""
    """Where the vectors of words are to begin with: a file or folder, or `glove` for the package; none if empty."""
    together: int = 16
    """Questions that are asked of a picture when it is looked at."""
    settings: Mapping[str, int] = field(default_factory=dict)
    """Of the reasoner."""
    pace: Pace = _PACE

    @property
    def choices(self) -> dict[str, str | int | float | bool]:
        """What a person may choose, with what is taken otherwise."""
        own: dict[str, str | int | float | bool] = {name: getattr(self, name) for name in _CHOSEN}
        return {**own, **self.settings}


_CHOSEN = ("width", "reader", "dropout", "trunk", "vectors", "together")
