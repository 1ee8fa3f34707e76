"""CoGenT: compositional generalization, for which the colors of shapes differ between two conditions."""

from __future__ import annotations

__all__ = ["COGENT"]

COGENT = {"trainA": 0.5, "valA": 0.125, "valB": 0.125, "testA": 0.125, "testB": 0.125}
"""The shares of its splits; the last letter of each is its condition."""
