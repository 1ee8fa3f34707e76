"""The kinds of chairs; `kinds.toml` holds them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from mereo.files import converted, read_toml
from mereo.shapes.joinery import Span

__all__ = ["kinds"]


class Kind(msgspec.Struct, frozen=True):
    """What a chair is for: how often it is met, the size of its seat, and its bases and backs, by weight."""

    weight: float
    width: Span
    depth: Span
    height: Span
    bases: dict[str, float]
    backs: dict[str, float] = {}


@cache
def kinds() -> dict[str, Kind]:
    """The kinds of chairs that are not upholstered all over, by name."""
    return converted(read_toml(Path(__file__).with_suffix(".toml")), file=__file__, type=dict[str, Kind])
