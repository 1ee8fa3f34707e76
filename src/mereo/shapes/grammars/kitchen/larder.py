"""Jars, salt shakers, rolling pins and cakes."""

from __future__ import annotations

import math

import numpy as np

from mereo.shapes.articulation import sliding, spinning, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import profile_of, smooth, vessel
from mereo.shapes.joinery import around, pair, sized
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import blob, level_ring
from mereo.shapes.outlines import polygon
from mereo.shapes.part import Part
from mereo.shapes.skins import loft
from mereo.shapes.solids import Solid, bar, bent, cylinder, lathe, ring, sphere, tube, union
from mereo.shapes.style import Style


@grammar("jar")
def jar(style: Style) -> Part:
    """A vessel with a lid that screws, lifts or is clasped, a label for some, and jam or flour in it."""
    kind = style.pick("kind", {"jam": 1.5, "straight": 1.2, "belly": 1, "squat": 1})
    radius = style.number("radius", 0.032, 0.06)
    tall = radius * style.number("height", 2.0, 2.6) * {"squat": 0.6}.get(kind, 1.0)
    sides = int(style.pick("sides", {"32": 4, "8": 1, "6": 1}))
    material = style.pick("material", {"glass": 3, "ceramic": 1.5})
    profile = profile_of("jars", kind, radius, tall)
    made = [leaf("body", vessel(profile, 0.0035, segments=sides, floor=0.005), material)]
    level = style.number("level", 0.5, 0.75) * tall
    if material == "glass" and style.maybe("filled", 0.6):
        heights = np.linspace(0.006, level, 6)
        grown = 1 / math.cos(math.pi / sides)
        out = [grown * (float(np.interp(z, profile[:, 1], profile[:, 0])) - 0.003) for z in heights]
        fill = loft([level_ring(2 * r, 2 * r, z, segments=sides) for r, z in zip(out, heights, strict=True)], blocks=1)
        made.append(leaf("containing_things", fill, "food"))
    if style.maybe("labeled", 0.5):
        made.append(leaf("label", _label(profile, 0.28 * tall, 0.55 * tall, sides), "paper"))
    return part("jar", made, _jar_lid(style, float(profile[-1, 0]), tall, sides))


def _label(profile: Floats, low: float, high: float, sides: int) -> Solid:
    """A sheet bent around the front half of a jar."""
    middle = {6: 240}.get(sides, 270)
    turns = np.linspace(200, 340, 13) if sides > 8 else middle + (360 / sides) * np.linspace(-0.42, 0.42, 13)
    flat = 1.0 / np.cos(np.radians(turns - middle)) if sides <= 8 else np.ones(13)
    up, rings = np.linspace(low, high, 5), []
    for turn, share in zip(np.radians(turns), flat, strict=True):
        way, points = np.array([np.cos(turn), np.sin(turn), 0.0]), []
        for z, out in [*((z, 0.001) for z in up), *((z, -0.001) for z in up[::-1])]:
            points.append(way * share * (float(np.interp(z, profile[:, 1], profile[:, 0])) + out) + (0, 0, z))
        rings.append(np.array(points))
    return loft(rings[::-1])


