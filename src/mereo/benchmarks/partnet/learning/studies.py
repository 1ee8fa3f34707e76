"""PartNet's published tables as studies, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["partnet_studies"]

_NAMES = ("table3", "table4", "table5")


@cache
def partnet_studies() -> tuple[Study, ...]:
    """Semantic, hierarchical and instance segmentation."""
    return read_studies(Path(__file__).parent, _NAMES)
