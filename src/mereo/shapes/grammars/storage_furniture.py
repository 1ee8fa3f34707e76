"""Bookshelves, cupboards, wardrobes, chests of drawers, sideboards, kitchen units, lockers, racks.

Most are a case that is divided and filled by a layout such as `door | 1.3 (open / 2 drawers:3) | door`: columns from
the left or rows from the top, each after its share of the room where that is not 1; `n` is the kind's own number,
`any` what the kind often has.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, hull, lathe, prism, ring, sphere, tube, union
from mereo.shapes.style import Style

_Span = tuple[float, float]
_Weights = dict[str, float]


class _Kind(NamedTuple):
    """A kind of furniture: how often it is met, how wide a column is, its size, its base, its doors, its layouts."""

    weight: float
    column: _Span
    depth: _Span
    height: _Span
    bases: _Weights
    doors: _Weights
    number: tuple[int, int]
    layouts: str


_LEGS = {
    "stub": 1.0,
    "bun": 1.0,
    "tapered": 1.5,
    "hairpin": 0.7,
    "block": 1.0,
    "sled": 0.7,
    "posts": 1.5,
    "plinth": 1.5,
}
_LOW = {"none": 2.0, "plinth": 2.0, "block": 0.6}
_HEAVY = {"plinth": 3.0, "bun": 1.0, "block": 1.0}
_FITTED = {"plinth": 4.0, "stub": 1.0}
_CLOSED = {"slab": 2.0, "framed": 2.0, "raised": 1.0, "arched": 0.7, "louvred": 0.8}
_GLASS = {"panes": 1.0, "glass": 1.0}
_DOORS = _CLOSED | {"panes": 0.5, "glass": 0.3}

_BOOKSHELF = """shelves:n; shelves:n | shelves:n; shelves:n | shelves:3 | shelves:n; 2 (2 shelves:3 / doors);
    0.6 door | 1.2 shelves:n; (2 shelves:2 / drawers:2) | 1.2 shelves:n; (open / 2 shelves:2) | (2 shelves:2 / open);
    2 (open / (open | 2 open) / (2 open | open) / (open | 2 open)); (2 shelves:2 / door) | (2 shelves:2 / door)"""
_CUBES = """(any / any) | (any / any); (any / any) | (any / any) | (any / any); (any / any / any) | (any / any / any);
    (any / any / any) | (any / any / any) | (any / any / any); (any / any) | (any / any) | (any / any) | (any / any)"""
_CUPBOARD = """doors; 0.3 (drawer | drawer) / doors; 2 doors / drawers:2; 0.7 shelves:n / doors; doors / doors;
    0.6 door | 0.4 shelves:2; 0.4 drawer / open / 2 doors; 0.7 (open | open) / doors; 2 doors / 0.5 drawer / open"""
_WARDROBE = """door | door; door | door | door; door | (2 door / drawers:2) | door; door | mirror | door; 2.6 sliding:2;
    4 sliding:3; (0.3 door / door) | (0.3 door / door) | (0.3 door / door); mirror | door; 2 (doors / 0.3 drawer);
    door | (1.6 rail / drawers:3) | 0.8 shelves:4; door | 0.8 shelves:5 | door; 1.8 (2 doors / drawers:2) | mirror"""
_CHEST = """drawers:n; 0.25 (drawer | drawer) / drawers:n; 0.3 (drawer | drawer | drawer) / drawers:3;
    0.6 drawers:n | 0.6 drawers:n; 0.6 drawers:n | 0.6 door; 0.6 drawers:3 | 0.4 door | 0.6 drawers:3;
    0.4 drawers:5 | 0.4 drawers:5 | 0.4 drawers:5; 0.25 open / drawers:n"""
_SIDEBOARD = """door | 1.2 drawers:n | door; door | door | door; (drawer / 2 door) | shelves:1 | (drawer / 2 door);
    0.8 door | 0.8 door | drawers:n; door | 1.3 (0.7 open / doors) | door; 1.2 shelves:2 | 1.4 doors | 1.2 shelves:2;
    3 sliding:2; (0.4 drawer / door) | (0.4 drawer / door) | drawers:n"""
_TV = """0.8 shelves:1 | 1.3 open | 0.8 shelves:1; door | 1.4 shelves:1 | door; drawers:2 | (open / drawer) | drawers:2;
    2.8 (0.6 open / (drawer | drawer)); 1.6 shelves:1 | drawers:2; open | open | drawer;
    (open / drawer) | (open / drawer)"""
_KITCHEN = "any; any | any; any | any | any; any | any | any | any"
_NIGHTSTAND = "drawer / 1.5 open; drawers:2; 0.5 drawer / door; shelves:1; 0.5 open / drawer; drawer / open / drawer"
_LOCKER = """door | door; door | door | door; (door / door) | (door / door);
    (door / door) | (door / door) | (door / door); (door / door / door) | (door / door / door)"""
_DRESSER = """(0.4 drawer / door) | (0.4 drawer / door); 1.2 drawers:3 | 1.2 drawers:3; door | 1.2 drawers:3 | door;
    (0.4 drawer / door) | (0.4 drawer / door) | (0.4 drawer / door)"""
_ANY = {
    "cubes": {"open": 3.0, "door": 1.0, "drawers:2": 0.7},
    "kitchen unit": {"(0.3 drawer / door)": 2, "drawers:3": 1.5, "1.4 (0.3 panel / doors)": 1, "0.5 shelves:2": 0.7}
    | {"door": 1, "drawers:4": 0.5, "1.5 (0.3 (drawer | drawer) / doors)": 1, "1.2 doors": 0.7, "(open / door)": 0.4},
}
"""What `any` may be."""
_PLATES = {"shelves:2": 1, "shelves:3": 1, "door | 1.2 shelves:2 | door": 1, "doors": 1}
"""The layouts of a dresser's upper part."""

