"""Headboards and footboards: wooden, of tubes and rods, or upholstered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from mereo.shapes.grammars.bed.sizes import RAIL, Size
from mereo.shapes.joinery import leaves
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cushion, prism, sphere, tube, union
from mereo.shapes.style import Style

__all__ = ["end_boards", "rod_board", "sleigh_board", "soft_board", "tube_board", "wooden_board"]

Board = Callable[[float, float], Solid]
"""From a width and a height to an upright board on z = 0, its face at y = 0 and its back towards +y."""
_CROWNS: dict[str, tuple[float, Callable[[Floats], Floats]]] = {
    "flat": (2.0, lambda u: 0 * u),
    "soft": (1.5, lambda u: np.abs(u) ** 10),
    "arch": (1.5, lambda u: u**2),
    "camel": (1.0, lambda u: (1 - np.cos(np.pi * u)) / 2),
    "gable": (0.5, np.abs),
    "step": (0.7, lambda u: np.clip(12 * np.abs(u) - 8, 0, 1)),
    "wave": (0.6, lambda u: 0.6 * u**2 + 0.2 * np.cos(3 * np.pi * u)),
}
"""How usual a shape of a board's top edge is, and how it drops from its middle (0) to its ends (-1 and 1)."""


def end_boards(
    size: Size, design: Board, low: float, head: float, foot: float = 0.0, *, margin: float = 0.03
) -> list[Part]:
    """The boards from a height up to those of the head and the foot; PartNet has one label for both."""
    width = 2 * (size.side + margin)
    boards = [design(width, head - low).at(y=size.length / 2 - 0.002, z=low)]
    if foot:
        boards.append(design(width, foot - low).mirrored("y").at(y=0.002 - size.length / 2, z=low))
    return leaves("headboard", boards)


def _crown(style: Style, crowns: Iterable[str]) -> Callable[[float, float], Floats]:
    """The top edge of a board: (k, 2) float, from its right end to its left one."""
    fall = _CROWNS[style.pick("crown", {name: _CROWNS[name][0] for name in crowns})][1]
    rise, u = style.number("crown rise", 0.12, 0.3), np.linspace(1, -1, 33)
    drop = rise * (fall(u) - fall(u).min())
    return lambda width, height: np.column_stack([u * width / 2, height * (1 - drop)])


def _filled(edge: Floats) -> Outline:
    return polygon([(edge[-1, 0], 0), (edge[0, 0], 0), *edge])


