"""What tables of scores of referring expressions are split by."""

from __future__ import annotations

from typing import Any

from mereo.programs import Program

__all__ = ["facts_of"]


def facts_of(program: Program, referred: list[int]) -> dict[str, Any]:
    """What tables of scores are split by."""
    functions = [step.function for step in program.steps]
    return {
        "number": len(referred),
        "subset": "none" if not referred else "single" if len(referred) == 1 else "multi",
        "false_premise": not referred,
        "relations": sum(function.startswith("relate") for function in functions),
        "topology": "tree" if any(len(step.inputs) > 1 for step in program.steps) else "chain",
    }