_KINDS = {
    "bookshelf": _Kind(2.4, (0.4, 0.75), (0.24, 0.36), (1.1, 2.1), _LOW, _DOORS, (3, 5), _BOOKSHELF),
    "cubes": _Kind(1.0, (0.34, 0.42), (0.3, 0.4), (0.8, 1.2), _LOW | {"tapered": 1}, _DOORS, (2, 3), _CUBES),
    "cupboard": _Kind(1.6, (0.6, 1.0), (0.32, 0.48), (0.8, 1.5), _LEGS, _DOORS, (1, 2), _CUPBOARD),
    "vitrine": _Kind(0.9, (0.6, 1.0), (0.34, 0.45), (1.4, 2.0), _LEGS, _GLASS, (1, 2), _CUPBOARD),
    "wardrobe": _Kind(2.0, (0.42, 0.6), (0.52, 0.65), (1.8, 2.2), _HEAVY, _CLOSED, (2, 3), _WARDROBE),
    "chest of drawers": _Kind(2.0, (0.6, 1.1), (0.4, 0.52), (0.7, 1.25), _LEGS, _DOORS, (3, 6), _CHEST),
    "sideboard": _Kind(1.7, (0.4, 0.6), (0.38, 0.48), (0.68, 0.92), _LEGS, _DOORS, (3, 4), _SIDEBOARD),
    "tv board": _Kind(1.4, (0.4, 0.65), (0.36, 0.46), (0.36, 0.56), _LEGS | {"casters": 1}, _DOORS, (2, 2), _TV),
    "kitchen unit": _Kind(1.7, (0.45, 0.65), (0.56, 0.62), (0.84, 0.92), _FITTED, _CLOSED, (3, 4), _KITCHEN),
    "file cabinet": _Kind(1.0, (0.38, 0.48), (0.5, 0.62), (0.52, 0.75), {"casters": 1}, _DOORS, (2, 4), "drawers:n"),
    "nightstand": _Kind(1.0, (0.38, 0.55), (0.34, 0.45), (0.45, 0.65), _LEGS, _CLOSED, (2, 2), _NIGHTSTAND),
    "locker": _Kind(0.7, (0.3, 0.42), (0.45, 0.52), (1.6, 1.9), _LOW, {"slotted": 3, "slab": 1}, (2, 3), _LOCKER),
    "dresser": _Kind(1.2, (0.4, 0.55), (0.42, 0.52), (0.8, 0.95), _HEAVY | {"posts": 1}, _DOORS, (2, 3), _DRESSER),
}
_OPEN_KINDS = {"rack": 0.8, "ladder": 0.7, "corner": 0.5, "stairs": 0.8}
_HANDLES = {"knob": 3.0, "bar": 3.0, "bow": 2.0, "cup": 1.2, "ring": 1.0, "edge": 1.2}
_CLEARANCE = {"none": (0.0, 0.0), "posts": (0.08, 0.25), "tapered": (0.12, 0.24), "hairpin": (0.14, 0.26)}
_CLEARANCE |= {"sled": (0.12, 0.2), "casters": (0.06, 0.08)}
_WHOLE = ("shelf", "countertop", "drawer", "cabinet_door", "cabinet_base", "mirror")
"""What belongs to the cabinet itself; all other parts are of its frame."""


