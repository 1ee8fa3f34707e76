"""Toasters: a block with slots for bread, and a lever that lowers it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mereo.shapes.appliances import cord, feet, knob_maker, soft, spaced
from mereo.shapes.articulation import sliding, spinning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, prism, tube, union
from mereo.shapes.style import Style

_SLOT = 0.03
"""How wide a slot is, meters."""
_KINDS = {"two": 3, "long": 1.2, "two long": 1.2, "four": 1.8}
_CASES = {"soft": 1.6, "dome": 1.4, "box": 1.4, "cheeks": 1.4, "banded": 1.0}


@grammar("toaster")
def toaster(style: Style) -> Part:
    """The slots run from front to back; levers and knobs are on the front, which lies at y = 0."""
    kind = style.pick("kind", _KINDS)
    rows = {"long": 1, "four": 4}.get(kind, 2)
    gap = style.number("between slots", 0.022, 0.034)
    wide = rows * (_SLOT + gap) + style.number("sides", 0.05, 0.075)
    deep = style.number("depth", 0.34, 0.4) if "long" in kind else style.number("depth", 0.25, 0.3)
    tall, lift = style.number("height", 0.16, 0.2), style.number("lift", 0.008, 0.018)
    plastic = style.maybe("plastic", 0.45)
    slots = [(x, deep - 0.09) for x in spaced(rows, _SLOT + gap)]
    frame = _case(style, wide, deep, tall, slots).at(z=lift)
    columns = spaced(2, wide / 2) if kind == "four" else [0.0]
    made = [leaf("frame", frame, "plastic" if plastic else ""), *_controls(style, columns, wide, tall, lift)]
    if style.maybe("crumb tray", 0.5):
        tray = box((0.7 * wide, deep - 0.05, 0.008), (0, deep / 2, lift + 0.008))
        lip = box((0.5 * wide, 0.016, 0.014), (0, -0.002, lift + 0.012), bevel=0.003)
        made.append(sliding(leaf("tray", union(tray, lip.at(y=0.024)), "metal"), (0, -1, 0), (0, 0.2)))
    if kind != "four" and style.maybe("bun rack", 0.25):
        made.append(leaf("shelf", _rack(wide, deep, tall + lift), "metal"))
    cable = cord((0, deep, lift + 0.02), length=0.22) if style.maybe("cord", 0.35) else None
    more = part("accessories", leaf("cord", cable, "rubber")) if cable else None
    return part("toaster", part("body", made), more, _base(style, wide, deep, lift))


def _case(style: Style, wide: float, deep: float, tall: float, slots: list[tuple[float, float]]) -> Solid:
    """From y = 0 to its depth, on z = 0: rounded, domed, a plain box, one between cheeks, or one with a band."""
    design, y = style.pick("case", _CASES), deep / 2
    round_top = min(style.number("roundness", 0.2, 0.45) * wide, 0.035 if len(slots) > 2 else 0.06)
    plan = rectangle(wide, deep, corner=0.25 * wide, segments=24)
    solids = [soft(plan, tall, round_top, foot=0.01).at(y=y)]
    if design == "dome":
        arch = rectangle(wide, 2 * tall, corner=round_top + 0.02).minus(rectangle(2 * wide, 2 * tall).at(0, -tall))
        solids = [
            prism(arch, deep - 0.03, along="y").at(y=y),
            *_cheeks(wide + 0.008, deep, tall - 0.006, round_top + 0.02),
        ]
    elif design == "box":
        solids = [box((wide, deep, tall), (0, y, tall / 2), bevel=0.01)]
    elif design == "cheeks":
        solids = [
            box((wide - 0.012, deep - 0.02, tall - 0.008), (0, y, tall / 2), bevel=0.006),
            *_cheeks(wide, deep, tall, 0.02),
        ]
    elif design == "banded":
        solids.append(
            board(
                rectangle(wide + 0.008, deep + 0.008, corner=0.25 * wide + 0.004, segments=24),
                0.03,
                (0, y, 0.25 * tall),
            )
        )
    holes = [box((_SLOT, long, tall), (x, y, 0.3 * tall + tall / 2)) for x, long in slots]
    rims = [box((_SLOT + 0.014, long + 0.016, 0.06), (x, y, tall - 0.025)) for x, long in slots]
    edges = [-wide / 2, *(x + side * _SLOT / 2 for x, _ in slots for side in (-1, 1)), wide / 2]
    walls = [box((b - a, deep, tall), ((a + b) / 2, y, tall / 2)) for a, b in np.reshape(edges, (-1, 2)).tolist()]
    walls += [box((wide, 0.04, tall), (0, end, tall / 2)) for end in (0.02, deep - 0.02)]
    walls.append(box((wide, deep, 0.3 * tall), (0, y, 0.15 * tall)))
    return union(*solids, *rims).minus(*holes, pieces=walls)


def _cheeks(wide: float, deep: float, tall: float, corner: float) -> list[Solid]:
    """Thick plates at both ends."""
    plate = rectangle(wide, 2 * tall, corner=corner).minus(rectangle(2 * wide, 2 * tall).at(0, -tall))
    return [board(plate, 0.034).turned(x=90).at(y=y) for y in (0.034, deep)]


def _controls(style: Style, columns: Sequence[float], wide: float, tall: float, lift: float) -> list[Part]:
    """For every pair of slots a lever in its groove, up or down, with a knob or buttons below it."""
    down = style.number("lowered", 0.03, 0.055) * style.maybe("toasting", 0.3)
    span, z = style.number("lever width", 0.03, 0.05), lift + 0.74 * tall
    handle = style.pick("lever", {"paddle": 1, "bar": 1, "ball": 1})
    grips = {
        "paddle": board(rectangle(span, 0.02, corner=0.008, segments=12), 0.02).turned(x=90).at(y=-0.008),
        "bar": bar((-span / 2, -0.018, 0), (span / 2, -0.018, 0), 0.014, round=True),
        "ball": board(ellipse(0.028, 0.028, segments=20), 0.016, bevel=0.004).turned(x=90).at(y=-0.012),
    }
    lever = union(grips[handle], box((0.01, 0.03, 0.008), (0, -0.004, 0)))
    knob, keys = knob_maker(style), style.count("buttons", 0, 3)
    parts = []
    for x in columns:
        parts.append(sliding(leaf("lever", lever.at(x, 0, z), "plastic"), (0, 0, -1), (0, 0.06), stands=down))
        place = (x, 0.0, lift + 0.24 * tall)
        parts.append(spinning(leaf("knob", knob(0.017).at(*place), "plastic"), (0, -1, 0), place))
        for side in spaced(keys, 0.016) if wide > 0.2 or len(columns) == 1 else []:
            key = box((0.011, 0.012, 0.008), (x + side, -0.001, lift + 0.42 * tall), bevel=0.002)
            parts.append(sliding(leaf("button", key, "plastic"), (0, 1, 0), (0, 0.003)))
    return parts


def _rack(wide: float, deep: float, top: float) -> Solid:
    """Wires over the slots to warm buns on."""
    high, y = top + 0.035, deep / 2
    ends = [
        tube(
            bent(
                [
                    (x, 0.25 * deep, top - 0.01),
                    (x, 0.25 * deep, high),
                    (x, 0.75 * deep, high),
                    (x, 0.75 * deep, top - 0.01),
                ]
            ),
            0.003,
            segments=8,
        )
        for x in spaced(3, 0.34 * wide)
    ]
    across = [
        bar((-0.42 * wide, y + s, high + 0.002), (0.42 * wide, y + s, high + 0.002), 0.005, round=True, sides=8)
        for s in spaced(2, 0.24 * deep)
    ]
    return union(*ends, *across)


def _base(style: Style, wide: float, deep: float, lift: float) -> Part:
    """Four feet, or a dark plinth that is set back."""
    if style.maybe("feet", 0.7):
        return part("base", part("foot_base", leaves("foot", feet(0.34 * wide, (0.06, deep - 0.06), lift, 0.012))))
    plinth = box((0.86 * wide, deep - 0.05, lift + 0.004), (0, deep / 2, lift / 2 + 0.002))
    return part("base", part("surface_base", leaf("surface", plinth, "plastic")))
