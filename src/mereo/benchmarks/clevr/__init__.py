"""CLEVR: simple solids on a stage, questions about their attributes and places."""

from __future__ import annotations

from mereo.benchmarks.clevr.maker import MAKER
from mereo.benchmarks.offer import Offer

__all__ = ["OFFER"]

OFFER = Offer(
    name="clevr",
    about="questions about solids on a stage: attributes, places, counts, comparisons",
    maker=MAKER,
)
