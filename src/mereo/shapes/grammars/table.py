"""Tables: to eat, write, play and picnic at, low and high, on legs, columns, trestles, drawers and shelves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Outline, Point, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, cylinder, lathe, prism, ring, sphere, tube, union
from mereo.shapes.style import Style

Span = tuple[float, float]

_SIZES: dict[str, tuple[Span, Span, Span]] = {
    "dining": ((1.2, 2.2), (0.75, 1.0), (0.72, 0.77)),
    "coffee": ((0.85, 1.3), (0.5, 0.72), (0.34, 0.46)),
    "side": ((0.42, 0.6), (0.38, 0.52), (0.5, 0.64)),
    "desk": ((1.15, 1.7), (0.6, 0.8), (0.72, 0.76)),
    "console": ((0.9, 1.4), (0.32, 0.42), (0.76, 0.86)),
    "bar": ((0.75, 1.3), (0.55, 0.65), (1.0, 1.1)),
}
"""Width, depth and height by what the table is for."""

_BASES = {
    "dining": {"legs": 4.5, "trestle": 1.6, "sled": 0.9, "slabs": 0.6, "pedestal": 2, "star": 1.2, "crossed": 0.6},
    "coffee": {"legs": 3, "sled": 1, "slabs": 0.5, "pedestal": 0.8, "crossed": 0.7, "chest": 1.2, "shelves": 2},
    "side": {"legs": 2, "pedestal": 1, "star": 1.2, "crossed": 0.6, "chest": 2, "shelves": 1},
    "desk": {"legs": 1, "trestle": 0.5, "sled": 0.5, "desk": 5, "chest": 0.8},
    "console": {"legs": 1, "sled": 0.7, "chest": 2.5, "shelves": 1.4},
    "bar": {"legs": 1.2, "pedestal": 2, "star": 1.2, "trestle": 0.5},
}

_SHAPES = {
    "dining": {"square": 4, "rounded": 2, "boat": 1, "oval": 1.5, "round": 2.5, "octagon": 0.5},
    "coffee": {"square": 2.5, "rounded": 2, "oval": 1.2, "round": 2, "pebble": 0.8, "octagon": 0.6},
    "side": {"square": 2, "rounded": 1, "round": 3, "octagon": 0.6},
    "desk": {"square": 3, "rounded": 1.5, "boat": 0.3},
    "console": {"square": 3, "rounded": 1, "half": 1.2},
    "bar": {"square": 1.5, "round": 2, "rounded": 0.7},
}
_CORNERED = ("square", "rounded")
_CENTRED = ("round", "octagon")


@grammar("table")
def table(style: Style) -> Part:
    """Mostly an ordinary table; now and then one to play on or to picnic at."""
    ordinary = {"dining": 5.0, "coffee": 3.2, "side": 2.2, "desk": 3.5, "console": 1.4, "bar": 1.1}
    kind = style.pick("kind", ordinary | {"ping-pong": 0.6, "pool": 0.8, "picnic": 0.9})
    if kind == "picnic":
        return part("table", _picnic(style))
    if kind in ordinary:
        return part("table", _regular(style, kind))
    return part("table", part("game_table", _ping_pong(style) if kind == "ping-pong" else _pool(style)))


def _regular(style: Style, kind: str) -> Part:
    make = {"legs": _legs, "trestle": _trestle, "sled": _sled, "slabs": _slabs, "crossed": _crossed}
    make |= {"pedestal": _pedestal, "star": _star, "desk": _desk, "chest": _chest, "shelves": _shelves}
    base = style.pick("base", _BASES[kind])
    top = _Top(style, kind, base)
    return part("regular_table", top.part(style), part("table_base", make[base](style, top)))


def _leaves(name: str, solids: Iterable[Solid]) -> list[Part]:
    return [leaf(name, solid) for solid in solids]


def _corners(x: float, y: float) -> list[Span]:
    """Front left first, then around."""
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _between(start: Point, end: Point, share: float) -> Floats:
    return (1 - share) * np.asarray(start, float) + share * np.asarray(end, float)


class _Top:
    """The top, and the measures that the base is fitted to."""

    def __init__(self, style: Style, kind: str, base: str):
        shapes, self.kind, self.base = _SHAPES[kind], kind, base
        self.twin = base == "pedestal" and kind == "dining" and style.maybe("two columns", 0.4)
        self.compact = base in ("star", "crossed", "pedestal") and not self.twin
        if base in ("trestle", "sled", "slabs", "desk", "chest"):
            shapes = {name: weight for name, weight in shapes.items() if name in _CORNERED}
        elif self.compact:
            shapes = {"round": 3, "octagon": 0.6, "square": 0 if base == "crossed" else 1}
        self.shape = style.pick("shape", shapes)
        (self.width, self.depth, self.height), self.square = self._size(style), self.shape == "square"
        self.thickness = style.number("thickness", 0.016, 0.05)
        self.bottom = self.height - self.thickness
        self.inset = style.number("inset", 0.03, 0.1) * min(1.0, self.depth / 0.8)
        self.outline = _outline(self.shape, self.width, self.depth, style.number("corner", 0.02, 0.12))

    def _size(self, style: Style) -> tuple[float, float, float]:
        names = ("width", "depth", "height")
        width, depth, height = (style.number(name, *span) for name, span in zip(names, _SIZES[self.kind], strict=True))
        if self.shape in _CENTRED or self.compact:
            width = depth = depth * (1.15 if self.kind == "bar" else 1.3)
        return width, depth, height

    def spots(self, inset: float) -> list[Span]:
        """Four places under it, as far out as an inset from the rim allows; front left first, then around."""
        rim = self.outline.grown(-inset).corners()[0] / (self.width, self.depth)
        ends = [rim[np.argmax(rim @ way)] for way in _corners(1, 1)]
        return [(float(x * self.width), float(y * self.depth)) for x, y in ends]

    def part(self, style: Style) -> Part:
        """One board, planks, laths or glass, sometimes with leaves to let down or a frame below or around it."""
        kinds = {"board": 5.0, "glass": 0.0 if self.base in ("chest", "desk") else 1.0}
        if self.square:
            kinds |= {"planks": 1.5, "laths": 1.1, "framed": 1.3, "dropleaf": 5.0 if self.base == "legs" else 0.0}
        kind = style.pick("top", kinds)
        leaves = self._dropleaves(style) if kind == "dropleaf" else []
        make = {"planks": self._planks, "laths": self._laths, "framed": self._framed}
        surface, frame = make.get(kind, self._board)(style)
        name = {"laths": "bar", "glass": "glass"}.get(kind, "board")
        if kind == "framed" and style.maybe("glass pane", 0.65):
            name = "glass"
        if not frame and self.base == "legs" and self.square and style.maybe("apron", 0.75):
            tall = style.number("apron height", 0.07, 0.14) * self.height
            width, depth = self.width - 2 * self.inset, self.depth - 2 * self.inset
            frame = _rails(width, depth, (self.bottom - tall, self.bottom + 0.002), 0.022)
        framed = part("tabletop_frame", _leaves("bar", frame)) if frame else None
        flaps = _leaves("tabletop_dropleaf", leaves)
        return part("tabletop", part("tabletop_surface", _leaves(name, surface)), flaps, framed)

    def _board(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        edge = style.number("edge", 0.002, 0.012)
        return [board(self.outline, self.thickness, (0, 0, self.bottom), bevel=edge)], []

    def _planks(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        ends = 0.09 if style.maybe("breadboard ends", 0.4) else 0.0
        size, z = (self.width - 2 * ends, self.depth, self.thickness), self.bottom + self.thickness / 2
        made = _side_by_side(style.count("planks", 3, 6), size, z)
        if ends:
            xs = ((ends - self.width) / 2, (self.width - ends) / 2)
            made += [box((ends, *size[1:]), (x, 0, z), bevel=0.003) for x in xs]
        return made, []

    def _laths(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        size = (self.width, self.depth, self.thickness)
        made = _side_by_side(style.count("laths", 6, 11), size, self.bottom + self.thickness / 2, gap=0.012)
        below = (self.bottom - 0.05, self.bottom + 0.002)
        return made, _rails(self.width - 0.02, self.depth - 0.02, below, 0.03)

    def _framed(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        rim = style.number("rim", 0.04, 0.09)
        pane = rectangle(self.width - 2 * rim + 0.01, self.depth - 2 * rim + 0.01)
        made = board(pane, 0.6 * self.thickness, (0, 0, self.bottom + 0.003))
        return [made], _rails(self.width, self.depth, (self.bottom, self.height), rim)

    def _dropleaves(self, style: Style) -> list[Solid]:
        """Two flaps hinged to the ends, hanging or raised."""
        reach = style.number("leaf", 0.35, 0.6) * self.height
        flap = rectangle(reach, self.depth, corner=style.number("leaf corner", 0.0, 0.2) * self.depth)
        flap = flap.plus(rectangle(reach / 2, self.depth).at(-reach / 4)).at(reach / 2)
        drop = style.number("hang", 83, 90) * (not style.maybe("leaves raised", 0.35))
        right = board(flap, 0.8 * self.thickness).turned(y=drop).at(self.width / 2, 0, self.bottom)
        right = right.at(z=0.8 * self.thickness if drop else 0.0)
        return [right, right.mirrored("x")]


def _outline(shape: str, width: float, depth: float, corner: float) -> Outline:
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    if shape == "boat":
        xs = np.linspace(-0.5, 0.5, 17)
        side = np.stack([width * xs, depth * (0.4 * xs**2 - 0.5)], 1)
        return polygon([*side, *-side])
    if shape == "half":
        arc = np.linspace(np.pi, 2 * np.pi, 25)
        return polygon([(width / 2 * np.cos(t), depth * (0.5 + np.sin(t))) for t in arc])
    if shape == "pebble":
        swing = 0.44 + 0.045 * np.cos(3 * turns + corner * 50) + 0.03 * np.cos(2 * turns)
        return polygon([(r * width * np.cos(t), r * depth * np.sin(t)) for r, t in zip(swing, turns, strict=True)])
    if shape == "octagon":
        eighths = np.pi / 8 + np.pi / 4 * np.arange(8)
        return polygon([(0.54 * width * np.cos(t), 0.54 * depth * np.sin(t)) for t in eighths])
    if shape in ("round", "oval"):
        return ellipse(width, depth)
    return rectangle(width, depth, corner=corner if shape == "rounded" else 0.0)


def _side_by_side(count: int, size: tuple[float, float, float], z: float, gap: float = 0.0) -> list[Solid]:
    """Boards along x that together fill a size."""
    step = (size[1] + gap) / count
    ys = step * (np.arange(count) - (count - 1) / 2)
    return [box((size[0], step - gap, size[2]), (0, y, z), bevel=0.003) for y in ys]


def _rails(width: float, depth: float, levels: Span, thick: float) -> list[Solid]:
    """Four bars as the sides of a box."""
    tall, z, x, y = levels[1] - levels[0], sum(levels) / 2, (width - thick) / 2, (depth - thick) / 2
    long = [box((width, thick, tall), (0, at, z), bevel=0.002) for at in (-y, y)]
    return long + [box((thick, depth - 2 * thick, tall), (at, 0, z), bevel=0.002) for at in (-x, x)]


_TURNINGS = {
    "vase": [(0.5, 0), (0.62, 0.05), (0.42, 0.1), (0.8, 0.36), (0.95, 0.5), (0.45, 0.68), (0.8, 0.71), (0.5, 0.75)],
    "spindle": [(0.45, 0), (0.55, 0.08), (0.9, 0.4), (0.55, 0.74), (0.85, 0.77)],
    "rings": [(0.75, 0), (0.8, 0.06), (0.5, 0.09), (0.6, 0.3), (0.9, 0.33), (0.9, 0.36), (0.6, 0.39), (0.72, 0.76)],
}
"""The turner's patterns: radius and height as shares, from the foot to below the head."""


