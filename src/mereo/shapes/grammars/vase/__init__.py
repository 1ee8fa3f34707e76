"""Vases: for flowers, for plants in soil, or with a lid and for nothing but to be looked at."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import moved, sliding
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.vase.plants import flowers, green
from mereo.shapes.grips import ear, knob, strap
from mereo.shapes.joinery import around, sized
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, sphere, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed, solid_of

_WALLS = {"ceramic": 0.007, "metal": 0.0025, "glass": 0.006, "plastic": 0.005, "wood": 0.014}
"""Meters."""
_KINDS: dict[str, tuple[float, str, dict[str, float], tuple[float, float], tuple[float, float]]] = {
    "vase": (5.0, "vase", {"ceramic": 3, "glass": 1.2, "metal": 0.4}, (0.05, 0.11), (2.0, 3.8)),
    "floor vase": (1.2, "vase", {"ceramic": 2, "metal": 1, "wood": 1}, (0.1, 0.16), (3.6, 5.0)),
    "planter": (3.5, "planter", {"ceramic": 3, "plastic": 1, "metal": 0.6, "wood": 0.8}, (0.06, 0.17), (1.3, 2.0)),
    "jar": (1.6, "jar", {"ceramic": 3, "glass": 1, "wood": 0.6}, (0.06, 0.13), (1.7, 2.7)),
}
"""How usual a kind is, the group of its profiles, its matter, and the bounds of its radius and of its height by it."""


@grammar("vase")
def vase(style: Style) -> Part:
    """PartNet's root is the pot."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, group, materials, radii, shares = _KINDS[kind]
    material, radius = style.pick("material", materials), style.number("radius", *radii)
    height = radius * style.number("height", *shares)
    profile = PROFILES.drawn(style, "profile", group)
    name, wall = style.choices["profile"], _WALLS[material]
    floor = wall + (0.2 * height if name in ("urn", "goblet") else 0.003)
    form, twist = _form(style, kind, name)
    vessel = Vessel(sized(profile, radius, height), wall, floor, formed(form), twist, segments=28)
    base, raised = _base(style, kind, vessel, material)
    lid = sliding(leaf("lid", _lid(style, vessel, raised), material), (0, 0, 1), (0, 0.2)) if kind == "jar" else None
    container = leaf("container", _eared(style, kind, name, vessel).at(z=raised), material)
    return part("pot", part("body", container, lid), base, _things(style, kind, vessel, raised))


def _form(style: Style, kind: str, profile: str) -> tuple[str, float]:
    """How it looks from above, and by how much that turns on the way up."""
    usual: dict[str, float] = {
        "round": 7.0,
        "oval": 0.8,
        "octagonal": 0.8,
        "scalloped": 0.8,
        "hexagonal": 0.6,
        "ribbed": 0.8,
    }
    if profile == "cube":
        return style.pick("form", {"square": 2.0, "oblong": 1.5}), 0.0
    if kind == "jar" or profile in ("urn", "amphora"):
        return style.pick("form", {"round": 4.0, "octagonal": 1.0}), 0.0
    form = style.pick("form", usual | {"square": 0.8 if kind == "planter" else 0.4})
    winding = form in ("scalloped", "hexagonal", "ribbed") and kind in ("vase", "floor vase")
    return form, style.number("twist", 40, 100) if winding and style.maybe("twisted", 0.5) else 0.0


def _eared(style: Style, kind: str, profile: str, vessel: Vessel) -> Solid:
    """The walls, with two handles where that is usual."""
    if profile not in ("amphora", "urn", "baluster") or not style.maybe("ears", 0.85 if profile == "amphora" else 0.4):
        return vessel.solid()
    low, high = ((0.62, 0.9) if profile == "amphora" else (0.5, 0.8)) if profile != "urn" else (0.45, 0.72)
    ends = [(vessel.radius(z * vessel.rim) - 0.6 * vessel.wall, z * vessel.rim) for z in (low, high)]
    out = 0.35 * vessel.radius(0.6 * vessel.rim)
    solid = strap(ear("C" if profile == "urn" else "ear", *ends, out=out), 0.022, 0.012)
    return union(vessel.solid(), *(solid.turned(z=turn) for turn in (2, 182)))  # beside the edges of the walls


