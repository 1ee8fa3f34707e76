"""SHOP-VRB: household objects on a table, asked about by what is seen of them and by what is written about them."""

from __future__ import annotations

from mereo.benchmarks.offer import Offer
from mereo.benchmarks.shop.commands import COMMANDS
from mereo.benchmarks.shop.maker import MAKER

__all__ = ["OFFER"]

OFFER = Offer(
    name="shop",
    about="questions about household objects: what is seen, what is read in a description, what can be grasped",
    maker=MAKER,
    commands=COMMANDS,
)
