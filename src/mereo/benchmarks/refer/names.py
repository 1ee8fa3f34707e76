"""Names that stand in datasets of referring expressions."""

from __future__ import annotations

__all__ = ["FALSE_PREMISE", "NAME"]

NAME = "refer"
"""The benchmark."""
FALSE_PREMISE = "false_premise"
"""The preset, and its split, of expressions that refer to nothing."""