def _jar_lid(style: Style, mouth: float, tall: float, sides: int) -> list[Part]:
    kind = style.pick("lid", {"screw": 1.5, "cork": 1, "knob": 1, "clasp": 1})
    if kind == "screw":
        high, ribs = style.number("lid height", 0.012, 0.02), np.linspace(0, 2 * np.pi, 48, endpoint=False)
        ripple, mouth = 1 + 0.012 * np.cos(16 * ribs), mouth / math.cos(math.pi / sides)
        shares = [(0.9, 0.0), (1.0, 0.002), (1.0, high - 0.002), (0.96, high), (0.05, high)]
        cap = blob([(r * (mouth + 0.003), tall - 0.8 * high + z) for r, z in shares], ripple=ripple, segments=48)
        lid = part("lid", leaf("lid_surface", cap, style.pick("lid material", {"metal": 2, "plastic": 1})))
        return [spinning(lid, (0, 0, 1), (0, 0, tall))]
    if kind == "cork":
        high = style.number("lid height", 0.02, 0.03)
        cork = lathe(
            [
                (mouth - 0.0045, tall - 0.012),
                (mouth - 0.0036, tall + 0.0005),
                (mouth + 0.004, tall + 0.001),
                (mouth + 0.005, tall + high),
            ]
        )
        return [sliding(part("lid", leaf("lid_surface", cork, "wood")), (0, 0, 1), (0, 0.06))]
    mouth /= math.cos(math.pi / sides)
    rise = 0.25 * mouth + 0.006
    dome = blob(
        [
            (mouth + 0.003, tall - 0.001),
            (mouth + 0.003, tall + 0.004),
            (0.75 * mouth, tall + 0.7 * rise),
            (0.1 * mouth, tall + rise),
        ]
    )
    if kind == "knob":
        knob = sphere(0.22 * mouth + 0.004, (0, 0, tall + rise + 0.16 * mouth), segments=18)
        lid = part("lid", leaf("lid_surface", dome, "ceramic"), leaf("knob", knob, "ceramic"))
        return [sliding(lid, (0, 0, 1), (0, 0.06))]
    tipped = style.number("lid open", 30, 100) * style.maybe("open", 0.35)
    lid = turning(
        part("lid", leaf("lid_surface", dome, "glass")), (-1, 0, 0), (0, mouth + 0.003, tall), (0, 110), stands=tipped
    )
    y = -mouth - 0.002
    wire = tube(
        bent(
            [
                (-0.012, y, tall + 0.001),
                (-0.012, y - 0.005, tall - 0.025),
                (0.012, y - 0.005, tall - 0.025),
                (0.012, y, tall + 0.001),
            ]
        ),
        0.0015,
        segments=8,
    )
    belt = ring(mouth + 0.001, 0.004, (0, 0, tall - 0.005), segments=8)
    return [lid, leaf("clasp", union(wire, belt), "metal")]


@grammar("rolling_pin")
def rolling_pin(style: Style) -> Part:
    """A roller with handles, about which it turns; or one that tapers to its ends and has none."""
    kind = style.pick("kind", {"handles": 3, "tapered": 1, "plain": 0.8})
    long, radius = style.number("length", 0.22, 0.32), style.number("radius", 0.02, 0.032)
    material = style.pick("material", {"wood": 3, "ceramic": 1, "metal": 0.6})
    if kind == "tapered":
        shares = [(0.42, -0.7), (0.6, -0.6), (0.92, -0.3), (1, 0), (0.92, 0.3), (0.6, 0.6), (0.42, 0.7)]
        return part("rolling_pin", leaf("roller", lathe(sized(shares, radius, long)).turned(y=90), "wood"))
    bevel = style.number("edge", 0.002, 0.012)
    roller = cylinder(radius, long, (0, 0, -long / 2), bevel=bevel).turned(y=90)
    if kind == "plain":
        knobs = pair(sphere(0.55 * radius, (long / 2 + 0.2 * radius, 0, 0), segments=18))
        return part("rolling_pin", leaf("roller", roller, material), [leaf("handle", each, material) for each in knobs])
    reach, gap = style.number("handle", 0.08, 0.11), 0.012
    grips = {
        "club": [(0.3, 0), (0.42, 0.15), (0.5, 0.6), (0.42, 0.9), (0.15, 1)],
        "ball": [(0.3, 0), (0.34, 0.5), (0.3, 0.65), (0.52, 0.85), (0.15, 1)],
        "waist": [(0.5, 0), (0.36, 0.3), (0.44, 0.7), (0.5, 0.85), (0.3, 1)],
    }
    shares = grips[style.pick("handles", dict.fromkeys(grips, 1.0))]
    grip = lathe(sized(shares, radius, reach), segments=20).turned(y=90).at(x=long / 2 + gap)
    axle = bar((-long / 2 - gap - 0.01, 0, 0), (long / 2 + gap + 0.01, 0, 0), 0.4 * radius, round=True)
    rolls = spinning(leaf("roller", roller, material), (1, 0, 0), (0, 0, 0))
    held = style.pick("handle material", {"wood": 3, "plastic": 1})
    return part("rolling_pin", rolls, leaf("axle", axle, "metal"), [leaf("handle", each, held) for each in pair(grip)])


