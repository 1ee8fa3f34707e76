"""What PartNet has of its own for learning."""

from __future__ import annotations

from mereo.benchmarks.partnet.learning.codes import CODES
from mereo.benchmarks.partnet.learning.rows import ROWS
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(rows=(*ROWS, CODES))
