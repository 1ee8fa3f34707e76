"""CLEVR-Ref+'s published table and figures as studies, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["refer_studies"]

_NAMES = (
    "table3",
    "figure2",
    "figure3",
    "figure4",
    "figure5",
    "figure7",
    "figure8",
    "figure9",
    "figure10",
    "figure11",
)


@cache
def refer_studies() -> tuple[Study, ...]:
    """Table 3, and the figures: kinds of words, relations, chain against tree, spatial against same, modules, false
    premises, objects, sixths of training, other colors. Figure 6 is drawn by `mereo figures`: masks step by step.
    """
    return read_studies(Path(__file__).parent, _NAMES)