@grammar("salt_shaker")
def salt_shaker(style: Style) -> Part:
    """A body with a cap that has holes in it; or a mill, whose head turns."""
    kind = style.pick("kind", {"diner": 1.5, "cone": 1, "barrel": 1, "cube": 0.8, "mill": 1.5})
    if kind == "mill":
        return _mill(style)
    radius = style.number("radius", 0.016, 0.024)
    tall = radius * style.number("height", 2.4, 3.4)
    material = style.pick("material", {"glass": 2, "ceramic": 1.5, "wood": 0.8})
    shares = {"diner": [(0.9, 0), (1, 0.05), (0.84, 1)], "cone": [(1, 0), (1.05, 0.05), (0.6, 1)]}
    shares |= {"barrel": [(0.7, 0), (0.95, 0.12), (1.05, 0.5), (0.8, 1)], "cube": [(0.95, 0), (1, 0.03), (1, 1)]}
    sides = {"cube": 4, "diner": int(style.pick("facets", {"8": 1, "10": 1, "28": 1}))}.get(kind, 28)
    body = blob(smooth(shares[kind], radius, tall), segments=sides).turned(z=180 / sides)
    neck = radius * float(shares[kind][-1][0]) * (1.05 if kind != "cube" else 0.7)
    dome, thread = style.number("cap height", 0.5, 0.9) * neck, 0.25 * neck
    cap = blob(
        [
            (neck, tall - 0.001),
            (neck, tall + thread),
            (0.85 * neck, tall + thread + 0.6 * dome),
            (0.4 * neck, tall + thread + 0.95 * dome),
            (0.05 * neck, tall + thread + dome),
        ]
    )
    top, count = tall + thread + dome, style.count("holes", 2, 6)
    spots = [
        (0.28 * neck * math.cos(math.radians(way)), 0.28 * neck * math.sin(math.radians(way)))
        for way in around(count, 90)
    ]
    holes = [cylinder(0.0011, 0.0022, (x, y, top - 0.05 * dome - 0.0017)) for x, y in [*spots, (0.0, 0.0)]]
    turned = spinning(leaf("cap", cap, style.pick("cap material", {"metal": 3, "plastic": 1})), (0, 0, 1), (0, 0, tall))
    foot = (
        [leaf("base", cylinder(1.08 * radius, 0.004, (0, 0, -0.003), bevel=0.001), "metal")]
        if style.maybe("footed", 0.3)
        else []
    )
    return part(
        "salt_shaker", leaf("body", body, material), turned, [leaf("hole", hole, "rubber") for hole in holes], foot
    )


def _mill(style: Style) -> Part:
    """A turned body and a head that is twisted, with a nut on top."""
    radius, tall = style.number("mill radius", 0.022, 0.03), style.number("mill height", 0.09, 0.2)
    waists = {
        "classic": [(1, 0), (1, 0.1), (0.8, 0.2), (0.66, 0.45), (0.9, 0.85), (0.94, 1)],
        "straight": [(1, 0), (1.02, 0.05), (0.92, 1)],
        "hourglass": [(1.1, 0), (1.05, 0.15), (0.6, 0.55), (0.95, 1)],
    }
    body = lathe(smooth(waists[style.pick("mill", dict.fromkeys(waists, 1.0))], radius, tall).tolist())
    material = style.pick("mill material", {"wood": 3, "painted_wood": 1, "plastic": 1})
    head = lathe(sized([(0.92, 0.03), (1, 0.15), (0.95, 0.6), (0.6, 0.95), (0.2, 1.05)], radius, 1.3 * radius)).at(
        z=tall - 0.0005
    )
    nut = sphere(0.2 * radius, (0, 0, tall + 1.45 * radius), segments=14)
    cap = spinning(leaf("cap", head, material), (0, 0, 1), (0, 0, tall))
    return part("salt_shaker", leaf("body", body, material), cap, leaf("knob", nut, "metal"))


@grammar("cake")
def cake(style: Style) -> Part:
    """Tiers under icing, whole, with a piece cut out, or only a piece; on a plate, a stand or nothing."""
    state = style.pick("state", {"whole": 2, "cut": 2, "piece": 1})
    count = style.count("tiers", 1, 3) if state == "whole" else 1
    radius, tall = style.number("radius", 0.09, 0.13), style.number("height", 0.05, 0.09)
    gone = {"whole": 0.0, "cut": style.number("gone", 30, 80), "piece": 360 - style.number("left", 28, 45)}[state]
    stand, low = _cake_stand(style, radius) if state != "piece" and style.maybe("served", 0.7) else ([], 0.0)
    square = state == "whole" and style.maybe("square", 0.25)
    tiers, z = [], low
    for k in range(count):
        size = radius * (1 - 0.28 * k)
        tiers.append(_tier(style, size, tall, z, gone, k, square=square))
        z += tall - 0.001
    top = radius * (1 - 0.28 * (count - 1))
    return part("cake", tiers, _toppings(style, top, z, gone, square=square), stand)


