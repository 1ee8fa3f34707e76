"""The room that a case gives, and the habits of whoever joined it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mereo.shapes.grammar import leaf
from mereo.shapes.grammars.storage_furniture.kinds import Weights
from mereo.shapes.joinery import Span
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box
from mereo.shapes.style import Style

__all__ = ["Joiner", "Space", "drawn_joiner", "made_case"]


class Space(NamedTuple):
    """An upright block of room by its bounds: left and right, front and back, bottom and top."""

    x0: float
    x1: float
    y0: float
    y1: float
    z0: float
    z1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.z1 - self.z0

    @property
    def middle(self) -> tuple[float, float, float]:
        return (self.x0 + self.x1) / 2, self.y0, (self.z0 + self.z1) / 2

    def solid(self, *, bevel: float = 0.0) -> Solid:
        low, high = np.array(self).reshape(3, 2).T
        return box(high - low, (low + high) / 2, bevel=bevel)

    def grown(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Space:
        return Space(self.x0 - x, self.x1 + x, self.y0 - y, self.y1 + y, self.z0 - z, self.z1 + z)

    def between(self, low: float, high: float, *, upright: bool) -> Space:
        """The upright or the level slice from one place to another."""
        return self._replace(x0=low, x1=high) if upright else self._replace(z0=low, z1=high)


@dataclass(frozen=True)
class Joiner:
    """Habits that are the same all over one piece of furniture."""

    board: float
    front: float
    """How thick doors and drawer fronts are."""
    lap: float
    """How far fronts reach over the boards around them; negative for fronts set between the boards."""
    door: str
    handle: str
    grip: float
    """How long the handles are."""
    hinges: bool
    graded: bool
    """Whether lower drawers are higher than upper ones."""
    ajar: float
    """How far open fronts stand open, as a share of the depth."""
    opened: list[Span]
    """Whichever front lies at one of these (x, z) stands open."""

    def opens(self, face: Space) -> bool:
        return any(face.x0 < x < face.x1 and face.z0 < z < face.z1 for x, z in self.opened)

    def face(self, room: Space) -> Space:
        """Where the front of a room lies: before the boards or between them."""
        start = room.y0 - self.front - 0.0005 if self.lap > 0 else room.y0 + 0.001
        return room.grown(self.lap, 0.0, self.lap)._replace(y0=start, y1=start + self.front)

    def inside(self, case: Space) -> Space:
        return case.grown(-self.board, 0.0, -self.board)._replace(y1=case.y1 - 0.012)


def drawn_joiner(style: Style, whole: Space, doors: Weights, handles: Weights) -> Joiner:
    """The habits of one piece of furniture. whole : the room in which fronts may stand open"""
    board = style.number("board", 0.016, 0.03)
    places = range(style.count("open fronts", 0, 2))
    xs = [style.number(f"open x {k}", whole.x0, whole.x1) for k in places]
    zs = [style.number(f"open z {k}", whole.z0, whole.z1) for k in places]
    return Joiner(
        board=board,
        front=style.number("front", 0.018, 0.025),
        lap=0.5 * board - 0.0015 if style.maybe("overlay", 0.6) else -0.003,
        door=style.pick("door", doors),
        handle=style.pick("handle", handles),
        grip=style.number("grip", 0.08, 0.2),
        hinges=style.maybe("hinges", 0.6),
        graded=style.maybe("graded drawers", 0.5),
        ajar=style.number("ajar", 0.2, 0.5),
        opened=list(zip(xs, zs, strict=True)),
    )


def made_case(joiner: Joiner, case: Space, *, top: str) -> list[Part]:
    """Two sides, a bottom, a back, and a top that lies between the sides or over them, or a countertop."""
    room = joiner.inside(case)
    tops = {
        "flush": ("top_panel", room.grown(0.002)._replace(z0=room.z1, z1=case.z1)),
        "over": ("top_panel", case.grown(0.015, 0.015)._replace(y1=case.y1, z0=room.z1, z1=case.z1 + 0.004)),
        "counter": ("countertop", case.grown(0.01, 0.03)._replace(y1=case.y1, z0=room.z1, z1=case.z1 + 0.02)),
    }
    sides = case if top == "flush" else case._replace(z1=room.z1 + 0.002)
    boards = [
        ("vertical_side_panel", sides._replace(x1=room.x0)),
        ("vertical_side_panel", sides._replace(x0=room.x1)),
        ("bottom_panel", room.grown(0.002)._replace(z0=case.z0, z1=room.z0)),
        ("back_panel", room.grown(0.002, 0.0, 0.002)._replace(y0=room.y1 - 0.001, y1=case.y1 - 0.004)),
        tops[top],
    ]
    return [leaf(name, space.solid(bevel=0.002)) for name, space in boards]