def _turned(radius: float, length: float, pattern: str) -> Solid:
    """A leg or column from the lathe, on the middle of its foot."""
    return lathe([(radius * r, length * z) for r, z in [*_TURNINGS[pattern], (1.0, 0.82), (1.0, 1.0)]])


def caster(spot: Point, height: float) -> Part:
    """A wheel on a stem under a place that lies at a height."""
    x, y, radius = spot[0], spot[1], 0.36 * height
    wheel = cylinder(radius, 0.024, bevel=0.004).at(z=-0.012).turned(x=90).at(x, y, radius)
    plate = box((0.03, 0.04, 0.012), (x, y, height - 0.008))
    stem = union(cylinder(0.009, height - radius + 0.004, (x, y, radius)), plate)
    return part("caster", leaf("wheel", wheel), leaf("caster_stem", stem))


def _legs(style: Style, top: _Top) -> Part:
    """Three or four legs: square, round, turned, hairpin or sabre; on the floor, on feet or on casters."""
    small = top.kind in ("coffee", "side", "console")
    kind = style.pick("leg", {"square": 3, "round": 2.5, "turned": 0.8 if small else 2, "hairpin": 1.2, "sabre": 1})
    thick = style.number("leg thickness", 0.032, 0.075) * (0.75 if small else 1)
    splay = style.number("splay", 0.0, 0.1) if kind in ("round", "hairpin") else 0.0
    end = style.pick("leg end", {"floor": 6, "foot": 1.5, "caster": 0 if kind == "hairpin" else 1.6})
    ground = {"floor": 0.0, "foot": 0.02, "caster": 0.085}[end]
    inset = top.inset + (0.06 if kind == "hairpin" else thick / 2)
    spots, radius = top.spots(inset), top.width / 2 - inset
    if top.shape == "round" and style.maybe("three legs", 0.45):
        spots = [(radius * np.cos(t), radius * np.sin(t)) for t in np.radians([90, 210, 330])]
    heads = [np.array([x, y, top.bottom + 0.004]) for x, y in spots]
    feet = [np.array([x, y, 0]) * (1 + splay / np.hypot(x, y)) + (0, 0, ground) for x, y in spots]
    ends: list[Part] = []
    if end == "caster":
        ends = [caster(foot, ground) for foot in feet]
    elif end == "foot":
        ends = _leaves("foot", [cylinder(0.55 * thick, ground + 0.004, (x, y, 0), bevel=0.003) for x, y, _ in feet])
    solids = _leg_solids(style, kind, heads, feet, thick)
    joints = _joints(style, top, heads, feet, thick) if len(spots) == 4 and kind not in ("sabre", "hairpin") else []
    plates: list[Part] = []
    if kind in ("hairpin", "round", "sabre") and style.maybe("mounting plates", 0.5):
        plates = _leaves("tabletop_connector", [cylinder(0.95 * inset, 0.008, head - (0, 0, 0.011)) for head in heads])
    return part("regular_leg_base", plates, joints, _leaves("leg", solids), ends)


