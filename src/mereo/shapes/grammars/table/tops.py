"""Tabletops, and the measures that bases are fitted to."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import part
from mereo.shapes.grammars.table.kinds import kinds
from mereo.shapes.joinery import Span, corners, leaves
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, board, box
from mereo.shapes.style import Style

__all__ = ["CENTERD", "Top", "box_rails", "side_by_side", "top_outline"]

_CORNERED = ("square", "rounded")
CENTERD = ("round", "octagon")


class Top:
    """The top, and the measures that the base is fitted to."""

    def __init__(self, style: Style, kind: str, base: str):
        shapes, self.kind, self.base = kinds()[kind].outlines, kind, base
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
        self.outline = top_outline(self.shape, self.width, self.depth, style.number("corner", 0.02, 0.12))

    def _size(self, style: Style) -> tuple[float, float, float]:
        spans = kinds()[self.kind]
        width, depth = style.number("width", *spans.width), style.number("depth", *spans.depth)
        height = style.number("height", *spans.height)
        if self.shape in CENTERD or self.compact:
            width = depth = depth * (1.15 if self.kind == "bar" else 1.3)
        return width, depth, height

    def spots(self, inset: float) -> list[Span]:
        """Four places under it, as far out as an inset from the rim allows; front left first, then around."""
        rim = self.outline.grown(-inset).corners()[0] / (self.width, self.depth)
        ends = [rim[np.argmax(rim @ way)] for way in corners(1, 1)]
        return [(float(x * self.width), float(y * self.depth)) for x, y in ends]

    def part(self, style: Style) -> Part:
        """One board, planks, laths or glass, sometimes with leaves to let down or a frame below or around it."""
        makes = {"board": 5.0, "glass": 0.0 if self.base in ("chest", "desk") else 1.0}
        if self.square:
            makes |= {"planks": 1.5, "laths": 1.1, "framed": 1.3, "dropleaf": 5.0 if self.base == "legs" else 0.0}
        kind = style.pick("top", makes)
        hinged = self._dropleaves(style) if kind == "dropleaf" else []
        make = {"planks": self._planks, "laths": self._laths, "framed": self._framed}
        surface, frame = make.get(kind, self._board)(style)
        name = {"laths": "bar", "glass": "glass"}.get(kind, "board")
        if kind == "framed" and style.maybe("glass pane", 0.65):
            name = "glass"
        if not frame and self.base == "legs" and self.square and style.maybe("apron", 0.75):
            tall = style.number("apron height", 0.07, 0.14) * self.height
            width, depth = self.width - 2 * self.inset, self.depth - 2 * self.inset
            frame = box_rails(width, depth, (self.bottom - tall, self.bottom + 0.002), 0.022)
        framed = part("tabletop_frame", leaves("bar", frame)) if frame else None
        flaps = leaves("tabletop_dropleaf", hinged)
        return part("tabletop", part("tabletop_surface", leaves(name, surface)), flaps, framed)

    def _board(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        edge = style.number("edge", 0.002, 0.012)
        return [board(self.outline, self.thickness, (0, 0, self.bottom), bevel=edge)], []

    def _planks(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        ends = 0.09 if style.maybe("breadboard ends", 0.4) else 0.0
        size, z = (self.width - 2 * ends, self.depth, self.thickness), self.bottom + self.thickness / 2
        made = side_by_side(style.count("planks", 3, 6), size, z)
        if ends:
            xs = ((ends - self.width) / 2, (self.width - ends) / 2)
            made += [box((ends, *size[1:]), (x, 0, z), bevel=0.003) for x in xs]
        return made, []

    def _laths(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        size = (self.width, self.depth, self.thickness)
        made = side_by_side(style.count("laths", 6, 11), size, self.bottom + self.thickness / 2, gap=0.012)
        below = (self.bottom - 0.05, self.bottom + 0.002)
        return made, box_rails(self.width - 0.02, self.depth - 0.02, below, 0.03)

    def _framed(self, style: Style) -> tuple[list[Solid], list[Solid]]:
        rim = style.number("rim", 0.04, 0.09)
        pane = rectangle(self.width - 2 * rim + 0.01, self.depth - 2 * rim + 0.01)
        made = board(pane, 0.6 * self.thickness, (0, 0, self.bottom + 0.003))
        return [made], box_rails(self.width, self.depth, (self.bottom, self.height), rim)

    def _dropleaves(self, style: Style) -> list[Solid]:
        """Two flaps hinged to the ends, hanging or raised."""
        reach = style.number("leaf", 0.35, 0.6) * self.height
        flap = rectangle(reach, self.depth, corner=style.number("leaf corner", 0.0, 0.2) * self.depth)
        flap = flap.plus(rectangle(reach / 2, self.depth).at(-reach / 4)).at(reach / 2)
        drop = style.number("hang", 83, 90) * (not style.maybe("leaves raised", 0.35))
        right = board(flap, 0.8 * self.thickness).turned(y=drop).at(self.width / 2, 0, self.bottom)
        right = right.at(z=0.8 * self.thickness if drop else 0.0)
        return [right, right.mirrored("x")]


def top_outline(shape: str, width: float, depth: float, corner: float) -> Outline:
    """The figure of a top. corner : the radius of rounded ones"""
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


def side_by_side(count: int, size: tuple[float, float, float], z: float, gap: float = 0.0) -> list[Solid]:
    """Boards along x that together fill a size."""
    step = (size[1] + gap) / count
    ys = step * (np.arange(count) - (count - 1) / 2)
    return [box((size[0], step - gap, size[2]), (0, y, z), bevel=0.003) for y in ys]


def box_rails(width: float, depth: float, levels: Span, thick: float) -> list[Solid]:
    """Four bars as the sides of a box."""
    tall, z, x, y = levels[1] - levels[0], sum(levels) / 2, (width - thick) / 2, (depth - thick) / 2
    long = [box((width, thick, tall), (0, at, z), bevel=0.002) for at in (-y, y)]
    return long + [box((thick, depth - 2 * thick, tall), (at, 0, z), bevel=0.002) for at in (-x, x)]
