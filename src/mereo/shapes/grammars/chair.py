"""Chairs: to dine, work, rest, rock and perch on, and sofas for up to three."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.outlines import Outline, Point, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import (
    Solid,
    bar,
    bent,
    board,
    box,
    curved_panel,
    cushion,
    cylinder,
    lathe,
    prism,
    ring,
    tube,
    union,
)
from mereo.shapes.style import Style

Span = tuple[float, float]

_SIZES: dict[str, tuple[Span, Span, Span]] = {
    "side": ((0.4, 0.5), (0.38, 0.46), (0.43, 0.48)),
    "arm": ((0.46, 0.54), (0.42, 0.5), (0.42, 0.47)),
    "easy": ((0.52, 0.62), (0.5, 0.6), (0.36, 0.41)),
    "swivel": ((0.44, 0.52), (0.42, 0.5), (0.42, 0.5)),
    "rocking": ((0.46, 0.54), (0.42, 0.48), (0.4, 0.44)),
    "stool": ((0.32, 0.42), (0.3, 0.38), (0.6, 0.8)),
    "low stool": ((0.3, 0.42), (0.28, 0.36), (0.4, 0.5)),
}
"""Width, depth and height of the seat by what the chair is for."""

_BASES: dict[str, dict[str, float]] = {
    "side": {"legs": 5, "sled": 0.8, "cantilever": 0.9, "pedestal": 0.5, "crossed": 0.8},
    "arm": {"legs": 4, "sled": 1, "cantilever": 0.8, "pedestal": 0.6},
    "easy": {"legs": 4, "sled": 0.8, "star": 0.5},
    "swivel": {"star": 1},
    "rocking": {"rocker": 1},
    "stool": {"legs": 3, "pedestal": 2, "star": 0.4, "sled": 0.6},
    "low stool": {"legs": 3, "star": 1, "crossed": 1, "pedestal": 0.5},
}


@grammar("chair")
def chair(style: Style) -> Part:
    """A seat on a base, mostly with a back, sometimes with arms, a headrest, a footrest."""
    kinds = {"side": 4, "arm": 2.2, "easy": 1.3, "swivel": 2.2, "rocking": 0.8, "stool": 1.4, "low stool": 0.5}
    kind = style.pick("kind", kinds | {"upholstered": 3.2})
    if kind == "upholstered":
        return part("chair", _upholstered(style))
    base = style.pick("base", _BASES[kind])
    seat = _Seat(style, kind, base)
    above: list[Part] = []
    if style.maybe("back", {"stool": 0.35, "low stool": 0.0}.get(kind, 1.0)):
        back = _back(style, seat)
        above.append(back.part)
        if kind == "swivel" and style.maybe("headrest", 0.4):
            above.append(_head(style, seat, back))
        if style.maybe("arms", {"arm": 1, "easy": 0.9, "rocking": 0.9, "swivel": 0.6}.get(kind, 0.0)):
            above += _arms(style, seat, posts=back.posts)
    make = {"star": _star_base, "pedestal": _pedestal_base, "sled": _sled_base, "cantilever": _cantilever_base}
    stand = make.get(base, _leg_base)(style, seat)
    perch = kind == "stool" and base in ("pedestal", "star")
    rest = _footrest(style, seat) if perch and style.maybe("footrest", 0.8) else None
    return part("chair", above, part("chair_base", stand), seat.part(style), rest)


def _leaves(name: str, solids: Iterable[Solid]) -> list[Part]:
    return [leaf(name, solid) for solid in solids]


def _pair(solid: Solid) -> list[Solid]:
    """A solid and its mirror image on the other side."""
    return [solid, solid.mirrored("x")]


def _corners(x: float, y: float) -> list[Span]:
    """Front left first, then around."""
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


class _Seat:
    """The seat, and the measures that everything else is fitted to."""

    def __init__(self, style: Style, kind: str, base: str):
        names, self.kind, self.base = ("seat width", "seat depth", "seat height"), kind, base
        sizes = [style.number(name, *span) for name, span in zip(names, _SIZES[kind], strict=True)]
        self.width, self.depth, self.height = sizes
        self.round, soft = "stool" in kind and style.maybe("round seat", 0.6), kind in ("easy", "swivel")
        self.width = self.depth if self.round else self.width
        self.lean = style.number("lean", *{"easy": (13, 20), "rocking": (9, 15)}.get(kind, (4, 12)))
        self.rear = 0.36 * self.depth if self.round else self.depth / 2 - 0.025
        open_seats = {} if self.round or base in ("star", "pedestal") else {"slats": 1.5, "woven": 1.2}
        self.make = style.pick("seat", {"cushion": 1} if soft else {"board": 4, "cushion": 2.5} | open_seats)
        self.thickness = style.number("seat thickness", 0.02, 0.045) + 0.05 * soft
        self.under = self.height - self.thickness
        self.held = base not in ("legs", "rocker")
        # The base begins below the plate or the bars that hold the seat.
        self.bottom = self.under - 0.014 * self.held

    def outline(self, shrink: float = 0.0, corner: float = 0.0) -> Outline:
        width, depth = self.width - 2 * shrink, self.depth - 2 * shrink
        return ellipse(width, depth) if self.round else rectangle(width, depth, corner=corner)

    def y(self, z: float) -> float:
        """Where the leaning back is at a height."""
        return float(self.rear + (z - self.height) * np.tan(np.radians(self.lean)))

    def leaning(self, solid: Solid) -> Solid:
        """A solid that stands upright on the origin, put behind the seat and leant back."""
        return solid.turned(x=-self.lean).at(y=self.rear, z=self.height - 0.015)

    def part(self, style: Style) -> Part:
        """A board, a cushion on a frame, slats on rails, or weave between four rods; and what holds it."""
        w, d, z, frame = self.width, self.depth, self.under, "seat_frame_bar"
        rails: list[Solid] = []
        if self.make == "slats":
            count, thick = style.count("seat slats", 4, 8), 0.6 * self.thickness
            ys = ((np.arange(count) + 0.5) / count - 0.5) * d
            surface = [box((w, 0.72 * d / count, thick), (0, y, self.height - thick / 2), bevel=0.003) for y in ys]
            rails = _pair(
                box((0.035, d, 0.4 * self.thickness + 0.004), (0.42 * w, 0, z + 0.2 * self.thickness + 0.001))
            )
        elif self.make == "woven":
            thick = self.thickness
            surface = [board(rectangle(w - 0.02, d - 0.02), 0.6 * thick, (0, 0, z + 0.2 * thick), bevel=0.006)]
            ends = [(x, y, z + thick / 2) for x, y in _corners(w / 2, d / 2)]
            rails = [bar(ends[k - 1], ends[k], thick, round=True) for k in range(4)]
        elif self.make == "cushion":
            tall = self.thickness + 0.02
            fullness = 2.6 if self.round else style.number("fullness", 4, 8)
            surface = [cushion((w, d, tall), (0, 0, self.height + 0.01 - tall / 2), squareness=fullness)]
            if not self.round:
                rim = self.outline(0.02, corner=0.05).minus(self.outline(0.06, corner=0.02))
                rails, frame = [board(rim, 0.45 * self.thickness, (0, 0, z))], "seat_holistic_frame"
        else:
            plan = self.outline(corner=style.number("seat corner", 0.0, 0.1))
            surface = [board(plan, self.thickness, (0, 0, z), bevel=0.008)]
            if self.base == "legs" and not self.round and style.maybe("apron", 0.4):
                inner, frame = self.outline(0.045), "seat_holistic_frame"
                rails = [board(self.outline(0.022).minus(inner), 0.05, (0, 0, z - 0.046))]
        name = "seat_surface_bar" if self.make == "slats" else "seat_single_surface"
        top = part("seat_surface", _leaves(name, surface))
        framed = part("seat_frame", _leaves(frame, rails)) if rails else None
        return part("chair_seat", _leaves("seat_support", self._supports()), framed, top)

    def _supports(self) -> Iterator[Solid]:
        if self.base in ("star", "pedestal"):
            yield box((0.6 * self.width, 0.6 * self.depth, 0.03), (0, 0, self.under + 0.003), bevel=0.006)
        elif self.held:
            for y in (-0.32 * self.depth, 0.32 * self.depth):
                wide = 0.7 * self.width if self.round else self.width - 0.04
                yield box((wide, 0.026, 0.022), (0, y, self.under - 0.001), bevel=0.003)


_WOODEN = {"slats": 2.0, "spindles": 1.5, "hoop": 1.3, "splat": 1.2}
_BACKS: dict[str, dict[str, float]] = {
    "side": {**_WOODEN, "panel": 1, "bowed": 1.6, "cushion": 0.8, "medallion": 1.2},
    "arm": {**_WOODEN, "panel": 0.8, "bowed": 1.6, "cushion": 1.4, "medallion": 1.2},
    "rocking": {**_WOODEN, "cushion": 0.7},
    "easy": {"cushion": 2, "slats": 1, "spindles": 1},
    "swivel": {"panel": 1, "pad": 2, "bowed": 2},
    "stool": {"bowed": 1.5, "panel": 1},
}


class _Back(NamedTuple):
    """A back, and what it offers to arms and to a headrest."""

    part: Part
    height: float
    behind: float
    """How far its rear face lies behind its middle line."""
    posts: bool
    """Whether posts stand at its sides."""


def _back(style: Style, seat: _Seat) -> _Back:
    """A panel, a bow, slats, spindles, a splat or a cushion, framed by posts, a hoop or a medallion."""
    design, kind = style.pick("back design", _BACKS[seat.kind]), seat.kind
    low, high = {"stool": (0.22, 0.34), "easy": (0.42, 0.55), "rocking": (0.58, 0.75)}.get(kind, (0.42, 0.6))
    height, width = style.number("back height", low, high), seat.width * style.number("back width", 0.84, 0.98)
    thick, width = style.number("back thickness", 0.016, 0.03), (0.75 if seat.round else 1.0) * width
    make = {"panel": _panel_back, "pad": _panel_back, "bowed": _bowed_back, "medallion": _medallion_back}
    made: dict[str, list[Part]] = {"back_surface": [], "back_frame": [], "": []}
    behind = thick / 2
    for name, solid in make.get(design, _framed_back)(style, design, seat, width, height, thick):
        above = "back_surface" if "surface" in name else "back_frame" if "frame" in name else ""
        made[above].append(leaf(name, seat.leaning(solid)))
        if name == "back_single_surface":
            behind = float(solid.bounds()[1, 1])
    inner = [part(above, found) for above, found in made.items() if above and found]
    posts = design in ("slats", "spindles", "splat", "cushion")
    return _Back(part("chair_back", inner, made[""]), height, behind, posts)


Named = Iterator[tuple[str, Solid]]


def _panel_back(style: Style, design: str, seat: _Seat, width: float, height: float, thick: float) -> Named:
    """A flat panel or a pad that stands off the seat on a connector or on two, with a support behind a pad."""
    gap, pad = style.number("back gap", 0.05, 0.14), max(0.06, 2.5 * thick)
    if design == "pad":
        yield "back_single_surface", cushion((width, pad, height - gap), (0, 0, (height + gap) / 2), squareness=7)
    else:
        view = rectangle(width, height - gap, corner=style.number("back corner", 0.01, 0.14)).at(0, (height + gap) / 2)
        yield "back_single_surface", prism(view, thick, along="y")
    if seat.base == "star":
        yield "back_connector", bar((0, 0.008, -0.1), (0, thick / 2 + 0.006, gap + 0.12), 0.07, 0.018, bevel=0.003)
        if design == "pad":
            shell = box((0.35 * width, 0.016, 0.5 * height), (0, pad / 2 + 0.003, 0.55 * height), bevel=0.004)
            yield "back_support", shell
    else:
        for side in (-0.36 * width, 0.36 * width):
            yield "back_connector", bar((side, 0.004, -0.025), (side, 0.004, gap + 0.1), 0.03, 0.014)


def _bowed_back(style: Style, design: str, seat: _Seat, width: float, height: float, thick: float) -> Named:
    """A curved panel high up, on two posts or on one stem."""
    bow, share = style.number("bow", 0.03, 0.09), style.number("bow share", 0.3, 0.65)
    yield "back_single_surface", curved_panel(width, share * height, thick, bow=bow).at(z=(1 - share) * height)
    stems = (0.0,) if seat.base == "star" else (-0.3 * width, 0.3 * width)
    for x in stems:
        behind = bow * (1 - (2 * x / width) ** 2) + thick / 2 + 0.006
        wide, end = 0.07 if len(stems) == 1 else 0.03, (1 - 0.4 * share) * height
        yield "back_support", bar((x, 0.3 * behind, -0.03), (x, behind, end), wide, 0.016, bevel=0.002)


def _medallion_back(style: Style, design: str, seat: _Seat, width: float, height: float, thick: float) -> Named:
    """A round, oval or shield-like frame with a panel in it, held over the seat by two connectors."""
    tall, corner = style.number("medallion", 0.6, 0.8) * height, style.number("roundness", 0.3, 0.5)
    wide = min(width, 1.15 * tall)
    figure = rectangle(wide, tall, corner=corner * min(wide, tall))
    line = [(x, 0.0, z + height - tall / 2) for x, z in figure.corners()[0]]
    yield "back_holistic_frame", tube(line, 0.016, closed=True)
    yield "back_single_surface", prism(figure.grown(-0.006).at(0, height - tall / 2), 0.8 * thick, along="y")
    for x in (-0.24 * wide, 0.24 * wide):
        yield "back_connector", bar((x, 0, -0.03), (x, 0, height - tall + 0.012), 0.026, round=True)


def _framed_back(style: Style, design: str, seat: _Seat, width: float, height: float, thick: float) -> Named:
    """Two posts and a top rail, or a hoop, filled with slats, spindles, a splat or a cushion."""
    post, round = style.number("post", 0.024, 0.038), style.maybe("round posts", 0.4)
    x = (width - post) / 2
    top, inner = height, 2 * x - post + 0.004
    if design == "hoop":
        turns = np.linspace(np.pi, 0, 19)
        arch = [(x * np.cos(t), 0.0, 0.5 * height + 0.5 * height * np.sin(t)) for t in turns]
        yield "back_holistic_frame", tube([(-0.85 * x, 0, -0.03), *arch, (0.85 * x, 0, -0.03)], post / 2)
    else:
        top = height - style.number("top rail", 0.05, 0.11)
        crest = style.number("crest", 0.0, 0.05) * style.maybe("crested", 0.5)
        for side in (-x, x):
            yield "back_frame_vertical_bar", bar((side, 0, -0.03), (side, 0, height), post, round=round, bevel=0.004)
        arc = [(a * inner / 2, height - 0.008 + crest * (1 - a * a)) for a in np.linspace(1, -1, 9)]
        view = polygon([(-inner / 2, top), (inner / 2, top), *arc])
        yield "back_frame_horizontal_bar", prism(view, 0.7 * post, along="y")
        if design in ("splat", "cushion") or style.maybe("lower rail", 0.3):
            low = box((inner, 0.6 * post, 0.035), (0, 0, 0.075), bevel=0.003)
            yield "back_frame_horizontal_bar", low
    if design == "slats":
        count = style.count("back slats", 2, 5)
        step = (top - 0.11) / count
        for k in range(count):
            slat = curved_panel(inner, 0.5 * step, 0.4 * post, bow=0.0 if round else 0.02)
            yield "back_surface_horizontal_bar", slat.at(z=0.11 + (k + 0.15) * step)
    elif design == "splat":
        shares = [(0.5, 0), (0.3, 0.3), (0.6, 0.62), (0.8, 0.85), (0.55, 1)]
        edge = [(0.16 * width * r, 0.07 + (top - 0.06) * z) for r, z in shares]
        view = polygon([*edge, *((-a, b) for a, b in edge[::-1])])
        yield "back_surface_vertical_bar", prism(view, 0.4 * post, along="y")
    elif design == "cushion":
        pad, tall = 0.09 if seat.kind == "easy" else 0.05, height - 0.06
        yield "back_single_surface", cushion((0.97 * inner, pad, tall), (0, -0.3 * pad, tall / 2 + 0.035), squareness=7)
    else:
        for a in np.linspace(-1, 1, style.count("spindles", 3, 7) + 2)[1:-1]:
            end = 0.5 * height * (1 + np.sqrt(1 - a * a)) if design == "hoop" else top + 0.01
            foot = (0.8 if design == "hoop" else 1.0) * a * x
            yield "back_surface_vertical_bar", bar((foot, 0, -0.02), (a * x, 0, end), 0.5 * post, round=True, sides=10)


def _arms(style: Style, seat: _Seat, *, posts: bool) -> list[Part]:
    """Two alike: rests on posts, on one post and the back, on a bracket under the seat, or bent loops."""
    designs = {"posts": 2, "back": 2.5 * posts, "loop": 1.2, "writing": 1.0 * (seat.kind == "arm")}
    design = style.pick("arm", {"bracket": 2, "loop": 1} if seat.kind == "swivel" else designs)
    rest, x = seat.height + style.number("arm height", 0.17, 0.23), seat.width / 2 + 0.012
    front, rear = style.number("arm front", -0.46, -0.3) * seat.depth, seat.y(rest) - 0.02
    thick = style.number("arm post", 0.02, 0.034)
    pad = box((0.055, rear - front, 0.026), (x, (front + rear) / 2, rest), bevel=0.008)
    right: list[tuple[str, Solid]] = [("arm_horizontal_bar", pad)]
    low = seat.height - 0.5 * seat.thickness
    if design == "loop":
        out, back = x + 0.01, seat.rear
        path = [(x - 0.03, front + 0.03, low), (out, front - 0.01, rest - 0.05), (out, front + 0.05, rest)]
        path += [(out, back - 0.06, rest), (out, back - 0.02, rest - 0.05), (x - 0.03, back - 0.03, low)]
        right = [("arm_holistic_frame", tube(bent(path), 0.5 * thick))]
    elif design == "bracket":
        y, z, out = (front + rear) / 2 - 0.02, seat.under, x + 0.02
        right.append(("arm_near_vertical_bar", bar((out, y, z - 0.01), (x, y, rest), thick, 0.05, bevel=0.004)))
        right.append(("arm_connector", bar((0.1, y, z), (out, y, z - 0.004), 0.05, 0.016)))
    else:
        ys = (front + 0.05,) if design == "back" else (front + 0.05, seat.rear - 0.03)
        right += [("arm_near_vertical_bar", bar((x - 0.018, y, low), (x, y, rest), thick, bevel=0.004)) for y in ys]
        if design == "back":
            ends = (0.36 * seat.width, rear - 0.002, rest), (x + 0.02, rear - 0.012, rest)
            right.append(("arm_connector", bar(*ends, 0.024, round=True)))
    left = [(name, solid.mirrored("x")) for name, solid in right]
    if design == "writing":
        tablet = board(rectangle(0.3, 0.36, corner=0.06), 0.018, (x - 0.08, front + 0.12, rest + 0.01), bevel=0.004)
        right.append(("arm_writing_table", tablet))
    return [part("chair_arm", [leaf(name, solid) for name, solid in side]) for side in (left, right)]


def _head(style: Style, seat: _Seat, back: _Back) -> Part:
    """A small cushion on a stem that begins behind the back."""
    z, y = back.height + style.number("head height", 0.07, 0.14), back.behind + 0.004
    rest = cushion((0.28, 0.07, 0.14), (0, 0, z), squareness=5)
    stem = bar((0, y, 0.7 * back.height), (0, 0.02, z), 0.05, 0.014)
    return part("chair_head", leaf("headrest", seat.leaning(rest)), leaf("head_connector", seat.leaning(stem)))


def _leg_base(style: Style, seat: _Seat) -> Part:
    """Three or four legs, straight, splayed or crossed; with stretchers, feet or rockers."""
    kind = style.pick("leg", {"square": 1, "round": 1, "turned": 0.5 * (seat.base == "legs")})
    thick, taper = style.number("leg thickness", 0.026, 0.045), style.number("leg taper", 0.55, 1.0)
    splay = 0.0 if kind == "turned" else style.number("splay", 0.0, 0.06)
    ground = {"rocker": 0.055, "crossed": 0.0}.get(seat.base, 0.014 * style.maybe("feet", 0.2))
    inset = 0.75 * thick + (0.16 * seat.width if seat.round else 0.025 if seat.make == "cushion" else 0.012)
    x, y, top = seat.width / 2 - inset, seat.depth / 2 - inset, seat.bottom + 0.3 * seat.thickness
    tops = _corners(x, y)
    if seat.round and style.maybe("three legs", 0.4):
        tops = [(1.3 * x * np.cos(t), 1.3 * x * np.sin(t)) for t in np.radians([90, 210, 330])]
    feet = [(a + splay * np.sign(round(a, 3)), b + splay * np.sign(b)) for a, b in tops]
    if seat.base == "crossed":
        feet = [(a, -b) for a, b in tops]
    lines = [((*head, top), (*foot, ground)) for head, foot in zip(tops, feet, strict=True)]
    if kind == "turned":
        shares = [(0.55, 0), (0.75, 0.1), (0.6, 0.16), (0.95, 0.4), (0.6, 0.7), (0.9, 0.74), (0.7, 0.8), (0.9, 1)]
        shaft = lathe([(0.55 * thick * r, (top - ground) * z) for r, z in shares])
        legs = [shaft.at(*foot, ground) for foot in feet]
    else:
        legs = [bar(*line, thick, round=kind == "round", taper=taper, bevel=0.004) for line in lines]
    made = _leaves("leg", legs)
    if seat.base == "crossed":
        pivots = ((0, top / 2), (-0.75 * y, 0.14 * top))
        made += _leaves("bar_stretcher", [bar((-x, *at), (x, *at), 0.6 * thick, round=True) for at in pivots])
    elif len(tops) == 4 and style.maybe("stretchers", 0.9 if seat.kind == "stool" else 0.5):
        made += _leaves("bar_stretcher", _stretchers(style, lines, thick))
    if ground == 0.014:
        made += _leaves("foot", [cylinder(0.65 * thick, 0.018, (*foot, 0), bevel=0.003) for foot in feet])
    if seat.base == "rocker":
        arc = [(abs(feet[0][0]), b, 0.026 + 0.65 * (b - 0.09) ** 2) for b in np.linspace(-0.36, 0.44, 15)]
        made += _leaves("rocker", _pair(tube(arc, 0.026, segments=8)))
    return part("regular_leg_base", made)


def _stretchers(style: Style, lines: Sequence[tuple[Point, Point]], thick: float) -> Iterator[Solid]:
    """Level bars between neighbouring legs, all around or as an H."""
    share = style.number("stretcher height", 0.5, 0.75)
    a, b, c, d = (np.asarray(head) + share * (np.asarray(foot) - np.asarray(head)) for head, foot in lines)
    pairs = [(a, d), (b, c), ((a + d) / 2, (b + c) / 2)]
    if style.maybe("all around", 0.5):
        pairs = [(a, d), (b, c), (a + (0, 0, 0.05), b + (0, 0, 0.05)), (c + (0, 0, 0.05), d + (0, 0, 0.05))]
    return (bar(start, end, 0.5 * thick, round=True) for start, end in pairs)


def _sled_base(style: Style, seat: _Seat) -> Part:
    """Legs of tube that run into rails on the floor."""
    thick = style.number("sled tube", 0.018, 0.03)
    x, y, top, low = seat.width / 2 - 0.045, seat.depth / 2 - 0.05, seat.under + 0.006, thick / 2
    legs = [leg for s in (-1, 1) for leg in _pair(bar((x, s * y, top), (x, s * (y + 0.03), low), thick, round=True))]
    rails = _pair(bar((x, -y - 0.05, low), (x, y + 0.05, low), thick, round=True))
    tie = bar((-x, y + 0.02, 0.35 * top), (x, y + 0.02, 0.35 * top), 0.8 * thick, round=True)
    return part("regular_leg_base", _leaves("leg", legs), _leaves("runner", rails), leaf("bar_stretcher", tie))


def _cantilever_base(style: Style, seat: _Seat) -> Part:
    """Two bent tubes: under the seat, down in front, and back along the floor; joined behind."""
    thick = style.number("cantilever tube", 0.022, 0.03)
    x, y, top, low = seat.width / 2 - 0.03, seat.depth / 2, seat.bottom - 0.4 * thick + 0.008, thick / 2
    turns = np.linspace(0, np.pi / 2, 7)
    upper = [(x, -y + 0.07 - 0.07 * np.sin(t), top - 0.07 + 0.07 * np.cos(t)) for t in turns]
    lower = [(x, -y + 0.07 - 0.07 * np.cos(t), low + 0.07 - 0.07 * np.sin(t)) for t in turns]
    leg = tube([(x, 0.8 * y, top), *upper, *lower], thick / 2)
    runner = bar((x, -y + 0.06, low), (x, y + 0.02, low), thick, round=True)
    tie = bar((-x - low, y + 0.02, low), (x + low, y + 0.02, low), thick, round=True)
    floor = [*_leaves("runner", _pair(runner)), leaf("bar_stretcher", tie)]
    return part("regular_leg_base", _leaves("leg", _pair(leg)), floor)


def _star_base(style: Style, seat: _Seat) -> Part:
    """A gas spring on spreading legs with casters, and a lever or knobs to set it."""
    count, reach = style.count("star legs", 4, 6), style.number("star reach", 0.6, 0.68) * min(0.48, seat.width + 0.05)
    wheel, slope = style.number("caster", 0.022, 0.032), style.number("star slope", 0.01, 0.06)
    hub = 2 * wheel + 0.035
    limb = bar((0, 0, hub + slope), (reach, 0, hub - 0.005), 0.05, 0.035, taper=0.6, bevel=0.006)
    roller = cylinder(wheel, 0.036, bevel=0.006).at(z=-0.018).turned(x=90).at(reach - 0.012, 0, wheel)
    stem = cylinder(0.008, hub - wheel, (reach - 0.012, 0, wheel))
    casters, limbs = [], []
    for turn in 90 + 360 * np.arange(count) / count:
        limbs.append(leaf("leg", limb.turned(z=turn)))
        casters.append(part("caster", leaf("wheel", roller.turned(z=turn)), leaf("caster_stem", stem.turned(z=turn))))
    sleeve = hub + style.number("sleeve", 0.35, 0.6) * (seat.bottom - hub)
    column = lathe([(0.032, hub - 0.015), (0.032, sleeve), (0.019, sleeve + 0.002), (0.019, seat.bottom + 0.004)])
    z, controls = seat.bottom + 0.008, []
    if style.maybe("lever", 0.6):
        controls.append(leaf("lever", bar((0.05, 0.03, z), (0.55 * seat.width, 0.03, z - 0.015), 0.014, round=True)))
    if style.maybe("knob", 0.35):
        out = 0.4 * seat.width
        knob = lathe([(0.007, 0), (0.007, out), (0.022, out), (0.018, out + 0.025)])
        controls.append(leaf("knob", knob.turned(y=-90).at(-0.02, 0.02, z)))
    control = part("mechanical_control", controls) if controls else None
    return part("star_leg_base", part("star_leg_set", casters, limbs), leaf("central_support", column), control)


def _pedestal_base(style: Style, seat: _Seat) -> Part:
    """A column on a disc, a dome, a tulip's foot or a square plate."""
    radius, neck = style.number("pedestal", 0.19, 0.25), style.number("column", 0.022, 0.04)
    kind, top = style.pick("pedestal kind", {"disc": 1, "dome": 1, "tulip": 1, "square": 0.6}), seat.bottom + 0.004
    feet = {
        "disc": [(1, 0), (1, 0.012), (0.5, 0.022), (0.22, 0.03)],
        "dome": [(1, 0), (0.98, 0.015), (0.8, 0.045), (0.5, 0.065), (0.2, 0.075)],
        "tulip": [(1, 0), (0.97, 0.01), (0.6, 0.03), (0.35, 0.07), (0.22, 0.14)],
    }
    foot = lathe([(radius * r, z) for r, z in feet.get(kind, feet["disc"])])
    if kind == "square":
        foot = box((1.6 * radius, 1.6 * radius, 0.025), (0, 0, 0.0125), bevel=0.006)
    waist = neck * style.number("waist", 0.6, 1.0)
    column = lathe([(neck, 0.01), (waist, 0.5 * top), (1.3 * neck, top)])
    return part("pedestal_base", leaf("pedestal", foot), leaf("central_support", column))