def _leg_solids(style: Style, kind: str, heads: list[Floats], feet: list[Floats], thick: float) -> Iterator[Solid]:
    taper, pattern = style.number("taper", 0.5, 1.0), style.pick("turning", dict.fromkeys(_TURNINGS, 1.0))
    for head, foot in zip(heads, feet, strict=True):
        out = np.array([*head[:2], 0]) / np.hypot(*head[:2])
        if kind == "turned":
            yield _turned(0.55 * thick, head[2] - foot[2], pattern).at(*foot)
        elif kind == "hairpin":
            toe, across = foot + (0, 0, 0.007), 0.06 * np.cross(out, (0, 0, 1))
            rods = [bar(head + across, toe, 0.013, round=True), bar(head - across, toe, 0.013, round=True)]
            yield union(*rods, sphere(0.0075, toe, segments=12))
        elif kind == "sabre":
            bow = 0.28 * head[2] * out
            shares = np.linspace(0, 1, 9)
            yield tube([_between(head, foot, s) + bow * (s**3 - s) for s in shares], 0.4 * thick)
        else:
            yield bar(head, foot, thick, round=kind == "round", taper=taper, bevel=0.003)


def _joints(style: Style, top: _Top, heads: list[Floats], feet: list[Floats], thick: float) -> list[Part]:
    """What ties four legs together: bars around, an H, a cross, a ring, or nothing."""
    square = {"none": 4, "around": 1, "H": 1.4, "cross": 0.8}
    kind = style.pick("stretcher", {"none": 2, "ring": 2, "cross": 0.6} if top.shape in _CENTRED else square)
    share = style.number("stretcher height", 0.55, 0.85)
    a, b, c, d = (_between(head, foot, share) for head, foot in zip(heads, feet, strict=True))
    if kind == "ring":
        return [leaf("circular_stretcher", ring(float(np.hypot(*a[:2])), 0.6 * thick, (0, 0, a[2])))]
    pairs = {
        "around": [(a, b), (b, c), (c, d), (d, a)],
        "cross": [(a, c), (b, d)],
        "none": list[tuple[Floats, Floats]](),
    }
    pairs["H"] = [(a, d), (b, c), (_between(a, d, 0.5), _between(b, c, 0.5))]
    return _leaves("bar_stretcher", [bar(*ends, 0.55 * thick, 0.6 * thick, bevel=0.003) for ends in pairs[kind]])


def _trestle(style: Style, top: _Top) -> Part:
    """Two stands across, with a batten on top: a post on a runner, an A or an X; a long bar between them."""
    kind, thick = (
        style.pick("trestle", {"post": 1.2, "twin": 1, "A": 1.5, "X": 1.5}),
        style.number("timber", 0.05, 0.09),
    )
    x, y = top.width / 2 - style.number("overhang", 0.2, 0.3), top.depth / 2 - 0.06
    head, ground = top.bottom - 0.04, 0.06 if kind in ("post", "twin") else 0.0
    up, down = {"post": (0, 0), "twin": (0.4, 0.4), "A": (0.35, 0.85), "X": (-0.8, 0.8)}[kind]
    wide = style.number("post width", 0.1, 0.3) if kind == "post" else thick
    z = (0.5 if kind == "X" else style.number("tie", 0.25, 0.6)) * head
    made = [leaf("bar_stretcher", bar((-x, 0, z), (x, 0, z), 0.6 * thick, 0.09, bevel=0.004))]
    for at in (-x, x):
        sides = (1,) if kind == "post" else (-1, 1)
        lines = [((at, s * up * y, head), (at, s * down * y, ground)) for s in sides]
        made += _leaves("leg", [bar(*line, thick, wide, bevel=0.004) for line in lines])
        made.append(leaf("tabletop_connector", box((1.1 * thick, 2 * y, 0.045), (at, 0, head + 0.0195), bevel=0.006)))
        if ground:
            made.append(leaf("runner", box((1.2 * thick, 1.8 * y, 0.066), (at, 0, 0.033), bevel=0.012)))
        if kind in ("A", "twin"):
            reach = (0.85 - 0.5 * z / head if kind == "A" else 0.4) * y
            made.append(leaf("bar_stretcher", bar((at, -reach, z), (at, reach, z), 0.7 * thick, 0.05)))
    return part("regular_leg_base", made)


