"""The kinds of storage furniture; `kinds.toml` holds them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from mereo.files import converted, read_toml
from mereo.shapes.joinery import Span

__all__ = ["Kind", "Weights", "catalog"]

Weights = dict[str, float]


class Kind(msgspec.Struct, frozen=True):
    """A kind of furniture: how often it is met, how wide a column is, its size, its base, its doors, its layouts."""

    weight: float
    column: Span
    depth: Span
    height: Span
    bases: Weights
    doors: Weights
    number: tuple[int, int]
    """Bounds of what `n` is in its layouts."""
    layouts: tuple[str, ...]
    any: Weights = {}
    """What `any` may be in its layouts."""


class Catalog(msgspec.Struct, frozen=True):
    """All that `kinds.toml` says."""

    kinds: dict[str, Kind]
    open_kinds: Weights
    """Those without a case."""
    doors: dict[str, Weights]
    """Groups of doors by name."""
    handles: Weights
    clearance: dict[str, Span]
    upper_layouts: Weights
    """Of the upper part of a dresser."""


@cache
def catalog() -> Catalog:
    """The kinds of storage furniture and what they choose from."""
    table = read_toml(Path(__file__).with_suffix(".toml"))
    for kind in table["kinds"].values():
        kind["bases"] = table["bases"][kind["bases"]] | kind.pop("more_bases", {})
        kind["doors"] = table["doors"][kind["doors"]]
    return converted(table, file=__file__, type=Catalog)
