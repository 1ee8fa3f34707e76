"""Clocks: on the wall and on tables, with bells, with digits, and tall ones with a pendulum.

PartNet has no label for hands; they count to the dial, or to the top of a pendulum clock, each as a leaf that turns.
"""

from __future__ import annotations

from mereo.shapes.grammar import grammar, part
from mereo.shapes.grammars.clock.blocks import carriage, mantel
from mereo.shapes.grammars.clock.digital import digital
from mereo.shapes.grammars.clock.drums import alarm, desk, wall
from mereo.shapes.grammars.clock.pendulum import pendulum_clock
from mereo.shapes.part import Part
from mereo.shapes.style import Style

_KINDS = {
    "wall": 2.6,
    "desk": 1.4,
    "alarm": 1.8,
    "carriage": 1.0,
    "mantel": 1.4,
    "digital": 1.8,
    "tall": 2.2,
    "regulator": 1.4,
}


@grammar("clock")
def clock(style: Style) -> Part:
    """A face in a case, and what holds it."""
    kind = style.pick("kind", _KINDS)
    if kind in ("tall", "regulator"):
        return part("clock", pendulum_clock(style, tall=kind == "tall"))
    makers = {"wall": wall, "desk": desk, "alarm": alarm, "carriage": carriage, "mantel": mantel, "digital": digital}
    return part("clock", part("table_clock", makers[kind](style)))