@grammar("storage_furniture")
def storage_furniture(style: Style) -> Part:
    """A frame of boards or bars that is filled with shelves, doors and drawers and stands on a base."""
    kind = style.pick("kind", {name: kind.weight for name, kind in _KINDS.items()} | _OPEN_KINDS)
    open_kinds = {"rack": _rack, "ladder": _ladder, "corner": _corner, "stairs": _stairs}
    parts = open_kinds[kind](style) if kind in open_kinds else _cabinet(style, kind, _KINDS[kind])
    frame = part("cabinet_frame", [piece for piece in parts if piece.name not in _WHOLE])
    return part("storage_furniture", part("cabinet", frame, [piece for piece in parts if piece.name in _WHOLE]))


class _Space(NamedTuple):
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

    def grown(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> _Space:
        return _Space(self.x0 - x, self.x1 + x, self.y0 - y, self.y1 + y, self.z0 - z, self.z1 + z)

    def between(self, low: float, high: float, *, upright: bool) -> _Space:
        """The upright or the level slice from one place to another."""
        return self._replace(x0=low, x1=high) if upright else self._replace(z0=low, z1=high)


@dataclass(frozen=True)
class _Joiner:
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
    opened: list[_Span]
    """Whichever front lies at one of these (x, z) stands open."""

    def opens(self, face: _Space) -> bool:
        return any(face.x0 < x < face.x1 and face.z0 < z < face.z1 for x, z in self.opened)

    def face(self, room: _Space) -> _Space:
        """Where the front of a room lies: before the boards or between them."""
        start = room.y0 - self.front - 0.0005 if self.lap > 0 else room.y0 + 0.001
        return room.grown(self.lap, 0.0, self.lap)._replace(y0=start, y1=start + self.front)

    def inside(self, case: _Space) -> _Space:
        return case.grown(-self.board, 0.0, -self.board)._replace(y1=case.y1 - 0.012)


def _joiner(style: Style, whole: _Space, doors: _Weights, handles: _Weights = _HANDLES) -> _Joiner:
    board = style.number("board", 0.016, 0.03)
    places = range(style.count("open fronts", 0, 2))
    xs = [style.number(f"open x {k}", whole.x0, whole.x1) for k in places]
    zs = [style.number(f"open z {k}", whole.z0, whole.z1) for k in places]
    return _Joiner(
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


def _cabinet(style: Style, name: str, kind: _Kind) -> list[Part]:
    layouts = [" ".join(text.split()) for text in kind.layouts.split(";")]
    layout = style.pick("layout", dict.fromkeys(layouts, 1.0)).replace(":n", f":{style.count('n', *kind.number)}")
    for place in range(layout.count("any")):
        layout = layout.replace("any", style.pick(f"any {place}", _ANY[name]), 1)
    width = style.number("column", *kind.column)
    if len(_apart(layout, "/")) == 1:
        width *= sum(share for share, _ in _apart(layout, "|"))
    depth, base = style.number("depth", *kind.depth), style.pick("base", kind.bases)
    low = style.number("clearance", *_CLEARANCE.get(base, (0.05, 0.12)))
    whole = _Space(-width / 2, width / 2, -depth / 2, depth / 2, low, style.number("height", *kind.height))
    joiner = _joiner(style, whole, kind.doors, {"bar": 1.0} if name == "locker" else _HANDLES)
    top = "counter" if name == "kitchen unit" else style.pick("top", {"flush": 2, "over": 2})
    parts = [*_case(joiner, whole, top=top), *_filled(joiner, joiner.inside(whole), layout)]
    if name == "dresser":
        upper = whole._replace(y0=whole.y0 + 0.4 * depth, z0=whole.z1, z1=whole.z1 + style.number("upper", 0.7, 1.1))
        plates = _filled(joiner, joiner.inside(upper), style.pick("upper layout", _PLATES))
        parts += [*_case(joiner, upper, top="over"), *plates]
    if name == "chest of drawers" and style.maybe("mirror", 0.35):
        parts += _standing_mirror(style, whole)
    if name in ("bookshelf", "cubes") and style.maybe("open back", 0.25):
        parts = [piece for piece in parts if piece.name != "back_panel"]
    return [*parts, *_base(style, base, whole)]


def _case(joiner: _Joiner, case: _Space, *, top: str) -> list[Part]:
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


def _apart(layout: str, mark: str) -> list[tuple[float, str]]:
    """The columns (`|`) or rows (`/`) of a layout, each with its share and out of its brackets."""
    pieces: list[str] = []
    for piece in layout.split(mark):
        inner = pieces and pieces[-1].count("(") > pieces[-1].count(")")
        pieces[-1:] = [f"{pieces[-1]}{mark}{piece}"] if inner else [*pieces[-1:], piece]
    found = [re.fullmatch(r"(?:([\d.]+) )?(?:\((.*)\)|(.*))", piece.strip()) for piece in pieces]
    return [(float(match[1] or 1), match[2] or match[3]) for match in found if match]


def _filled(joiner: _Joiner, room: _Space, layout: str) -> list[Part]:
    """The boards that divide a room, and what stands between them."""
    columns, rows = _apart(layout, "|"), _apart(layout, "/")[::-1]
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
        parts += _filled(joiner, room.between(low, low + share * net, upright=upright), inner)
        low += share * net + joiner.board
    return parts


def _open(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    return []


def _shelves(joiner: _Joiner, room: _Space, count: int, *, inset: float = 0.006) -> list[Part]:
    heights, half = np.linspace(room.z0, room.z1, count + 2)[1:-1], 0.45 * joiner.board
    level = room.grown(0.002)._replace(y0=room.y0 + inset)
    return [leaf("shelf", level.between(z - half, z + half, upright=False).solid(bevel=0.001)) for z in heights]


def _rail(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    """Room to hang clothes."""
    y, z = (room.y0 + room.y1) / 2, room.z1 - 0.08
    return [leaf("frame_horizontal_bar", bar((room.x0 - 0.004, y, z), (room.x1 + 0.004, y, z), 0.028, round=True))]


def _panel(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    """A front that does not open."""
    return [leaf("vertical_front_panel", joiner.face(room).solid(bevel=0.002))]


def _panel_mirror(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    face = joiner.face(room)
    x, y, z = face.middle
    return [*_panel(joiner, room, 1), _mirror(rectangle(face.width - 0.1, face.height - 0.16), (x, y - 0.004, z))]


def _mirror(glass: Outline, at: tuple[float, float, float]) -> Part:
    frame = prism(glass.grown(0.03).minus(glass.grown(-0.002)), 0.018, along="y")
    surface = prism(glass, 0.006, along="y")
    return part("mirror", leaf("mirror_surface", surface.at(*at)), leaf("mirror_frame", frame.at(*at)))


def _standing_mirror(style: Style, whole: _Space) -> list[Part]:
    """A mirror above a chest, between posts that belong to its frame."""
    height = style.number("mirror height", 0.45, 0.75)
    shape = style.pick("mirror shape", {"plain": 1, "oval": 1, "rounded": 1})
    width = min(0.7 * whole.width, 0.75 * height if shape == "oval" else 1.0)
    corner = 0.12 if shape == "rounded" else 0.0
    glass = ellipse(width, height) if shape == "oval" else rectangle(width, height, corner=corner)
    y, low, reach = whole.y1 - 0.05, whole.z1 + 0.06, width / 2 + 0.035
    high = low + height * (0.62 if shape == "oval" else 0.85)
    posts = [bar((x, y, whole.z1 - 0.01), (x, y, high), 0.03, 0.026, bevel=0.003) for x in (-reach, reach)]
    return [_mirror(glass, (0, y, low + height / 2)), *(leaf("frame_vertical_bar", post) for post in posts)]


def _door(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    """One door, hinged on its outer side, or a pair of them; behind it shelves if it is high."""
    face = joiner.face(room)
    middle = face.middle[0]
    faces = [(face, -1 if middle < 0.01 else 1)]
    if count == 2:
        faces = [(face._replace(x1=middle - 0.001), -1), (face._replace(x0=middle + 0.001), 1)]
    shelves = _shelves(joiner, room, max(0, round(room.height / 0.42) - 1), inset=0.04)
    return [*(_hinged(joiner, space, side) for space, side in faces), *shelves]


def _hinged(joiner: _Joiner, face: _Space, side: int) -> Part:
    """side : where the hinges are, -1 left and 1 right"""
    x, y, _ = face.middle
    hinge, free = (face.x0, face.x1) if side < 0 else (face.x1, face.x0)
    angle = 110 * joiner.ajar if joiner.opens(face) else 0.0

    def swung(solid: Solid) -> Solid:
        return solid.at(-hinge, -y).turned(z=side * angle).at(hinge, y)

    grip = _handle(joiner.handle, min(joiner.grip, 0.5 * face.height))
    if joiner.handle in ("bar", "bow", "edge"):
        grip = grip.turned(y=90)
    inset = 0.008 if joiner.handle == "edge" else min(0.03, 0.11 * face.width)
    height = np.clip(1.05, face.z0 + 0.25 * face.height, face.z0 + 0.75 * face.height)
    plate = box((0.008, joiner.front + 0.006, 0.05), (0, joiner.front / 2, 0))
    knuckle = union(cylinder(0.006, 0.06, (0, 0, -0.03)), plate)
    places = np.linspace(0.12, 0.88, (3 if face.height > 1.2 else 2) * joiner.hinges)
    return part(
        "cabinet_door",
        leaf("cabinet_door_surface", swung(_sheet(joiner.door, face, recess=0.011).at(x, y, face.z0))),
        leaf("handle", swung(grip.at(free + side * inset, y, height))),
        [leaf("hinge", knuckle.at(hinge, y, face.z0 + share * face.height)) for share in places],
    )


def _sliding(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    """Doors that slide past each other on two tracks."""
    edges = np.linspace(room.x0, room.x1, count + 1)
    parts = []
    for place, (low, high) in enumerate(pairwise(edges)):
        start = room.y0 + 0.002 + place % 2 * (joiner.front + 0.003)
        low, high = max(low - 0.015, room.x0), min(high + 0.015, room.x1)
        face = room._replace(x0=low, x1=high, y0=start, y1=start + joiner.front)
        x, y, z = face.middle
        grip = box((0.03, 0.012, min(0.2, 0.5 * face.height)), (face.x0 + 0.045, y, z), bevel=0.004)
        surface = _sheet(joiner.door, face, recess=0.009).at(x, y, face.z0)
        parts.append(part("cabinet_door", leaf("cabinet_door_surface", surface), leaf("handle", grip)))
    return parts


def _drawers(joiner: _Joiner, room: _Space, count: int) -> list[Part]:
    """Drawers one above the other."""
    shares, face = np.linspace(1.5 if joiner.graded else 1.0, 1.0, count), joiner.face(room)
    edges = face.z0 + face.height * np.concatenate([[0.0], np.cumsum(shares) / shares.sum()])
    return [_drawer(joiner, room, face.between(a + 0.0015, b - 0.0015, upright=False)) for a, b in pairwise(edges)]


def _drawer(joiner: _Joiner, room: _Space, face: _Space) -> Part:
    """A box behind a front, pulled out as a whole."""
    depth = room.y1 - face.y1
    out = -joiner.ajar * depth if joiner.opens(face) else 0.0
    x, y, z = face.middle
    low, high = max(face.z0, room.z0) + 0.008, z + 0.3 * face.height
    trough = _Space(room.x0 + 0.006, room.x1 - 0.006, face.y1 - 0.001, face.y1 + 0.93 * depth, low, high)
    solids = [
        ("drawer_front", _sheet(joiner.door, face, recess=0.007).at(x, y, face.z0)),
        ("drawer_side", trough._replace(x1=trough.x0 + 0.012).solid()),
        ("drawer_side", trough._replace(x0=trough.x1 - 0.012).solid()),
        ("drawer_back", trough.grown(-0.011)._replace(y0=trough.y1 - 0.012).solid()),
        ("drawer_bottom", trough.grown(-0.011)._replace(z1=trough.z0 + 0.008).solid()),
    ]
    grip = _handle(joiner.handle, min(joiner.grip, 0.6 * face.width))
    lift = face.height / 2 - 0.008 if joiner.handle == "edge" else 0.0
    places = (-0.28, 0.28) if face.width > 0.75 and joiner.handle != "edge" else (0.0,)
    grips = [leaf("handle", grip.at(x + share * face.width, y + out, z + lift)) for share in places]
    return part("drawer", part("drawer_box", [leaf(name, solid.at(y=out)) for name, solid in solids]), grips)


_FILLS: dict[str, Callable[[_Joiner, _Space, int], list[Part]]] = {
    "open": _open,
    "shelves": _shelves,
    "rail": _rail,
    "panel": _panel,
    "mirror": _panel_mirror,
    "door": _door,
    "doors": lambda joiner, room, count: _door(joiner, room, 2),
    "sliding": _sliding,
    "drawer": _drawers,
    "drawers": _drawers,
}


def _sheet(kind: str, face: _Space, *, recess: float) -> Solid:
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
    if kind in _GLASS and tall > 0.3:
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


def _handle(kind: str, length: float) -> Solid:
    """A handle along x before the face y = 0, in which it is rooted."""
    half, root = length / 2, 0.008
    if kind == "knob":
        profile = [(0.007, -root), (0.006, 0.012), (0.014, 0.016), (0.016, 0.024), (0.01, 0.03)]
        return lathe(profile, segments=16).turned(x=90)
    if kind == "bar":
        studs = [bar((x, root, 0), (x, -0.03, 0), 0.009, round=True, sides=10) for x in (-0.75 * half, 0.75 * half)]
        return union(bar((-half, -0.03, 0), (half, -0.03, 0), 0.011, round=True, sides=10), *studs)
    if kind == "bow":
        path = [(-half, root, 0), (-0.9 * half, -0.03, 0), (0.9 * half, -0.03, 0), (half, root, 0)]
        return tube(bent(path), 0.006, segments=8)
    if kind == "cup":
        ball, hollow = (sphere(0.5, segments=20).scaled(*size) for size in ((0.09, 0.06, 0.05), (0.08, 0.05, 0.042)))
        wall, below = box((1, 1, 1), (0, 0.5 + root, 0)), box((1, 1, 1), (0, 0, -0.507))
        bowl = ball.minus(hollow, wall, below)
        return Solid(bowl.body, hull(bowl.mesh().vertices).pieces)
    if kind == "ring":
        plate = cylinder(0.016, root + 0.006, bevel=0.002).turned(x=90).at(y=root)
        return union(plate, ring(0.022, 0.006, segments=8).turned(x=80).at(y=-0.009, z=-0.02))
    return box((length, 0.022 + root, 0.006), (0, (root - 0.022) / 2, 0.0), bevel=0.001)


def _base(style: Style, kind: str, whole: _Space) -> list[Part]:
    """What holds it above the floor: a plinth, feet or legs, casters, or corner posts that run down."""
    top, inset = whole.z0 + 0.003, 0.05
    xs = [whole.x0 + inset, *([0.0] if whole.width > 1.5 else []), whole.x1 - inset]
    spots = [(x, y) for x in xs for y in (whole.y0 + inset, whole.y1 - inset)]
    if kind == "none":
        return []
    if kind == "posts":
        size, round_posts = style.number("post", 0.032, 0.05), style.maybe("round posts", 0.3)
        spots = [(x, y) for x in (whole.x0, whole.x1) for y in (whole.y0 + 0.3 * size, whole.y1 - 0.3 * size)]
        posts = [bar((x, y, whole.z1 - 0.03), (x, y, 0), size, round=round_posts, taper=0.8) for x, y in spots]
        return [leaf("frame_vertical_bar", post) for post in posts]
    if kind == "plinth":
        return [part("cabinet_base", _plinth(style, whole))]
    if kind == "casters":
        feet = [_caster(whole.z0, x, y) for x, y in spots]
    elif kind == "sled":
        half = [(whole.y0 + 0.03, top), (whole.y0 + 0.03, 0.05), (whole.y0 + 0.03, 0.013), (whole.y0 + 0.07, 0.013)]
        runner = [*half, *((-y, z) for y, z in half[::-1])]
        feet = [leaf("foot", tube(bent([(x, y, z) for y, z in runner]), 0.013)) for x in xs]
    else:
        splay = style.number("splay", 0.0, 0.05) if kind in ("tapered", "hairpin") else 0.0
        feet = [leaf("foot", _foot(kind, top, splay * np.sign(x), splay * np.sign(y)).at(x, y)) for x, y in spots]
    return [part("cabinet_base", part("foot_base", feet))]


def _plinth(style: Style, whole: _Space) -> Part:
    recess, thick = style.number("recess", 0.01, 0.06), 0.018
    low = whole.grown(-0.008, -0.008)._replace(y0=whole.y0 + recess, z0=0.0, z1=whole.z0 + 0.001)
    between = low.grown(-thick + 0.001)
    walls = [low._replace(x1=low.x0 + thick), low._replace(x0=low.x1 - thick)]
    walls += [between._replace(y1=low.y0 + thick), between._replace(y0=low.y1 - thick)]
    floor = between._replace(z0=whole.z0 - 0.014).solid() if style.maybe("plinth floor", 0.3) else None
    sides = [leaf("base_side_panel", wall.solid()) for wall in walls]
    return part("panel_base", leaf("bottom_panel", floor) if floor else None, sides)


def _caster(height: float, x: float, y: float) -> Part:
    radius = 0.38 * height
    wheel = cylinder(radius, 0.022, bevel=0.004).at(z=-0.011).turned(y=90).at(x, y + 0.012, radius)
    plate = cylinder(0.022, 0.006, (x, y, height - 0.004))
    stem = union(cylinder(0.007, height - radius + 0.002, (x, y, radius)), plate)
    return part("caster", leaf("wheel", wheel), leaf("caster_stem", stem))


def _foot(kind: str, top: float, lean_x: float, lean_y: float) -> Solid:
    """A foot from the floor up to `top` above the origin."""
    if kind == "tapered":
        return bar((0, 0, top), (lean_x, lean_y, 0), 0.042, round=True, taper=0.5)
    if kind == "hairpin":
        return tube(bent([(0.03, -0.02, top), (lean_x, lean_y, 0.0), (-0.03, 0.02, top)], rounds=3), 0.006, segments=8)
    if kind == "bun":
        profile = [(0.018, 0), (0.036, 0.25 * top), (0.038, 0.5 * top), (0.02, 0.8 * top), (0.032, top)]
        return lathe(profile, segments=20)
    return bar((0, 0, top), (0, 0, 0), 0.07, taper=0.75, bevel=0.004) if kind == "block" else cylinder(0.022, top)


def _rack(style: Style) -> list[Part]:
    """Shelves between posts, for a workshop, a kitchen or a hall."""
    width, depth = style.number("width", 0.45, 1.6), style.number("depth", 0.3, 0.5)
    height, post = style.number("height", 0.8, 1.9), style.number("post", 0.018, 0.045)
    round_posts, wheels = style.maybe("round posts", 0.4), style.maybe("wheels", 0.3)
    low = style.number("clearance", 0.08, 0.11) if wheels else 0.0
    x, y = (width - post) / 2, (depth - post) / 2
    corners = [(a, b) for a in (-x, x) for b in (-y, y)]
    above, below = style.number("above", 0.02, 0.2), style.number("below", 0.05, 0.2)
    levels = np.linspace(low + below, height - above, style.count("levels", 3, 5))
    floor = rectangle(width - 0.4 * post, depth - 0.4 * post)
    kind = style.pick("shelf", {"plain": 2, "slatted": 1, "tray": 1})
    if kind == "slatted":
        floor = floor.minus(*(rectangle(0.02, depth - 0.06).at(a) for a in np.arange(-x + 0.05, x - 0.03, 0.065)))
    ends = [((-x, b), (x, b)) for b in (-y, y)] if style.maybe("long rails", 0.6) else []
    ends += [((a, -y), (a, y)) for a in (-x, x)]
    posts = [bar((a, b, low), (a, b, height), post, round=round_posts, bevel=0.003) for a, b in corners]
    rails = [bar((*a, z - 0.015), (*b, z - 0.015), 0.6 * post, 0.03) for z in levels for a, b in ends]
    shelf = board(floor, 0.018, bevel=0.003)
    if kind == "tray":
        shelf = union(shelf, board(floor.minus(floor.grown(-0.012)), style.number("rim", 0.05, 0.12)))
    feet = part("foot_base", [_caster(low + 0.004, a, b) for a, b in corners])
    return [
        *(leaf("frame_vertical_bar", solid) for solid in posts),
        *(leaf("frame_horizontal_bar", solid) for solid in rails),
        *(leaf("shelf", shelf.at(z=z - 0.006)) for z in levels),
        *([part("cabinet_base", feet)] if wheels else []),
    ]


def _ladder(style: Style) -> list[Part]:
    """Shelves that grow deeper downwards, between leaning bars in front and upright ones behind."""
    x, foot = style.number("width", 0.45, 0.8) / 2, style.number("foot", 0.36, 0.5)
    height, tip = style.number("height", 1.3, 1.9), style.number("tip", 0.05, 0.16)
    thick, back = style.number("bar", 0.024, 0.04), foot / 2
    bars = [((side, -back, 0), (side, back - tip, height)) for side in (-x, x)]
    bars += [((side, back, 0), (side, back, height)) for side in (-x, x)]
    parts = [leaf("frame_vertical_bar", bar(a, b, thick, bevel=0.003)) for a, b in bars]
    for y in (back, back - tip):
        rail = bar((-x, y, height - 0.03), (x, y, height - 0.03), 0.7 * thick, 0.04)
        parts.append(leaf("frame_horizontal_bar", rail))
    for share in np.linspace(0.12, 0.88, style.count("levels", 3, 5)):
        front = -back + share * (foot - tip) - 0.02
        size = (2 * x - 0.6 * thick, back - front, 0.022)
        parts.append(leaf("shelf", box(size, (0, (back + front) / 2, share * height), bevel=0.003)))
    return parts


def _corner(style: Style) -> list[Part]:
    """Shelves that fill a corner, a quarter round or cut straight."""
    reach, height = style.number("reach", 0.3, 0.5), style.number("height", 1.0, 1.9)
    thick, steps = style.number("board", 0.016, 0.03), 15 if style.maybe("round", 0.65) else 2
    turns = np.linspace(-np.pi / 2, 0, steps)
    floor = polygon([(0, 0), *((reach * np.cos(turn), reach * np.sin(turn)) for turn in turns)])
    levels = np.linspace(0.05, height - thick, style.count("levels", 4, 6))
    side = _Space(-thick, 0.001, -reach - 0.01, thick, 0.0, height + 0.02)
    back = _Space(-0.001, reach + 0.01, -0.001, thick, 0.0, height + 0.02)
    names = ["bottom_panel", *["shelf"] * (len(levels) - 2), "top_panel"]
    walls = [leaf("vertical_side_panel", side.solid()), leaf("back_panel", back.solid())]
    return walls + [
        leaf(name, board(floor, thick, (0, 0, z), bevel=0.002)) for name, z in zip(names, levels, strict=True)
    ]


def _stairs(style: Style) -> list[Part]:
    """Cases side by side, each higher than the one before, as under a roof."""
    depth, count = style.number("depth", 0.3, 0.42), style.count("steps", 3, 4)
    step, rise = style.number("step", 0.36, 0.5), style.number("rise", 0.32, 0.42)
    whole = _Space(-count * step / 2, count * step / 2, -depth / 2, depth / 2, 0.0, count * rise)
    joiner = _joiner(style, whole, _DOORS)
    lowest = style.pick("lowest", {"open": 1, "door": 1, "drawers:2": 1})
    heights = range(count)[:: -1 if style.maybe("falling", 0.5) else 1]
    parts = []
    for place, rows in enumerate(heights):
        x = whole.x0 + place * step
        case = whole._replace(x0=x, x1=x + step, z1=(rows + 1) * rise)
        layout = " / ".join(["open"] * rows + [lowest])
        parts += [*_case(joiner, case, top="flush"), *_filled(joiner, joiner.inside(case), layout)]
    return parts
