"""Faucets of basins, sinks and gardens: on the deck or on the wall, with one handle or two."""

from __future__ import annotations

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.faucet.parts import Handles, column, pipe, plate, spout
from mereo.shapes.joinery import leaves
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, lathe, union
from mereo.shapes.style import Style

__all__ = ["bridge", "garden", "mixer", "pillar", "three_holes", "tower", "wall_mounted"]

_OLD = {"cross": 2.0, "lever": 1.0, "knob": 1.0, "ball": 1.0, "wheel": 0.6}


def _turning_spout(solid: Solid, at: tuple[float, float, float], reach: float = 90.0) -> Part:
    """A spout that swings over the basin."""
    return turning(part("spout", leaf("tube", solid.at(*at), "metal")), (0, 0, 1), at, (-reach, reach))


def _fixed_spout(solid: Solid) -> Part:
    return part("spout", leaf("tube", solid, "metal"))


def mixer(style: Style) -> list[Part]:
    """One body with a spout at its front and a lever on its top."""
    height, radius = style.number("height", 0.07, 0.16), style.number("radius", 0.019, 0.026)
    body = column(style, height, radius)
    handles = Handles(style, {"lever": 2, "paddle": 2, "pin": 1.2})
    made = spout(style, {"low": 2, "slab": 1.5, "tray": 1.2}).at(
        0, -0.3 * radius, height * style.number("at", 0.5, 0.62)
    )
    base = plate(style, 2.6 * radius, 2.6 * radius) if style.maybe("flange", 0.75) else None
    switch = handles.on((0, 0, height), turn=180 * style.maybe("lever backwards", 0.2))
    return [part("frame", base, leaf("vertical_support", body, "metal")), switch, _fixed_spout(made)]


def tower(style: Style) -> list[Part]:
    """A tall spout that swings on a body with a lever at its side, as in kitchens."""
    height, radius = style.number("height", 0.08, 0.14), style.number("radius", 0.02, 0.027)
    body = column(style, height, radius)
    made = spout(style, {"arch": 3, "angular": 1.5, "swan": 1.5}, style.number("scale", 1.1, 1.6))
    right, at = style.maybe("lever right", 0.6), height * style.number("lever height", 0.45, 0.75)
    side = (radius - 0.006) * (1 if right else -1)
    switch = Handles(style, {"lever": 2, "pin": 1.5, "paddle": 1}).on((side, 0, at), "right" if right else "left")
    wide = style.number("plate width", 0.2, 0.26) if style.maybe("deck plate", 0.3) else 2.7 * radius
    base = plate(style, wide, 2.7 * radius)
    frame = part("frame", base, leaf("vertical_support", body, "metal"))
    return [frame, switch, _turning_spout(made, (0, 0, height - 0.004))]


def pillar(style: Style) -> list[Part]:
    """An old tap: a handle straight above, a spout that bends down."""
    height, radius = style.number("height", 0.07, 0.1), style.number("radius", 0.014, 0.02)
    profile = [(1.5, 0.004), (1.0, 0.3), (1.25, 0.55), (1.25, 0.8), (0.8, 1.0)]
    body = lathe([(radius * r, height * z) for r, z in profile], segments=20)
    made = spout(style, {"low": 1}, style.number("scale", 0.75, 1.0)).at(0, 0, 0.6 * height)
    switch = Handles(style, _OLD).on((0, 0, height))
    base = plate(style, 3.2 * radius, 3.2 * radius, 0.006)
    return [part("frame", base, leaf("vertical_support", body, "metal")), switch, _fixed_spout(made)]


def bridge(style: Style) -> list[Part]:
    """Two legs with a handle each, a bar between them, and a spout on its middle."""
    apart, height = style.number("apart", 0.07, 0.11), style.number("height", 0.06, 0.1)
    handles, radius = Handles(style, _OLD), style.number("radius", 0.013, 0.017)
    legs = [lathe([(2 * radius, 0), (1.9 * radius, 0.008), (radius, 0.014), (radius, height)], segments=18)] * 2
    level = height * style.number("bar", 0.6, 0.8)
    rail = bar((-apart, 0, level), (apart, 0, level), 1.5 * radius, round=True)
    hub = cylinder(1.25 * radius, 0.04, (0, 0, level - 0.018))
    supports = leaves("vertical_support", [leg.at(x=side * apart) for side, leg in zip((-1, 1), legs, strict=True)])
    made = spout(style, {"arch": 3, "swan": 1.5, "angular": 1}, style.number("scale", 1.0, 1.4))
    switches = [handles.on((-apart, 0, height), mirrored=True), handles.on((apart, 0, height))]
    frame = part("frame", supports, leaf("horizontal_support", union(rail, hub), "metal"))
    return [frame, *switches, _turning_spout(made, (0, 0, level + 0.018))]


