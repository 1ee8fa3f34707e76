"""What all lamps are put together from: rods, units of arm and head, bases, and where things are put."""

from __future__ import annotations

from collections.abc import Callable

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.lamp.profiles import Corners, line, profiles
from mereo.shapes.joinery import around, turned
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, lathe, shell, tube
from mereo.shapes.style import Style

__all__ = [
    "Move",
    "bent_rod",
    "faceted",
    "foot_base",
    "holistic_base",
    "lamp_unit",
    "leg_base",
    "neck",
    "put_at",
    "straight_rod",
]

Move = Callable[[Solid], Solid]
"""How a solid made at the origin comes to its place."""


def put_at(x: float = 0.0, y: float = 0.0, z: float = 0.0, *, tilt: float = 0.0, turn: float = 0.0) -> Move:
    """Tilted towards +x, moved, and turned about the middle of the lamp."""
    return lambda solid: solid.turned(y=-tilt).at(x, y, z).turned(z=turn)


def straight_rod(start: tuple[float, ...], end: tuple[float, ...], thick: float) -> Solid:
    """A round rod between two points."""
    return bar(start, end, thick, round=True, sides=12)


def bent_rod(*path: tuple[float, float, float], thick: float) -> Solid:
    """A rod bent through points."""
    return tube(bent(path, rounds=3), thick / 2, segments=10)


def faceted(profile: Corners, thick: float, sides: int) -> Solid:
    """A shell with a flat side to the front, or a round one if the sides are many."""
    return shell(profile, thick, segments=sides, sectors=sides // 2).turned(z=90 - 180 / sides)


def holistic_base(solid: Solid) -> Part:
    """A base of one piece."""
    return part("lamp_base", part("lamp_holistic_base", leaf("lamp_base_part", solid)))


def lamp_unit(head: Part, *, arm: Solid | None = None, curved: bool = False, connector: Solid | None = None) -> Part:
    """A head, and the arm or the piece that joins it to the body."""
    name = "lamp_arm_curved_bar" if curved else "lamp_arm_straight_bar"
    joint = [leaf("connector", connector)] if connector else None
    return part("lamp_unit", joint, [part("lamp_arm", leaf(name, arm))] if arm else None, head)


def foot_base(style: Style, radius: float) -> tuple[Part, float]:
    """A heavy foot, and the height of its top."""
    kind = style.pick("foot kind", {"disc": 3, "square": 1.5, "dome": 1.5, "step": 1, "bell": 1, "oval": 0.6})
    thick = style.number("foot height", 0.014, 0.035)
    if kind in profiles("feet"):
        solid = turned(profiles("feet")[kind], radius, thick)
    else:
        outline = ellipse(2.4 * radius, 1.7 * radius) if kind == "oval" else rectangle(1.8 * radius, 1.8 * radius)
        solid = board(outline, thick, bevel=0.004)
    return holistic_base(solid), float(solid.bounds()[1, 2])


def leg_base(style: Style, height: float) -> tuple[Part, float]:
    """Three or four legs that meet in one place, and its height."""
    reach, thick = height * style.number("leg reach", 0.35, 0.6), style.number("leg", 0.012, 0.018) + 0.02 * height
    leg = bar((0.01, 0, height), (reach, 0, 0), thick, round=style.maybe("round legs", 0.6), taper=0.7)
    legs = [leaf("leg", leg.turned(z=turn)) for turn in around(style.count("legs", 3, 4), 90)]
    return part("lamp_base", part("lamp_leg_base", legs)), height - 0.01


def neck(z: float, *, low: float = 0.0) -> Solid:
    """Between a body and the socket 0.035 above it."""
    profile = line(0.02, low - 0.003, 0.022, 0.006, 0.011, 0.012, 0.011, 0.03, 0.018, 0.037)
    return lathe(profile, segments=16).at(z=z)
