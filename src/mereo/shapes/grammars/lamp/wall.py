"""What reaches out from the plate of a wall lamp, which is at y = 0."""

from __future__ import annotations

from functools import partial

import numpy as np

from mereo.shapes.grammars.lamp.heads import hung_head, lamp_head, trough, upright_head
from mereo.shapes.grammars.lamp.parts import bent_rod, faceted, lamp_unit, put_at, straight_rod
from mereo.shapes.grammars.lamp.profiles import drawn_profile, line, profiles
from mereo.shapes.joinery import sized, turned
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, cylinder, shell, union
from mereo.shapes.style import Style

__all__ = ["barn", "picture_light", "sconce", "scroll", "swing", "tube_light", "vanity"]

_Mounted = tuple[Solid | None, list[Part]]
"""The body of a wall lamp, if it has one, and its units."""


def scroll(style: Style) -> _Mounted:
    """Arms that swing down and up again to standing heads."""
    count, reach = int(style.pick("heads", {"1": 2, "2": 1.5, "3": 0.6})), style.number("reach", 0.13, 0.2)
    rise, sag = style.number("rise", 0.02, 0.1), style.number("sag", 0.05, 0.12)
    arm = bent_rod((0, -0.015, 0), (0, -0.4 * reach, -sag), (0, -reach, -sag), (0, -reach, rise), thick=0.014)
    head, turns = (
        upright_head(style, 0.05, 0.085 if count == 1 else 0.06, bulb=False),
        [(k - (count - 1) / 2) * 50 for k in range(count)],
    )
    spindle = turned(profiles("bodies")["baluster"], 0.028, 0.2).at(0, -0.035, -0.1)
    put = partial(put_at, 0, -reach, rise + 0.008)
    units = [lamp_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=True) for turn in turns]
    return spindle if style.maybe("spindle", 0.5) else None, units


def barn(style: Style) -> _Mounted:
    """A goose neck that reaches over a hanging shade."""
    reach, rise = style.number("reach", 0.22, 0.4), style.number("rise", 0.08, 0.2)
    path = [(0, -0.015, 0), (0, -0.3 * reach, 0.02), (0, -0.4 * reach, rise + 0.05), (0, -reach, rise + 0.08)]
    head = hung_head(style, 0.09, 0.14, "factory", "dome", "cone", "cloche", "saucer", bulb=False)
    arm = bent_rod(*path, (0, -reach, rise - 0.06), thick=0.018)
    return None, [lamp_unit(head(put_at(0, -reach, rise - 0.072)), arm=arm, curved=True)]


def swing(style: Style) -> _Mounted:
    """Two straight bars with a joint between them."""
    reach, bend = style.number("reach", 0.2, 0.36), style.number("bend", -0.14, 0.14)
    root, elbow, tip = (0, -0.015, 0), (bend, -0.45 * reach, 0), (0, -reach, 0)
    joints = [cylinder(0.012, 0.04, (x, y, -0.02)) for x, y, _ in (elbow, tip)]
    head = hung_head(style, 0.06, 0.1, "cone", "cloche", "dome", "tube", "drop", "globe", bulb=False)
    arm = union(straight_rod(root, elbow, 0.012), straight_rod(elbow, tip, 0.012), *joints)
    return None, [lamp_unit(head(put_at(0, -reach, -0.026)), arm=arm)]


def sconce(style: Style) -> _Mounted:
    """Half a bowl against the wall."""
    radius, stretch = style.number("shade radius", 0.1, 0.17), style.number("shade stretch", 0.9, 1.3)
    profile = sized(drawn_profile(style, "shade", "upright", ("bowl", "fan")), radius, radius * stretch)
    whole = shell(profile, 0.005).minus(box((1, 1, 1), (0, 0.5, 0)))
    half = Solid(whole.body, tuple(piece for piece in whole.pieces if piece[:, 1].mean() < 0))
    low = 0.03 - profile[-1][1]
    strap = straight_rod((0, -0.022, 0.02), (0, -0.022, low + 0.002), 0.02)
    return strap, [lamp_unit(lamp_head(half)(put_at(0, -0.018, low)))]


def tube_light(style: Style) -> _Mounted:
    """An upright tube, open above and below, on a block."""
    radius, length = style.number("shade radius", 0.035, 0.06), style.number("length", 0.14, 0.36)
    sides, waist = int(style.pick("sides", {"28": 2, "4": 1, "6": 0.5})), style.number("waist", 0.8, 1.25)
    gap, flat = style.number("gap", 0.0, 0.05), float(np.cos(np.pi / sides))
    profile = line(radius, 0, radius * waist, length / 2, radius, length)
    shade = faceted(profile, 0.004, sides)
    block = box((0.035, 0.035 + gap, 0.05), (0, -0.032 - gap / 2, 0), bevel=0.004)
    return block, [lamp_unit(lamp_head(shade)(put_at(0, -0.046 - gap - radius * waist * flat, -length / 2)))]


def picture_light(style: Style) -> _Mounted:
    """A trough on a goose neck."""
    reach, radius = style.number("reach", 0.12, 0.2), style.number("shade radius", 0.035, 0.06)
    arm = bent_rod((0, -0.015, 0), (0, -0.03, 0.1), (0, -reach, 0.1), (0, -reach, 0.92 * radius), thick=0.014)
    head = lamp_head(trough(style.number("length", 0.3, 0.6), radius))(put_at(0, -reach, 0))
    return None, [lamp_unit(head, arm=arm, curved=True)]


def vanity(style: Style) -> _Mounted:
    """A row of heads on a level bar, as above a bathroom mirror."""
    count, step = style.count("heads", 2, 4), style.number("step", 0.16, 0.24)
    hung = style.maybe("hanging heads", 0.5)
    head = (hung_head if hung else upright_head)(style, 0.045, 0.07, bulb=False)
    rail = box((count * step, 0.03, 0.035), (0, -0.033, 0), bevel=0.004)
    units = []
    for x in ((place - (count - 1) / 2) * step for place in range(count)):
        end = -0.04 if hung else 0.03
        arm = union(
            straight_rod((x, -0.04, 0), (x, -0.1, 0), 0.014), straight_rod((x, -0.1, -0.005), (x, -0.1, end), 0.014)
        )
        units.append(lamp_unit(head(put_at(x, -0.1, end - 0.012 if hung else end + 0.008)), arm=arm))
    return rail, units
