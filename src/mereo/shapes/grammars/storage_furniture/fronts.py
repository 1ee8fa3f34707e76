"""What opens: hinged and sliding doors, and drawers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.storage_furniture.fillings import shelves_in
from mereo.shapes.grammars.storage_furniture.handles import made_handle
from mereo.shapes.grammars.storage_furniture.joiner import Joiner, Space
from mereo.shapes.joinery import OUTMOST, WIDEST
from mereo.shapes.outlines import ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, cylinder, prism, union

__all__ = ["doors_in", "drawers_in", "sliding_doors"]


def doors_in(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """One door, hinged on its outer side, or a pair of them; behind it shelves if it is high."""
    face = joiner.face(room)
    middle = face.middle[0]
    faces = [(face, -1 if middle < 0.01 else 1)]
    if count == 2:
        faces = [(face._replace(x1=middle - 0.001), -1), (face._replace(x0=middle + 0.001), 1)]
    shelves = shelves_in(joiner, room, max(0, round(room.height / 0.42) - 1), inset=0.04)
    return [*(_hinged(joiner, space, side) for space, side in faces), *shelves]


def _hinged(joiner: Joiner, face: Space, side: int) -> Part:
    """side : where the hinges are, -1 left and 1 right"""
    x, y, _ = face.middle
    hinge, free = (face.x0, face.x1) if side < 0 else (face.x1, face.x0)
    grip = made_handle(joiner.handle, min(joiner.grip, 0.5 * face.height))
    if joiner.handle in ("bar", "bow", "edge"):
        grip = grip.turned(y=90)
    inset = 0.008 if joiner.handle == "edge" else min(0.03, 0.11 * face.width)
    height = np.clip(1.05, face.z0 + 0.25 * face.height, face.z0 + 0.75 * face.height)
    plate = box((0.008, joiner.front + 0.006, 0.05), (0, joiner.front / 2, 0))
    knuckle = union(cylinder(0.006, 0.06, (0, 0, -0.03)), plate)
    places = np.linspace(0.12, 0.88, (3 if face.height > 1.2 else 2) * joiner.hinges)
    door = part(
        "cabinet_door",
        leaf("cabinet_door_surface", _sheet(joiner.door, face, recess=0.011).at(x, y, face.z0)),
        leaf("handle", grip.at(free + side * inset, y, height)),
        [leaf("hinge", knuckle.at(hinge, y, face.z0 + share * face.height)) for share in places],
    )
    stands = WIDEST * joiner.ajar if joiner.opens(face) else 0.0
    return turning(door, (0, 0, side), (hinge, y, 0), (0, WIDEST), stands=stands)


def sliding_doors(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """Doors that slide past each other on two tracks."""
    edges, way = np.linspace(room.x0, room.x1, count + 1), room.width / count - 0.03
    parts = []
    for place, (low, high) in enumerate(pairwise(edges)):
        start = room.y0 + 0.002 + place % 2 * (joiner.front + 0.003)
        low, high = max(low - 0.015, room.x0), min(high + 0.015, room.x1)
        face = room._replace(x0=low, x1=high, y0=start, y1=start + joiner.front)
        x, y, z = face.middle
        grip = box((0.03, 0.012, min(0.2, 0.5 * face.height)), (face.x0 + 0.045, y, z), bevel=0.004)
        surface = _sheet(joiner.door, face, recess=0.009).at(x, y, face.z0)
        door = part("cabinet_door", leaf("cabinet_door_surface", surface), leaf("handle", grip))
        parts.append(sliding(door, (1 if place < count - 1 else -1, 0, 0), (0, way)))
    return parts


def drawers_in(joiner: Joiner, room: Space, count: int) -> list[Part]:
    """Drawers one above the other."""
    shares, face = np.linspace(1.5 if joiner.graded else 1.0, 1.0, count), joiner.face(room)
    edges = face.z0 + face.height * np.concatenate([[0.0], np.cumsum(shares) / shares.sum()])
    return [_drawer(joiner, room, face.between(a + 0.0015, b - 0.0015, upright=False)) for a, b in pairwise(edges)]


def _drawer(joiner: Joiner, room: Space, face: Space) -> Part:
    """A box behind a front, pulled out as a whole."""
    depth = room.y1 - face.y1
    x, y, z = face.middle
    low, high = max(face.z0, room.z0) + 0.008, z + 0.3 * face.height
    trough = Space(room.x0 + 0.006, room.x1 - 0.006, face.y1 - 0.001, face.y1 + 0.93 * depth, low, high)
    solids = [
        ("drawer_front", _sheet(joiner.door, face, recess=0.007).at(x, y, face.z0)),
        ("drawer_side", trough._replace(x1=trough.x0 + 0.012).solid()),
        ("drawer_side", trough._replace(x0=trough.x1 - 0.012).solid()),
        ("drawer_back", trough.grown(-0.011)._replace(y0=trough.y1 - 0.012).solid()),
        ("drawer_bottom", trough.grown(-0.011)._replace(z1=trough.z0 + 0.008).solid()),
    ]
    grip = made_handle(joiner.handle, min(joiner.grip, 0.6 * face.width))
    lift = face.height / 2 - 0.008 if joiner.handle == "edge" else 0.0
    places = (-0.28, 0.28) if face.width > 0.75 and joiner.handle != "edge" else (0.0,)
    grips = [leaf("handle", grip.at(x + share * face.width, y, z + lift)) for share in places]
    drawer = part("drawer", part("drawer_box", [leaf(name, solid) for name, solid in solids]), grips)
    stands = joiner.ajar * depth if joiner.opens(face) else 0.0
    return sliding(drawer, (0, -1, 0), (0, OUTMOST * depth), stands=stands)


def _sheet(kind: str, face: Space, *, recess: float) -> Solid:
    """A door or a drawer front on the middle of its foot, its face towards -y; plain where it is too small."""
    width, height, thick = face.width, face.height, face.y1 - face.y0
    whole, rim = box((width, thick, height), (0, thick / 2, height / 2), bevel=0.002), min(0.06, 0.22 * width)
    inner, tall = width - 2 * rim, height - 2 * rim
    if kind == "slotted":
        return whole.minus(*(box((0.6 * inner, 0.006, 0.008), (0, 0, height - 0.08 - 0.03 * k)) for k in range(3)))
    if kind == "slab" or tall < 0.1:
        return whole
    opening = rectangle(inner, tall)
    if kind == "arched" and tall > inner:
        arch = ellipse(inner, inner / 2).at(0, tall / 2 - inner / 4)
        opening = rectangle(inner, tall - inner / 4).at(0, -inner / 8).plus(arch)
    if kind == "panes" and tall > 0.3:
        levels = np.linspace(-tall / 2, tall / 2, 2 + round(tall / 0.35))[1:-1]
        bars = [rectangle(0.02, tall), *(rectangle(inner, 0.02).at(0, z) for z in levels)]
        opening = opening.minus(*bars[0 if width > 0.3 else 1 :])
    frame = prism(rectangle(width, height).minus(opening), thick, along="y").at(0, thick / 2, height / 2)
    if kind in ("panes", "glass") and tall > 0.3:
        return frame
    if kind == "louvred" and tall > 0.3:
        levels = np.linspace(rim - 0.001, height - rim + 0.001, round(tall / 0.045) + 1)
        teeth = [spot for a, b in pairwise(levels) for spot in ((0.1 * thick, a), (0.6 * thick, b))]
        slats = polygon([*teeth[::-1], (0.9 * thick, levels[0]), (0.9 * thick, levels[-1])])
        return union(frame, prism(slats, inner + 0.002, along="x"))
    field = [box((width - rim, thick - recess - 0.001, height - rim), (0, (thick + recess - 0.001) / 2, height / 2))]
    if kind == "raised":
        field.append(box((inner - 0.04, thick, tall - 0.04), (0, thick / 2 + 0.002, height / 2), bevel=recess))
    return union(frame, *field)
