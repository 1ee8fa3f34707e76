"""What networks say of PTR's things, where a value stands for none."""

from __future__ import annotations

from mereo.benchmarks.ptr.learning.levels import LEVELS, NEITHER

__all__ = ["ABSENT"]

ABSENT = {"geometry": LEVELS["part"].words["geometry"].index(NEITHER)}
"""By attribute the number of the value that stands for none."""
