"""CLEVR-Ref+'s published table and figures as studies, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["refer_studies"]

_NAMES = ("table3", "figure2", "figure7", "figure8", "figure9", "figure11")


@cache
def refer_studies() -> tuple[Study, ...]:
    """Table 3, and the figures that ask for more: kinds of words, modules, false premises, objects, other colors.

    Figures 3 to 5 are columns of the table: relations, chain against tree, spatial against same.
    """
    return read_studies(Path(__file__).parent, _NAMES)
