"""Layouts: from a text such as `door | 1.3 (open / 2 drawers:3) | door` to what divides and fills a case."""

from __future__ import annotations

import re
from collections.abc import Callable

from mereo.shapes.grammar import leaf
from mereo.shapes.grammars.storage_furniture.fillings import (
    front_panel,
    hanging_rail,
    left_open,
    mirror_panel,
    shelves_in,
)
from mereo.shapes.grammars.storage_furniture.fronts import doors_in, drawers_in, sliding_doors
from mereo.shapes.grammars.storage_furniture.joiner import Joiner, Space
from mereo.shapes.part import Part

__all__ = ["apart", "filled"]

_Fill = Callable[[Joiner, Space, int], list[Part]]
"""What fills a room of a case, so many times."""


def apart(layout: str, mark: str) -> list[tuple[float, str]]:
    """The columns (`|`) or rows (`/`) of a layout, each with its share and out of its brackets."""
    pieces: list[str] = []
    for piece in layout.split(mark):
        inner = pieces and pieces[-1].count("(") > pieces[-1].count(")")
        pieces[-1:] = [f"{pieces[-1]}{mark}{piece}"] if inner else [*pieces[-1:], piece]
    found = [re.fullmatch(r"(?:([\d.]+) )?(?:\((.*)\)|(.*))", piece.strip()) for piece in pieces]
    return [(float(match[1] or 1), match[2] or match[3]) for match in found if match]


def filled(joiner: Joiner, room: Space, layout: str) -> list[Part]:
    """The boards that divide a room, and what stands between them."""
    columns, rows = apart(layout, "|"), apart(layout, "/")[::-1]
    upright, pieces = len(columns) > 1, columns if len(columns) > 1 else rows
    if len(pieces) == 1 and pieces[0][1] == layout:
        what, _, count = layout.partition(":")
        return _FILLS[what](joiner, room, int(count or 1))
    low, high = (room.x0, room.x1) if upright else (room.z0, room.z1)
    net = (high - low - (len(pieces) - 1) * joiner.board) / sum(share for share, _ in pieces)
    parts = []
    for place, (share, inner) in enumerate(pieces):
        if place:
            wall = room.between(low - joiner.board, low, upright=upright)._replace(y0=room.y0 + 0.001)
            wall = wall.grown(z=0.002) if upright else wall.grown(0.002)
            parts.append(leaf("vertical_divider_panel" if upright else "shelf", wall.solid(bevel=0.001)))
        parts += filled(joiner, room.between(low, low + share * net, upright=upright), inner)
        low += share * net + joiner.board
    return parts


_FILLS: dict[str, _Fill] = {
    "open": left_open,
    "shelves": shelves_in,
    "rail": hanging_rail,
    "panel": front_panel,
    "mirror": mirror_panel,
    "door": doors_in,
    "doors": lambda joiner, room, count: doors_in(joiner, room, 2),
    "sliding": sliding_doors,
    "drawer": drawers_in,
    "drawers": drawers_in,
}