def _sled(style: Style, top: _Top) -> Part:
    """Two closed frames of square tube, each two legs, a runner on the floor and a bar under the top."""
    thick = style.number("tube", 0.02, 0.06)
    x, y = top.width / 2 - top.inset - thick / 2, top.depth / 2 - top.inset - thick / 2
    lean = style.number("frame lean", 0.1, 0.35) * y * style.maybe("leaning frames", 0.4)
    head, low, made = top.bottom - thick / 2 + 0.002, thick / 2, []
    for at in (-x, x):
        ends = [((at, s * (y - lean), head), (at, s * y, low)) for s in (-1, 1)]
        made += _leaves("leg", [bar(*line, thick, bevel=0.002) for line in ends])
        made.append(leaf("runner", box((thick, 2 * y + thick, thick), (at, 0, low), bevel=0.002)))
        made.append(leaf("tabletop_connector", box((thick, 2 * (y - lean) + thick, thick), (at, 0, head), bevel=0.002)))
    where = style.pick("tie bar", {"none": 1, "rear": 1, "middle": 1})
    if where != "none":
        tie = box((2 * x, thick, thick), (0, y if where == "rear" else 0, low), bevel=0.002)
        made.append(leaf("bar_stretcher", tie))
    return part("regular_leg_base", made)


def _slabs(style: Style, top: _Top) -> Part:
    """Two thick boards on edge, straight or tapered, sometimes with a beam between."""
    thick, tall = style.number("slab", 0.04, 0.1), top.bottom + 0.003
    x = top.width * (0.5 - style.number("slab inset", 0.05, 0.18))
    wide, narrow = 0.45 * top.depth, 0.45 * top.depth * style.number("slab taper", 0.45, 1.0)
    view = prism(polygon([(-narrow, 0), (narrow, 0), (wide, tall), (-wide, tall)]), thick, along="x")
    beam = box((2 * x, 0.04, 0.1), (0, 0, style.number("beam", 0.3, 0.8) * tall), bevel=0.004)
    between = leaf("bar_stretcher", beam) if style.maybe("beam between", 0.6) else None
    return part("regular_leg_base", between, _leaves("leg", [view.at(x=-x), view.at(x=x)]))


def _crossed(style: Style, top: _Top) -> Part:
    """Slanting rods that pass each other at the waist and are held there by a ring."""
    count, thick = style.count("rods", 3, 6), style.number("rod", 0.022, 0.04)
    turn, reach = np.radians(style.number("twist", 95, 135)), 0.39 * top.depth
    starts = np.linspace(0, 2 * np.pi, count, endpoint=False) + np.pi / 2
    heads, feet = ([(reach * np.cos(t), reach * np.sin(t)) for t in starts + by] for by in (0, turn))
    rods = [bar((*a, top.bottom + 0.002), (*b, 0), thick, round=True) for a, b in zip(heads, feet, strict=True)]
    hoop = ring(reach * float(np.cos(turn / 2)), 0.5 * thick, (0, 0, top.bottom / 2))
    return part("regular_leg_base", _leaves("leg", rods), leaf("circular_stretcher", hoop))


def _pedestal(style: Style, top: _Top) -> Part:
    """A column on a plate, a dome, a flaring tulip, a drum, a block or a cross; two of them under a long top."""
    kind = style.pick("pedestal", {"plate": 2, "dome": 1.5, "tulip": 1.6, "drum": 1, "block": 1, "cross": 1})
    reach = min(top.depth, 0.55 * top.width if top.twin else top.width) * style.number("foot reach", 0.3, 0.38)
    neck, under = style.number("column", 0.1, 0.2) * reach + 0.008, top.bottom + 0.002
    low = 0.03
    foot, column = cylinder(0.95 * reach, low, bevel=0.004), cylinder(neck, under - 0.01, (0, 0, 0.01))
    if kind == "tulip":
        low = 0.22 * under
        foot = lathe([(reach, 0), (reach, 0.008), (0.6 * reach, 0.04), (0.3 * reach, 0.5 * low), (neck, low + 0.004)])
        column = lathe([(neck, low), (0.85 * neck, 0.6 * under), (1.3 * neck, 0.85 * under), (2.6 * neck, under)])
    elif kind == "drum":
        waist = style.number("waist", 0.5, 0.8) * reach
        column = lathe([(0.8 * reach, low - 0.004), (waist, 0.5 * under), (0.85 * reach, under)])
    elif kind == "block":
        foot = box((1.7 * reach, 1.7 * reach, 0.05), (0, 0, 0.025), bevel=0.008)
        column = bar((0, 0, low), (0, 0, under), 3 * neck, bevel=0.008)
    elif kind == "cross":
        foot = union(*(box((2 * reach, 0.07, 0.05), (0, 0, 0.025), bevel=0.01).turned(z=turn) for turn in (45, 135)))
    elif kind == "dome":
        rise = 0.16 * reach
        curve = [(reach * np.cos(a), 0.01 + rise * np.sin(a)) for a in np.radians([0, 25, 50, 70, 84])]
        foot = lathe([(reach, 0), *curve])
        column = _turned(1.5 * neck, under - rise, "vase").at(z=rise)
    made = {"pedestal": foot, "central_support": column}
    if kind not in ("tulip", "drum") and style.maybe("arms under the top", 0.55):
        arm = box((1.4 * reach + 0.1, 0.045, 0.025), (0, 0, under - 0.0125))
        made["tabletop_connector"] = union(arm, arm.turned(z=90))
    xs = (-0.27 * top.width, 0.27 * top.width) if top.twin else (0.0,)
    return part("pedestal_base", [leaf(name, solid.at(x=x)) for name, solid in made.items() for x in xs])


