"""What a benchmark has of its own for learning: models that know it, how its pictures are seen, published tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mereo.training.row import Row
    from mereo.training.seeing import Seeing

__all__ = ["Learning", "Scale", "Study"]


@dataclass(frozen=True)
class Scale:
    """How large a study is made."""

    about: str
    build: Mapping[str, Any]
    """The choices of the benchmark's maker that make its data."""
    minutes: float
    """For each row to be trained, on the machine that the scale is meant for."""


@dataclass(frozen=True)
class Study:
    """A published table that can be made again: data, rows, and what was published."""

    name: str
    about: str
    rows: tuple[str, ...]
    scales: Mapping[str, Scale]
    published: Mapping[str, Mapping[str, float]]
    """By row and column, in percent."""


@dataclass(frozen=True)
class Learning:
    """A benchmark's part in learning."""

    seeing: Callable[[], Seeing] | None = None
    rows: tuple[Row, ...] = ()
    studies: tuple[Study, ...] = field(default=())
