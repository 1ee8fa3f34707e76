"""How SHOP-VRB's answers are scored: Table V, CLEVR's five question types for each kind of question and for all.

Kinds and types are told by the functions of the program, so that imported questions, which have no types of ours, count
too. A visual question takes eyes alone, a textual one also what is written about the objects. Questions about grasps
are none of SHOP-VRB's and have a row of their own.
"""

from __future__ import annotations

from mereo.benchmarks.shop.kinds import kind_by
from mereo.benchmarks.shop.language import TEXTUAL, VISUAL
from mereo.evaluation.tables import Row, Table, rows_by

__all__ = ["TABLES"]

_ATTRIBUTES = (*VISUAL, *TEXTUAL)
_TYPES = {
    "count": ("count",),
    "exist": ("exist",),
    "compare number": ("equal_integer", "less_than", "greater_than"),
    "compare attribute": tuple(f"equal_{name}" for name in _ATTRIBUTES),
    "query attribute": tuple(f"query_{name}" for name in _ATTRIBUTES),
}


def _kind(name: str, *kinds: str) -> tuple[Row, ...]:
    """The five types of some kinds of questions, and all of them."""

    def belongs(functions: frozenset[str]) -> bool:
        return kind_by(functions) in kinds

    types = (Row(type, {"function": functions}, name, belongs) for type, functions in _TYPES.items())
    return (*types, Row("overall", {}, name, belongs))


TABLES = (
    Table(
        "question types",
        (
            *_kind("visual", "visual"),
            *_kind("textual", "textual"),
            *_kind("all", "visual", "textual"),
            Row("grasp", {}, "grasp", lambda functions: kind_by(functions) == "grasp"),
        ),
    ),
    Table(
        "query attribute by attribute",
        rows_by("function", {name: (f"query_{name}",) for name in _ATTRIBUTES}, group="query attribute"),
    ),
)