def _star(style: Style, top: _Top) -> Part:
    """A column on three to five spreading legs: level bars, sweeping curves or struts."""
    kind, count = style.pick("star", {"level": 1.2, "sweeping": 2, "struts": 1}), style.count("star legs", 3, 5)
    reach, neck = min(0.4 * top.depth, 0.45), style.number("column", 0.04, 0.06) * min(0.75, top.depth)
    under = top.bottom + 0.002
    if kind == "sweeping":
        low = 0.2 * min(under, 0.7)
        shares = np.linspace(0, 1, 12)
        path = [(0.5 * neck + (reach - neck) * s, 0, 0.02 + 1.6 * low * (1 - s**0.6) ** 1.3) for s in shares]
        limb = tube(path, 0.02)
    elif kind == "struts":
        low, limb = 0.42 * under, bar((0, 0, 0.5 * under), (reach, 0, 0.012), 0.03, 0.024, taper=0.8)
    else:
        low, limb = 0.03, bar((0, 0, 0.05), (reach, 0, 0.018), 0.06, 0.05, taper=0.6, bevel=0.005)
    turning = style.pick("column turning", {"vase": 1, "rings": 1, "plain": 2})
    column = cylinder(neck, under - low) if turning == "plain" else _turned(1.35 * neck, under - low, turning)
    limbs = [limb.turned(z=90 + 360 * k / count) for k in range(count)]
    return part("star_leg_base", part("star_leg_set", _leaves("leg", limbs)), leaf("central_support", column.at(z=low)))


class Fittings:
    """What the drawers and doors of one piece of furniture have in common."""

    def __init__(self, style: Style):
        self.handle = style.pick("handle", {"bar": 3, "knob": 3, "cup": 1.2, "none": 1})
        self.pulled = style.number("pulled out", 0.2, 0.6) * style.maybe("a drawer open", 0.3)
        self.panel = style.number("panel", 0.014, 0.022)
        self.framed = style.maybe("framed fronts", 0.35)

    def grip(self, at: Point, room: float, *, upright: bool = False) -> list[Part]:
        """The handle, if there are any, on a front that faces -y. room : the length it may take half of"""
        if self.handle == "none":
            return []
        if self.handle == "knob":
            solid = lathe([(0.006, -0.003), (0.006, 0.014), (0.015, 0.02), (0.013, 0.03)], segments=16).turned(x=90)
        elif self.handle == "cup":
            half = ellipse(0.09, 0.05, segments=20).minus(rectangle(0.1, 0.05).at(0, -0.025))
            solid = board(half, 0.024).at(z=-0.003).turned(x=90)
        else:
            reach = min(0.08, 0.25 * room)
            posts = [bar((x, 0.003, 0), (x, -0.026, 0), 0.008) for x in (-0.8 * reach, 0.8 * reach)]
            solid = union(bar((-reach, -0.026, 0), (reach, -0.026, 0), 0.011, round=True, sides=10), *posts)
        return [leaf("handle", (solid.turned(y=90) if upright else solid).at(*at))]

    def front(self, xs: Span, y: float, zs: Span) -> Solid:
        """A panel before an opening, its back at y; sunk within a rim if fronts are framed."""
        wide, tall, at = xs[1] - xs[0] - 0.004, zs[1] - zs[0] - 0.004, (sum(xs) / 2, y - 0.009, sum(zs) / 2)
        solid, rim = box((wide, 0.018, tall), at, bevel=0.002), min(0.05, 0.24 * wide, 0.24 * tall)
        return solid.minus(box((wide - 2 * rim, 0.008, tall - 2 * rim), at).at(y=-0.009)) if self.framed else solid

    def drawer(self, xs: Span, ys: Span, zs: Span, *, pulled: float = 0.0) -> Part:
        """A drawer that fills an opening, drawn out by a share of its depth."""
        front, back = (y - pulled * (ys[1] - ys[0]) for y in ys)
        wide, deep, tall = xs[1] - xs[0] - 0.001, back - front - 0.01, 0.75 * (zs[1] - zs[0])
        x, y, z = sum(xs) / 2, (front + back) / 2 - 0.005, zs[0] + 0.006 + tall / 2
        cheek = box((0.012, deep, tall), (x, y, z))
        sides = _leaves("drawer_side", [cheek.at(x=side * (wide - 0.012) / 2) for side in (-1, 1)])
        rear = leaf("drawer_back", box((wide - 0.02, 0.012, tall), (x, back - 0.016, z)))
        floor = leaf("drawer_bottom", box((wide - 0.02, deep - 0.01, 0.008), (x, y, z - tall / 2 + 0.008)))
        face = leaf("drawer_front", self.front(xs, front + 0.001, zs))
        pull = self.grip((x, front - 0.017 + 0.004 * self.framed, sum(zs) / 2), xs[1] - xs[0])
        return part("drawer", part("drawer_box", rear, floor, sides, face), pull)

    def door(self, xs: Span, y: float, zs: Span, *, left: bool) -> Part:
        """A door before an opening, with the handle away from its hinges. left : hinged there"""
        x, z = xs[1] - 0.025 if left else xs[0] + 0.025, 0.4 * zs[0] + 0.6 * zs[1]
        pull = self.grip((x, y - 0.016, z), zs[1] - zs[0], upright=True)
        return part("cabinet_door", leaf("cabinet_door_surface", self.front(xs, y + 0.001, zs)), pull)

    def case(self, xs: Span, ys: Span, zs: Span, columns: list[list[str]], *, pulled: float = 0.0) -> list[Part]:
        """A box without a lid, open to the front; each column is filled downwards with what its rows name.

        pulled : how far the first drawer stands open, as a share of its depth
        """
        t, wide, deep, tall = self.panel, xs[1] - xs[0] - 1.9 * self.panel, ys[1] - ys[0], zs[1] - zs[0]
        x, y, z = sum(xs) / 2, sum(ys) / 2, sum(zs) / 2
        ends = (xs[0] + t / 2, xs[1] - t / 2)
        made = _leaves("vertical_side_panel", [box((t, deep, tall), (end, y, z)) for end in ends])
        made.append(leaf("bottom_panel", box((wide, deep, t), (x, y, zs[0] + t / 2))))
        made.append(leaf("back_panel", box((wide, 0.8 * t, tall), (x, ys[1] - 0.4 * t, z))))
        walls = np.linspace(*ends, len(columns) + 1)
        divider = box((t, deep - 0.8 * t, tall), (0, y - 0.4 * t, z))
        made += _leaves("vertical_divider_panel", [divider.at(x=wall) for wall in walls[1:-1]])
        for k, ((left, right), rows) in enumerate(zip(pairwise(walls), columns, strict=True)):
            room = (left + t / 2, right - t / 2), (ys[0], ys[1] - t), (zs[0] + t, zs[1])
            made += self._column(*room, rows, 0.0 if k else pulled)
        return made

    def _column(self, xs: Span, ys: Span, zs: Span, rows: list[str], pulled: float) -> Iterator[Part]:
        heights = np.cumsum([0.0, *({"drawer": 1.0, "shelf": 1.3}.get(row, 2.2) for row in rows)])
        edges = zs[1] - (zs[1] - zs[0]) * heights / heights[-1]
        middle, above = sum(xs) / 2, ""
        for row, (high, low) in zip(rows, pairwise(edges), strict=True):
            if row == "drawer":
                yield self.drawer(xs, ys, (low, high), pulled=0.0 if above else pulled)
            elif row == "door":
                yield self.door(xs, ys[0], (low, high), left=middle > 0)
            elif row == "doors":
                yield self.door((xs[0], middle), ys[0], (low, high), left=True)
                yield self.door((middle, xs[1]), ys[0], (low, high), left=False)
            if above and not row == above == "drawer":
                size = (xs[1] - xs[0] + 0.002, ys[1] - ys[0], 0.8 * self.panel)
                yield leaf("shelf", box(size, (middle, sum(ys) / 2, high - 0.4 * self.panel)))
            above = row


