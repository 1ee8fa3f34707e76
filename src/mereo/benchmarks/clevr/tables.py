"""How CLEVR's scores are split: five question types, each known by the last function of the program."""

from __future__ import annotations

from mereo.clevr_family.language import VOCABULARY
from mereo.evaluation.tables import Table, rows_by

__all__ = ["TABLES"]

_ATTRIBUTES = tuple(VOCABULARY.attributes)

TABLES = (
    Table(
        "question types",
        rows_by(
            "function",
            {
                "count": ("count",),
                "exist": ("exist",),
                "compare number": ("equal_integer", "less_than", "greater_than"),
                "query attribute": tuple(f"query_{name}" for name in _ATTRIBUTES),
                "compare attribute": tuple(f"equal_{name}" for name in _ATTRIBUTES),
            },
        ),
    ),
    Table(
        "query attribute by attribute",
        rows_by("function", {name: (f"query_{name}",) for name in _ATTRIBUTES}, group="query attribute"),
    ),
)
"""By the program and not by the column `type`, so that imported questions, which have no types of ours, count too."""
