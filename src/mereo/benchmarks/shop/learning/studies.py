"""SHOP-VRB's published tables as studies, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["shop_studies"]


@cache
def shop_studies() -> tuple[Study, ...]:
    """Table III (what is seen), IV (what is read) and V (what is answered), on test and on benchmark."""
    return read_studies(Path(__file__).parent, ("table3", "table4", "table5"))