def wooden_board(style: Style, designs: dict[str, float], *, crowns: Iterable[str] = tuple(_CROWNS)) -> Board:
    """A plain board, a frame with panels, bars, slats or a lattice sawn out of one, or a bookcase."""
    design, crown = style.pick("board", designs), _crown(style, crowns)
    thick, border = style.number("board thickness", 0.03, 0.055), style.number("border", 0.05, 0.09)
    count, share = style.count("board bars", 5, 11), style.number("bar share", 0.25, 0.6)

    def rods(width: float, height: float) -> list[Outline]:
        """What stays of the field within the border."""
        if design == "bars":
            xs = ((np.arange(count) + 0.5) / count - 0.5) * width
            return [rectangle(share * width / count, 3).at(x) for x in xs]
        if design == "slats":
            return [rectangle(3, (0.2 + share) * 0.12).at(0, z) for z in np.arange(0.06, height, 0.12)]
        if design == "framed":
            return [rectangle(border, 3).at(x) for x in np.linspace(-width / 2, width / 2, count // 3 + 2)[1:-1]]
        slant = np.array([[0, 0], [0.035, 0], [0.035 + height, height], [height, height]])
        starts = np.arange(-width / 2 - height, width / 2, width / max(round(width / 0.3), 2))
        rising = [polygon([*(slant + (x, 0))]) for x in starts]
        return rising + [polygon([*(slant * (-1, 1) - (x, 0))[::-1]]) for x in starts]

    def make(width: float, height: float) -> Solid:
        outline = _filled(crown(width, height))
        inner = outline.grown(-border)
        if design == "bookcase" and height > 0.6:
            deep, tall, niches = 0.24, min(0.3, 0.4 * height), count // 3
            wide = (width - 0.04) / niches
            niche = box((wide - 0.04, 2 * deep - 0.04, tall), (0, 0, height - 0.04 - tall / 2))
            cuts = [niche.at(k * wide) for k in np.arange(niches) - (niches - 1) / 2]
            return box((width, deep, height), (0, deep / 2, height / 2), bevel=0.006).minus(*cuts)
        solids = [prism(outline, thick, along="y")]
        if design not in ("plain", "bookcase"):
            solids = [prism(outline.minus(inner.minus(*rods(width, height))), thick, along="y")]
        if design == "framed":
            solids.append(prism(inner.grown(0.01), 0.4 * thick, along="y"))
        return union(*solids).at(y=thick / 2)

    return make


def tube_board(style: Style, thick: float) -> Board:
    """A bent tube with spindles, crossbars and sometimes balls at its shoulders."""
    crown, balls = _crown(style, ("flat", "arch", "camel", "soft")), style.maybe("balls", 0.4)
    spindles, rails = style.count("spindles", 3, 9), style.count("crossbars", 1, 2)

    def make(width: float, height: float) -> Solid:
        edge = crown(width, height - thick / 2)
        (right, shoulder), (left, _) = edge[0], edge[-1]
        near, xs = shoulder - 0.05, np.linspace(left, right, spindles + 2)[1:-1]
        sides = [[(x, 0, 0), (x, 0, near - 0.08), (x, 0, near)] for x in (right, left)]
        hoop = [*sides[0], *((x, 0, z) for x, z in edge[::4]), *sides[1][::-1]]
        ends = zip(xs, np.interp(xs, edge[::-1, 0], edge[::-1, 1]), strict=True)
        solids = [bar((x, 0, 0.3 * near), (x, 0, z), 0.45 * thick, round=True, sides=8) for x, z in ends]
        for z in np.array([0.3, 0.85])[:rails] * near:
            solids.append(bar((left, 0, z), (right, 0, z), 0.6 * thick, round=True, sides=8))
        solids += [sphere(0.9 * thick, (x, 0, near), segments=16) for x in (left, right) if balls]
        return union(tube(bent(hoop), thick / 2, segments=10), *solids).at(y=thick / 2)

    return make


def rod_board(style: Style, thick: float) -> Board:
    """Round rods between two posts, upright or level."""
    upright, count = style.maybe("upright rods", 0.5), style.count("rods", 3, 6)

    def make(width: float, height: float) -> Solid:
        x, low, high = width / 2, 0.06, height - thick / 2
        level, xs = np.linspace(low, high, 2 if upright else count), np.linspace(-x, x, count + 2)[1:-1]
        solids = [bar((-x, 0, z), (x, 0, z), 0.8 * thick, round=True, sides=10) for z in level]
        solids += [bar((at, 0, low), (at, 0, high), 0.5 * thick, round=True, sides=8) for at in xs if upright]
        return union(*solids).at(y=RAIL / 2)

    return make


def soft_board(style: Style) -> Board:
    """Upholstery: fluted upright or level, buttoned pads, one padded piece with or without wings, or cushions."""
    kinds = {"flutes": 1.5, "rolls": 1.0, "pads": 1.5, "padded": 1.5, "wings": 1.0, "cushions": 1.0}
    design, crown = style.pick("upholstery", kinds), _crown(style, ("soft", "arch", "camel"))
    thick, pitch = style.number("padding", 0.08, 0.13), style.number("pitch", 0.12, 0.24)

    def ridged(reach: float) -> list[Floats]:
        """Seen along the ridges: points along the board and into it."""
        count = max(round(reach / pitch), 2)
        along = np.linspace(0, reach, 8 * count + 1)
        face = np.column_stack([along, 0.035 * (1 - np.abs(np.sin(np.pi * count * along / reach)))])
        return [*face, np.array([reach, thick]), np.array([0, thick])]

    def make(width: float, height: float) -> Solid:
        if design == "flutes":
            return board(polygon(ridged(width)), height, (-width / 2, 0, 0))
        if design == "rolls":
            return prism(polygon([point[::-1] for point in reversed(ridged(height))]), width, along="x")
        if design == "pads":
            columns, rows = max(round(width / (1.6 * pitch)), 2), max(round(height / (1.6 * pitch)), 2)
            pad = box((width / columns + 0.001, thick, height / rows + 0.001), (0, thick / 2, 0), bevel=0.035)
            spots = [(i + 0.5, j + 0.5) for i in range(columns) for j in range(rows)]
            back = box((width, 0.05, height), (0, thick - 0.025, height / 2), bevel=0.01)
            return union(back, *(pad.at(width * (i / columns - 0.5), 0, height * j / rows) for i, j in spots))
        if design == "cushions":
            pad = cushion((0.5 * width, 0.16, 0.6 * height), (0.25 * width, thick / 2, 0.68 * height), squareness=5)
            slab = box((width, thick, height), (0, thick / 2, height / 2), bevel=0.01)
            return union(slab, pad, pad.mirrored("x"))
        edge = crown(width, height)
        panel = board(_filled(edge), thick, bevel=0.03).turned(x=90).at(y=thick)
        ear = rectangle(0.07, 0.26 + thick, corner=0.03).at(width / 2 + 0.01, thick / 2 - 0.1)
        wing = board(ear, edge[0, 1], bevel=0.02)
        return union(panel, wing, wing.mirrored("x")) if design == "wings" else panel

    return make


def sleigh_board(style: Style) -> tuple[Board, float]:
    """Swept outwards to a roll along its top, closed or of slats; and how far above the ground it begins."""
    thick, sweep = style.number("board thickness", 0.035, 0.055), style.number("sweep", 0.22, 0.4)
    roll, low = style.number("roll", 0.08, 0.14), style.number("ground clearance", 0.06, 0.14)
    slats = style.count("slats", 6, 12) if style.maybe("open", 0.4) else 1

    def make(width: float, height: float) -> Solid:
        up = np.linspace(0, 1, 10)
        face = np.column_stack([sweep * height * up**2.3, (height - roll / 2) * up])
        scroll = ellipse(roll, roll, segments=20).at(face[-1, 0] + thick / 2, height - roll / 2)
        view = polygon([*face[::-1], *(face + (thick, 0))]).plus(scroll)
        foot = view.minus(rectangle(2, height).at(0, 0.85 * height))
        slat = prism(view, width if slats == 1 else 0.6 * width / slats, along="x")
        strips = [slat.at(x * width / slats) for x in np.arange(slats) - (slats - 1) / 2]
        ends = [prism(view.grown(0.012), 0.06, along="x").at(x=x) for x in (-width / 2, width / 2)]
        return union(*(prism(rail, width, along="x") for rail in (foot, scroll)), *strips, *ends)

    return make, low
