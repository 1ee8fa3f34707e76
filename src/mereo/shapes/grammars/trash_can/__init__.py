"""Trash cans: pedal bins, swing lids, wheelie bins, office baskets, street cans, drums with a lid."""

from __future__ import annotations

from mereo.shapes.articulation import spinning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.trash_can.covers import Can, lidded, pedal, roofed, swinging
from mereo.shapes.grips import loop, strap
from mereo.shapes.joinery import around, pair
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box, cylinder, lathe, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import Form, Vessel, fluted, hoop, polygonal, rectangular, round_form, solid_of

_KINDS: dict[str, tuple[float, tuple[str, ...], dict[str, float], tuple[float, float], tuple[float, float]]] = {
    "pedal": (2.4, ("round", "round", "oblong", "half"), {"metal": 2, "plastic": 1}, (0.1, 0.17), (2.6, 4.0)),
    "swing": (1.6, ("oblong", "square", "round"), {"plastic": 2, "metal": 1}, (0.12, 0.19), (2.8, 3.8)),
    "wheelie": (1.8, ("oblong", "square"), {"plastic": 1}, (0.24, 0.3), (3.0, 3.5)),
    "basket": (1.8, ("round", "round", "square"), {"plastic": 2, "metal": 1}, (0.12, 0.16), (1.8, 2.4)),
    "open": (
        1.4,
        ("round", "square", "octagonal", "oblong"),
        {"plastic": 2, "metal": 1, "wood": 1},
        (0.11, 0.17),
        (1.8, 2.6),
    ),
    "drum": (1.4, ("ribbed", "round"), {"metal": 2, "plastic": 1}, (0.2, 0.27), (2.2, 2.8)),
    "street": (1.8, ("round", "square", "octagonal"), {"metal": 1}, (0.2, 0.27), (2.7, 3.3)),
    "cased": (1.2, ("round", "square", "oblong"), {"metal": 1, "plastic": 1}, (0.15, 0.22), (2.8, 3.8)),
}
"""How usual a kind is, its forms, what it is made of, and bounds of its radius and of its height by that."""

_FORMS: dict[str, Form] = {
    "round": round_form,
    "square": rectangular(squareness=10),
    "oblong": rectangular(1.1, 0.78, squareness=10),
    "half": rectangular(1.15, 0.75, squareness=3.5),
    "octagonal": polygonal(8),
    "ribbed": fluted(16, 0.025),
}


