"""Facts: what is known of a world beside its tables, and goes with it when it is made anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

__all__ = ["Fact"]


class Fact(Protocol):
    """Anything that a benchmark knows of a whole world, such as what its own files say of every object."""

    def kept(self, places: Sequence[int]) -> Self:
        """What is still known when only the entities at these places are left, numbered anew in this order."""
