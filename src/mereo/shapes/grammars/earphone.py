"""Headphones, which stand on their cups or lie, and earbuds, which lie with their cord."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import moved, turning
from mereo.shapes.cutlery import laid
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import leaves
from mereo.shapes.joint import about_axis
from mereo.shapes.part import Part
from mereo.shapes.skins import oval, ribbon
from mereo.shapes.solids import Solid, bar, bent, box, lathe, sphere, tube, union
from mereo.shapes.style import Style

_CORD = 0.0016
"""The radius of a cord, meters."""


@grammar("earphone")
def earphone(style: Style) -> Part:
    """Two cups on a band, or two buds on a cord."""
    if style.maybe("headphone", 0.6):
        lies = style.maybe("lies", 0.25)
        root = part("earphone", _headphone(style, cord=not lies and style.maybe("cord", 0.75)))
        return laid(moved(root, about_axis((1, 0, 0), (0, 0, 0), -80))) if lies else root
    kinds = {"in ear": 2, "disk": 2, "hook": 1.2, "neckband": 1, "wireless": 1.2}
    return part("earphone", part("earbud", _earbuds(style, style.pick("kind", kinds))))


def _headphone(style: Style, *, cord: bool) -> Part:
    """Cups on both sides of a head, which is as wide as half of `apart`; the right one is built and mirrored."""
    radius, apart = style.number("cup radius", 0.032, 0.048), style.number("apart", 0.072, 0.084)
    tall = style.number("cup height", 1.0, 1.3)
    cup, depth = _cup(style, radius, tall)
    middle, out = radius * tall, apart + 0.3 * depth
    top = middle + style.number("band height", 0.11, 0.15)
    reach = out + 0.3 * depth
    low = middle + radius * tall * style.number("band end", 0.35, 1.15)
    bands = _band(style, reach, low, top)
    arms = _connector(style, reach, low, radius, tall, depth, apart)
    units = []
    for side in (1, -1):
        placed = {name: solid.at(apart, 0, middle) for name, solid in cup.items()}
        if side < 0 and "microphone" in placed:
            placed["earcup_frame"] = union(placed["earcup_frame"], placed["microphone"])
        solids = [placed["earcup_frame"], placed["earcup_pad"], *arms]
        parts = []
        for name, solid in zip(("earcup_frame", "earcup_pad", *["earcup_connector"] * 2), solids, strict=True):
            material = "foam" if name == "earcup_pad" else "plastic"
            parts.append(leaf(name, solid if side > 0 else solid.mirrored("x"), material))
        units.append(turning(part("earcup_unit", parts), (0, 0, side), (side * reach, 0, middle), (0, 20)))
    wire = leaf("connector_wire", _headphone_cord(style, -apart - 0.4 * depth), "rubber") if cord else None
    return part("headphone", wire, part("head_band", leaves("top_band", bands)), units)


def _cup(style: Style, radius: float, tall: float) -> tuple[dict[str, Solid], float]:
    """Frame and pad around the origin, the frame towards +x, and how deep the frame is."""
    depth, kind = (
        style.number("cup depth", 0.018, 0.034),
        style.pick("cup", {"drum": 2, "dome": 2, "dish": 1.2, "ringed": 1}),
    )
    shares = {
        "drum": [(0.92, 0), (1, 0.15), (1, 0.8), (0.85, 1)],
        "dome": [(0.98, 0), (1, 0.2), (0.85, 0.65), (0.5, 0.92), (0.2, 1)],
        "dish": [(1, 0), (1, 0.35), (0.6, 0.45), (0.55, 1), (0.4, 1.05)],
        "ringed": [(1, 0), (1, 0.5), (0.8, 0.55), (0.8, 0.8), (0.62, 0.82), (0.55, 1)],
    }
    shell = lathe([(radius * r, depth * z) for r, z in shares[kind]], segments=28).turned(y=90).scaled(z=tall)
    thick = style.number("pad", 0.007, 0.011)
    solids = {"earcup_frame": shell}
    if style.maybe("foam disk", 0.25):
        pad = lathe([(0.7 * radius, -1.8 * thick), (0.95 * radius, -thick), (0.98 * radius, 0.002)], segments=28)
        solids["earcup_pad"] = pad.turned(y=90).scaled(z=tall)
    else:
        flat = oval(2 * (radius - thick), 2 * (radius - thick) * tall, sides=26)
        path = np.column_stack([np.full(len(flat), -0.8 * thick), flat])
        solids["earcup_pad"] = tube(path, thick, segments=10, closed=True)
    if style.maybe("microphone", 0.25):
        boom = [
            (0.4 * depth, 0, -0.2 * radius),
            (0.6 * depth, -1.4 * radius, -0.45 * radius),
            (-0.02, -0.11, -0.45 * radius),
        ]
        solids["microphone"] = union(tube(bent(boom), 0.0028, segments=8), sphere(0.007, boom[-1], segments=12))
    return solids, depth


def _band(style: Style, reach: float, low: float, top: float) -> list[Solid]:
    """From one side over the head to the other: a strip, a padded strip, or two wires."""
    turns = np.linspace(0, np.pi, 25)
    square = 2 / style.number("band squareness", 2.0, 2.8)
    xs, zs = np.cos(turns), np.sin(turns)
    line = np.stack(
        [reach * np.sign(xs) * np.abs(xs) ** square, np.zeros(25), low + (top - low) * np.abs(zs) ** square], 1
    )
    kind = style.pick("band", {"strip": 2, "padded": 2, "wires": 1.2, "rod": 1})
    if kind == "rod":
        return [tube(line, 0.0045, segments=10)]
    if kind == "wires":
        gap = style.number("wire gap", 0.0045, 0.007)
        pad = ribbon(line[7:18] - (0, 0, 0.004), 2.6 * gap, 0.008, across=(0, 1, 0))
        return [union(*(tube(line + (0, side * gap, 0), 0.0022, segments=8) for side in (-1, 1))), pad]
    wide, thick = style.number("band width", 0.016, 0.036), 0.004 if kind == "strip" else 0.009
    bulge = np.sin(turns) if kind == "padded" else np.ones(25)
    return [ribbon(line, wide * (0.55 + 0.45 * bulge), thick * (0.5 + 0.5 * bulge), across=(0, 1, 0))]


def _connector(
    style: Style, reach: float, low: float, radius: float, tall: float, depth: float, apart: float
) -> list[Solid]:
    """What joins the right cup to the band: a fork around it, or a bar along its outside."""
    middle = radius * tall
    if style.maybe("fork", 0.45):
        turns, bow, x = np.linspace(0, np.pi, 15), 1.04 * radius * tall, apart + 0.35 * depth
        arc = np.stack([np.full(15, x), 1.04 * radius * np.cos(turns), middle + bow * np.sin(turns)], 1)
        ring = np.concatenate([[(x, 0.88 * radius, middle)], arc, [(x, -0.88 * radius, middle)]])
        stem = bar((x, 0, middle + bow - 0.002), (reach, 0, max(low, middle + bow) + 0.012), 0.017, 0.008)
        return [tube(ring, 0.0034, segments=8), stem]
    slim = style.number("connector", 0.016, 0.022)
    end = apart + 0.55 * depth
    high = (reach, 0, max(low, 1.6 * middle) + 0.014)
    bend = (reach + 0.002, 0, 1.5 * middle)
    return [bar(high, bend, 0.009, slim, bevel=0.002), bar(bend, (end, 0, middle), 0.01, 0.95 * slim, bevel=0.002)]


def _headphone_cord(style: Style, x: float) -> Solid:
    """From the left cup to the ground, in bends to the front, and a plug."""
    points = [
        (x, 0.0, 0.009),
        (x, -0.01, _CORD),
        *_meander(x, -0.03, style.number("meander", 0.05, 0.09), style.count("bends", 1, 3)),
    ]
    return _with_plug(points)


def _meander(x: float, y: float, wide: float, bends: int) -> list[tuple[float, float, float]]:
    """Corners of a cord that lies in bends towards -y."""
    found = [(x, y, _CORD)]
    for bend in range(bends):
        side = 1 if bend % 2 == 0 else -1
        found += [(x + side * wide, y - 0.03 * (bend + 0.4), _CORD), (x + side * wide, y - 0.03 * (bend + 0.9), _CORD)]
    return [*found, (x, y - 0.03 * (bends + 0.4), _CORD), (x, y - 0.03 * (bends + 1), _CORD)]


def _with_plug(points: list[tuple[float, float, float]]) -> Solid:
    x, y, z = points[-1]
    sleeve = bar((x, y + 0.003, z + 0.0012), (x, y - 0.018, z + 0.0012), 0.0055, round=True, sides=10)
    pin = bar((x, y - 0.017, z + 0.0012), (x, y - 0.032, z + 0.0012), 0.0032, round=True, sides=10)
    return union(tube(bent(points, rounds=2), _CORD, segments=7), sleeve, pin)


def _earbuds(style: Style, kind: str) -> list[Part]:
    """Two units, tips towards each other, and what joins them."""
    size, apart = style.number("bud size", 1.0, 1.35), style.number("apart", 0.03, 0.05)
    if kind == "wireless":
        apart = 0.0095 * size + style.number("gap", 0.0, 0.0015)
    unit, tail = _disk(style, size) if kind == "disk" else _in_ear(style, size, kind)
    units = []
    for side in (-1, 1):
        mirrored = (side > 0) != (kind == "wireless")
        solids = {name: solid.mirrored("x") if mirrored else solid for name, solid in unit.items()}
        placed = {name: solid.at(side * apart) for name, solid in solids.items()}
        materials = {"earbud_pad": "rubber"}
        units.append(
            part("earbud_unit", (leaf(name, solid, materials.get(name, "plastic")) for name, solid in placed.items()))
        )
    if kind == "wireless":
        return units
    x, y, z = tail
    ends = [(-apart + x, y, z), (apart - x, y, z)]
    cord = _necklace(style, ends) if kind == "neckband" else _y_cord(style, ends)
    return [leaf("earbud_connector_wire", cord, "rubber"), *units]


def _in_ear(style: Style, size: float, kind: str) -> tuple[dict[str, Solid], tuple[float, float, float]]:
    """A bud with a soft tip towards +x, and where the cord leaves it. It rests on z = 0."""
    long, thick = 0.013 * size * style.number("long", 0.9, 1.4), 0.0062 * size
    shell = lathe(
        [(0.5 * thick, -long / 2), (thick, -0.3 * long), (thick, 0.2 * long), (0.5 * thick, long / 2)], segments=18
    )
    tip = lathe([(0.006 * size, 0), (0.0064 * size, 0.003), (0.0052 * size, 0.007), (0.003 * size, 0.009)], segments=18)
    if style.maybe("flange", 0.3):
        tip = union(tip, lathe([(0.0044 * size, 0.006), (0.0046 * size, 0.009), (0.002 * size, 0.013)], segments=18))
    frame, pad = shell.turned(y=90).at(z=thick), tip.turned(y=90).at(0.4 * long, 0, thick)
    end = (-0.3 * long, -0.024 * size, _CORD)
    if kind == "wireless":
        stem = bar(
            (-0.2 * long, 0, 0.8 * thick), (-0.2 * long, -0.03 * size, 0.8 * thick), 0.0066, round=True, sides=12
        )
        connector = (
            stem
            if style.maybe("stem", 0.7)
            else lathe([(0.8 * thick, 0), (0.5 * thick, 0.004)], segments=16).turned(y=-90).at(-0.4 * long, 0, thick)
        )
    elif kind == "hook":
        turns = np.linspace(-0.3 * np.pi, np.pi, 15)
        bow = 0.017 * size
        path = np.stack(
            [-0.3 * long + bow * 0.9 * (np.cos(turns) - 1) * 0.6, -bow * np.sin(turns) * 1.3, np.full(15, 0.004)], 1
        )
        path = np.concatenate([[(-0.25 * long, 0, thick)], path[4:]])
        connector = tube(path, 0.0024, segments=8)
        end = (float(path[-1, 0]), float(path[-1, 1]), float(path[-1, 2]))
    else:
        connector = tube(
            bent([(-0.3 * long, 0, 0.8 * thick), (-0.3 * long, -0.01 * size, 0.7 * thick), end]), 0.0023, segments=8
        )
    return {"earbud_connector": connector, "earbud_frame": frame, "earbud_pad": pad}, end


def _disk(style: Style, size: float) -> tuple[dict[str, Solid], tuple[float, float, float]]:
    """A flat bud with a stem, its face towards +x."""
    radius = 0.0082 * size
    shell = lathe(
        [(0.3 * radius, -0.9 * radius), (0.8 * radius, -0.5 * radius), (radius, 0), (radius, 0.25 * radius)],
        segments=20,
    )
    pad = lathe(
        [(0.95 * radius, 0.1 * radius), (0.98 * radius, 0.4 * radius), (0.5 * radius, 0.7 * radius)], segments=20
    )
    long = size * style.number("stem", 0.016, 0.03)
    low = np.array([-0.3 * radius, -0.6 * radius, 0.7 * radius])
    end = (-0.3 * radius, -0.6 * radius - long, 0.0026)
    stem = bar(low, end, 0.0052, round=True, taper=0.9, sides=12)
    solids = {"earbud_connector": stem, "earbud_frame": shell.turned(y=90).at(z=radius)}
    return solids | {"earbud_pad": pad.turned(y=90).at(z=radius)}, end


def _y_cord(style: Style, ends: list[tuple[float, float, float]]) -> Solid:
    """Both cords to where they meet, then one to the plug."""
    fork = min(ends[0][1], ends[1][1]) - style.number("fork", 0.05, 0.09)
    bow = style.number("bow", 0.01, 0.03)
    arms = []
    for (x, y, z), side in zip(ends, (-1, 1), strict=True):
        path = [
            (x, y + 0.002, z),
            (x, y - 0.012, _CORD),
            (side * (0.01 + bow), 0.5 * (y + fork), _CORD),
            (side * 0.0009, fork + 0.006, _CORD),
            (side * 0.0007, fork - 0.002, _CORD),
        ]
        arms.append(tube(bent(path), _CORD, segments=7))
    if style.maybe("remote", 0.5):
        knot = box((0.0075, 0.03, 0.0062), (0, fork + 0.001, 0.0031), bevel=0.0015)
    else:
        knot = bar((0, fork + 0.006, 0.0025), (0, fork - 0.01, 0.0025), 0.005, round=True, sides=10)
    points = _meander(0.0, fork - 0.004, style.number("meander", 0.03, 0.06), style.count("bends", 1, 4))
    return union(*arms, knot, _with_plug(points))


def _necklace(style: Style, ends: list[tuple[float, float, float]]) -> Solid:
    """A stiff collar with weights at its ends, from which short cords go to the buds."""
    wide, deep = style.number("collar", 0.06, 0.075), style.number("collar depth", 0.11, 0.15)
    y = min(ends[0][1], ends[1][1]) - 0.03
    turns = np.linspace(0, np.pi, 19)
    bow = np.stack([wide * np.cos(turns), y - 0.05 - deep * np.sin(turns), np.full(19, 0.0034)], 1)
    collar = tube(bow, 0.0034, segments=10)
    tips = [
        bar((side * wide, y - 0.055, 0.0048), (side * wide, y + 0.005, 0.0048), 0.0115, 0.0095, round=True)
        for side in (-1, 1)
    ]
    cords = []
    for (x, top, z), side in zip(ends, (-1, 1), strict=True):
        path = [
            (x, top + 0.002, z),
            (x, top - 0.015, _CORD),
            (side * wide, y + 0.02, _CORD),
            (side * wide, y - 0.004, 0.004),
        ]
        cords.append(tube(bent(path), _CORD, segments=7))
    return union(collar, *tips, *cords)
