"""What a room is made homely with: cushions, and baskets woven of bands or wire."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import pair
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import level_ring
from mereo.shapes.outlines import polygon
from mereo.shapes.part import Part
from mereo.shapes.skins import loft
from mereo.shapes.solids import Solid, bent, board, lathe, skinned, sphere, tube
from mereo.shapes.solids import cushion as stuffed_block
from mereo.shapes.style import Style

_PILLOW = (1.0, 0.985, 0.94, 0.85, 0.7, 0.5, 0.3, 0.16, 0.06)
"""How wide a pillow is from its seam to the middle of its top, as shares."""


@grammar("cushion")
def cushion(style: Style) -> Part:
    """A pillow of two sheets, a bolster or a stuffed pad."""
    kind = style.pick("kind", {"pillow": 3, "round": 1.2, "bolster": 1.2, "pad": 1.5})
    if kind == "bolster":
        return part("cushion", _bolster(style))
    return part("cushion", _pad(style) if kind == "pad" else _pillow(style, round=kind == "round"))


def _pillow(style: Style, *, round: bool) -> list[Part]:
    """Two sheets sewn together at their rims, the corners drawn out; buttons, tassels, a cord or a flat border."""
    wide, thick = style.number("width", 0.36, 0.5), style.number("thickness", 0.11, 0.16)
    deep = wide if round or style.maybe("square", 0.65) else 0.65 * wide
    dent = style.number("dent", 0.35, 0.6) if style.maybe("buttoned", 0.4) else 0.0
    full = style.number("fullness", 0.45, 0.65)

    def seam(share: float, z: float) -> Floats:
        if round:
            return level_ring(share * wide, share * deep, z, segments=40)
        corners = level_ring(share * wide, share * deep, z, squareness=2 + 10 * share**3, segments=40)
        turn = np.arctan2(corners[:, 1] / deep, corners[:, 0] / wide)
        corners[:, :2] *= (1 - 0.05 * share * (1 + np.cos(4 * turn)))[:, None]
        return corners

    def height(share: float) -> float:
        sunk = 1 - dent * np.exp(-((share / 0.2) ** 2))
        return float(thick / 2 * (1 - share**2.6) ** full * sunk)

    upper = [(share, height(share)) for share in _PILLOW]
    levels = [*((share, -z) for share, z in reversed(upper[1:])), (1.0, 0.0), *upper[1:]]
    made = [leaf("body", loft([seam(share, z) for share, z in levels], blocks=1), "foam")]
    edge = style.pick("edge", {"plain": 1, "piping": 1.5, "flange": 1, "tassels": 0.0 if round else 1.2})
    if edge == "piping":
        made.append(leaf("piping", tube(seam(0.995, 0.0), 0.005, segments=8, closed=True), "cloth"))
    if edge == "flange":
        out = [(0.97, -0.004), (1.12, -0.0015), (1.12, 0.0015), (0.97, 0.004)]
        made.append(leaf("flange", loft([seam(share, z) for share, z in out], blocks=1), "cloth"))
    if edge == "tassels":
        made += [leaf("tassel", solid, "cloth") for solid in _tassels(style, seam(1.0, 0.0), wide, deep)]
    if dent:
        button = sphere(1.0, segments=16).scaled(0.014, 0.014, 0.007)
        made += [leaf("button", button.at(z=side * height(0.06)), "cloth") for side in (-1, 1)]
    return made


def _tassels(style: Style, seam: Floats, wide: float, deep: float) -> list[Solid]:
    """A knot and a skirt of threads at each corner, pointing away."""
    long = style.number("tassel", 0.035, 0.06)
    skirt = lathe(
        [(0.003, -0.008), (0.006, 0.0), (0.0085, 0.006), (0.005, 0.012), (0.009, 0.6 * long), (0.012, long)],
        segments=14,
    )
    spots = [seam[np.argmax(seam[:, 0] * sx / wide + seam[:, 1] * sy / deep)] for sx in (-1, 1) for sy in (-1, 1)]
    return [skirt.turned(y=94).turned(z=np.degrees(np.arctan2(spot[1], spot[0]))).at(*spot) for spot in spots]


def _bolster(style: Style) -> list[Part]:
    """A long roll, its ends flat with a button, or drawn together."""
    radius, long = style.number("radius", 0.07, 0.1), style.number("length", 0.42, 0.65)
    full = style.number("end", 0.02, 0.06)
    ends = [(0.1, 0.012), (0.5, 0.004), (0.8, full * 0.3), (0.95, 0.35 * full + 0.008), (1.0, full + 0.02)]
    profile = [*((r * radius, z) for r, z in ends), *((r * radius, long - z) for r, z in reversed(ends))]
    made = [leaf("body", lathe(profile, segments=32).turned(y=90), "foam")]
    design = style.pick("ends", {"both": 1, "piping": 1, "buttons": 1})
    if design != "buttons":
        turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        size = 0.985 * radius
        for x in (0.35 * full + 0.007, long - 0.35 * full - 0.007):
            path = np.stack([np.full_like(turns, x), size * np.cos(turns), size * np.sin(turns)], 1)
            made.append(leaf("piping", tube(path, 0.006, segments=8, closed=True), "cloth"))
    if design != "piping":
        button = sphere(1.0, segments=16).scaled(0.009, 0.017, 0.017)
        made += [leaf("button", button.at(x=x), "cloth") for x in (0.01, long - 0.01)]
    return made


def _pad(style: Style) -> list[Part]:
    """A flat block for a seat, with cords around its edges, buttons in rows, and ties for a chair."""
    wide, thick = style.number("width", 0.38, 0.46), style.number("thickness", 0.05, 0.09)
    deep, soft = wide * style.number("depth", 0.9, 1.0), style.number("squareness", 5, 9)
    made = [leaf("body", stuffed_block((wide, deep, thick), squareness=soft), "foam")]
    design = style.pick("pad edge", {"piping": 1.5, "plain": 1})
    if design == "piping":
        for z in (-0.3 * thick, 0.3 * thick):
            share = (1 - (2 * abs(z) / thick) ** soft) ** (1 / soft)
            seam = level_ring(share * wide, share * deep, z, squareness=soft, segments=48)
            made.append(leaf("piping", tube(seam, 0.005, segments=6, closed=True), "cloth"))
    rows = style.count("button rows", 1, 3) if style.maybe("buttoned", 0.6) else 0
    if rows:
        button = sphere(1.0, segments=14).scaled(0.012, 0.012, 0.006)
        places = (np.arange(rows) - (rows - 1) / 2) * 0.28
        made += [
            leaf("button", button.at(x * wide, y * deep, thick / 2 - 0.001), "cloth") for x in places for y in places
        ]
    if style.maybe("tied", 0.45):
        x, y = 0.46 * wide, 0.47 * deep
        path = [
            (0.92 * x, 0.92 * y, 0),
            (x, y + 0.02, 0),
            (x + 0.02, y + 0.07, -0.3 * thick),
            (x - 0.03, y + 0.12, -0.45 * thick),
        ]
        made += [leaf("tie", solid, "cloth") for solid in pair(tube(bent(path), 0.0045, segments=8))]
    return made


@grammar("basket")
def basket(style: Style) -> Part:
    """Stakes with bands woven around them, or wires; a rim, and handles to carry it by."""
    kind = style.pick("kind", {"round": 2, "oval": 1.5, "square": 1.5, "wire": 1.2})
    wide, tall = style.number("width", 0.2, 0.42), style.number("height", 0.09, 0.22)
    depth = 1.0 if kind in ("round", "wire") else style.number("depth", 0.6, 0.8)
    square = 7.0 if kind == "square" else 2.0
    flare, bow = style.number("flare", 0.72, 0.95), style.number("belly", 0.0, 0.1)
    stakes = 2 * style.count("stakes", 6, 10)

    def wall(z: float) -> float:
        """Its width at a height, as a share."""
        return flare + (1 - flare) * z / tall + bow * math.sin(math.pi * z / tall)

    def level(z: float, out: float = 0.0, points: int = 36) -> Floats:
        size = wall(z) * wide
        return level_ring(size + 2 * out, depth * size + 2 * out, z, squareness=square, segments=points)

    wire = kind == "wire"
    material = "metal" if wire else style.pick("material", {"wood": 4, "plastic": 1})
    flat = "wood" if wire else material
    made = [leaf("basket_bottom", board(polygon(level(0.0)[:, :2]), 0.008), flat)]
    made.append(part("basket_side", _weave(style, level, tall, stakes, material, wire=wire)))
    thick = style.number("rim", 0.0035, 0.005) if wire else style.number("rim", 0.008, 0.012)
    made.append(leaf("rim", tube(level(tall), thick, segments=8, closed=True), material))
    return part("basket", made, _basket_top(style, level, tall, thick, material))


def _weave(
    style: Style, level: Callable[..., Floats], tall: float, stakes: int, material: str, *, wire: bool
) -> list[Part]:
    """Bands that go before and behind the stakes by turns, the next ones the other way round."""
    places = [level(z, points=stakes) for z in np.linspace(0.002, tall, 3)]
    girth = 0.0036 if wire else 0.007
    section = level_ring(girth, girth, 0.0, segments=5)
    posts = [loft([ring[k] + section for ring in places], blocks=1) for k in range(stakes)]
    count = style.count("wires", 3, 6) if wire else style.count("bands", 5, 11)
    step = tall / count
    bands = []
    for k in range(count):
        z = (k + 0.5) * step
        if wire:
            bands.append(tube(level(z), 0.0018, segments=6, closed=True))
            continue
        waves = 0.004 * np.cos(np.pi * np.arange(2 * stakes) / 2 + np.pi * (k % 2))  # each stake is two points
        path = level(z, points=2 * stakes)
        outwards = path[:, :2] / np.linalg.norm(path[:, :2], axis=1, keepdims=True)
        path[:, :2] += waves[:, None] * outwards
        bands.append(_band(path, outwards, 0.93 * step, 0.0035))
    return [*(leaf("band", solid, material) for solid in bands), *(leaf("stake", post, material) for post in posts)]


def _band(path: Floats, outwards: Floats, tall: float, thick: float) -> Solid:
    """A flat strip around z along a closed path."""
    side, up = np.column_stack([outwards, np.zeros(len(path))]) * thick / 2, np.array([0, 0, tall / 2])
    rings = list(np.stack([path + side - up, path - side - up, path - side + up, path + side + up], 1))
    cuts = np.linspace(0, len(rings), 9).astype(int)
    pieces = tuple(np.concatenate([*rings[a:b], rings[b % len(rings)]]) for a, b in pairwise(cuts))
    return Solid(skinned(rings, closed=True), pieces)


def _basket_top(style: Style, level: Callable[..., Floats], tall: float, thick: float, material: str) -> list[Part]:
    """A hoop that stays up or swings, two ears, a lid on hinges, or nothing."""
    design = style.pick("top", {"hoop": 2, "ears": 2, "lid": 1.2, "none": 0.6})
    rim = level(tall)
    x, y = float(rim[:, 0].max()), float(rim[:, 1].max())
    girth = max(0.7 * thick, 0.0035)
    if design == "hoop":
        high = style.number("hoop", 0.7, 1.1) * x
        path = [(-x, 0, tall), (-0.98 * x, 0, tall + high), (0.98 * x, 0, tall + high), (x, 0, tall)]
        hoop = leaf("handle", tube(bent(path), girth, segments=8), material)
        if style.maybe("swings", 0.5):
            tipped = style.number("tipped", 20, 38) * style.maybe("left down", 0.5)
            hoop = turning(hoop, (1, 0, 0), (0, 0, tall), (-40, 40), stands=tipped)
        return [hoop]
    if design == "ears":
        reach, high = 0.35 * y, style.number("ear", 0.035, 0.06)
        near, top = float(np.abs(rim[np.argmin(np.abs(rim[:, 1] - reach)), 0])), tall + high
        ear = [(near, -reach, tall), (x + 0.01, -reach, top), (x + 0.01, reach, top), (near, reach, tall)]
        return [leaf("handle", solid, material) for solid in pair(tube(bent(ear, rounds=2), girth, segments=8))]
    if design == "lid":
        cover = board(polygon(level(tall, out=0.004)[:, :2]), 0.01).at(z=tall + 0.7 * thick)
        opened = style.number("lid open", 25, 95) * style.maybe("opened", 0.5)
        lid = turning(leaf("lid", cover, "wood"), (-1, 0, 0), (0, y, tall + 0.7 * thick), (0, 105), stands=opened)
        return [lid]
    return []
