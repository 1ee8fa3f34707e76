"""What PartNet has of its own for learning."""

from __future__ import annotations

from mereo.benchmarks.partnet.learning.codes import CODES
from mereo.benchmarks.partnet.learning.hierarchical_rows import HIERARCHICAL_ROWS
from mereo.benchmarks.partnet.learning.instance_rows import INSTANCE_ROWS
from mereo.benchmarks.partnet.learning.queries_row import QUERIES_ALL
from mereo.benchmarks.partnet.learning.rows import ROWS
from mereo.benchmarks.partnet.learning.studies import partnet_studies
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(rows=(*ROWS, *HIERARCHICAL_ROWS, *INSTANCE_ROWS, QUERIES_ALL, CODES), studies=partnet_studies())
