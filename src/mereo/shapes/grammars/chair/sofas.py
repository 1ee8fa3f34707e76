"""Armchairs and sofas that are upholstered all over."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.joinery import corners, leaves, pair
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, cushion, cylinder, lathe, prism, union
from mereo.shapes.style import Style

__all__ = ["upholstered"]


def upholstered(style: Style) -> list[Part]:
    """Armchairs and sofas: cushions in a padded frame with arms of one make, on feet, legs or a swivelling plate."""
    design = style.pick("design", {"track": 1.6, "rolled": 1.2, "sloped": 1, "wing": 1, "barrel": 1.3, "slipper": 0.7})
    sofa = _Sofa(style, design)
    frame, arms = sofa.barrel(style) if design == "barrel" else sofa.straight(style)
    plan = ellipse(sofa.width, sofa.width) if design == "barrel" else rectangle(sofa.width, sofa.depth, corner=0.02)
    deck = board(plan, sofa.deck - sofa.rise, (0, 0, sofa.rise), bevel=0.01)
    seats, backs = zip(*sofa.cushions(style), strict=True)
    surface = part("seat_surface", leaves("seat_single_surface", seats))
    pads = part("back_surface", leaves("back_single_surface", backs))
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
        """A solid that stands upright on the origin, put at the rear of the seat, at a height, and leaned back."""
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
            panel = union(panel, *pair(prism(view, 0.06, along="x").at(x=outer - 0.03)))
        if self.design in ("rolled", "wing"):
            view = rectangle(0.85 * thick, height - 0.4 * thick).at(0, height / 2 - 0.2 * thick)
            view = view.plus(ellipse(1.2 * thick, 1.05 * thick).at(0.1 * thick, height - 0.5 * thick))
            arm = prism(view, length, along="y").at(x=-0.06 * thick)
        elif self.design == "sloped":
            end, high = length / 2, height + 0.14
            side = [(0.03 - end, 0), (end, 0), (end, high), (end - 0.1, high), (-end, height - 0.05)]
            arm = prism(polygon(side), thick, along="x")
        else:
            arm = box((thick, length, height), (0, 0, height / 2), bevel=style.number("arm edge", 0.008, 0.05))
        arms = [] if self.design == "slipper" else pair(arm.at(self.width / 2 + thick / 2 - 0.004, 0.015, low))
        return self.leaning(panel, low), arms

    def barrel(self, style: Style) -> tuple[Solid, list[Solid]]:
        """A wall around the seat, high behind and lower at the sides."""
        inner, wall, wrap = self.width / 2 - 0.006, style.number("wall", 0.06, 0.1), style.number("wrap", -35, -10)
        back = board(_sector(inner + wall, inner, 38, 142), self.top - self.rise, (0, 0, self.rise))
        arm = board(_sector(inner + wall, inner, wrap, 39), self.arm_top - self.rise, (0, 0, self.rise))
        return back, pair(arm)

    def base(self, style: Style) -> Part:
        """Feet, splayed legs, or a plate to turn on."""
        inset = 0.09 + 0.1 * (self.design == "barrel")
        x, y, top = self.width / 2 - inset + 0.05, self.depth / 2 - inset + 0.02, self.rise + 0.01
        if self.stand == "plate":
            column = leaf("central_support", cylinder(0.04, self.rise, (0, 0, 0.01)))
            return part("pedestal_base", leaf("pedestal", cylinder(0.8 * y + 0.1, 0.02, bevel=0.005)), column)
        if self.stand == "leg":
            splay, thick = style.number("splay", 0.0, 0.06), style.number("leg thickness", 0.03, 0.05)
            ends = [((a, b, top), (a + splay * np.sign(a), b + splay * np.sign(b), 0)) for a, b in corners(x, y)]
            round = style.maybe("round legs", 0.6)
            legs = [bar(*line, thick, round=round, taper=0.6) for line in ends]
            return part("regular_leg_base", leaves("leg", legs))
        feet = {
            "bun": lathe([(0.025, 0), (0.04, 0.3 * top), (0.04, 0.6 * top), (0.028, top)]),
            "cone": cylinder(0.022, top, top=0.036),
            "block": box((0.07, 0.07, top), (0, 0, top / 2), bevel=0.004),
        }
        foot = feet[style.pick("foot", dict.fromkeys(feet, 1.0))]
        return part("foot_base", leaves("foot", [foot.at(*spot) for spot in corners(x, y)]))

    def leg_rest(self) -> Part:
        """A pad raised before the seat, on two struts."""
        y, z = -self.depth / 2, self.deck
        pad = cushion((self.width - 0.06, 0.4, 0.09), squareness=8).turned(x=18).at(y=y - 0.25, z=z + 0.02)
        strut = bar((0.3 * self.width, y + 0.05, z - 0.04), (0.3 * self.width, y - 0.3, z - 0.02), 0.03, 0.02)
        seat = part("chair_seat", leaves("seat_support", pair(strut)), leaf("seat_surface", pad))
        return part("footrest", seat)


def _sector(outer: float, inner: float, start: float, end: float) -> Outline:
    """A piece of a ring between two angles, degrees from +x towards +y."""
    turns = np.radians(np.linspace(start, end, 15))
    rims = ((outer, turns), (inner, turns[::-1]))
    return polygon([(r * np.cos(t), r * np.sin(t)) for r, row in rims for t in row])
