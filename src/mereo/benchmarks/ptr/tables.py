"""How PTR's scores are split: the fourteen rows of the paper's second table."""

from __future__ import annotations

from mereo.benchmarks.ptr.questions import TYPES
from mereo.evaluation.tables import Row, Table, rows_by

__all__ = ["TABLES"]

TABLES = (
    Table("question types", tuple(Row(subtype, {"subtype": (subtype,)}, type) for subtype, type in TYPES.items())),
    Table("types", rows_by("type", {type: (type,) for type in dict.fromkeys(TYPES.values())})),
)
