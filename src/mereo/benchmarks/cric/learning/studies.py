"""CRIC's published tables as studies, and one of our own, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["cric_studies"]

_NAMES = ("table2", "table3", "table4", "table5", "exchange")


@cache
def cric_studies() -> tuple[Study, ...]:
    """Table 2, table 3 (what single functions find), table 4 (what graphs are worth), table 5 (what carries over to and
    from visual questions), and what our own row fails at."""
    return read_studies(Path(__file__).parent, _NAMES)
