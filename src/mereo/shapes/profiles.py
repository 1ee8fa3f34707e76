"""Profiles that things are turned from, by turns the radius and the height, kept in TOML beside whoever uses them.

line : straight between its corners; curve : with its corners rounded; ball : of a sphere, between two heights.
lowered : all of it brought down; stretch : of its heights; repeat : so often one above the other within a height of 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import numpy as np

from mereo.files import read_toml
from mereo.shapes.solids import bent
from mereo.shapes.style import Style

__all__ = ["Corners", "Profiles", "curve", "line"]

Corners = list[tuple[float, float]]
"""Radius and height, from the foot to the top."""


def line(*numbers: float) -> Corners:
    """A profile from radii and heights by turns."""
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def curve(*numbers: float) -> Corners:
    """The same with its corners rounded."""
    path = bent([(radius, 0.0, height) for radius, height in line(*numbers)])
    return [(float(radius), float(height)) for radius, _, height in path]


def _ball(start: float, end: float) -> Corners:
    """A sphere of radius 1 between two heights."""
    turns = np.linspace(np.arccos(1 - start), np.arccos(1 - end), 13)
    return [(float(np.sin(turn)), float(1 - np.cos(turn))) for turn in turns]


class Profiles:
    """The profiles of one TOML file, in groups."""

    def __init__(self, file: Path):
        self._file = file

    def group(self, name: str) -> dict[str, Corners]:
        """A group of the file, by name."""
        return _read(self._file)[name]

    def drawn(self, style: Style, name: str, group: str, kinds: Iterable[str] = ()) -> Corners:
        """One of a group, or of some kinds of it."""
        known = self.group(group)
        return known[style.pick(name, dict.fromkeys(kinds or known, 1.0))]


@cache
def _read(file: Path) -> dict[str, dict[str, Corners]]:
    groups = read_toml(file).items()
    return {group: {name: _drawn(**entry) for name, entry in entries.items()} for group, entries in groups}


def _drawn(*, lowered: float = 0.0, stretch: float = 1.0, repeat: int = 1, **shape: list[float]) -> Corners:
    ((kind, numbers),) = shape.items()
    makers: dict[str, Callable[..., Corners]] = {"line": line, "curve": curve, "ball": _ball}
    once = makers[kind](*numbers)
    return [(r, (k + stretch * z - lowered) / repeat) for k in range(repeat) for r, z in once]
