"""What stands in a room of a case without opening: shelves, rails, panels and mirrors."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.storage_furniture.joiner import Joiner, Space
from mereo.shapes.outlines import Outline, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, prism

__all__ = ["framed_mirror", "front_panel", "hanging_rail", "left_open", "mirror_panel", "shelves_in"]


def left_open(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """Nothing."""
    return []


def shelves_in(joiner: Joiner, room: Space, count: int, *, inset: float = 0.006) -> list[Part]:
    """Shelves that divide the room evenly."""
    heights, half = np.linspace(room.z0, room.z1, count + 2)[1:-1], 0.45 * joiner.board
    level = room.grown(0.002)._replace(y0=room.y0 + inset)
    return [leaf("shelf", level.between(z - half, z + half, upright=False).solid(bevel=0.001)) for z in heights]


def hanging_rail(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """Room to hang clothes."""
    y, z = (room.y0 + room.y1) / 2, room.z1 - 0.08
    return [leaf("frame_horizontal_bar", bar((room.x0 - 0.004, y, z), (room.x1 + 0.004, y, z), 0.028, round=True))]


def front_panel(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """A front that does not open."""
    return [leaf("vertical_front_panel", joiner.face(room).solid(bevel=0.002))]


def mirror_panel(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """A front that does not open and carries a mirror."""
    face = joiner.face(room)
    x, y, z = face.middle
    return [
        *front_panel(joiner, room, 1),
        framed_mirror(rectangle(face.width - 0.1, face.height - 0.16), (x, y - 0.004, z)),
    ]


def framed_mirror(glass: Outline, at: tuple[float, float, float]) -> Part:
    """A mirror of an outline, in a frame, before the plane y = 0."""
    frame = prism(glass.grown(0.03).minus(glass.grown(-0.002)), 0.018, along="y")
    surface = prism(glass, 0.006, along="y")
    return part("mirror", leaf("mirror_surface", surface.at(*at)), leaf("mirror_frame", frame.at(*at)))
