"""What referring expressions have of their own for learning: rows that point, and the paper's tables."""

from __future__ import annotations

from mereo.benchmarks.refer.learning.rows import ROWS
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(rows=ROWS)
