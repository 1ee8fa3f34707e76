"""A table of words, as commands print it and audits tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Sheet"]


class Sheet(NamedTuple):
    """A table of words."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
