"""What CRIC has of its own for learning: the rows of its tables, which look at regions and know things."""

from __future__ import annotations

from mereo.benchmarks.cric.learning.rows import ROWS
from mereo.benchmarks.cric.learning.studies import cric_studies
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(rows=ROWS, studies=cric_studies())
