"""PTR's published tables and figures as studies, and one of our own, read from the files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.files import converted, read_toml
from mereo.training.learning import Study

__all__ = ["ptr_studies"]

_NAMES = ("table2", "figure4", "figure5", "figure6", "exchange")


@cache
def ptr_studies() -> tuple[Study, ...]:
    """Table 2, figures 4 to 6 (how much data, other categories, what NS-VQA fails at), and what our own fails at."""
    folder = Path(__file__).parent
    scales = read_toml(folder / "scales.toml")
    found = []
    for name in _NAMES:
        path = folder / f"{name}.toml"
        found.append(converted({"name": name, "scales": scales, **read_toml(path)}, file=path, type=Study))
    return tuple(found)