def _footrest(style: Style, seat: _Seat) -> Part:
    """A hoop around the column to put the feet on."""
    z, radius = style.number("footrest height", 0.3, 0.42) * seat.height, 0.46 * seat.width
    hoop = ring(radius, 0.02, (0, 0, z))
    spokes = [bar((0, 0, z), (radius, 0, z), 0.016, round=True).turned(z=turn) for turn in (45, 135, 225, 315)]
    return part("footrest", leaf("chair_base", union(hoop, *spokes)))


def _upholstered(style: Style) -> list[Part]:
    """Armchairs and sofas: cushions in a padded frame with arms of one make, on feet, legs or a swivelling plate."""
    design = style.pick("design", {"track": 1.6, "rolled": 1.2, "sloped": 1, "wing": 1, "barrel": 1.3, "slipper": 0.7})
    sofa = _Sofa(style, design)
    frame, arms = sofa.barrel(style) if design == "barrel" else sofa.straight(style)
    plan = ellipse(sofa.width, sofa.width) if design == "barrel" else rectangle(sofa.width, sofa.depth, corner=0.02)
    deck = board(plan, sofa.deck - sofa.rise, (0, 0, sofa.rise), bevel=0.01)
    seats, backs = zip(*sofa.cushions(style), strict=True)
    surface = part("seat_surface", _leaves("seat_single_surface", seats))
    pads = part("back_surface", _leaves("back_single_surface", backs))
    made = [part("chair_back", pads, part("back_frame", leaf("back_holistic_frame", frame)))]
    made += [part("chair_arm", leaf("arm_sofa_style", arm)) for arm in arms]
    made.append(part("chair_base", sofa.base(style)))
    made.append(part("chair_seat", part("seat_frame", leaf("seat_holistic_frame", deck)), surface))
    reclining = design in ("track", "wing") and sofa.places == 1
    return [*made, sofa.leg_rest()] if reclining and style.maybe("leg rest", 0.3) else made


