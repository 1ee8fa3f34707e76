"""What PTR has of its own for learning: how its rooms are seen, and the rows of its tables that know them."""

from __future__ import annotations

from mereo.benchmarks.ptr.learning.rows import ROWS
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.learning.studies import ptr_studies
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(seeing=lambda manifest: PtrSeeing(), rows=ROWS, studies=ptr_studies())
