"""Clocks with a pendulum: tall ones that stand on the floor, and regulators for the wall."""

from __future__ import annotations

import math

from mereo.shapes.appliances import cabinet, feet, framed_pane, spaced
from mereo.shapes.articulation import turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.clock.faces import hands_maker, ticked
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, cylinder, ring, sphere, union
from mereo.shapes.style import Style

__all__ = ["pendulum_clock"]


def pendulum_clock(style: Style, *, tall: bool) -> Part:
    """A base, a hollow trunk with the pendulum behind a door, and a hood with the face. The trunk's front is y = 0."""
    if tall:
        wide, deep = style.number("width", 0.28, 0.4), style.number("depth", 0.2, 0.28)
        trunk, below = style.number("trunk", 0.9, 1.25), style.number("base", 0.25, 0.5)
    else:
        wide, deep = style.number("width", 0.2, 0.3), style.number("depth", 0.1, 0.15)
        trunk, below = style.number("trunk", 0.28, 0.5), style.number("base", 0.03, 0.08)
    low, high = below, below + trunk
    room = (0.025 - wide / 2, wide / 2 - 0.025), (low + 0.03, high - 0.02)
    case = leaf("box", cabinet((-wide / 2, wide / 2), deep, (low, high), room, deep - 0.025, corner=0.004))
    swing = style.number("door swing", 40, 100) * style.maybe("door open", 0.15)
    frame, _ = framed_pane((wide - 0.01, trunk - 0.012), 0.018, (0.03, 0.04))
    door = leaf("box", frame.at(0, -0.001, (low + high) / 2))
    hung = turning(door, (0, 0, -1), (0.016 - wide / 2, -0.009, 0), (0, 110), stands=swing)
    base, blocks = _base(style, wide * style.number("foot width", 1.1, 1.3), deep, below)
    return part(
        "pendulum_clock",
        _top(style, wide * style.number("hood", 1.1, 1.3), deep + 0.05, high, tall=tall),
        part("pendulum_clock_frame", case, hung, blocks),
        _pendulum(style, wide, deep, (low + 0.03, high - 0.015)),
        base,
    )


def _pendulum(style: Style, wide: float, deep: float, zs: tuple[float, float]) -> Part:
    """A rod with a bob that swings, and perhaps weights on chains before it."""
    low, high = zs
    radius, y = wide * style.number("bob", 0.17, 0.26), 0.6 * deep
    end = low + radius + (high - low) * style.number("bob height", 0.05, 0.16)
    bobs = {
        "disk": cylinder(radius, 0.014, (0, 0, -0.007), bevel=0.004).turned(x=90).at(0, y, end),
        "ball": sphere(0.6 * radius, (0, y, end), segments=20),
        "ring": ring(0.85 * radius, 0.24 * radius, segments=8).turned(x=90).at(0, y, end),
    }
    rod = bar((0, y, end), (0, y, high), 0.012, 0.006)
    if (bob := style.pick("pendulum", dict.fromkeys(bobs, 1.0))) == "ring":
        rod = bar((0, y, end + 0.85 * radius), (0, y, high), 0.014, 0.006)
    body = turning(leaf("pendulum_body", union(rod, bobs[bob]), "metal"), (0, 1, 0), (0, y, high), (-4, 4))
    weights = style.count("weights", 2, 3) if style.maybe("chains", 0.55) else 0
    chains = []
    for number, x in enumerate(spaced(weights, 0.28 * wide)):
        drop = (high - low) * (0.35 + 0.12 * ((number * 2 + 1) % 3))
        rope, place = (
            bar((0, 0.25 * deep, high - drop), (0, 0.25 * deep, high), 0.006, round=True, sides=8),
            0.2 * (high - low),
        )
        weight = cylinder(0.07 * wide, place, (0, 0.25 * deep, high - drop - place), bevel=0.004)
        chains.append(union(rope, weight).at(x=x))
    return part("pendulum", body, [leaf("chain", solid, "metal") for solid in chains])


