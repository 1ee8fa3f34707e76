"""What referring expressions have of their own for learning: rows that point, and the paper's table and figures."""

from __future__ import annotations

from mereo.benchmarks.refer.learning.rows import ROWS
from mereo.benchmarks.refer.learning.studies import refer_studies
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(rows=ROWS, studies=refer_studies())
