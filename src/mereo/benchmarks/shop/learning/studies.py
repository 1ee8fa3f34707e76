"""SHOP-VRB's published tables as studies, read from the files beside this one.

Tables III and IV tell how well scenes are seen and pages read, and no answers: `mereo parse` and `mereo parsed` make
these again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.training.learning import Study
from mereo.training.study_files import read_studies

__all__ = ["shop_studies"]


@cache
def shop_studies() -> tuple[Study, ...]:
    """Table V: answers by kind and type of question, on test and on benchmark."""
    return read_studies(Path(__file__).parent, ("table5",))