def _top(style: Style, wide: float, deep: float, low: float, *, tall: bool) -> list[Part]:
    """A hood with a face under a cornice, a gable, an arch or two horns; a regulator's may be eight-sided."""
    high = wide * style.number("hood height", 1.05, 1.3)
    radius, z = 0.4 * min(wide, high), low + 0.52 * high
    crowns = {"cornice": 1.2, "gable": 1, "arch": 1, "horns": 1.2, "spires": 0.8} | ({} if tall else {"octagon": 1.6})
    crown = style.pick("crown", crowns)
    y, top = deep / 2 - 0.035, low + high
    hood: list[Solid] = [box((wide, deep, high), (0, y, low + high / 2 - 0.002), bevel=0.003)]
    if crown == "octagon":
        turns = [math.radians(22.5 + 45 * k) for k in range(8)]
        outline = polygon([(0.62 * wide * math.cos(t), 0.62 * wide * math.sin(t)) for t in turns])
        z, radius = low + 0.56 * wide - 0.02, 0.42 * wide
        hood = [board(outline, deep).turned(x=90).at(0, y + deep / 2, z)]
    else:
        hood.append(box((wide + 0.04, deep + 0.03, 0.025), (0, y, top), bevel=0.006))
        hood += _crown(crown, wide, deep, top + 0.01, y)
    front = y - deep / 2
    face = ticked(style, ellipse(2 * radius, 2 * radius, segments=36), radius, 0.008).at(0, front + 0.001, z)
    rim = cylinder(1.1 * radius, 0.006, (0, 0, -0.003)).turned(x=90).at(0, front, z)
    hands = hands_maker(style)("pendulum_clock_top", 0.95 * radius, 0.0, front - 0.006, z)
    return [leaf("pendulum_clock_top", union(*hood, face, rim)), *hands]


def _crown(crown: str, wide: float, deep: float, low: float, y: float) -> list[Solid]:
    """What stands on the cornice."""

    def upright(outline: Outline, thick: float) -> Solid:
        return board(outline, thick).turned(x=90).at(0, y + thick / 2, low)

    half, high = wide / 2, 0.32 * wide
    if crown == "gable":
        return [upright(polygon([(-half, 0), (half, 0), (0, high)]), 0.8 * deep)]
    if crown == "arch":
        outline = ellipse(1.9 * half, 2 * high).minus(rectangle(4 * wide, 2 * high).at(0, -high))
        return [upright(outline, 0.8 * deep)]
    if crown == "horns":
        horn = [(0.12 * half, 0.9 * high), (0.1 * half, 0.7 * high), (0.35 * half, 0.5 * high), (half, 0.0)]
        outline = polygon(
            [
                (-0.3 * half, 0.0),
                (half, 0.0),
                (0.55 * half, 0.5 * high),
                (0.3 * half, 0.95 * high),
                *horn[:1],
                *horn[1:2],
                (0.1 * half, 0.3 * high),
                (-0.3 * half, 0.3 * high),
            ]
        )
        side = upright(outline, 0.03).at(y=-0.3 * deep)
        finial = union(
            cylinder(0.02, 0.5 * high, (0, y - 0.3 * deep, low - 0.002), top=0.012),
            sphere(0.1 * high, (0, y - 0.3 * deep, low + 0.55 * high), segments=14),
        )
        return [side, side.mirrored("x"), finial]
    if crown == "spires":
        spire = union(
            box((0.04, 0.04, 0.05), (0, 0, 0.02)),
            cylinder(0.014, 0.06, (0, 0, 0.04), top=0.004),
            sphere(0.016, (0, 0, 0.07), segments=12),
        )
        return [spire.at(x, y - 0.3 * deep, low) for x in spaced(3, 0.84 * half)]
    return []


def _base(style: Style, wide: float, deep: float, high: float) -> tuple[Part, list[Part]]:
    """A plinth with a step, or feet under a box of the frame, which comes with them."""
    y = deep / 2 - 0.01
    if high > 0.1 and style.maybe("feet", 0.45):
        lift = style.number("foot height", 0.04, 0.08)
        under = feet(wide / 2 - 0.04, (0.02, deep - 0.04), lift, 0.035, square=style.maybe("square feet", 0.5))
        block = box((wide, deep + 0.04, high - lift), (0, y, (high + lift) / 2), bevel=0.004)
        return part("pendulum_clock_base", part("foot_base", leaves("foot", under))), [leaf("box", block)]
    body, tall = box((wide, deep + 0.04, high), (0, y, high / 2 + 0.002), bevel=0.004), min(0.09, 0.5 * high)
    step = box((wide + 0.03, deep + 0.07, tall), (0, y, tall / 2), bevel=0.005)
    return part("pendulum_clock_base", part("surface_base", leaf("base_surface", union(body, step)))), []
