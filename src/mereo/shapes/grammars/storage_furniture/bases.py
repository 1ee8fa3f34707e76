"""What holds a case above the floor."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import spinning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.storage_furniture.joiner import Space
from mereo.shapes.joinery import leaves
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, cylinder, lathe, tube, union
from mereo.shapes.style import Style

__all__ = ["caster", "made_base"]


def made_base(style: Style, kind: str, whole: Space) -> list[Part]:
    """What holds it above the floor: a plinth, feet or legs, casters, or corner posts that run down."""
    top, inset = whole.z0 + 0.003, 0.05
    xs = [whole.x0 + inset, *([0.0] if whole.width > 1.5 else []), whole.x1 - inset]
    spots = [(x, y) for x in xs for y in (whole.y0 + inset, whole.y1 - inset)]
    if kind == "none":
        return []
    if kind == "posts":
        size, round_posts = style.number("post", 0.032, 0.05), style.maybe("round posts", 0.3)
        spots = [(x, y) for x in (whole.x0, whole.x1) for y in (whole.y0 + 0.3 * size, whole.y1 - 0.3 * size)]
        posts = [bar((x, y, whole.z1 - 0.03), (x, y, 0), size, round=round_posts, taper=0.8) for x, y in spots]
        return leaves("frame_vertical_bar", posts)
    if kind == "plinth":
        return [part("cabinet_base", _plinth(style, whole))]
    if kind == "casters":
        feet = [caster(whole.z0, x, y) for x, y in spots]
    elif kind == "sled":
        half = [(whole.y0 + 0.03, top), (whole.y0 + 0.03, 0.05), (whole.y0 + 0.03, 0.013), (whole.y0 + 0.07, 0.013)]
        runner = [*half, *((-y, z) for y, z in half[::-1])]
        feet = [leaf("foot", tube(bent([(x, y, z) for y, z in runner]), 0.013)) for x in xs]
    else:
        splay = style.number("splay", 0.0, 0.05) if kind in ("tapered", "hairpin") else 0.0
        feet = [leaf("foot", _foot(kind, top, splay * np.sign(x), splay * np.sign(y)).at(x, y)) for x, y in spots]
    return [part("cabinet_base", part("foot_base", feet))]


def _plinth(style: Style, whole: Space) -> Part:
    recess, thick = style.number("recess", 0.01, 0.06), 0.018
    low = whole.grown(-0.008, -0.008)._replace(y0=whole.y0 + recess, z0=0.0, z1=whole.z0 + 0.001)
    between = low.grown(-thick + 0.001)
    walls = [low._replace(x1=low.x0 + thick), low._replace(x0=low.x1 - thick)]
    walls += [between._replace(y1=low.y0 + thick), between._replace(y0=low.y1 - thick)]
    floor = between._replace(z0=whole.z0 - 0.014).solid() if style.maybe("plinth floor", 0.3) else None
    sides = [leaf("base_side_panel", wall.solid()) for wall in walls]
    return part("panel_base", leaf("bottom_panel", floor) if floor else None, sides)


def caster(height: float, x: float, y: float) -> Part:
    """A wheel on a stem under a place that lies at a height."""
    radius = 0.38 * height
    wheel = cylinder(radius, 0.022, bevel=0.004).at(z=-0.011).turned(y=90).at(x, y + 0.012, radius)
    plate = cylinder(0.022, 0.006, (x, y, height - 0.004))
    stem = union(cylinder(0.007, height - radius + 0.002, (x, y, radius)), plate)
    rolling = spinning(leaf("wheel", wheel), (1, 0, 0), (x, y + 0.012, radius))
    return spinning(part("caster", rolling, leaf("caster_stem", stem)), (0, 0, 1), (x, y, 0))


def _foot(kind: str, top: float, lean_x: float, lean_y: float) -> Solid:
    """A foot from the floor up to `top` above the origin."""
    if kind == "tapered":
        return bar((0, 0, top), (lean_x, lean_y, 0), 0.042, round=True, taper=0.5)
    if kind == "hairpin":
        return tube(bent([(0.03, -0.02, top), (lean_x, lean_y, 0.0), (-0.03, 0.02, top)], rounds=3), 0.006, segments=8)
    if kind == "bun":
        profile = [(0.018, 0), (0.036, 0.25 * top), (0.038, 0.5 * top), (0.02, 0.8 * top), (0.032, top)]
        return lathe(profile, segments=20)
    return bar((0, 0, top), (0, 0, 0), 0.07, taper=0.75, bevel=0.004) if kind == "block" else cylinder(0.022, top)
