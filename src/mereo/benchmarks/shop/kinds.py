"""What a question about household objects takes: eyes alone, what is written about them, or a hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.shop.language import SHOP_VRB, TEXTUAL

__all__ = ["KINDS", "kind_by", "kind_of"]

KINDS = ("visual", "textual", "grasp")
_FUNCTION = re.compile(r"([a-z_]+)[\[(]")
_READ = frozenset(f"{verb}_{name}" for verb in ("filter", "query", "same", "equal") for name in TEXTUAL)
_PUBLISHED = frozenset(SHOP_VRB.functions)


def kind_of(row: Mapping[str, Any]) -> str:
    """The kind of a question row, by the functions of its program, so that imported questions have one, too."""
    return kind_by(frozenset(_FUNCTION.findall(row["program"])))


def kind_by(functions: frozenset[str]) -> str:
    """The kind of a program that uses these functions: what SHOP-VRB's own language cannot say is about a hand."""
    if functions - _PUBLISHED:
        return "grasp"
    return "textual" if functions & _READ else "visual"