@grammar("trash_can")
def trash_can(style: Style) -> Part:
    """A container, with what stands around it, lies over it and carries it."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, forms, materials, radii, shares = _KINDS[kind]
    material, radius = style.pick("material", materials), style.number("radius", *radii)
    height = radius * style.number("height", *shares)
    name = style.pick("form", dict.fromkeys(forms, 1.0))
    likely = {"basket": (0.66, 0.85), "open": (0.7, 1.1), "wheelie": (0.74, 0.84), "swing": (0.8, 1.0)}
    foot = style.number("taper", *likely.get(kind, (0.94, 1.0)))
    can = Can(_FORMS[name], radius, height, foot, material)
    makers = {"pedal": _pedal_bin, "swing": _swing_bin, "wheelie": _wheelie, "basket": _basket}
    more = {"open": _open_bin, "drum": _drum, "street": _street_can, "cased": _cased}
    return part("trash_can", (makers | more)[kind](style, can))


def _walls(can: Can, *, low: float = 0.0, top: float | None = None, shrink: float = 0.0, material: str = "") -> Part:
    """The hollow body, open above."""
    high, made = can.height if top is None else top, material or can.material
    wall = {"metal": 0.0012, "wood": 0.01}.get(made, 0.0025)
    profile = [
        (can.foot * can.radius - shrink, low),
        (can.foot * can.radius - shrink, low + 0.004),
        (can.radius - shrink, high),
    ]
    return leaf("container_box", Vessel(profile, wall, low + wall + 0.002, can.form, segments=40).solid(), made)


def _rim(can: Can, *, out: float = 0.008, tall: float = 0.02) -> Part:
    """A collar around the opening."""
    wide, high = can.radius + out, can.height
    return leaf(
        "container_neck",
        hoop([(wide, high - tall), (wide + 0.001, high + 0.002)], out + 0.004, form=can.form, segments=40),
        can.material,
    )


def _plinth(can: Can, tall: float) -> Part:
    """A wider bottom that the walls stand in."""
    wide = can.foot * can.radius
    profile = [(1.02 * wide, 0.0), (1.04 * wide, 0.15 * tall), (1.03 * wide, tall)]
    return leaf("container_bottom", solid_of(profile, form=can.form, segments=40), "plastic")


def _feet(style: Style, can: Can, count: int = 4) -> tuple[Part, float]:
    """Short feet, and how high they are."""
    tall, wide = style.number("foot height", 0.015, 0.05), 0.12 * can.radius
    foot = cylinder(wide, tall + 0.002, top=1.15 * wide, bevel=0.002)
    x, y = can.foot * can.reach(0), can.foot * can.reach(90)
    places = [(sx * 0.66 * x, sy * 0.66 * y) for sx in (-1, 1) for sy in (-1, 1)][:count]
    return part("base", [leaf("foot", foot.at(*place), "rubber") for place in places]), tall


def _pedal_bin(style: Style, can: Can) -> list[Part]:
    tall = style.number("plinth", 0.02, 0.05)
    opened = style.number("opened", 35, 80) if style.maybe("open", 0.3) else 0.0
    container = part(
        "container", _walls(can, low=0.4 * tall), _plinth(can, tall), _rim(can) if style.maybe("rim", 0.6) else None
    )
    cover = part("cover", lidded(style, can, opened), pedal(style, can, opened))
    return [container, cover]


def _swing_bin(style: Style, can: Can) -> list[Part]:
    base, lift = _feet(style, can) if style.maybe("feet", 0.3) else (None, 0.0)
    container = part("container", _walls(can, low=lift), _rim(can) if style.maybe("rim", 0.5) else None)
    return [container, part("cover", swinging(style, can)), *([base] if base else [])]


def _wheelie(style: Style, can: Can) -> list[Part]:
    """Wheels at the back, a bar to pull it by, a lid on a hinge."""
    opened = style.number("opened", 40, 110) if style.maybe("open", 0.25) else 0.0
    size, lift = style.number("wheel", 0.07, 0.1), 0.03
    back = can.foot * can.reach(90)
    wheel = lathe(
        [(0.3 * size, 0), (0.85 * size, 0), (size, 0.012), (size, 0.04), (0.85 * size, 0.05), (0.3 * size, 0.052)]
    )
    x = 0.72 * can.foot * can.reach(0)
    wheels = [
        spinning(leaf("foot", solid, "rubber"), (1, 0, 0), (0, back - 0.3 * size, size))
        for solid in pair(wheel.turned(y=90).at(x, back - 0.3 * size, size))
    ]
    stops = [
        leaf("foot", solid, "plastic")
        for solid in pair(box((0.05, 0.08, lift + 0.004), (0.6 * x, 0.1 - back, lift / 2 + 0.002), bevel=0.004))
    ]
    axle = bar((-x - 0.02, back - 0.3 * size, size), (x + 0.02, back - 0.3 * size, size), 0.025, round=True)
    container = part(
        "container", _walls(can, low=lift), _rim(can, out=0.02, tall=0.035), leaf("container_bottom", axle, "metal")
    )
    return [container, part("cover", lidded(style, can, opened, wide_hinge=True)), part("base", wheels, stops)]


def _basket(style: Style, can: Can) -> list[Part]:
    """Wires or rods around a liner, between rings."""
    thick, count = style.number("wire", 0.0035, 0.006), style.count("wires", 16, 28)
    rings = style.count("rings", 2, 4)
    top, foot = can.radius + 0.002, can.foot * can.radius + 0.002
    bars = []
    for turn in around(count):
        start, end = can.point(turn, foot), can.point(turn, top)
        bars.append(bar((*start, 0.004), (*end, can.height), thick, round=True, sides=6))
    hoops = [
        _circle(can, foot + (top - foot) * k / (rings - 1), 0.004 + (can.height - 0.004) * k / (rings - 1), 1.5 * thick)
        for k in range(rings)
    ]
    floor = solid_of([(0.98 * foot, 0.001), (0.98 * foot, 0.007)], form=can.form, segments=40)
    frame = part(
        "outside_frame",
        [leaf("frame_vertical_bar", each, "metal") for each in bars],
        [leaf("frame_horizontal_circle", each, "metal") for each in hoops],
        leaf("frame_bottom", floor, "metal"),
    )
    return [part("container", _walls(can, low=0.005, top=can.height - 0.01, shrink=0.003, material="plastic")), frame]


def _circle(can: Can, radius: float, z: float, thick: float) -> Solid:
    return hoop(
        [(radius + thick / 2, z - thick / 2), (radius + thick / 2 + 4e-4, z + thick / 2)],
        thick,
        form=can.form,
        segments=40,
    )


def _open_bin(style: Style, can: Can) -> list[Part]:
    """Nothing over it; some stand on feet, some on a wider bottom."""
    design = style.pick("stand", {"none": 1.5, "feet": 1.0, "plinth": 1.0})
    base, lift = _feet(style, can) if design == "feet" else (None, 0.0)
    plinth = _plinth(can, 0.03) if design == "plinth" else None
    rim = _rim(can, tall=style.number("rim height", 0.015, 0.05)) if style.maybe("rim", 0.6) else None
    return [
        part("container", _walls(can, low=lift + 0.01 * (design == "plinth")), plinth, rim),
        *([base] if base else []),
    ]


def _drum(style: Style, can: Can) -> list[Part]:
    """With a lid that is lifted and a grip on either side."""
    grip = strap(loop(0.12, 0.035), 0.012, 0.01).turned(x=90).at(can.reach(0) - 0.003, 0, 0.8 * can.height)
    container = part(
        "container",
        _walls(can, low=0.01),
        _plinth(can, 0.03),
        leaf(
            "container_neck",
            union(
                *pair(grip),
                hoop(
                    [(can.radius + 0.006, 0.78 * can.height), (can.radius + 0.006, 0.82 * can.height)],
                    0.012,
                    form=can.form,
                ),
            ),
            "metal",
        ),
    )
    return [container, part("cover", lidded(style, can, 0.0, loose=True))] if style.maybe("lid", 0.8) else [container]


def _street_can(style: Style, can: Can) -> list[Part]:
    """Slats around a liner, and some have a roof."""
    made, lift = style.pick("slats", {"wood": 1.2, "metal": 1.0}), style.number("clearance", 0.03, 0.08)
    count, flat = style.count("slat count", 12, 22), style.number("slat width", 0.03, 0.045)
    bars = []
    for turn in around(count, 180 / count):
        x, y = can.point(turn, can.radius)
        slab = box((0.016, flat, can.height - lift), bevel=0.003).turned(z=turn)
        bars.append(leaf("frame_vertical_bar", slab.at(x, y, (can.height + lift) / 2), made))
    inner = can.radius - 0.006
    circles = [
        leaf("frame_horizontal_circle", _circle(can, inner, z, 0.014), "metal")
        for z in (lift + 0.06, can.height - 0.06)
    ]
    floor = leaf(
        "frame_bottom", solid_of([(inner, lift + 0.02), (inner, lift + 0.035)], form=can.form, segments=40), "metal"
    )
    column = leaf("foot", cylinder(0.35 * can.radius, lift + 0.022, bevel=0.004), "metal")
    liner = _walls(
        can, low=lift + 0.034, top=can.height - 0.01, shrink=0.022, material="plastic" if made == "wood" else "metal"
    )
    cover = part("cover", roofed(style, can)) if style.maybe("roof", 0.5) else None
    return [
        part("container", liner),
        part("outside_frame", bars, circles, floor),
        part("base", column),
        *([cover] if cover else []),
    ]


def _cased(style: Style, can: Can) -> list[Part]:
    """A bucket in a casing that is open above, or in a frame of tubes."""
    casing = hoop(
        [(can.radius + 0.012, 0.0), (can.radius + 0.012, style.number("casing", 0.8, 0.96) * can.height)],
        0.005,
        form=can.form,
    )
    if style.maybe("tubes", 0.5):
        rods = [
            bar(
                (*can.point(turn, can.radius + 0.008), 0.0),
                (*can.point(turn, can.radius + 0.008), can.height),
                0.018,
                round=True,
            )
            for turn in around(4, 45)
        ]
        casing = union(
            *rods, *(_circle(can, can.radius + 0.008, z, 0.016) for z in (0.06, 0.5 * can.height, 0.94 * can.height))
        )
    frame = part("outside_frame", leaf("frame_holistic", casing, "metal"))
    cover = part("cover", roofed(style, can) if style.maybe("roof", 0.4) else lidded(style, can, 0.0, loose=True))
    return [
        part("container", _walls(can, low=0.02, shrink=-0.0015)),
        frame,
        *([cover] if style.maybe("cover", 0.5) else []),
    ]
