"""What carts roll on."""

from __future__ import annotations

from collections.abc import Iterable

from mereo.shapes.articulation import spinning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.joinery import Span, leaves, pair
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, lathe, ring, union

__all__ = ["axle", "casters"]


def _wheel(radius: float, width: float, kind: str) -> Solid:
    """A wheel around the origin that rolls along y: a plain roller, a disc with a tire, or spokes."""
    if kind == "spoked":
        rim, hub = ring(radius - width / 2, width), cylinder(0.16 * radius, 1.5 * width).at(z=-0.75 * width)
        spoke = bar((0, 0, 0), (0.97 * radius - width / 2, 0, 0), 0.35 * width, round=True, sides=8)
        solid = union(rim, hub, *(spoke.turned(z=45 * k) for k in range(8)))
    elif kind == "disc":
        half = [(0.25, 0.6), (0.25, 0.25), (0.66, 0.25), (0.7, 0.5), (0.92, 0.42), (1.0, 0.2)]
        both = [*half, *((r, -z) for r, z in half[::-1])]
        solid = lathe([(radius * r, -width * z) for r, z in both], segments=32)
    else:
        solid = cylinder(radius, width, bevel=0.15 * width).at(z=-width / 2)
    return solid.turned(y=90)


def casters(spots: Iterable[Span], height: float) -> list[Part]:
    """A swivelling wheel under each place, which lies at a height."""
    radius, width = 0.4 * height, 0.22 * height + 0.006
    trail, top = 0.25 * radius, 2 * radius + 0.012
    cheek = box((0.005, 0.9 * radius, 1.25 * radius), (width / 2 + 0.004, trail, 1.4 * radius))
    yoke = union(*pair(cheek), box((width + 0.013, 0.9 * radius, 0.006), (0, trail, top)))
    pin = cylinder(0.006, width + 0.012).at(z=-width / 2 - 0.006).turned(y=90)
    wheel = union(_wheel(radius, width, "plain"), pin).at(0, trail, radius)
    stem = cylinder(0.16 * radius + 0.006, height - top + 0.008, (0, 0, top - 0.004))
    made = []
    for x, y in spots:
        rolling = spinning(leaf("wheel", wheel.at(x, y)), (1, 0, 0), (x, y + trail, radius))
        fork = leaf("caster_yoke", yoke.at(x, y)), leaf("caster_stem", stem.at(x, y))
        made.append(spinning(part("caster", rolling, fork), (0, 0, 1), (x, y, 0)))
    return made


def axle(track: float, y: float, radius: float, width: float, kind: str) -> list[Part]:
    """Two wheels and what joins them. track : between the middles of the wheels"""
    reach = track / 2 + 0.6 * width
    rod = bar((-reach, y, radius), (reach, y, radius), 0.022, round=True)
    wheels = leaves("wheel", pair(_wheel(radius, width, kind).at(track / 2, y, radius)))
    return [leaf("axle", rod), *(spinning(wheel, (1, 0, 0), (0, y, radius)) for wheel in wheels)]