_ROWS = {
    "drawer": ["drawer"],
    "drawers": ["drawer"] * 3,
    "many drawers": ["drawer"] * 4,
    "door": ["door"],
    "doors": ["doors"],
    "drawer over door": ["drawer", "door"],
    "drawer over doors": ["drawer", "doors"],
    "drawer over shelf": ["drawer", "shelf"],
    "shelves": ["shelf", "shelf"],
}
"""What a column of a case may hold, downwards."""


def _stand(style: Style, spots: list[Span], height: float, *, long: bool) -> list[Part]:
    """Something under each corner of a case that begins at a height."""
    kind = "leg" if long else style.pick("stand", {"foot": 2, "caster": 1.2, "leg": 1})
    thick, taper = style.number("stand thickness", 0.026, 0.045), style.number("stand taper", 0.5, 1.0)
    round = kind == "foot" or style.maybe("round stand", 0.5)
    if kind == "caster":
        return [caster(spot, height) for spot in spots]
    ends = [((x, y, height + 0.003), (x, y, 0)) for x, y in spots]
    return _leaves(
        kind, [bar(*line, 1.5 * thick if kind == "foot" else thick, round=round, taper=taper) for line in ends]
    )


def _desk(style: Style, top: _Top) -> Part:
    """Cases at one end or both, standing or hung under the top, and room for knees."""
    fit, under = Fittings(style), top.bottom + 0.001
    x, y = top.width / 2 - 0.02, top.depth / 2 - 0.03
    wide, hung = style.number("case width", 0.34, 0.44), style.maybe("hung cases", 0.25)
    floor = under - 0.28 if hung else style.number("rise", 0.05, 0.11)
    kinds = {"drawers": 2.0, "many drawers": 1, "drawer over door": 1.2, "drawer over shelf": 0.6, "door": 0.3}
    rows = _ROWS[style.pick("filling", {"drawer": 1, "drawer over shelf": 1} if hung else kinds)]
    ends = {"left": [-1], "right": [1], "both": [-1, 1]}[style.pick("cases", {"left": 1, "right": 1, "both": 1.2})]
    made: list[Part] = []
    spots: list[Span] = []
    for end in ends:
        xs = (-x, wide - x) if end < 0 else (x - wide, x)
        made += fit.case(xs, (-y, y), (floor, under), [rows], pulled=fit.pulled * (end == ends[0]))
        spots += [(end * a, b) for a in (x - 0.03, x - wide + 0.03)[: 1 if hung else 2] for b in (0.03 - y, y - 0.03)]
    made += _stand(style, spots, floor, long=hung)
    knees = (wide - x if -1 in ends else -x, x - wide if 1 in ends else x)
    if len(ends) == 1:
        made += _desk_end(-ends[0] * (x - 0.03), y, under, panel=style.maybe("end panel", 0.5))
    return part("drawer_base", made, _above_knees(style, fit, knees, y, under))


def _desk_end(x: float, y: float, under: float, *, panel: bool) -> list[Part]:
    """What holds up the end without a case."""
    if panel:
        return [leaf("vertical_side_panel", box((0.025, 2 * y, under), (x, 0, under / 2)))]
    rail = leaf("bar_stretcher", box((0.02, 2 * y - 0.06, 0.04), (x, 0, under - 0.06)))
    return [rail, *_leaves("leg", [bar((x, b, under), (x, b, 0), 0.045, taper=0.7) for b in (0.03 - y, y - 0.03)])]


