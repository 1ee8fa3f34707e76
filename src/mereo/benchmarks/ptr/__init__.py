"""PTR: furniture made of parts, questions about parts, geometry, analogies, numbers and what would fall."""

from __future__ import annotations

from mereo.benchmarks.offer import Offer
from mereo.benchmarks.ptr.maker import MAKER

__all__ = ["OFFER"]

OFFER = Offer(
    name="ptr",
    about="questions about furniture and its parts: colors, numbers, geometry, analogies, stability",
    maker=MAKER,
)
