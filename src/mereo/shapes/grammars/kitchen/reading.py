"""Books, shut and open, lying and standing; and pictures in frames that stand on a table."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import moved, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.kitchen.making import about
from mereo.shapes.joinery import pair
from mereo.shapes.outlines import ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, hull, prism, sphere, tube, union
from mereo.shapes.style import Style


@grammar("book")
def book(style: Style) -> Part:
    """Built shut, lying on its back, the spine to the left; the spine turns about the back and the front about it."""
    state = style.pick("state", {"shut": 2, "open": 2, "ajar": 1, "standing": 1.5, "fanned": 1})
    kind = style.pick("kind", {"hard": 2, "paper": 1.3, "leather": 1, "spiral": 1})
    wide, ratio = style.number("width", 0.12, 0.22), style.number("ratio", 1.25, 1.5)
    long = wide * (ratio if style.maybe("upright format", 0.85) else 0.78)
    thick = style.number("thickness", *((0.014, 0.024) if state == "open" else (0.018, 0.05)))
    if kind == "spiral":
        thick = min(thick, 0.022)
    board, over = (0.0007, 0.0) if kind in ("paper", "spiral") else (0.0028, 0.004)
    material = {"leather": "leather"}.get(kind, "paper")
    round = (
        style.number("round back", 0.1, 0.2) * thick
        if kind in ("hard", "leather") and style.maybe("rounded", 0.6)
        else 0.0
    )
    half = _half(wide, long, thick, board, over, round)
    made_of = {"cover": material, "page_block": "paper"}
    back = part("back", [leaf(name, solid, made_of[name]) for name, solid in half.items()])
    upper = {name: solid.mirrored("z").at(z=thick) for name, solid in half.items()}
    front = part("front", [leaf(name, solid, made_of[name]) for name, solid in upper.items()])
    swing, lift = _angles(style, state, kind)
    hinge = thick / 2 if kind == "spiral" else thick - board
    front = turning(front, (0, -1, 0), (0, 0, hinge), (0, 180 if kind == "spiral" else 130), stands=lift)
    wires = _coil(long, thick) if kind == "spiral" else []
    spine = [leaf("ring", wire, "metal") for wire in wires] or [
        leaf("spine", _spine(style, long, thick, board, round, kind), material)
    ]
    binding = part("binding", spine, front)
    if kind != "spiral":
        binding = turning(binding, (0, -1, 0), (0, 0, board), (0, 90), stands=swing)
    made = part("book", back, binding, _extras(style, state, wide, long, thick, kind))
    upright = state in ("standing", "fanned")
    return (
        moved(moved(made, about((1.0, 0.0, 0.0), 90)), about((0.0, 0.0, 1.0), style.number("turned", 20, 70)))
        if upright
        else made
    )


def _angles(style: Style, state: str, kind: str) -> tuple[float, float]:
    """How far the spine stands from the back cover, and the front from the spine."""
    if state == "open":
        return (0.0, 180.0) if kind == "spiral" else (90.0, 90.0)
    if state == "ajar":
        return 0.0, style.number("lifted", 20, 60)
    if state == "fanned":
        return (0.0, style.number("spread", 45, 100)) if kind == "spiral" else (25.0, style.number("spread", 35, 75))
    return 0.0, 0.0


def _half(wide: float, long: float, thick: float, board: float, over: float, round: float) -> dict[str, Solid]:
    """The back cover and the pages that lie on it, up to the middle of the book."""
    cover = box((wide - board - 0.0005, long, board), ((wide + board + 0.0005) / 2, 0, board / 2))
    low, high, start = board - 0.0003, thick / 2 - 0.0003, 0.0003
    bows = ((1.0, 1.0), (0.7, 0.9), (0.35, 0.55), (0.0, 0.0))
    edge = [(start - round * bow, low + (high - low) * z) for z, bow in bows]
    outline = polygon([*edge, (wide - over, low), (wide - over - 0.6 * round, high)])
    return {"cover": cover, "page_block": prism(outline, long - 2 * over, along="y")}


def _spine(style: Style, long: float, thick: float, board: float, round: float, kind: str) -> Solid:
    """Flat or rounded, some with raised bands."""
    zs = np.linspace(0, thick, 9)
    bow = round * (1 - (2 * zs / thick - 1) ** 2)
    back = max(board, 0.0008)
    inner, outer = np.stack([-bow, zs], 1), np.stack([-bow - back, zs], 1)
    spine = prism(polygon(np.concatenate([inner, outer[::-1]])), long, along="y")
    if kind != "leather":
        return spine
    ys = np.linspace(-0.36, 0.36, style.count("bands", 3, 5)) * long
    ridge = prism(polygon(np.concatenate([inner - (0.0005, 0), (outer - (0.0018, 0))[::-1]])), 0.006, along="y")
    return union(spine, *(ridge.at(y=y) for y in ys))


def _coil(long: float, thick: float) -> list[Solid]:
    """The wire rings of a note book, around its edge."""
    turns = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    size = thick / 2 - 0.0003
    path = np.stack([size * np.cos(turns), 0 * turns, thick / 2 + size * np.sin(turns)], 1)
    wire = tube(path, 0.0011, segments=6, closed=True)
    return [wire.at(y=y) for y in np.linspace(-0.45, 0.45, 12) * long]


def _extras(style: Style, state: str, wide: float, long: float, thick: float, kind: str) -> Part | None:
    """A ribbon between the pages, or an elastic strap around them."""
    if state in ("shut", "ajar", "open") and kind in ("hard", "leather") and style.maybe("ribbon", 0.6):
        x, out = (0.3 if state != "open" else 0.12) * wide, style.number("ribbon out", 0.015, 0.04)
        z = thick / 2 if state != "open" else thick / 2 + 0.0002
        return leaf("bookmark", box((0.007, 0.3 * long + out, 0.0008), (x, -0.35 * long - out / 2, z)), "cloth")
    if state in ("shut", "standing") and kind != "spiral" and style.maybe("strapped", 0.3):
        inside = rectangle(wide + 0.001, thick + 0.0006).at(wide / 2 - 0.0002, thick / 2)
        around = rectangle(wide + 0.004, thick + 0.0032, corner=0.0012, segments=8).at(wide / 2 - 0.0002, thick / 2)
        return leaf("strap", prism(around.minus(inside), 0.006, along="y").at(y=0.3 * long), "rubber")
    return None


@grammar("picture_frame")
def picture_frame(style: Style) -> Part:
    """A picture behind glass that leans back on a strut, or stands in a block of wood."""
    wide, ratio = style.number("width", 0.11, 0.22), style.number("ratio", 1.0, 1.45)
    tall = wide * (ratio if style.maybe("upright", 0.6) else 1 / ratio)
    kind = style.pick("kind", {"flat": 1.5, "sloped": 1.5, "ornate": 1.2, "thin": 1, "oval": 1.2, "block": 1})
    if kind == "block":
        return _block(style, wide, tall)
    rim = style.number("rim", *{"thin": (0.006, 0.009), "ornate": (0.026, 0.04)}.get(kind, (0.014, 0.03)))
    rim = min(rim, 0.17 * min(wide, tall))
    deep = style.number("rim depth", 0.011, 0.018)
    material = "metal" if kind == "thin" else style.pick("material", {"wood": 2, "painted_wood": 1.5, "plastic": 1})
    bars = _oval(wide, tall, rim, deep) if kind == "oval" else _bars(style, kind, wide, tall, rim, deep)
    frame = part("frame", [leaf(name, solid, material) for name, solid in bars])
    round = kind == "oval"
    mat = style.number("mat", 0.12, 0.22) * min(wide, tall) if style.maybe("matted", 0.5) else 0.0
    seen = (wide - 2 * rim + 0.006, tall - 2 * rim + 0.006)

    def sheet(size: tuple[float, float], thick: float, y: float, hole: float = 0.0) -> Solid:
        outline = ellipse(*size) if round else rectangle(*size)
        if hole:
            inner = (size[0] - 2 * hole, size[1] - 2 * hole)
            outline = outline.minus(ellipse(*inner) if round else rectangle(*inner))
        return prism(outline, thick, along="y").at(0, y, tall / 2)

    layers = [
        leaf("picture", sheet(seen, 0.001, -0.0035), "paper"),
        leaf("back_panel", sheet(seen, 0.004, -0.0012), "wood"),
    ]
    if mat:
        layers.append(leaf("mat", sheet(seen, 0.0014, -0.0046, hole=mat), "paper"))
    if style.maybe("glazed", 0.6):
        layers.append(leaf("glass", sheet(seen, 0.002, -0.0064), "glass"))
    lean = style.number("lean", 10, 17)
    high = style.number("hinge", 0.6, 0.75) * tall
    foot, top = style.number("strut", 0.2, 0.4) * wide, 0.1 * wide
    strut = hull(
        np.array([(x * w / 2, y, z) for x in (-1, 1) for y in (0.002, 0.005) for w, z in ((foot, 0.0), (top, high))])
    )
    stand = turning(leaf("stand", strut, "wood"), (1, 0, 0), (0, 0.002, high), (0, 45), stands=2 * lean)
    return moved(part("picture_frame", frame, layers, stand), about((1.0, 0.0, 0.0), -lean))


def _bars(style: Style, kind: str, wide: float, tall: float, rim: float, deep: float) -> list[tuple[str, Solid]]:
    """Four bars, mitred at the corners, from y = -deep to 0; sloped ones are lower inside, ornate ones outside, too."""
    inner = {"sloped": 0.55, "ornate": 0.6}.get(kind, 1.0)
    heights = [(0.0, 0.7 if kind == "ornate" else 1.0), (0.45, 1.0), (1.0, inner)]

    def bar(length: float, across: float) -> Solid:
        """Along x on its outer edge at z = 0, the inside above."""
        points = []
        for at, share in heights:
            x, z = length / 2 - at * rim - 0.0002, at * rim
            points += [(side * x, y, z) for side in (-1, 1) for y in (0.0, -share * deep)]
        return hull(np.array(points))

    level, upright = bar(wide, tall), bar(tall, wide).turned(y=90)
    bars = [("frame_horizontal_bar", level), ("frame_horizontal_bar", level.mirrored("z").at(z=tall))]
    bars += [("frame_vertical_bar", solid) for solid in pair(upright.at(-wide / 2, 0, tall / 2))]
    if kind == "ornate":
        boss = sphere(1.0, segments=14).scaled(0.55 * rim, 0.35 * deep, 0.55 * rim).at(y=-0.85 * deep)
        bars += [
            ("ornament", boss.at(x, 0, z))
            for x in (-0.5 * wide + 0.6 * rim, 0.5 * wide - 0.6 * rim)
            for z in (0.6 * rim, tall - 0.6 * rim)
        ]
    return bars


def _oval(wide: float, tall: float, rim: float, deep: float) -> list[tuple[str, Solid]]:
    hoop = prism(
        ellipse(wide, tall, segments=48).minus(ellipse(wide - 2 * rim, tall - 2 * rim, segments=48)), deep, along="y"
    )
    foot = box((0.3 * wide, deep, 0.03), (0, 0, -tall / 2 + 0.012), bevel=0.002)
    return [("frame_holistic", union(hoop, foot).at(0, -deep / 2, tall / 2))]


def _block(style: Style, wide: float, tall: float) -> Part:
    """Two panes with the picture between them, in the slot of a block."""
    deep, high = style.number("block depth", 0.03, 0.05), style.number("block height", 0.02, 0.035)
    base = box((wide * style.number("block width", 0.6, 1.1), deep, high), (0, 0, high / 2), bevel=0.003)
    base = base.minus(box((2 * wide, 0.0086, high), (0, 0, high / 2 + 0.006)))
    pane = box((wide, 0.003, tall), (0, -0.0025, tall / 2 + 0.0055))
    share = style.number("picture", 0.75, 0.96)
    picture = box((share * wide, 0.002, share * tall), (0, 0, tall / 2 + 0.008))
    panel = box((wide, 0.003, tall), (0, 0.0025, tall / 2 + 0.0055))
    sheets = [leaf("glass", pane, "glass"), leaf("picture", picture, "paper"), leaf("back_panel", panel, "plastic")]
    return part("picture_frame", sheets, leaf("base", base, "wood"))