def _lid(style: Style, vessel: Vessel, raised: float) -> Solid:
    """On the neck, with a knob."""
    design, top = style.pick("lid", {"dome": 2.0, "hat": 1.0, "pagoda": 1.0, "flat": 1.0}), style.choices["radius"]
    neck = vessel.radius(vessel.rim) + 0.002
    high = neck * {"dome": 0.55, "hat": 0.6, "pagoda": 0.8, "flat": 0.3}[design]
    cover = solid_of(sized(PROFILES.group("lid")[design], neck, high), form=vessel.form)
    grip = knob(style.pick("knob", {"ball": 2.0, "button": 1.0, "drop": 1.0, "cone": 1.0}), 0.2 * top, 0.3 * top)
    return union(cover, grip.at(z=high - 0.002)).at(z=raised + vessel.rim - 0.001)


def _base(style: Style, kind: str, vessel: Vessel, material: str) -> tuple[Part | None, float]:
    """Feet under planters, jars and a few vases; and how high they lift the pot."""
    likely = {"planter": 0.45, "jar": 0.35, "vase": 0.12, "floor vase": 0.12}[kind]
    if not style.maybe("feet", likely):
        return None, 0.0
    wide, count = vessel.radius(0.0), style.count("foot count", 3, 4)
    designs = {"legs": 2.0, "balls": 1.5, "blocks": 1.0} if kind == "planter" else {"balls": 2.0, "blocks": 1.0}
    design, start = style.pick("foot", designs), 45 if count == 4 else 90
    if design == "legs":
        high, splay = style.number("leg height", 0.08, 0.22), style.number("splay", 0.0, 0.35)
        thick = 0.18 * wide
        foot = bar((0.75 * wide, 0, high + 0.004), (0.75 * wide + splay * high, 0, 0), thick, round=True, taper=0.6)
        made = style.pick("leg material", {"wood": 2.0, "metal": 1.0})
    else:
        size, made = 0.28 * wide, material
        high = 1.7 * size if design == "balls" else size
        ball, block = (
            sphere(size, (0.75 * wide, 0, 0.9 * size)),
            [(size, 0), (1.1 * size, 0.2 * size), (size, size + 0.002)],
        )
        foot = ball if design == "balls" else solid_of(block, segments=20).at(0.72 * wide)
    solids = [foot.turned(z=turn) for turn in around(count, start)]
    return part("base", part("foot_base", [leaf("foot", solid, made) for solid in solids])), high


def _things(style: Style, kind: str, vessel: Vessel, raised: float) -> Part | None:
    """Soil with something green, water with flowers, flowers alone, or nothing."""
    if kind == "jar" or not style.maybe("things", 0.93 if kind == "planter" else 0.6):
        return None
    high = vessel.floor + (vessel.rim - vessel.floor) * style.number("level", 0.75, 0.9)
    if kind == "planter":
        soil = leaf("liquid_or_soil", vessel.filling(high, crown=0.004), "rubber")
        grown = green(style, vessel, high) if style.maybe("planted", 0.9) else []
        return _lifted(raised, [soil], grown)
    if vessel.twist:
        return _lifted(raised, [], flowers(style, vessel))
    water = style.choices["material"] == "glass" or style.maybe("water", 0.3)
    level = vessel.floor + 0.5 * (high - vessel.floor)
    return _lifted(
        raised, [leaf("liquid_or_soil", vessel.filling(level), "plastic")] if water else [], flowers(style, vessel)
    )


def _lifted(raised: float, soil: list[Part], grown: list[Part]) -> Part | None:
    """What is in the pot, brought up to where the pot stands."""
    lift = np.eye(4)
    lift[2, 3] = raised
    return moved(part("containing_things", soil, grown), lift) if soil or grown else None
