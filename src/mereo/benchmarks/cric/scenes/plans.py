"""What stands where in own scenes, as `settings.toml` has it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from mereo.files import converted, read_toml
from mereo.scenes.scene import Surface

__all__ = ["SETTINGS", "Holds", "Plan", "all_surfaces", "holds", "looks", "plans"]

SETTINGS = ("room", "laid table", "kitchen counter")

Span = tuple[float, float]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to furnish a setting; `settings.toml` says what the fields mean."""

    setting: Literal["room", "laid table", "kitchen counter"]
    name: str
    count: tuple[int, int]
    floor_count: tuple[int, int]
    raised: float
    rises: Span
    turns: Span
    row: tuple[tuple[str, ...], ...] = ()
    gaps: Span = (0.0, 0.0)
    middle: tuple[str, ...] = ()
    floor: tuple[str, ...] = ()
    on: dict[str, tuple[str, ...]] = {}
    under: dict[str, tuple[str, ...]] = {}
    seats: bool = False
    whole: bool = False


class Holds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a smaller thing holds."""

    how: Literal["on", "in"]
    what: tuple[str, ...]
    count: tuple[int, int]
    settle: bool = False


class _Looks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pieces: int
    floor: tuple[str, ...]
    wall: tuple[str, ...]


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    looks: _Looks
    plans: tuple[Plan, ...]
    holds: dict[str, Holds]


@cache
def _file() -> _Settings:
    file = Path(__file__).with_name("settings.toml")
    return converted(read_toml(file), file=file, type=_Settings)


def plans(setting: str) -> list[Plan]:
    """The ways to furnish a setting."""
    return [plan for plan in _file().plans if plan.setting == setting]


def holds() -> dict[str, Holds]:
    """What smaller things hold, by kind."""
    return _file().holds


def looks() -> _Looks:
    """The looks of floors and walls."""
    return _file().looks


def all_surfaces() -> list[Surface]:
    """The floors and walls that a scene can show."""
    return [
        Surface(name, seed) for name in dict.fromkeys((*looks().floor, *looks().wall)) for seed in range(looks().pieces)
    ]