def _wedge(radius: float, low: float, high: float, gone: float, *, square: bool = False) -> Solid:
    """A drum without the piece that is gone, which was at the front right."""
    start, end = (0.0, 360.0) if not gone else (-90 + 0.65 * gone, 270 - 0.35 * gone)
    if not gone:
        sides = level_ring(2 * radius, 2 * radius, 0.0, squareness=9.0 if square else 2.0, segments=36)
        return loft([sides + (0, 0, low), sides + (0, 0, high)], blocks=1)
    turns = np.radians(np.linspace(start, end, max(5, round((end - start) / 10))))
    rim = np.stack([radius * np.cos(turns), radius * np.sin(turns)], 1)
    body = polygon(np.concatenate([[[0.0, 0.0]], rim])).extruded(high - low).translate((0, 0, low))
    fans = []
    for some in np.array_split(np.arange(len(turns)), max(1, round((end - start) / 90))):
        some = np.append(some, min(some[-1] + 1, len(turns) - 1))
        flat = np.concatenate([[[0.0, 0.0]], rim[some]])
        fans.append(np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in (low, high)]))
    return Solid(body, tuple(fans))


def _tier(style: Style, radius: float, tall: float, low: float, gone: float, number: int, *, square: bool) -> Part:
    """Sponge with a layer of filling, under a coat of icing that the cut does not cover."""
    coat = 0.0045
    sponge = _wedge(radius - coat, low, low + tall - coat - 0.0005, gone, square=square)
    whole = _wedge(radius, low + 0.0006, low + tall, gone, square=square)
    icing = whole.minus(_wedge(radius - coat - 0.0004, low - 0.01, low + tall - coat, 0.0, square=square))
    made = [leaf("sponge", sponge, "bread"), leaf("icing", icing, "food")]
    if gone:
        middle, inner = low + 0.5 * tall, radius - coat - 0.001
        filling = _wedge(inner, middle - 0.003, middle + 0.003, gone - 1.2)
        made.append(leaf("filling", filling, "food"))
    elif style.maybe(f"trimmed {number}", 0.6):
        path = level_ring(2 * radius, 2 * radius, low + 0.004, squareness=9.0 if square else 2.0, segments=32)
        made.append(leaf("trim", tube(path, 0.006, segments=8, closed=True), "food"))
    return part("tier", made)


def _toppings(style: Style, radius: float, z: float, gone: float, *, square: bool) -> list[Part]:
    """Cherries, swirls of cream or candles in a ring, or one in the middle."""
    kind = style.pick("topping", {"cherries": 1.5, "swirls": 1, "candles": 1, "none": 0.5})
    if kind == "none":
        return []
    if kind == "cherries":
        one = sphere(0.009, (0, 0, 0.007), segments=14)
    elif kind == "swirls":
        one = lathe(
            [(0.011, -0.002), (0.012, 0.005), (0.008, 0.008), (0.009, 0.011), (0.005, 0.015), (0.001, 0.02)],
            segments=14,
        )
    else:
        one = cylinder(0.003, 0.055, (0, 0, -0.005))
    out = 0.72 * radius
    ways = [way for way in around(style.count("toppings", 6, 10), 90) if not gone or _kept(way, gone)]
    material = {"candles": "wax", "cherries": "fruit"}.get(kind, "food")
    return [
        leaf("topping", one.at(out * math.cos(math.radians(way)), out * math.sin(math.radians(way)), z), material)
        for way in ways
    ]


def _kept(way: float, gone: float) -> bool:
    """Whether a direction lies in what is left of the cake, with room for a cherry."""
    turn = (way + 90 - 0.65 * gone) % 360
    return 7 < turn < 360 - gone - 7


def _cake_stand(style: Style, radius: float) -> tuple[list[Part], float]:
    wide, material = 1.25 * radius, style.pick("stand material", {"ceramic": 2, "glass": 1, "metal": 0.6})
    rim = [(0.6, 0.0), (0.96, 0.25), (1.0, 1.0), (0.98, 1.1), (0.9, 0.7), (0.3, 0.68)]
    if not style.maybe("raised", 0.5):
        return [part("cake_stand", leaf("plate", lathe(sized(rim, wide, 0.012), segments=36), material))], 0.0078
    high = style.number("stand height", 0.06, 0.12)
    plate = lathe(sized(rim, wide, 0.012), segments=36).at(z=high)
    stem = lathe(sized([(1, 0), (0.5, 0.3), (0.6, 0.6), (1.2, 1)], 0.022, high - 0.004), segments=20).at(z=0.006)
    foot = lathe(sized([(1, 0), (1, 0.3), (0.4, 1)], 0.62 * wide, 0.012), segments=28)
    parts = {"plate": plate, "stem": stem, "foot": foot}
    return [part("cake_stand", [leaf(name, solid, material) for name, solid in parts.items()])], high + 0.0078
