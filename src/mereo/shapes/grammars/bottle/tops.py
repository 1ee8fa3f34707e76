"""What closes bottles: caps, corks, crowns, stoppers, pumps and triggers."""

from __future__ import annotations

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import leaf
from mereo.shapes.grips import knob, loop, strap
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, shell, sphere, tube, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import fluted, solid_of

__all__ = ["topped"]

_UP = (0.0, 0.0, 1.0)


def topped(style: Style, top: str, radius: float, z: float, material: str) -> list[Part]:
    """What stands on a neck that ends at a height. radius : of the outside of the neck"""
    mouth = [leaf("mouth", _mouth(radius, z), material)]
    if top == "none":
        return mouth
    if top in ("cork", "stopper"):
        return [*mouth, _lifting("closure", *_plug(style, top, radius, z))]
    if top == "foil":
        foil = solid_of([(radius + 0.001, -0.05), (radius + 0.001, 0.002), (radius, 0.004)])
        return [leaf("closure", foil.at(z=z), "metal")]
    if top == "swing":
        bail = tube(
            [
                (0, -radius - 0.002, -0.02),
                (0, -radius - 0.004, 0.004),
                (0, 0, 0.014),
                (0, radius + 0.004, 0.004),
                (0, radius + 0.002, -0.02),
            ],
            0.0013,
            segments=6,
        )
        plug = union(
            solid_of([(0.75 * radius, -0.004), (radius, 0.002), (0.9 * radius, 0.012), (0.5 * radius, 0.015)]), bail
        )
        return [*mouth, _lifting("closure", plug.at(z=z), "ceramic")]
    if top == "trigger":
        return _trigger(radius, z)
    if top == "pump":
        return _pump(style, radius, z)
    if top in ("cap", "ball"):
        collar = leaf("closure", shell([(radius + 0.0015, -0.005), (radius + 0.0015, 0.0)], 0.002).at(z=z), "metal")
        return [
            collar,
            _lifting(
                "lid",
                _cap(style, top, radius).at(z=z - 0.001),
                style.pick("cap material", {"metal": 1.0, "plastic": 1.0, "glass": 1.0}),
            ),
        ]
    return [_lifting("lid", _lid(style, top, radius).at(z=z), "metal" if top == "crown" else "plastic")]


def _lifting(name: str, solid: Solid, material: str) -> Part:
    return sliding(leaf(name, solid, material), _UP, (0.0, 0.06))


def _mouth(radius: float, z: float) -> Solid:
    """A thick lip around the end of the neck."""
    lip = [(radius + 0.0004, -0.008), (radius + 0.0022, -0.006), (radius + 0.0022, -0.001), (radius + 0.0012, 0.0008)]
    return shell([(r, z + h) for r, h in lip], 0.003)


def _plug(style: Style, top: str, radius: float, z: float) -> tuple[Solid, str]:
    inner = radius - 0.0026
    if top == "cork":
        return solid_of([(0.92 * inner, -0.012), (inner, 0.0), (1.05 * inner, 0.01), (inner, 0.012)]).at(z=z), "wood"
    head = knob(style.pick("stopper", {"ball": 1.0, "cone": 1.0, "button": 1.0}), 1.7 * radius, 2.2 * radius)
    return union(head, cylinder(inner, 0.012, (0, 0, -0.01))).at(z=z), style.pick(
        "stopper material", {"glass": 2.0, "wood": 1.0, "metal": 1.0}
    )


def _cap(style: Style, top: str, radius: float) -> Solid:
    """Of scent: a block or a ball over the neck."""
    wide = 1.7 * radius
    if top == "ball":
        return sphere(wide, (0, 0, 0.75 * wide), segments=24)
    tall = style.number("cap height", 0.016, 0.03)
    if style.maybe("square cap", 0.5):
        return box((1.8 * wide, 1.8 * wide, tall), (0, 0, tall / 2), bevel=0.0015)
    return cylinder(wide, tall, bevel=0.0015)


def _lid(style: Style, top: str, radius: float) -> Solid:
    """A cap that reaches down over the neck, z = 0 being the end of the neck."""
    wide = radius + 0.002
    deep = min(0.014, radius)
    if top == "crown":
        return solid_of(
            [(wide + 0.0015, -0.006), (wide + 0.001, -0.003), (wide, 0.0), (0.8 * wide, 0.0015)],
            form=fluted(10, 0.05),
            segments=40,
        )
    tall = style.number("lid height", 0.002, 0.012)
    cap = solid_of(
        [(wide, -deep), (1.03 * wide, 0.8 * -deep), (1.02 * wide, tall), (0.94 * wide, tall + 0.0015)],
        form=fluted(20, 0.015),
        segments=40,
    )
    if top == "sport":
        spout = solid_of(
            [
                (0.55 * wide, 0),
                (0.42 * wide, 0.5 * wide),
                (0.5 * wide, 0.7 * wide),
                (0.5 * wide, wide),
                (0.35 * wide, 1.15 * wide),
            ]
        )
        return union(cap, spout.at(z=tall))
    if top == "nozzle":
        return union(cap, cylinder(0.6 * wide, 0.03, (0, 0, tall), top=0.14 * wide))
    if top == "flip":
        return cylinder(1.7 * wide, 0.024, (0, 0, -0.004), bevel=0.003, top=1.5 * wide)
    if top == "loop":
        return union(cap, strap(loop(1.5 * wide, 0.028, square=0.6), 0.011, 0.006).turned(y=-90).at(z=tall - 0.001))
    return cap


def _trigger(radius: float, z: float) -> list[Part]:
    """A collar, a head with a nozzle to the left, and the trigger under it."""
    collar = leaf("closure", cylinder(radius + 0.003, 0.018, (0, 0, z - 0.012), bevel=0.002), "plastic")
    neck = bar((0, 0, z), (0, 0, z + 0.03), 0.018, 0.02, bevel=0.004)
    head = box((0.075, 0.024, 0.022), (-0.012, 0, z + 0.036), bevel=0.006)
    nozzle = cylinder(0.009, 0.014, bevel=0.002).turned(y=-90).at(-0.047, 0, z + 0.038)
    path = [(-0.026, 0, z + 0.032), (-0.03, 0, z + 0.012), (-0.026, 0, z - 0.006), (-0.036, 0, z - 0.024)]
    handle = leaf("handle", strap(path, 0.014, 0.006), "plastic")
    lid = leaf("lid", union(neck, head, nozzle), "plastic")
    return [collar, lid, turning(handle, (0, 1, 0), (-0.026, 0, z + 0.032), (-25.0, 0.0))]


def _pump(style: Style, radius: float, z: float) -> list[Part]:
    """A collar, and a head with a spout that is pressed down."""
    collar = leaf(
        "closure",
        cylinder(radius + 0.003, 0.018, (0, 0, z - 0.012), bevel=0.002),
        style.pick("collar", {"metal": 1.0, "plastic": 1.0}),
    )
    made, reach = style.pick("pump material", {"metal": 1.0, "plastic": 1.0}), style.number("spout", 0.03, 0.045)
    stem = cylinder(0.005, 0.036, (0, 0, z))
    head = cylinder(0.0105, 0.012, (0, 0, z + 0.034), bevel=0.002)
    spout = strap([(0, 0, z + 0.041), (-0.7 * reach, 0, z + 0.041), (-reach, 0, z + 0.033)], 0.009, 0.007)
    return [collar, sliding(leaf("lid", union(stem, head, spout), made), _UP, (-0.015, 0.0))]
