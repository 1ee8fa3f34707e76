"""Lamp heads: a shade, a bulb or both, made once and put in several places."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.lamp.parts import Move, faceted
from mereo.shapes.grammars.lamp.profiles import Corners, curve, drawn_profile, profiles
from mereo.shapes.joinery import around, sized, turned
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, cylinder, lathe, prism, ring, shell, tube, union
from mereo.shapes.style import Style

__all__ = ["Head", "fitted_head", "hung_head", "lamp_head", "socketed_bulb", "trough", "upright_head"]

Head = Callable[[Move], Part]
"""A lamp head that is made once and can be put in several places."""


def socketed_bulb(kind: str, size: float) -> Solid:
    """A bulb in its socket, which stands on the origin."""
    return turned([(0.016, -0.004), (0.016, 0.034), *profiles("bulbs")[kind]], size, size, segments=14)


def lamp_head(shade: Solid | None, **others: Solid | None) -> Head:
    """A head of a shade and other parts by name."""

    def placed(move: Move) -> Part:
        cover = part("lamp_cover", leaf("lamp_shade", move(shade))) if shade else None
        return part("lamp_head", cover, [leaf(name, move(solid)) for name, solid in others.items() if solid])

    return placed


def hung_head(style: Style, low: float, high: float, *kinds: str, bulb: bool = True) -> Head:
    """A shade around a bulb, hanging from the origin."""
    profile, sides = (
        drawn_profile(style, "shade", "hung", kinds),
        int(style.pick("shade sides", {"28": 6, "6": 1, "4": 0.7})),
    )
    radius, stretch = style.number("shade radius", low, high), style.number("shade stretch", 0.85, 1.15)
    profile = [(max(r, 0.013), z) for r, z in sized(profile, radius, radius * stretch)]
    wall = faceted(profile, min(0.004, 0.05 * radius), sides).at(z=-profile[-1][1])
    shade = union(wall, cylinder(0.019, 0.032, (0, 0, -0.012), top=0.012))
    kind = style.pick("bulb", {"pear": 2, "ball": 1})
    sizes = [min(1.3, 9 * radius) * share for share in (1.0, 0.85, 0.7, 0.55, 0.4)]
    size = next((size for size in sizes if _fits(sized(profiles("bulbs")[kind], size, size), profile)), sizes[-1])
    lit = socketed_bulb(kind, size).turned(x=180)
    return lamp_head(shade, light_bulb=lit if bulb else None)


def _fits(bulb: Corners, shade: Corners) -> bool:
    """Whether a bulb that hangs from the top of a shade stays inside of it."""
    radii, heights = zip(*shade, strict=True)
    return all(radius < np.interp(heights[-1] - depth, heights, radii, left=1.0) for radius, depth in bulb)


def upright_head(style: Style, low: float, high: float, *, bulb: bool = True) -> Head:
    """A shade around a bulb, standing on the origin."""
    profile, stretch = drawn_profile(style, "shade", "upright"), style.number("shade stretch", 0.85, 1.15)
    radius = style.number("shade radius", low, high)
    wall = shell(sized(profile, radius, radius * stretch), min(0.004, 0.05 * radius))
    shade = union(wall, cylinder(0.016, 0.016, (0, 0, -0.01), top=radius * profile[0][0] + 0.003))
    return lamp_head(shade, light_bulb=socketed_bulb("pear", float(np.clip(10 * radius, 0.4, 1.2))) if bulb else None)


def fitted_head(style: Style, radius: float) -> Head:
    """A shade open at both ends, which a wire frame with a finial holds around a bulb on the origin."""
    radius *= style.number("shade radius", 0.85, 1.15)
    sides = int(style.pick("shade sides", {"28": 5, "4": 1, "6": 0.7, "8": 0.7}))
    profile = sized(drawn_profile(style, "shade", "fitted"), radius, radius * style.number("shade stretch", 0.9, 1.2))
    height, top = profile[-1][1], float(profile[-1][0] * np.cos(np.pi / sides)) - 0.003
    hub = max(0.14, 0.75 * height)
    shade = faceted(profile, 0.003, sides).at(z=hub + 0.015 - height)
    spokes = [bar((0, 0, hub), (top, 0, hub), 0.004, round=True, sides=6).turned(z=turn) for turn in around(3)]
    harp = [(-0.02, 0, 0.01), (-0.055, 0, 0.03), (-0.055, 0, hub), (0.055, 0, hub), (0.055, 0, 0.03), (0.02, 0, 0.01)]
    wires = union(ring(top, 0.005, (0, 0, hub), segments=6), *spokes, tube(bent(harp), 0.002, segments=6))
    finial = lathe(curve(0.008, 0, 0.004, 0.012, 0.014, 0.018, 0.012, 0.03, 0.0, 0.042), segments=12).at(z=hub)
    bulb = socketed_bulb(style.pick("bulb", {"pear": 3, "ball": 1}), 1.0)
    kept = finial if style.maybe("finial", 0.6) else None
    return lamp_head(shade, light_bulb=bulb, lamp_wireframe_fitter=wires, lamp_finial=kept)


def trough(length: float, radius: float) -> Solid:
    """Half a hollow cylinder along x, open below, with closed ends."""
    lower = rectangle(1, 1).at(0, -0.5)
    outer, inner = ellipse(2 * radius, 1.9 * radius), ellipse(1.88 * radius, 1.78 * radius)
    ends = [prism(outer.minus(lower), 0.004, along="x").at(side * length / 2) for side in (-1, 1)]
    return union(prism(outer.minus(inner, lower), length, along="x"), *ends)
