"""CRIC: questions that join what is seen with what is known."""

from __future__ import annotations

from mereo.benchmarks.cric.commands import COMMANDS
from mereo.benchmarks.cric.maker import MAKER
from mereo.benchmarks.cric.names import NAME
from mereo.benchmarks.offer import Offer

__all__ = ["OFFER"]

OFFER = Offer(
    name=NAME,
    about="questions that join what is seen in a picture with what everybody knows",
    maker=MAKER,
    commands=COMMANDS,
)