def _above_knees(style: Style, fit: Fittings, knees: Span, y: float, under: float) -> Iterator[Part]:
    """Between the ends: a panel at the back, and a tray, a strip or a flat drawer in front."""
    x, room = sum(knees) / 2, knees[1] - knees[0]
    if style.maybe("modesty panel", 0.5):
        yield leaf("back_panel", box((room, 0.016, 0.35), (x, y - 0.05, under - 0.175)))
    between = style.pick("between", {"nothing": 2, "tray": 1.6, "strip": 1, "drawer": 1})
    if between == "tray":
        slab = box((room - 0.1, 0.36, 0.018), (x, 0.06 - y, under - 0.1), bevel=0.003)
        yield part("keyboard_tray", leaf("keyboard_tray_surface", slab))
        hanger = box((0.02, 0.3, 0.1), (x, 0.1 - y, under - 0.046))
        yield from _leaves("tabletop_connector", [hanger.at(x=side * (room / 2 - 0.06)) for side in (-1, 1)])
    elif between == "strip":
        yield leaf("vertical_front_panel", box((room, 0.018, 0.09), (x, 0.02 - y, under - 0.045)))
    elif between == "drawer":
        yield fit.drawer(knees, (-y, y - 0.1), (under - 0.1, under))


def _chest(style: Style, top: _Top) -> Part:
    """Cases side by side under the whole top: shallow on long legs, or deep on feet."""
    fit, under, inset = Fittings(style), top.bottom + 0.001, 0.4 * top.inset
    x, y = top.width / 2 - inset, top.depth / 2 - inset
    shallow, count = style.maybe("shallow", 0.5), 1 if top.kind == "side" else style.count("columns", 1, 3)
    floor = under * style.number("leg share", 0.64, 0.76) if shallow else style.number("rise", 0.05, 0.11)
    deep = {"drawers": 2.0, "doors": 2, "shelves": 1.2, "drawer over doors": 1.4, "drawer over shelf": 1}
    first, second = (style.pick(name, {"drawer": 1} if shallow else deep) for name in ("filling", "second filling"))
    columns = [_ROWS[first if k % 2 == 0 else second] for k in range(count)]
    made = fit.case((-x, x), (-y, y), (floor, under), columns, pulled=fit.pulled)
    made += _stand(style, _corners(x - 0.025, y - 0.025), floor, long=shallow)
    low = style.pick("low", {"shelf": 1, "bars": 0.5, "nothing": 1}) if shallow else "nothing"
    z = style.number("low height", 0.2, 0.4) * floor
    if low == "shelf":
        made.append(leaf("shelf", box((2 * x - 0.02, 2 * y - 0.02, 0.02), (0, 0, z), bevel=0.003)))
    elif low == "bars":
        rails = [box((0.02, 2 * y - 0.05, 0.03), (at, 0, z)) for at in (0.025 - x, x - 0.025)]
        made += _leaves("bar_stretcher", [*rails, box((2 * x - 0.05, 0.02, 0.03), (0, 0, z))])
    return part("drawer_base", made)


def _shelves(style: Style, top: _Top) -> Part:
    """Legs or end panels with one or two shelves between them."""
    under, shares = top.bottom + 0.002, [[0.3], [0.18, 0.58]][style.count("shelves", 1, 2) - 1]
    if top.square and style.maybe("end panels", 0.45):
        x, y, low = top.width / 2 - 0.03, top.depth / 2 - 0.02, shares[0] * under
        made = _leaves("vertical_side_panel", [box((0.03, 2 * y, under), (at, 0, under / 2)) for at in (-x, x)])
        made += _leaves("shelf", [box((2 * x - 0.028, 2 * y, 0.022), (0, 0, share * under)) for share in shares])
        if style.maybe("divider", 0.5):
            made.append(
                leaf("vertical_divider_panel", box((0.02, 2 * y - 0.02, under - low), (0, 0, (under + low) / 2)))
            )
        if style.maybe("back", 0.4):
            made.append(leaf("back_panel", box((2 * x - 0.028, 0.014, under - low), (0, y - 0.01, (under + low) / 2))))
        return part("drawer_base", made)
    thick, rise = style.number("leg thickness", 0.028, 0.05), 0.085 * style.maybe("casters", 0.3)
    round, inset = style.maybe("round legs", 0.5), 0.6 * top.inset + thick / 2
    spots = top.spots(inset)
    made = _leaves("leg", [bar((*at, under), (*at, rise), thick, round=round, bevel=0.003) for at in spots])
    made += [caster(spot, rise) for spot in spots] if rise else []
    plate = board(top.outline.grown(-inset), 0.018, bevel=0.003)
    return part("drawer_base", made, _leaves("shelf", [plate.at(z=rise + share * (under - rise)) for share in shares]))


def _ping_pong(style: Style) -> Part:
    """Two halves, 2.74 m by 1.525 m at 0.76 m, and the net between them."""
    halves = [board(rectangle(1.366, 1.525), 0.022, (x, 0, 0.738), bevel=0.003) for x in (-0.685, 0.685)]
    holes = [rectangle(0.031, 0.024).at(0.036 * i, 0.022 + 0.03 * k) for i in range(-24, 25) for k in range(4)]
    net = [prism(rectangle(1.79, 0.1525).at(0, 0.0762).minus(*holes), 0.006, along="x")]
    for side in (-1, 1):
        net.append(bar((0, side * 0.905, -0.07), (0, side * 0.905, 0.155), 0.022, round=True, sides=12))
        net.append(box((0.04, 0.2, 0.03), (0, side * 0.82, -0.035)))
    kind, thick = style.pick("game legs", {"round": 1, "square": 1, "crossed": 1}), style.number("leg", 0.03, 0.06)
    near, far, y, head = 0.14, style.number("stance", 0.7, 1.15), 0.6, 0.728
    made: list[Part] = []
    for side in (-1, 1):
        for top, foot in ((near, far), (far, near)) if kind == "crossed" else ((near, near), (far, far)):
            lines = [((side * top, b, head + 0.012), (side * foot, b, 0)) for b in (-y, y)]
            made += _leaves("leg", [bar(*line, thick, round=kind == "round", bevel=0.004) for line in lines])
        crossings = [((near + far) / 2, head / 2)] if kind == "crossed" else [(near, 0.2), (far, 0.2), (near, 0.66)]
        across = [bar((side * x, -y, z), (side * x, y, z), 0.7 * thick) for x, z in crossings]
        made += _leaves("bar_stretcher", across)
        if kind != "crossed":
            along = [bar((side * near, b, 0.69), (side * far, b, 0.69), 0.7 * thick) for b in (-y, y)]
            made += _leaves("bar_stretcher", along)
    base = part("table_base", part("regular_leg_base", made))
    top_part = part("tabletop", _leaves("tabletop_surface", halves))
    return part("ping_pong_table", leaf("ping_pong_net", union(*net).at(z=0.76)), top_part, base)


