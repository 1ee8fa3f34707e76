"""What closes trash cans, and the can itself as its covers see it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import leaf
from mereo.shapes.grips import loop, strap
from mereo.shapes.joinery import Span, around, pair, sized
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, box, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Form, hoop, solid_of

__all__ = ["Can", "lidded", "pedal", "roofed", "swinging"]


@dataclass(frozen=True)
class Can:
    """The container: its form from above, its radius at the rim, its height, and its foot as a share of the radius."""

    form: Form
    radius: float
    height: float
    foot: float
    material: str

    def reach(self, degrees: float) -> float:
        """How far the rim is away in a direction, meters."""
        return self.radius * float(self.form(np.radians([degrees]))[0])

    def point(self, degrees: float, radius: float) -> Span:
        """Where a direction meets the outline of a radius."""
        turn = np.radians(degrees)
        away = radius * float(self.form(np.array([turn]))[0])
        return float(away * np.cos(turn)), float(away * np.sin(turn))


def lidded(style: Style, can: Can, opened: float, *, wide_hinge: bool = False, loose: bool = False) -> list[Part]:
    """A lid that turns about a hinge at the back, or is lifted by a grip. wide_hinge : the bar of wheelie bins."""
    design = style.pick(
        "lid shape", {"dome": 2.0, "flat": 2.0, "hat": 1.0} if not wide_hinge else {"flat": 2.0, "dome": 1.0}
    )
    wide, tall = can.radius + 0.012 + 0.014 * wide_hinge, can.radius * {"dome": 0.35, "flat": 0.1, "hat": 0.3}[design]
    solid = solid_of(sized(PROFILES.group("lid")[design], wide, tall), form=can.form, segments=40).at(
        z=can.height - 0.004
    )
    if loose:
        grip = strap(loop(0.4 * can.radius, 0.04), 0.02, 0.012).turned(y=-90).at(z=can.height - 0.006 + tall)
        return [sliding(leaf("cover_lid", union(solid, grip), can.material), (0, 0, 1), (0.0, 0.3))]
    back, z = can.reach(90) + 0.012, can.height
    lid = turning(leaf("cover_lid", solid, can.material), (-1, 0, 0), (0, back + 0.008, z), (0.0, 110.0), stands=opened)
    size = 0.9 * can.reach(0) if not wide_hinge else 1.3 * can.reach(0)
    hinge = box((size, 0.03, 0.03), (0, back + 0.006, z - 0.012), bevel=0.008)
    return [lid, leaf("cover_support", hinge, "plastic")]


def pedal(style: Style, can: Can, opened: float) -> Part:
    """The lever that lifts the lid, at the bottom of the front."""
    front, wide = -can.foot * can.reach(-90), style.number("pedal width", 0.05, 0.09)
    plate = box((wide, 0.045, 0.01), (0, front - 0.03, 0.024), bevel=0.003)
    arm = bar((0, front - 0.02, 0.022), (0, front + 0.03, 0.022), 0.02, 0.008)
    made = leaf("cover_support", union(plate, arm), style.pick("pedal material", {"metal": 1.0, "plastic": 1.0}))
    return turning(made, (1, 0, 0), (0, front + 0.02, 0.022), (0.0, 14.0), stands=min(opened, 10.0))


def swinging(style: Style, can: Can) -> list[Part]:
    """A hood with a flap in its front that swings both ways."""
    tall, lean = can.radius * style.number("hood", 0.7, 1.0), style.number("lean", 0.6, 0.85)
    wide, deep, z = can.reach(0) + 0.004, can.reach(-90) + 0.004, can.height - 0.006
    profile = [(can.radius + 0.004, 0.0), (can.radius + 0.004, 0.15 * tall), (lean * can.radius, tall)]
    hood = solid_of(profile, form=can.form, segments=40)
    hollow = solid_of(
        [(r - 0.008, h - 0.002) for r, h in profile[:-1]] + [(lean * can.radius - 0.008, tall - 0.006)], form=can.form
    )
    width, high = 1.15 * wide, 0.62 * tall
    window = box((width, 2 * deep, high), (0, -deep, 0.2 * tall + high / 2))
    walls = [
        hoop([(r, h) for r, h in profile[:2]], 0.008, form=can.form, segments=40),
        solid_of([(lean * can.radius, tall - 0.006), (lean * can.radius, tall)], form=can.form, segments=40),
    ]
    posts = [bar((0.95 * wide, 0, 0.1 * tall), (0.9 * lean * wide, 0, tall), 0.02)]
    support = hood.minus(hollow, window, pieces=[*walls, *pair(posts[0])])
    slope = np.degrees(np.arctan2((1 - lean) * deep, 0.85 * tall))
    pivot = (0.0, -deep + (1 - lean) * deep * 0.72 + 0.012, 0.2 * tall + 0.9 * high)
    flap = (
        box((width - 0.004, 0.006, high - 0.006), (0, 0, 0.1 * high - high / 2), bevel=0.002)
        .turned(x=-slope)
        .at(*pivot)
    )
    pushed = style.number("pushed", 15, 40) if style.maybe("flap open", 0.3) else 0.0
    lid = turning(
        leaf("cover_lid", flap.at(z=z), can.material),
        (-1, 0, 0),
        (0, pivot[1], pivot[2] + z),
        (-60.0, 60.0),
        stands=-pushed,
    )
    return [leaf("cover_support", support.at(z=z), can.material), lid]


def roofed(style: Style, can: Can) -> list[Part]:
    """A roof on posts, so that rain stays out."""
    gap, design = (
        style.number("gap", 0.5, 0.8) * can.radius,
        style.pick("roof shape", {"dome": 2.0, "flat": 1.0, "pagoda": 1.0}),
    )
    tall = can.radius * {"dome": 0.45, "flat": 0.14, "pagoda": 0.5}[design]
    roof = solid_of(sized(PROFILES.group("lid")[design], 1.03 * can.radius, tall), form=can.form, segments=40)
    posts = []
    for turn in around(4, 45):
        x, y = can.point(turn, can.radius - 0.02)
        posts.append(
            leaf(
                "cover_support",
                bar((x, y, 0.8 * can.height), (x, y, can.height + gap + 0.004), 0.02, round=True),
                "metal",
            )
        )
    return [*posts, leaf("cover_lid", roof.at(z=can.height + gap), "metal")]
