"""Chairs, armchairs, stools, swivel and rocking chairs."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Outline, ellipse, rectangle
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
)
from mereo.shapes.style import Style

Spots = list[tuple[float, float]]


@grammar("chair")
def chair(style: Style) -> Part:
    """A seat on a base, mostly with a back, sometimes with arms, a headrest, a footrest."""
    kind = style.pick("kind", {"side": 4, "arm": 2.5, "swivel": 2, "stool": 1.4, "sofa": 1.6, "rocking": 0.8})
    seat = _Seat(style, kind)
    back = None if kind == "stool" else _back(style, kind, seat)
    arms = _arms(style, kind, seat) if kind in ("arm", "sofa", "rocking") or (style.maybe("arms", 0.3) and back) else []
    head = _head(style, seat) if kind == "swivel" and style.maybe("headrest", 0.4) else None
    footrest = (
        _footrest(style, seat) if kind == "stool" and seat.height > 0.6 and style.maybe("footrest", 0.4) else None
    )
    return part("chair", head, back, arms, _base(style, kind, seat), seat.part, footrest)


class _Seat:
    """The seat, and the measures that everything else is fitted to."""

    def __init__(self, style: Style, kind: str):
        sofa = kind == "sofa"
        self.width = style.number("seat width", 0.55, 0.75) if sofa else style.number("seat width", 0.38, 0.54)
        self.depth = style.number("seat depth", 0.5, 0.65) if sofa else style.number("seat depth", 0.36, 0.5)
        self.height = (
            style.number("seat height", 0.56, 0.8) if kind == "stool" else style.number("seat height", 0.4, 0.48)
        )
        if sofa:
            self.height *= 0.88
        self.round = kind == "stool" and style.maybe("round seat", 0.65)
        if self.round:
            self.width = self.depth = 0.85 * self.width
        self.thickness = (
            style.number("seat thickness", 0.1, 0.16) if sofa else style.number("seat thickness", 0.02, 0.06)
        )
        self.bottom = self.height - self.thickness
        self.part = self._built(style, sofa)

    def outline(self, shrink: float = 0.0) -> Outline:
        width, depth = self.width - 2 * shrink, self.depth - 2 * shrink
        return ellipse(width, depth) if self.round else rectangle(width, depth, corner=self.corner)

    def _built(self, style: Style, sofa: bool) -> Part:
        self.corner = style.number("seat corner", 0.0, 0.09)
        make = {"cushion": 4} if sofa else {"board": 4, "cushion": 3, "slats": 0 if self.round else 1.6}
        kind = style.pick("seat", make)
        if kind == "slats":
            count = style.count("seat slats", 4, 8)
            step = self.depth / count
            solids = [
                box(
                    (self.width, 0.72 * step, 0.6 * self.thickness),
                    (0, y, self.height - 0.3 * self.thickness),
                    bevel=0.004,
                )
                for y in (np.arange(count) + 0.5) * step - self.depth / 2
            ]
            surface = part("seat_surface", [leaf("seat_surface_bar", solid) for solid in solids])
            rail = 0.4 * self.thickness + 0.012
            rails = [
                leaf(
                    "seat_frame_bar",
                    box((0.035, self.depth, rail), (x, 0, self.bottom + rail / 2 - 0.008), bevel=0.004),
                )
                for x in (-0.42 * self.width, 0.42 * self.width)
            ]
            return part("chair_seat", part("seat_frame", rails), surface)
        if kind == "cushion":
            size = (self.width, self.depth, self.thickness + (0.0 if sofa else 0.02))
            solid = cushion(size, (0, 0, self.height - size[2] / 2), squareness=6 if not self.round else 2.6)
        else:
            solid = board(self.outline(), self.thickness, (0, 0, self.bottom), bevel=0.008)
        surface = part("seat_surface", leaf("seat_single_surface", solid))
        apron = None
        if kind == "board" and not self.round and style.maybe("apron", 0.35):
            outer, inner = (
                rectangle(0.92 * self.width, 0.92 * self.depth),
                rectangle(0.92 * self.width - 0.05, 0.92 * self.depth - 0.05),
            )
            frame = board(outer.minus(inner), 0.05, (0, 0, self.bottom - 0.046))
            apron = part("seat_frame", leaf("seat_holistic_frame", frame))
        return part("chair_seat", apron, surface)


def _back(style: Style, kind: str, seat: _Seat) -> Part:
    """A panel, slats, spindles or a cushion between two posts or on a stem, leaning a little."""
    height = style.number("back height", 0.45, 0.75) if kind != "swivel" else style.number("back height", 0.45, 0.62)
    lean = style.number("lean", 4, 13)
    width = seat.width * style.number("back width", 0.82, 1.0)
    rear = seat.depth / 2 - 0.02
    design = style.pick(
        "back",
        {"sofa": {"cushion": 1}, "swivel": {"panel": 2, "cushion": 2, "bowed": 2}}.get(
            kind, {"panel": 2, "slats": 2, "spindles": 2, "bowed": 1.5, "cushion": 1, "hoop": 1.5}
        ),
    )

    def placed(solid: Solid) -> Solid:
        return solid.turned(x=-lean).at(y=rear, z=seat.height - 0.015)

    if design in ("cushion", "panel", "bowed"):
        thick = (
            style.number("back thickness", 0.1, 0.16) if kind == "sofa" else style.number("back thickness", 0.018, 0.05)
        )
        if design == "cushion":
            thick = max(thick, 0.05)
            solid = cushion((width, thick, height), (0, 0, height / 2), squareness=7)
        elif design == "bowed":
            solid = curved_panel(width, 0.6 * height, thick, bow=style.number("bow", 0.03, 0.08)).at(z=0.4 * height)
        else:
            panel = rectangle(width, height, corner=style.number("back corner", 0.0, 0.12))
            solid = prism(panel, thick, along="y").at(z=height / 2)
        surface = part("back_surface", leaf("back_single_surface", placed(solid)))
        if design != "bowed":
            return part("chair_back", surface)
        reach = 0.9 * width / 2
        stems = [-0.6 * reach, 0.6 * reach] if kind != "swivel" else [0.0]
        back_y = thick / 2
        posts = [placed(bar((x, back_y, -0.05), (x, back_y + 0.04, 0.75 * height), 0.035, 0.02)) for x in stems]
        return part("chair_back", surface, [leaf("back_support", post) for post in posts])
    post = style.number("post", 0.025, 0.042)
    round_posts = style.maybe("round posts", 0.4)
    xs = (-(width - post) / 2, (width - post) / 2)
    if design == "hoop":
        turns = np.linspace(np.pi, 0, 19)
        arch = [(xs[1] * np.cos(t), 0.0, 0.55 * height + 0.45 * height * np.sin(t)) for t in turns]
        path = [
            (xs[0], 0.0, -0.03),
            (xs[0], 0.0, 0.25 * height),
            *arch,
            (xs[1], 0.0, 0.25 * height),
            (xs[1], 0.0, -0.03),
        ]
        frame = [leaf("back_holistic_frame", placed(tube(path, post / 2)))]
        top = 0.92 * height
    else:
        posts = [bar((x, 0, -0.03), (x, 0, height), post, round=round_posts, bevel=0.004) for x in xs]
        rail = style.number("top rail", 0.05, 0.11)
        top_rail = box((width - post, 0.8 * post, rail), (0, 0, height - rail / 2 - 0.01), bevel=0.005)
        frame = [leaf("back_frame_vertical_bar", placed(solid)) for solid in posts]
        frame.append(leaf("back_frame_horizontal_bar", placed(top_rail)))
        top = height - rail
    if design == "slats":
        count = style.count("back slats", 2, 5)
        gap = (top - 0.1) / count
        solids = [
            box((width - post, 0.45 * post, 0.5 * gap), (0, 0, 0.1 + (k + 0.4) * gap), bevel=0.003)
            for k in range(count)
        ]
        bars = [leaf("back_surface_horizontal_bar", placed(solid)) for solid in solids]
    else:
        count = style.count("spindles", 3, 7)
        inner = (width - 2.5 * post) * np.linspace(-0.5, 0.5, count + 2)[1:-1]
        ends = [_hoop_top(x, xs[1], height) if design == "hoop" else top + 0.02 for x in inner]
        solids = [
            bar((x, 0, -0.02), (x, 0, end), 0.55 * post, round=True, sides=10)
            for x, end in zip(inner, ends, strict=True)
        ]
        bars = [leaf("back_surface_vertical_bar", placed(solid)) for solid in solids]
    return part("chair_back", part("back_surface", bars), part("back_frame", frame))


def _hoop_top(x: float, reach: float, height: float) -> float:
    return float(0.55 * height + 0.45 * height * np.sqrt(max(0.0, 1 - (x / reach) ** 2)))


def _arms(style: Style, kind: str, seat: _Seat) -> list[Part]:
    """Two alike: padded boxes, rests on posts, or a bent loop."""
    make = {"sofa": 1} if kind == "sofa" else {"bars": 3, "loop": 1.6, "writing": 0.5}
    design = style.pick("arm", make)
    rest = seat.height + style.number("arm height", 0.17, 0.24)
    length = seat.depth * style.number("arm length", 0.72, 0.95)
    front, rear = seat.depth / 2 - length, seat.depth / 2
    x = seat.width / 2
    if design == "sofa":
        thick = style.number("arm thickness", 0.1, 0.17)
        size = (thick, seat.depth + 0.06, rest - 0.1)
        right = [("arm_sofa_style", cushion(size, (x + thick / 2 - 0.01, 0.0, 0.1 + size[2] / 2), squareness=9))]
    elif design == "loop":
        path = [(x, front, seat.height - 0.03), (x + 0.02, front - 0.01, rest - 0.06), (x + 0.02, front + 0.05, rest)]
        path += [
            (x + 0.02, rear - 0.06, rest),
            (x + 0.02, rear - 0.02, rest - 0.06),
            (x, rear - 0.03, seat.height - 0.03),
        ]
        right = [("arm_holistic_frame", tube(bent(path), style.number("arm tube", 0.011, 0.018)))]
    else:
        thick = style.number("arm post", 0.02, 0.035)
        pad = box((0.055, length, 0.028), (x + 0.012, (front + rear) / 2, rest), bevel=0.008)
        ys = (front + 0.06, rear - 0.05) if style.maybe("two arm posts", 0.6) else ((front + rear) / 2 - 0.03,)
        posts = [bar((x - 0.006, y, seat.height - 0.03), (x + 0.01, y, rest), thick, bevel=0.004) for y in ys]
        right = [("arm_horizontal_bar", pad), *(("arm_near_vertical_bar", post) for post in posts)]
    left = [(name, solid.mirrored("x")) for name, solid in right]
    if design == "writing":
        tray = board(rectangle(0.3, 0.36, corner=0.06), 0.018, (x - 0.08, front + 0.12, rest + 0.012), bevel=0.004)
        right.append(("arm_writing_table", tray))
    return [part("chair_arm", [leaf(name, solid) for name, solid in side]) for side in (left, right)]


def _base(style: Style, kind: str, seat: _Seat) -> Part:
    """What it stands on."""
    bases: dict[str, dict[str, float]] = {
        "swivel": {"star": 1},
        "sofa": {"foot": 1, "legs": 1},
        "rocking": {"rocker": 1},
    }
    bases["stool"] = {"legs": 3, "pedestal": 2, "star": 0.6}
    design = style.pick("base", bases.get(kind, {"legs": 4, "sled": 1.4, "pedestal": 0.8}))
    make = {"star": _star_base, "pedestal": _pedestal_base, "foot": _foot_base, "sled": _sled_base}
    return part("chair_base", make.get(design, _leg_base)(style, seat, rocker=design == "rocker"))


def _corners(seat: _Seat, inset: float) -> list[tuple[float, float]]:
    x, y = seat.width / 2 - inset, seat.depth / 2 - inset
    return (
        [(0.8 * a, 0.8 * b) for a, b in ((-x, -y), (x, -y), (x, y), (-x, y))]
        if seat.round
        else [(-x, -y), (x, -y), (x, y), (-x, y)]
    )


def _leg_base(style: Style, seat: _Seat, *, rocker: bool) -> Part:
    thick = style.number("leg", 0.026, 0.05)
    splay = style.number("splay", 0.0, 0.07)
    round_legs = style.maybe("round legs", 0.5)
    taper = style.number("leg taper", 0.55, 1.0)
    ground = 0.055 if rocker else 0.0
    tops = _corners(seat, 0.75 * thick + 0.01)
    if seat.round and style.maybe("three legs", 0.4):
        radius = 0.35 * seat.width
        tops = [(radius * np.cos(t), radius * np.sin(t)) for t in np.radians([90, 210, 330])]
    feet = [(x + splay * np.sign(x) * (abs(x) > 0.02), y + splay * np.sign(y)) for x, y in tops]
    top = seat.bottom + 0.006
    legs = [
        leaf("leg", bar((x, y, top), (fx, fy, ground), thick, round=round_legs, taper=taper, bevel=0.004))
        for (x, y), (fx, fy) in zip(tops, feet, strict=True)
    ]
    bars = (
        _stretchers(style, tops, feet, top, ground, thick) if len(tops) == 4 and style.maybe("stretchers", 0.5) else []
    )
    rockers = []
    if rocker:
        for side in (-1, 1):
            ys = np.linspace(-0.85 * seat.depth, 0.9 * seat.depth, 15)
            arc = [(side * abs(feet[0][0]), y, 0.026 + 0.16 * (y / seat.depth) ** 2) for y in ys]
            rockers.append(leaf("rocker", tube(arc, 0.026, segments=8)))
    return part("regular_leg_base", legs, bars, rockers)


def _stretchers(style: Style, tops: Spots, feet: Spots, top: float, ground: float, thick: float) -> list[Part]:
    """Level bars between neighbouring legs, or an H."""

    def on_leg(k: int, z: float) -> Floats:
        share = (top - z) / (top - ground)
        return np.array([*(np.array(tops[k]) + share * (np.array(feet[k]) - np.array(tops[k]))), z])

    low = ground + (top - ground) * style.number("stretcher height", 0.2, 0.45)
    pairs = [(0, 3), (1, 2)] if style.maybe("H stretcher", 0.4) else [(0, 1), (1, 2), (2, 3), (3, 0)]
    heights = [low if pair in ((0, 3), (1, 2), (3, 0)) else low + 0.05 for pair in pairs]
    solids = [
        bar(on_leg(a, z), on_leg(b, z), 0.55 * thick, round=True) for (a, b), z in zip(pairs, heights, strict=True)
    ]
    if len(pairs) == 2:
        middles = [(on_leg(a, low) + on_leg(b, low)) / 2 for a, b in pairs]
        solids.append(bar(middles[0], middles[1], 0.5 * thick, round=True))
    return [leaf("bar_stretcher", solid) for solid in solids]


def _star_base(style: Style, seat: _Seat, *, rocker: bool) -> Part:
    arms = style.count("star legs", 4, 6)
    reach = style.number("star reach", 0.26, 0.33)
    wheel = style.number("caster", 0.022, 0.032)
    hub = 2 * wheel + 0.035
    casters, legs = [], []
    for k in range(arms):
        turn = 360 * k / arms + 90
        leg = bar((0, 0, hub + 0.02), (reach, 0, hub - 0.005), 0.05, 0.035, taper=0.6, bevel=0.006)
        stem = cylinder(0.008, hub - wheel, (reach - 0.012, 0, wheel))
        roller = cylinder(wheel, 0.036, bevel=0.006).at(z=-0.018).turned(x=90).at(reach - 0.012, 0, wheel)
        legs.append(leaf("leg", leg.turned(z=turn)))
        casters.append(part("caster", leaf("wheel", roller.turned(z=turn)), leaf("caster_stem", stem.turned(z=turn))))
    column = lathe(
        [(0.032, hub - 0.015), (0.032, 0.55 * seat.bottom), (0.019, 0.56 * seat.bottom), (0.019, seat.bottom + 0.004)]
    )
    control = None
    if style.maybe("lever", 0.5):
        lever = bar((0.0, 0.02, seat.bottom - 0.02), (0.2, 0.02, seat.bottom - 0.035), 0.014, round=True)
        control = part("mechanical_control", leaf("lever", lever))
    return part("star_leg_base", part("star_leg_set", casters, legs), leaf("central_support", column), control)


def _pedestal_base(style: Style, seat: _Seat, *, rocker: bool) -> Part:
    radius = style.number("pedestal", 0.19, 0.27)
    neck = style.number("column", 0.022, 0.05)
    flare = style.number("flare", 0.0, 0.08)
    foot = lathe([(radius, 0.0), (radius, 0.012), (0.5 * radius, 0.022), (neck + 0.01, 0.03 + flare)])
    column = lathe(
        [(neck, 0.02), (neck * style.number("waist", 0.6, 1.0), 0.5 * seat.bottom), (neck, seat.bottom + 0.004)]
    )
    return part("pedestal_base", leaf("pedestal", foot), leaf("central_support", column))


def _foot_base(style: Style, seat: _Seat, *, rocker: bool) -> Part:
    height = seat.bottom + 0.015
    radius = style.number("foot", 0.02, 0.04)
    x, y = seat.width / 2 - 0.06, seat.depth / 2 - 0.06
    spots = [(-x, -y), (x, -y), (x, y), (-x, y)]
    return part("foot_base", [leaf("foot", cylinder(0.7 * radius, height, (a, b, 0), top=radius)) for a, b in spots])


def _sled_base(style: Style, seat: _Seat, *, rocker: bool) -> Part:
    """Two bent legs per side that run into a rail on the floor."""
    thick = style.number("sled tube", 0.02, 0.032)
    x, y, top = seat.width / 2 - 0.03, seat.depth / 2 - 0.03, seat.bottom + 0.006
    legs, runners = [], []
    for side in (-1, 1):
        for end in (-1, 1):
            legs.append(
                leaf("leg", bar((side * x, end * y, top), (side * x, end * (y + 0.02), thick / 2), thick, round=True))
            )
        rail = bar((side * x, -y - 0.05, thick / 2), (side * x, y + 0.05, thick / 2), thick, round=True)
        runners.append(leaf("runner", rail))
    tie = bar((-x, y + 0.01, 0.35 * top), (x, y + 0.01, 0.35 * top), 0.8 * thick, round=True)
    return part("regular_leg_base", legs, runners, leaf("bar_stretcher", tie))


def _head(style: Style, seat: _Seat) -> Part:
    height = seat.height + style.number("head height", 0.66, 0.74)
    y = seat.depth / 2 + 0.07
    rest = cushion((0.28, 0.07, 0.15), (0, y, height), squareness=5)
    stem = bar((0, y - 0.05, height - 0.28), (0, y + 0.01, height - 0.02), 0.05, 0.016)
    return part("chair_head", leaf("headrest", rest), leaf("head_connector", stem))


def _footrest(style: Style, seat: _Seat) -> Part:
    hoop = ring(0.36 * seat.width, 0.022, (0, 0, 0.32 * seat.height))
    return part("footrest", leaf("chair_base", hoop))
