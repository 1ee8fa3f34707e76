"""Patterns of labels, for tables that say something about many parts at once."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["fits"]


def fits(label: str, pattern: str) -> bool:
    """Whether a label fits a pattern: `*` is anything within one step of its path, `**/` any number of steps.

    `chair/**/leg` fits `chair/chair_base/regular_leg_base/leg`, and `chair/*` fits `chair/chair_back` only.
    """
    return _compiled(pattern).fullmatch(label) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*\*/", "(?:[^/]+/)*").replace(r"\*", "[^/]*"))
