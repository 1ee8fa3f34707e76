"""PTR's published tables and figures as studies, and one of our own, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["ptr_studies"]

_NAMES = ("table2", "figure4", "figure5", "figure6", "exchange")


@cache
def ptr_studies() -> tuple[Study, ...]:
    """Table 2, figures 4 to 6 (how much data, other categories, what NS-VQA fails at), and what our own fails at."""
    return read_studies(Path(__file__).parent, _NAMES)
