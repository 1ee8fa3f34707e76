"""Studies as files: a table a file, all with the scales that stand beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mereo.files import converted, read_toml
from mereo.training.learning import Study

__all__ = ["read_studies"]

_SCALES = "scales.toml"


def read_studies(folder: Path, names: Sequence[str]) -> tuple[Study, ...]:
    """The studies of these names in a folder, in this order; each may bring scales of its own, or change some."""
    scales = read_toml(folder / _SCALES)
    found = []
    for name in names:
        path = folder / f"{name}.toml"
        own = read_toml(path)
        both = {**scales, **own.get("scales", {})}
        found.append(converted({**own, "name": name, "scales": both}, file=path, type=Study))
    return tuple(found)
