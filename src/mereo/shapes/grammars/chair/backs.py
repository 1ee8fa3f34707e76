"""Backs: panels, bows, medallions, and frames filled with slats, spindles, a splat or a cushion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.chair.kinds import kinds
from mereo.shapes.grammars.chair.seats import Seat
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, curved_panel, cushion, prism, tube
from mereo.shapes.style import Style

__all__ = ["Back", "made_back"]

_Named = Iterator[tuple[str, Solid]]


class Back(NamedTuple):
    """A back, and what it offers to arms and to a headrest."""

    part: Part
    height: float
    behind: float
    """How far its rear face lies behind its middle line."""
    posts: bool
    """Whether posts stand at its sides."""


def made_back(style: Style, seat: Seat) -> Back:
    """A panel, a bow, slats, spindles, a splat or a cushion, framed by posts, a hoop or a medallion."""
    design, kind = style.pick("back design", kinds()[seat.kind].backs), seat.kind
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
    return Back(part("chair_back", inner, made[""]), height, behind, posts)


def _panel_back(style: Style, design: str, seat: Seat, width: float, height: float, thick: float) -> _Named:
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


def _bowed_back(style: Style, design: str, seat: Seat, width: float, height: float, thick: float) -> _Named:
    """A curved panel high up, on two posts or on one stem."""
    bow, share = style.number("bow", 0.03, 0.09), style.number("bow share", 0.3, 0.65)
    yield "back_single_surface", curved_panel(width, share * height, thick, bow=bow).at(z=(1 - share) * height)
    stems = (0.0,) if seat.base == "star" else (-0.3 * width, 0.3 * width)
    for x in stems:
        behind = bow * (1 - (2 * x / width) ** 2) + thick / 2 + 0.006
        wide, end = 0.07 if len(stems) == 1 else 0.03, (1 - 0.4 * share) * height
        yield "back_support", bar((x, 0, -0.03), (x, behind, end), wide, 0.016, bevel=0.002)


def _medallion_back(style: Style, design: str, seat: Seat, width: float, height: float, thick: float) -> _Named:
    """A round, oval or shield-like frame with a panel in it, held over the seat by two connectors."""
    tall, corner = style.number("medallion", 0.6, 0.8) * height, style.number("roundness", 0.3, 0.5)
    wide = min(width, 1.15 * tall)
    figure = rectangle(wide, tall, corner=corner * min(wide, tall))
    line = [(x, 0.0, z + height - tall / 2) for x, z in figure.corners()[0]]
    yield "back_holistic_frame", tube(line, 0.016, closed=True)
    yield "back_single_surface", prism(figure.grown(-0.006).at(0, height - tall / 2), 0.8 * thick, along="y")
    for x in (-0.24 * wide, 0.24 * wide):
        yield "back_connector", bar((x, 0, -0.03), (x, 0, height - tall + 0.012), 0.026, round=True)


def _framed_back(style: Style, design: str, seat: Seat, width: float, height: float, thick: float) -> _Named:
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
