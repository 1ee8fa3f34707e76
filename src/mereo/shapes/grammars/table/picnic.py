"""Tables with benches, to picnic at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mereo.shapes.grammar import part
from mereo.shapes.grammars.table.tops import side_by_side, top_outline
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, union
from mereo.shapes.style import Style

__all__ = ["picnic_table"]


def picnic_table(style: Style) -> Part:
    """A top and its benches on one timber frame, long with two benches or round with three or four."""
    high, sit = style.number("height", 0.72, 0.77), style.number("bench height", 0.42, 0.46)
    timber, reach = style.number("timber", 0.04, 0.07), style.number("reach", 0.68, 0.8)
    make = _round_picnic if style.maybe("round picnic", 0.45) else _long_picnic
    surface, legs, ties, benches = make(style, high, sit, timber, reach)
    base = part("table_base", part("regular_leg_base", leaves("leg", legs)))
    inner = part("regular_table", part("tabletop", leaves("tabletop_surface", surface)), base)
    return part("picnic_table", inner, leaves("bench_connector", ties), leaves("bench", benches))


def _round_picnic(style: Style, high: float, sit: float, timber: float, reach: float) -> Iterator[list[Solid]]:
    count, wide, edge = style.count("benches", 3, 4), 2 * reach - 0.6, reach + 0.28
    turns = (np.arange(count) + 0.5) * 360 / count
    seat = rectangle(0.28, 1.15 * reach).at(reach + 0.14)
    if style.maybe("curved benches", 0.6):
        arc = np.radians(np.linspace(-0.38, 0.38, 9) * 360 / count)
        seat = polygon([(r * np.cos(t), r * np.sin(t)) for r, row in ((edge, arc), (reach, arc[::-1])) for t in row])
    shape = top_outline(style.pick("picnic top", {"round": 1, "octagon": 1}), wide, wide, 0)
    yield [board(shape, 0.04, (0, 0, high - 0.04), bevel=0.004)]
    yield [bar((wide / 2 - 0.1, 0, high - 0.04), (reach - 0.05, 0, 0), timber, 0.09).turned(z=turn) for turn in turns]
    yield [box((edge, timber, 0.08), (edge / 2 - 0.02, 0, sit - 0.078)).turned(z=turn) for turn in turns]
    yield [board(seat, 0.04, (0, 0, sit - 0.04)).turned(z=turn) for turn in turns]


def _long_picnic(style: Style, high: float, sit: float, timber: float, reach: float) -> Iterator[list[Solid]]:
    length, crossed = style.number("length", 1.4, 2.2), style.maybe("crossed legs", 0.35)
    x = length / 2 - style.number("overhang", 0.15, 0.4)
    up, down = (-0.4 * reach, 0.55 * reach) if crossed else (0.4 * reach, 0.92 * reach)
    ends = [((at, s * up, high - 0.04), (at, s * down, 0)) for at in (-x, x) for s in (-1, 1)]
    slats = [(reach,), (reach - 0.065, reach + 0.065)][style.maybe("two bench planks", 0.5)]
    plank = box((length, 0.26 / len(slats) + 0.001, 0.04), (0, 0, sit - 0.02), bevel=0.003)
    bench = union(*(plank.at(y=y) for y in slats))
    yield side_by_side(style.count("planks", 3, 6), (length, 2 * reach - 0.6, 0.04), high - 0.02)
    yield [bar(*line, timber, 0.1) for line in ends]
    yield [box((timber, 2 * reach + 0.26, 0.1), (at, 0, sit - 0.089)) for at in (timber - x, x - timber)]
    yield [bench, bench.mirrored("y")]
