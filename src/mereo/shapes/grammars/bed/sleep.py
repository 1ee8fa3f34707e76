"""What one sleeps on and under: mattress, pillows and blanket."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.bed.sizes import Size
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import Outline, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, board, cushion, union
from mereo.shapes.style import Style

__all__ = ["bed_unit", "sleep_area"]


def bed_unit(frame: Iterable[Part], sleep: Part) -> list[Part]:
    """One bed: where one sleeps, and the frame around it."""
    return [part("bed_unit", sleep, part("bed_frame", frame))]


def sleep_area(
    style: Style,
    size: Size,
    *,
    foot: bool = False,
    drape: float | None = None,
    lean: bool = True,
    sofa: bool = False,
    plan: Outline | None = None,
    where: str = "",
) -> Part:
    """The mattress with what lies on it.

    foot : whether a board at the foot keeps the blanket in
    drape : down to which height the blanket may hang; by default it stays above the rails
    lean : whether there is a headboard for pillows to lean on
    sofa : whether the pillows stand along the left wall
    plan : the outline, if it is no rectangle
    where : which of several beds, to tell their choices apart
    """
    outline = plan or rectangle(size.width, size.length, corner=0.06)
    mattress = board(outline, size.thick, (0, 0, size.deck - 0.002), bevel=0.03)
    pillows = _bolsters(style, size) if sofa else _pillows(style, size, where, lean=lean and plan is None)
    blanket = _blanket(style, size, outline, drape or size.deck + 0.07, where, foot=foot)
    return part("bed_sleep_area", leaf("mattress", mattress), leaves("pillow", pillows), blanket)


def _pillows(style: Style, size: Size, where: str, *, lean: bool) -> list[Solid]:
    """One or two at the head, flat or propped up, and sometimes smaller ones before them."""
    across = 1 if size.width < 1.2 else 2
    wide, deep = min(0.7, 0.8 * size.width / across), min(style.number(f"{where}pillow", 0.38, 0.48), 0.42 * size.width)
    rows = style.count(f"{where}pillow rows", across - 1, across)
    tilt = style.number(f"{where}tilt", 40, 65) if style.maybe(f"{where}propped", 0.4) and lean else 0.0
    head = size.length / 2 - (0.03 if lean else 0.12) - deep / 2 * np.cos(np.radians(tilt))
    solids = []
    for row, scale in enumerate((1.0, 0.75)[:rows]):
        pillow = cushion((scale * wide, scale * deep, 0.15), squareness=3.4).turned(x=max(tilt, 30 * row))
        y, spread = (
            head - row * (0.16 if tilt else 0.24),
            ((0.24 if lean else 0.2) - 0.07 * row) * size.width * (across - 1),
        )
        solids += [_laid(pillow.at(x, y), size.top) for x in (-spread, spread)[:across]]
    return solids


def _bolsters(style: Style, size: Size) -> list[Solid]:
    pillow = cushion((0.15, 0.46, 0.42), squareness=3.6).turned(y=-15).at(x=0.15 - size.width / 2)
    ys = np.linspace(-0.3, 0.3, style.count("bolsters", 2, 3)) * size.length
    return [_laid(pillow.at(y=y), size.top) for y in ys]


def _laid(solid: Solid, height: float) -> Solid:
    """Lowered or lifted until it presses a little into what lies at a height."""
    return solid.at(z=height - 0.02 - solid.bounds()[0, 2])


def _blanket(style: Style, size: Size, plan: Outline, hang: float, where: str, *, foot: bool) -> Part | None:
    """A duvet with its edge folded back, a scarf across the foot end, a folded throw, or none."""
    kind = style.pick(f"{where}blanket", {"none": 1.0, "duvet": 2.2, "scarf": 1.0, "throw": 0.8})
    thick, place = style.number(f"{where}blanket thickness", 0.02, 0.045), style.number(f"{where}blanket edge", 0, 1)

    def cloth(near: float, far: float, low: float, thick: float) -> Solid:
        beyond = [rectangle(9, 9).at(0, far + 4.5), rectangle(9, 9).at(0, near - 4.5)]
        draped = board(plan.grown(thick).minus(*beyond), size.top + thick - low, (0, 0, low), bevel=0.6 * thick)
        return draped.minus(board(plan, size.top - low + 0.098, (0, 0, low - 0.1)))

    if kind == "duvet":
        near, far = (0.004 - size.length / 2 if foot else -size.length), (0.24 - 0.18 * place) * size.length
        fold = cloth(far - 0.28, far, size.top - 0.05, 1.7 * thick)
        return leaf("blanket", union(cloth(near, far, hang, thick), fold))
    if kind == "scarf":
        near = (0.05 + 0.1 * place - 0.5) * size.length
        return leaf("blanket", cloth(near, near + 0.24 * size.length, hang, 0.7 * thick))
    if kind == "throw":
        layer = (0.5 + 0.3 * place) * size.width, 0.23 * size.length, 0.05
        fold = cushion(layer, (0, -0.28 * size.length, size.top + 0.018), squareness=8)
        return leaf("blanket", union(fold, fold.at(0, 0.02, 0.04)))
    return None
