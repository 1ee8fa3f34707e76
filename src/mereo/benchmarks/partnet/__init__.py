"""PartNet: shapes as clouds of points, of which every point is told the part that it belongs to, coarse or fine."""

from __future__ import annotations

from mereo.benchmarks.offer import Offer
from mereo.benchmarks.partnet.commands import COMMANDS
from mereo.benchmarks.partnet.maker import MAKER
from mereo.benchmarks.partnet.names import NAME

__all__ = ["OFFER"]

OFFER = Offer(
    name=NAME,
    about="shapes as clouds of points: which part each point belongs to, by kind, by instance and by hierarchy",
    maker=MAKER,
    commands=COMMANDS,
)
