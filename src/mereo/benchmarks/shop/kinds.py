"""What a question about household objects takes: eyes alone, what is written about them, or a hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.shop.language import TEXTUAL

__all__ = ["KINDS", "kind_of"]

KINDS = ("visual", "textual", "grasp")
_FUNCTION = re.compile(r"([a-z_]+)[\[(]")
_READ = {f"{verb}_{name}" for verb in ("filter", "query", "same", "equal") for name in TEXTUAL}


def kind_of(row: Mapping[str, Any]) -> str:
    """The kind of a question row, by the functions of its program, so that imported questions have one, too."""
    used = set(_FUNCTION.findall(row["program"]))
    return "textual" if used & _READ else "visual"