def three_holes(style: Style) -> list[Part]:
    """A long plate with a handle at either end and a spout between them."""
    apart, height = style.number("apart", 0.052, 0.1), style.number("height", 0.03, 0.05)
    handles, low = Handles(style, _OLD | {"paddle": 1}), 0.012
    base = plate(style, 2 * apart + 0.06, style.number("plate depth", 0.05, 0.062), low)
    stub = lathe([(0.024, low - 0.003), (0.018, 0.6 * height), (0.016, height)], segments=18)
    hub = lathe([(0.024, low - 0.003), (0.019, height)], segments=18)
    made = spout(style, {"low": 1, "arch": 1.5, "swan": 1.2, "angular": 0.8}, style.number("scale", 0.8, 1.1))
    supports = leaves("vertical_support", [stub.at(x=-apart), hub, stub.at(x=apart)])
    switches = [handles.on((-apart, 0, height), mirrored=True), handles.on((apart, 0, height))]
    return [part("frame", base, supports), *switches, _turning_spout(made, (0, 0, height - 0.004))]


def wall_mounted(style: Style) -> list[Part]:
    """Two pipes come out of the wall to a bar with a handle at either end; or one plate with handles to the front."""
    apart, out = style.number("apart", 0.07, 0.1), style.number("out", 0.05, 0.08)
    handles = Handles(style, _OLD)
    if style.maybe("wall plate", 0.4):
        base = leaf("surface_base", box((2 * apart + 0.07, 0.012, 0.07), (0, -0.006, 0), bevel=0.003), "metal")
        stubs = [cylinder(0.016, 0.03).turned(x=90).at(side * apart, -0.009, 0) for side in (-1, 1)]
        middle = bar((0, -0.009, 0), (0, -out, 0), 0.03, round=True)
        switches = [handles.on((x, -0.037, 0), "front", mirrored=x < 0) for x in (-apart, apart)]
        frame = part("frame", base, leaves("horizontal_support", [*stubs, middle]))
    else:
        flange = lathe([(0.028, 0), (0.028, 0.006), (0.014, 0.014), (0.014, out)], segments=18).turned(x=90)
        pipes = [leaf("horizontal_support", flange.at(x=0.6 * side * apart), "metal") for side in (-1, 1)]
        rail = bar((-apart - 0.02, -out, 0), (apart + 0.02, -out, 0), 0.036, round=True)
        switches = [handles.on((-apart - 0.018, -out, 0), "left"), handles.on((apart + 0.018, -out, 0), "right")]
        frame = part("frame", pipes, leaf("horizontal_support", rail, "metal"))
    made = spout(style, {"swan": 1.5, "low": 1, "arch": 1.2, "angular": 1}, style.number("scale", 1.0, 1.3))
    return [frame, *switches, _turning_spout(made, (0, -out + 0.004, 0.008))]


def garden(style: Style) -> list[Part]:
    """A pipe from the wall, a valve with a handle above, and a mouth that bends down for a hose."""
    out, radius = style.number("out", 0.07, 0.11), style.number("radius", 0.011, 0.015)
    flange = lathe([(0.032, 0), (0.032, 0.006), (radius, 0.014), (radius, out)], segments=18).turned(x=90)
    body = lathe([(1.5 * radius, -0.026), (1.7 * radius, 0), (1.1 * radius, 0.022), (0.8 * radius, 0.04)], segments=18)
    switch = Handles(style, {"wing": 2, "wheel": 2, "cross": 1, "lever": 1}).on((0, -out, 0.038))
    end = -out - style.number("reach", 0.05, 0.08)
    low = -style.number("drop", 0.03, 0.07)
    tip = lathe([(1.4 * radius, 0), (1.4 * radius, 0.02), (1.1 * radius, 0.022)], segments=18).at(0, end, low)
    bow = pipe((0, -out, -0.004), (0, end + 0.012, -0.006), (0, end, -0.012), (0, end, low + 0.01), radius=radius)
    frame = part(
        "frame", leaf("horizontal_support", flange, "metal"), leaf("vertical_support", body.at(y=-out), "metal")
    )
    return [frame, switch, _fixed_spout(union(bow, tip))]