def _pool(style: Style) -> Part:
    """A cloth-covered slab with six pockets, cushioned rails, a skirt, stout legs, and balls."""
    length, high, rail = (
        style.number(*n) for n in (("length", 1.8, 2.54), ("height", 0.76, 0.82), ("rail", 0.1, 0.14))
    )
    width, deep = length / 2, style.number("skirt", 0.12, 0.26)
    pockets = [cylinder(0.06, 0.3, (x, y, high - 0.2)) for x in (-width, 0, width) for y in (-width / 2, width / 2)]
    slab = box((length + rail, width + rail, 0.05), (0, 0, high - 0.025)).minus(*pockets)
    long, short = (box(size, bevel=0.012) for size in ((width - 0.02, rail, 0.07), (rail, width - 0.02, 0.07)))
    rails = [long.at(x, y, high + 0.005) for x, y in _corners(width / 2, (width + rail) / 2)]
    rails += [short.at(x, 0, high + 0.005) for x in (-(length + rail) / 2, (length + rail) / 2)]
    frame = [solid.minus(*pockets) for solid in rails]
    frame += _rails(length + 1.2 * rail, width + 1.2 * rail, (high - deep, high - 0.03), 0.05)
    kind = style.pick("pool leg", {"vase": 1, "rings": 0.7, "tapered": 1, "flared": 1})
    thick, spots = style.number("pool leg thickness", 0.12, 0.18), _corners(0.43 * length, 0.42 * width)
    spots += [(0, 0.42 * width), (0, -0.42 * width)] if style.maybe("six legs", 0.3) else []
    if kind in _TURNINGS:
        leg = _turned(0.55 * thick, high - 0.045, kind)
    else:
        leg = bar((0, 0, high - 0.045), (0, 0, 0), thick, taper=0.6, bevel=0.01)
        leg = leg.turned(x=180).at(z=high - 0.045) if kind == "flared" else leg
    r, racked = 0.0286, style.maybe("racked", 0.5)
    balls = [(-0.25 * length, 0.05 * width)]
    balls += [(0.2 * length + 1.75 * r * k, r * (2.01 * j - k)) for k in range(5) for j in range(k + 1)]
    if not racked:
        balls = [(0.44 * length * np.sin(2.4 * k + 1), 0.42 * width * np.cos(3.7 * k)) for k in range(1, 11)]
    spheres = _leaves("pool_ball", [sphere(r, (x, y, high + r - 0.001), segments=16) for x, y in balls])
    top = part("tabletop", leaf("tabletop_surface", slab), part("tabletop_frame", _leaves("bar", frame)))
    legs = part("regular_leg_base", _leaves("leg", [leg.at(*spot) for spot in spots]))
    return part("pool_table", spheres, top, part("table_base", legs))


def _picnic(style: Style) -> Part:
    """A top and its benches on one timber frame, long with two benches or round with three or four."""
    high, sit = style.number("height", 0.72, 0.77), style.number("bench height", 0.42, 0.46)
    timber, reach = style.number("timber", 0.04, 0.07), style.number("reach", 0.68, 0.8)
    make = _round_picnic if style.maybe("round picnic", 0.45) else _long_picnic
    surface, legs, ties, benches = make(style, high, sit, timber, reach)
    base = part("table_base", part("regular_leg_base", _leaves("leg", legs)))
    inner = part("regular_table", part("tabletop", _leaves("tabletop_surface", surface)), base)
    return part("picnic_table", inner, _leaves("bench_connector", ties), _leaves("bench", benches))


def _round_picnic(style: Style, high: float, sit: float, timber: float, reach: float) -> Iterator[list[Solid]]:
    count, wide, edge = style.count("benches", 3, 4), 2 * reach - 0.6, reach + 0.28
    turns = (np.arange(count) + 0.5) * 360 / count
    seat = rectangle(0.28, 1.15 * reach).at(reach + 0.14)
    if style.maybe("curved benches", 0.6):
        arc = np.radians(np.linspace(-0.38, 0.38, 9) * 360 / count)
        seat = polygon([(r * np.cos(t), r * np.sin(t)) for r, row in ((edge, arc), (reach, arc[::-1])) for t in row])
    shape = _outline(style.pick("picnic top", {"round": 1, "octagon": 1}), wide, wide, 0)
    yield [board(shape, 0.04, (0, 0, high - 0.04), bevel=0.004)]
    yield [bar((wide / 2 - 0.1, 0, high - 0.04), (reach - 0.05, 0, 0), timber, 0.09).turned(z=turn) for turn in turns]
    yield [box((edge, timber, 0.08), (edge / 2 - 0.02, 0, sit - 0.078)).turned(z=turn) for turn in turns]
    yield [board(seat, 0.04, (0, 0, sit - 0.04)).turned(z=turn) for turn in turns]


def _long_picnic(style: Style, high: float, sit: float, timber: float, reach: float) -> Iterator[list[Solid]]:
    length, crossed = style.number("length", 1.4, 2.2), style.maybe("crossed legs", 0.35)
    x = length / 2 - style.number("overhang", 0.15, 0.4)
    up, down = (-0.4 * reach, 0.55 * reach) if crossed else (0.4 * reach, 0.92 * reach)
    ends = [((at, s * up, high - 0.04), (at, s * down, 0)) for at in (-x, x) for s in (-1, 1)]
    slats = [(reach,), (reach - 0.065, reach + 0.065)][style.maybe("two bench planks", 0.5)]
    bench = union(*(box((length, 0.26 / len(slats), 0.04), (0, y, sit - 0.02), bevel=0.003) for y in slats))
    yield _side_by_side(style.count("planks", 3, 6), (length, 2 * reach - 0.6, 0.04), high - 0.02)
    yield [bar(*line, timber, 0.1) for line in ends]
    yield [box((timber, 2 * reach + 0.26, 0.1), (at, 0, sit - 0.089)) for at in (timber - x, x - timber)]
    yield [bench, bench.mirrored("y")]
