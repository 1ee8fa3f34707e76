"""Seats, and the measures that everything else of a chair is fitted to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mereo.shapes.grammar import part
from mereo.shapes.grammars.chair.kinds import kinds
from mereo.shapes.joinery import corners, leaves, pair
from mereo.shapes.outlines import Outline, ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, cushion
from mereo.shapes.style import Style

__all__ = ["Seat"]


class Seat:
    """The seat, and the measures that everything else is fitted to."""

    def __init__(self, style: Style, kind: str, base: str):
        spans, self.kind, self.base = kinds()[kind], kind, base
        self.width, self.depth = style.number("seat width", *spans.width), style.number("seat depth", *spans.depth)
        self.height = style.number("seat height", *spans.height)
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
        """A solid that stands upright on the origin, put behind the seat and leaned back."""
        return solid.turned(x=-self.lean).at(y=self.rear, z=self.height - 0.015)

    def part(self, style: Style) -> Part:
        """A board, a cushion on a frame, slats on rails, or weave between four rods; and what holds it."""
        w, d, z, frame = self.width, self.depth, self.under, "seat_frame_bar"
        rails: list[Solid] = []
        if self.make == "slats":
            count, thick = style.count("seat slats", 4, 8), 0.6 * self.thickness
            ys = ((np.arange(count) + 0.5) / count - 0.5) * d
            surface = [box((w, 0.72 * d / count, thick), (0, y, self.height - thick / 2), bevel=0.003) for y in ys]
            rail = 0.4 * self.thickness + 0.004
            rails = pair(box((0.035, d, rail), (0.42 * w, 0, z + rail / 2 - 0.001)))
        elif self.make == "woven":
            thick = self.thickness
            surface = [board(rectangle(w - 0.02, d - 0.02), 0.6 * thick, (0, 0, z + 0.2 * thick), bevel=0.006)]
            ends = [(x, y, z + thick / 2) for x, y in corners(w / 2, d / 2)]
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
        top = part("seat_surface", leaves(name, surface))
        framed = part("seat_frame", leaves(frame, rails)) if rails else None
        return part("chair_seat", leaves("seat_support", self._supports()), framed, top)

    def _supports(self) -> Iterator[Solid]:
        if self.base in ("star", "pedestal"):
            yield box((0.6 * self.width, 0.6 * self.depth, 0.03), (0, 0, self.under + 0.003), bevel=0.006)
        elif self.held:
            for y in (-0.32 * self.depth, 0.32 * self.depth):
                wide = 0.7 * self.width if self.round else self.width - 0.04
                yield box((wide, 0.026, 0.022), (0, y, self.under - 0.001), bevel=0.003)
