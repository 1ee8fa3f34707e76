"""Referring expressions in CLEVR-Ref+'s manner: programs that end in objects, every step of them grounded."""

from __future__ import annotations

from mereo.benchmarks.offer import Offer
from mereo.benchmarks.refer.commands import COMMANDS
from mereo.benchmarks.refer.maker import MAKER
from mereo.benchmarks.refer.names import NAME

__all__ = ["OFFER"]

OFFER = Offer(
    name=NAME,
    about="expressions that refer to objects: by attribute, relation, place in an order, visibility",
    maker=MAKER,
    commands=COMMANDS,
)
