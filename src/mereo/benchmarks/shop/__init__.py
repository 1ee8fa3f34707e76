"""SHOP-VRB: household objects on a table top, with knowledge from text."""

from __future__ import annotations

from mereo.benchmarks.offer import Offer

__all__ = ["OFFER"]

OFFER = Offer(name="shop", about="questions about household objects: what is seen of them and what a page tells")
