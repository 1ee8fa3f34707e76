"""Thermoses: flasks with a cup for a lid, tumblers, jars for food, and jugs to pour from by a button."""

from __future__ import annotations

from mereo.shapes.articulation import sliding
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grips import ear, loop, strap
from mereo.shapes.part import Part
from mereo.shapes.profiles import curve
from mereo.shapes.solids import Solid, cylinder, shell, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import Vessel, fluted, solid_of

_KINDS: dict[str, tuple[float, tuple[float, float], tuple[float, float], tuple[float, ...]]] = {
    "flask": (2.5, (0.034, 0.045), (0.19, 0.26), (0.9, 0, 1, 0, 1, 0.05, 1, 0.86, 0.96, 0.94, 0.74, 1)),
    "bullet": (1.2, (0.032, 0.038), (0.2, 0.25), (0.86, 0, 0.98, 0, 1, 0.1, 1, 0.6, 0.94, 0.85, 0.8, 1)),
    "tumbler": (1.6, (0.04, 0.048), (0.15, 0.19), (0.7, 0, 0.74, 0, 0.76, 0.2, 0.84, 0.55, 0.98, 0.7, 1, 1)),
    "jar": (1.3, (0.046, 0.055), (0.11, 0.14), (0.9, 0, 0.98, 0, 1, 0.1, 1, 0.85, 0.94, 1)),
    "jug": (1.8, (0.06, 0.075), (0.19, 0.24), (0.8, 0, 0.94, 0, 1, 0.12, 0.98, 0.5, 0.7, 0.85, 0.6, 1)),
    "waisted": (1.0, (0.036, 0.043), (0.18, 0.24), (0.9, 0, 1, 0, 1, 0.1, 0.84, 0.45, 0.86, 0.6, 1, 0.85, 0.8, 1)),
}
"""How usual a kind is, bounds of its radius and of the height of its body, and its profile as a curve."""


@grammar("thermos")
def thermos(style: Style) -> Part:
    """The handle is on the right."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, radii, heights, numbers = _KINDS[kind]
    radius, height = style.number("radius", *radii), style.number("height", *heights)
    material = style.pick("material", {"metal": 3.0, "plastic": 1.0})
    base = style.number("base", 0.012, 0.03) if style.maybe("based", 0.5) else 0.0
    start = 0.6 * base
    vessel = Vessel([(radius * r, start + height * z) for r, z in curve(*numbers)], 0.0014, start + 0.005)
    end, top = vessel.radius(vessel.rim), vessel.rim
    foot = solid_of(
        [(0.96 * radius * numbers[2], 0), (1.03 * radius * numbers[2], 0.003), (1.03 * radius * numbers[2], base)]
    )
    collar = style.number("neck", 0.008, 0.02)
    wide = 1.02 * end if kind == "tumbler" else 0.88 * end
    neck = shell([(wide, top - 0.006), (wide, top + collar)], 0.004)
    return part(
        "thermos",
        leaf("body", vessel.solid(), material),
        leaf("base", foot, style.pick("base material", {"plastic": 1.0, "rubber": 1.0})) if base else None,
        leaf("neck", neck, "plastic"),
        _closed(style, kind, end, top, collar),
        _handle(style, kind, vessel),
    )


def _closed(style: Style, kind: str, edge: float, top: float, collar: float) -> list[Part]:
    """A cup turned over, a screw lid, a lid with a loop, or one to drink or pour from."""
    usual = {"cup": 3.0, "screw": 1.0, "loop": 1.2}
    tops = {"tumbler": {"sip": 2.0, "straw": 1.0}, "jug": {"pour": 1.0}, "jar": {"screw": 1.5, "cup": 0.7, "loop": 1.0}}
    design = style.pick("lid", tops.get(kind, usual))
    made, z = style.pick("lid material", {"plastic": 2.0, "metal": 1.0}), top + 0.001
    if design == "cup":
        tall = style.number("cup height", 0.05, 0.075)
        body = solid_of(
            [
                (1.0 * edge, 0),
                (1.12 * edge, 0.002),
                (1.1 * edge, 0.5 * tall),
                (0.98 * edge, 0.92 * tall),
                (0.85 * edge, tall),
            ]
        )
        if style.maybe("cup handle", 0.4):
            body = union(
                body,
                strap(ear("C", (1.08 * edge, 0.2 * tall), (1.0 * edge, 0.8 * tall), out=0.022), 0.012, 0.006).turned(
                    z=3
                ),
            )
        return [_lifting(body.at(z=z), made)]
    if design in ("screw", "loop"):
        tall = style.number("lid height", 0.022, 0.04)
        body = solid_of(
            [(1.02 * edge, 0), (1.05 * edge, 0.003), (1.05 * edge, tall - 0.004), (0.94 * edge, tall)],
            form=fluted(16, 0.015),
            segments=48,
        )
        if design == "loop":
            body = union(
                body, strap(loop(1.3 * edge, 0.034, square=0.6), 0.014, 0.007).turned(y=-90).at(z=tall - 0.002)
            )
        return [_lifting(body.at(z=z), made)]
    if design in ("sip", "straw"):
        body = solid_of([(1.03 * edge, -0.004), (1.05 * edge, 0.004), (1.02 * edge, 0.012), (0.6 * edge, 0.016)])
        spout = solid_of([(0.2 * edge, 0), (0.16 * edge, 0.012)], segments=16).at(-0.5 * edge, 0, z + collar + 0.012)
        if design == "straw":
            spout = cylinder(0.0045, 0.085).turned(y=-6).at(-0.3 * edge, 0, z + collar - 0.004)
        return [_lifting(body.at(z=z + collar), made), leaf("spout", spout, "plastic")]
    body = solid_of(
        [(1.0 * edge, 0), (1.08 * edge, 0.002), (1.0 * edge, 0.03), (0.8 * edge, 0.045), (0.4 * edge, 0.05)]
    )
    beak = strap(
        [(-0.7 * edge, 0, 0.012), (-1.1 * edge, 0, 0.018), (-1.55 * edge, 0, 0.034)], 0.03, 0.014, ends=0.9
    ).at(z=z)
    button = leaf("button", cylinder(0.4 * edge, 0.014, (0, 0, z + 0.046), bevel=0.003), "plastic")
    return [_lifting(body.at(z=z), made), leaf("spout", beak, made), sliding(button, (0, 0, 1), (-0.006, 0.0))]


def _lifting(solid: Solid, material: str) -> Part:
    return sliding(leaf("lid", solid, material), (0, 0, 1), (0.0, 0.12))


def _handle(style: Style, kind: str, vessel: Vessel) -> Part | None:
    """Jugs always have one, tumblers and flasks some."""
    if not style.maybe("handled", {"jug": 1.0, "tumbler": 0.4, "flask": 0.35, "jar": 0.25}.get(kind, 0.2)):
        return None
    design = style.pick("handle", {"C": 1.0, "D": 1.0, "square": 1.0, "ear": 0.7})
    ends = (0.25, 0.92) if kind == "jug" else (0.3, 0.8)
    foot, top = ((vessel.radius(z * vessel.rim) - 0.0006, z * vessel.rim) for z in ends)
    line = ear(design, foot, top, out=style.number("reach", 0.03, 0.042))
    return leaf("handle", strap(line, 0.02, 0.011), "plastic")
