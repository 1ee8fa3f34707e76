"""The kinds of ordinary tables and the patterns of turned legs; `kinds.toml` holds them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from mereo.files import converted, read_toml
from mereo.shapes.joinery import Span

__all__ = ["kinds", "turnings"]


class Kind(msgspec.Struct, frozen=True):
    """What a table is for: how often it is met, its size, and the bases and outlines it may have, by weight."""

    weight: float
    width: Span
    depth: Span
    height: Span
    bases: dict[str, float]
    outlines: dict[str, float]


class _Catalog(msgspec.Struct, frozen=True):
    kinds: dict[str, Kind]
    turnings: dict[str, list[Span]]


@cache
def _catalog() -> _Catalog:
    return converted(read_toml(Path(__file__).with_suffix(".toml")), file=__file__, type=_Catalog)


def kinds() -> dict[str, Kind]:
    """The kinds of ordinary tables, by name."""
    return _catalog().kinds


def turnings() -> dict[str, list[Span]]:
    """The turner's patterns: radius and height as shares, from the foot to below the head."""
    return _catalog().turnings