class _Sofa:
    """The measures of an upholstered seat for one or more, and its makings."""

    def __init__(self, style: Style, design: str):
        several = design in ("track", "rolled", "sloped")
        self.design, self.places = design, int(style.pick("places", {"1": 3, "2": several, "3": several}))
        self.place, self.depth = style.number("place width", 0.52, 0.62), style.number("seat depth", 0.52, 0.62)
        self.width, self.height = self.places * self.place, style.number("seat height", 0.4, 0.45)
        if design == "barrel":
            self.width = self.depth
        self.stand = style.pick("base", {"foot": 2, "leg": 2, "plate": 1.5 if design == "barrel" else 0})
        self.rise = style.number("rise", 0.04, 0.09) if self.stand == "foot" else style.number("leg height", 0.13, 0.2)
        self.pad, self.lean = style.number("cushion", 0.11, 0.17), style.number("lean", 5, 11)
        self.deck = max(self.height - self.pad + 0.012, self.rise + 0.06)
        self.top = self.height + style.number("back height", 0.34, 0.46) + 0.22 * (design == "wing")
        self.arm_top = self.height + style.number("arm height", 0.12, 0.2)
        self.thick = style.number("arm thickness", 0.09, 0.16)

    def leaning(self, solid: Solid, z: float, forward: float = 0.0) -> Solid:
        """A solid that stands upright on the origin, put at the rear of the seat, at a height, and leant back."""
        back = np.tan(np.radians(self.lean)) * (z - self.rise)
        return solid.turned(x=-self.lean).at(y=self.depth / 2 + 0.03 + back - forward, z=z)

    def cushions(self, style: Style) -> Iterator[tuple[Solid, Solid]]:
        """One for the seat and one for the back at each place."""
        tall = self.top - self.height - style.number("low cushions", -0.02, 0.06)
        fullness = style.number("fullness", 6, 11)
        for x in (np.arange(self.places) - (self.places - 1) / 2) * self.place:
            if self.design == "barrel":
                seat = lathe([(0.45, 0), (0.49, 0.2), (0.49, 0.8), (0.45, 1)]).scaled(self.width, self.width, self.pad)
                yield seat.at(z=self.height - self.pad), self._bolster(tall)
                continue
            size = (self.place - 0.004, self.depth - 0.01, self.pad)
            seat = cushion(size, (x, -0.005, self.height - self.pad / 2), squareness=fullness)
            pad = cushion((self.place - 0.006, 0.15, tall), (x, 0, tall / 2), squareness=fullness)
            yield seat, self.leaning(pad, self.height - 0.02, forward=0.1)

    def _bolster(self, tall: float) -> Solid:
        pad = _sector(self.width / 2 + 0.01, self.width / 2 - 0.09, 25, 155)
        return board(pad, 0.8 * tall, (0, 0, self.height - 0.01))

    def straight(self, style: Style) -> tuple[Solid, list[Solid]]:
        """A leaning back panel, with wings or not, and the arms."""
        thick, low, tall = self.thick, self.rise, self.top - self.rise
        beside = {"track": thick - 0.02, "sloped": thick - 0.02, "wing": 0.05}.get(self.design, 0.0)
        outer, crown = self.width / 2 + beside, style.number("crown", 0.0, 0.06) * style.maybe("crowned", 0.4)
        arc = [(a * outer, tall + crown * (1 - a * a)) for a in np.linspace(1, -1, 13)]
        panel = box((2 * outer, 0.09, tall), (0, 0, tall / 2), bevel=0.03)
        if crown:
            panel = prism(polygon([(-outer, 0), (outer, 0), *arc]), 0.09, along="y")
        height, length = self.arm_top - low, self.depth + 0.05
        if self.design == "wing":
            view = polygon([(-0.22, height - 0.03), (0.0, height - 0.03), (0.0, tall), (-0.12, tall - 0.02)])
            panel = union(panel, *_pair(prism(view, 0.06, along="x").at(x=outer - 0.03)))
        if self.design in ("rolled", "wing"):
            view = rectangle(0.85 * thick, height - 0.4 * thick).at(0, height / 2 - 0.2 * thick)
            view = view.plus(ellipse(1.2 * thick, 1.05 * thick).at(0.1 * thick, height - 0.5 * thick))
            arm = prism(view, length, along="y").at(x=-0.06 * thick)
        elif self.design == "sloped":
            front, rear = -length / 2, length / 2
            side = [
                (front + 0.03, 0),
                (rear, 0),
                (rear, height + 0.14),
                (rear - 0.1, height + 0.14),
                (front, height - 0.05),
            ]
            arm = prism(polygon(side), thick, along="x")
        else:
            arm = box((thick, length, height), (0, 0, height / 2), bevel=style.number("arm edge", 0.008, 0.05))
        arms = [] if self.design == "slipper" else _pair(arm.at(self.width / 2 + thick / 2 - 0.004, 0.015, low))
        return self.leaning(panel, low), arms

    def barrel(self, style: Style) -> tuple[Solid, list[Solid]]:
        """A wall around the seat, high behind and lower at the sides."""
        inner, wall, wrap = self.width / 2 - 0.006, style.number("wall", 0.06, 0.1), style.number("wrap", -35, -10)
        back = board(_sector(inner + wall, inner, 38, 142), self.top - self.rise, (0, 0, self.rise))
        arm = board(_sector(inner + wall, inner, wrap, 39), self.arm_top - self.rise, (0, 0, self.rise))
        return back, _pair(arm)

    def base(self, style: Style) -> Part:
        """Feet, splayed legs, or a plate to turn on."""
        inset = 0.09 + 0.1 * (self.design == "barrel")
        x, y, top = self.width / 2 - inset + 0.05, self.depth / 2 - inset + 0.02, self.rise + 0.01
        if self.stand == "plate":
            column = leaf("central_support", cylinder(0.04, self.rise, (0, 0, 0.01)))
            return part("pedestal_base", leaf("pedestal", cylinder(0.8 * y + 0.1, 0.02, bevel=0.005)), column)
        if self.stand == "leg":
            splay, thick = style.number("splay", 0.0, 0.06), style.number("leg thickness", 0.03, 0.05)
            ends = [((a, b, top), (a + splay * np.sign(a), b + splay * np.sign(b), 0)) for a, b in _corners(x, y)]
            round = style.maybe("round legs", 0.6)
            legs = [bar(*line, thick, round=round, taper=0.6) for line in ends]
            return part("regular_leg_base", _leaves("leg", legs))
        feet = {
            "bun": lathe([(0.025, 0), (0.04, 0.3 * top), (0.04, 0.6 * top), (0.028, top)]),
            "cone": cylinder(0.022, top, top=0.036),
            "block": box((0.07, 0.07, top), (0, 0, top / 2), bevel=0.004),
        }
        foot = feet[style.pick("foot", dict.fromkeys(feet, 1.0))]
        return part("foot_base", _leaves("foot", [foot.at(*spot) for spot in _corners(x, y)]))

    def leg_rest(self) -> Part:
        """A pad raised before the seat, on two struts."""
        y, z = -self.depth / 2, self.deck
        pad = cushion((self.width - 0.06, 0.4, 0.09), squareness=8).turned(x=18).at(y=y - 0.25, z=z + 0.02)
        strut = bar((0.3 * self.width, y + 0.05, z - 0.04), (0.3 * self.width, y - 0.3, z - 0.02), 0.03, 0.02)
        seat = part("chair_seat", _leaves("seat_support", _pair(strut)), leaf("seat_surface", pad))
        return part("footrest", seat)


def _sector(outer: float, inner: float, start: float, end: float) -> Outline:
    """A piece of a ring between two angles, degrees from +x towards +y."""
    turns = np.radians(np.linspace(start, end, 15))
    rims = ((outer, turns), (inner, turns[::-1]))
    return polygon([(r * np.cos(t), r * np.sin(t)) for r, row in rims for t in row])
