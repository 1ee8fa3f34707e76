"""Where the keys of keyboards and laptops lie."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mereo.files import read_toml

__all__ = ["Key", "keys_of"]


class Key(NamedTuple):
    """A key seen from above, in widths of a key: its middle, x to the right and y to the back, and its width."""

    x: float
    y: float
    width: float


@cache
def keys_of(layout: str) -> tuple[tuple[Key, ...], tuple[float, float]]:
    """The keys of a layout around the origin, and how wide and deep they are together."""
    table = read_toml(Path(__file__).with_name("keys.toml"))
    placed = table["layouts"][layout]
    found = [key for block, x, y in placed for key in _block(table["blocks"][block], x, y)]
    right, back = max(key.x + key.width / 2 for key in found), max(0.5 - key.y for key in found)
    return tuple(Key(key.x - right / 2, key.y + back / 2, key.width) for key in found), (right, back)


def _block(rows: list[str], left: float, top: float) -> Iterator[Key]:
    for number, row in enumerate(rows):
        x = left
        for word in row.split():
            size, _, times = word.partition("x")
            for _ in range(int(times or 1)):
                if float(size) > 0:
                    yield Key(x + float(size) / 2, -(top + number + 0.5), float(size))
                x += abs(float(size))
