"""How learning went, as a picture: losses and marks over steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from mereo.evaluation.charts import SERIES
from mereo.evaluation.svg import LETTER, strokes, svg_file, text
from mereo.training.readings import Reading, Score

__all__ = ["draw_curves"]

_LEFT, _WIDE, _TALL = 58.0, 460.0, 180.0
_TOP, _BETWEEN = 74.0, 62.0
_BINS = 200
"""More points than these are drawn as means of neighbors: a line that trembles hides where it goes."""
_TENFOLD = 10.0
"""Losses that fall further than this are drawn on a scale of powers."""

_TICKS = 6
"""Values that are written beside a panel, about."""

Points = list[tuple[float, float]]
"""Step and value."""


class _Series(NamedTuple):
    name: str
    learned: Points
    tried: Points


def draw_curves(readings: Sequence[Reading], *, title: str) -> str:
    """A chart as SVG: above the losses, below the marks, of what was learned from and of what was only tried."""
    losses = _series(readings, lambda score: score.losses)
    marks = _series(readings, lambda score: score.marks)
    last = float(max((one.step for one in readings), default=1))
    panels = [("losses", losses, _scale_of(losses))] if losses else []
    panels += [("marks", marks, _SHARES)] if marks else []
    about = "what was learned from"
    if any(one.tried for one in (*losses, *marks)):
        about = "faint: what was learned from · strong: what was only tried"
    right = _LEFT + _WIDE + 26 + max([LETTER * (len(one.name) + 8) for one in (*losses, *marks)], default=0)
    content = [text(_LEFT, 24, title, "title"), text(_LEFT, 43, about, "tick")]
    for place, (name, series, scale) in enumerate(panels):
        content += _panel(name, series, scale, top=_TOP + place * (_TALL + _BETWEEN), last=last)
    height = _TOP + max(1, len(panels)) * (_TALL + _BETWEEN) - 10
    return svg_file(max(right, _LEFT + _WIDE + 60), height, content, f"{title}: losses and marks over steps")


def _series(readings: Sequence[Reading], values: Callable[[Reading | Score], dict[str, float]]) -> list[_Series]:
    """What goes into one panel, by name, in the order in which names appear."""
    names = dict.fromkeys(name for one in readings for name in values(one))
    return [
        _Series(
            name,
            _binned([(one.step, values(one)[name]) for one in readings if name in values(one)]),
            [(one.step, values(one.tried)[name]) for one in readings if one.tried and name in values(one.tried)],
        )
        for name in names
    ]


def _binned(points: Points) -> Points:
    size = -(-len(points) // _BINS) or 1
    bins = [points[first : first + size] for first in range(0, len(points), size)]
    return [(sum(x for x, _ in one) / len(one), sum(y for _, y in one) / len(one)) for one in bins]


class _Scale(NamedTuple):
    """From which value to which a panel goes, and which of them are written beside it."""

    low: float
    high: float
    ticks: list[tuple[float, str]]
    powers: bool = False
    percent: bool = False

    def told(self, value: float) -> str:
        """A value as one says it."""
        return f"{value:.1%}" if self.percent else f"{value:.3g}"

    def share(self, value: float) -> float:
        """How far up a value stands, from 0 to 1."""
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.powers:
            low, high, at = math.log(low), math.log(high), math.log(at)
        return (at - low) / (high - low)


_SHARES = _Scale(0.0, 1.0, [(k / 4, f"{25 * k}%") for k in range(5)], percent=True)


def _scale_of(series: Sequence[_Series]) -> _Scale:
    """What holds all values and 0; or in powers, where they fall far."""
    values = [value for one in series for _, value in (*one.learned, *one.tried)]
    low, high = min(values), max(values)
    if low > 0 and high / low > _TENFOLD:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        apart = -(-len(decades) // _TICKS)
        ticks = [k * 10.0**e for e in decades[::apart] for k in ((1, 2, 5) if len(decades) <= 4 else (1,))]
        return _Scale(low, high, [(tick, f"{tick:g}") for tick in ticks if low <= tick <= high], powers=True)
    low, high = min(0.0, low), max(0.0, high)
    high = high if high > low else low + 1.0
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= _TICKS)
    ticks = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return _Scale(low, high, [(tick, f"{tick:g}") for tick in ticks])


def _panel(name: str, series: Sequence[_Series], scale: _Scale, *, top: float, last: float) -> list[str]:
    bottom, right = top + _TALL, _LEFT + _WIDE

    def places(points: Points) -> Points:
        return [(_LEFT + _WIDE * step / last, bottom - _TALL * scale.share(value)) for step, value in points]

    content = [text(_LEFT, top - 8, name, "label")]
    for value, shown in scale.ticks:
        y = bottom - _TALL * scale.share(value)
        content.append(f'<line class="grid" x1="{_LEFT:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        content.append(text(_LEFT - 8, y + 4, shown, "tick", "end"))
    for k in range(5):
        content.append(text(_LEFT + _WIDE * k / 4, bottom + 18, f"{last * k / 4:,.0f}", "tick", "middle"))
    content.append(text(_LEFT + _WIDE / 2, bottom + 34, "steps", "tick", "middle"))
    for color, one in enumerate(series):
        kind = f"s{color % SERIES}"
        told = f"<title>{escape(one.name)}</title>"
        faint = " learned" if one.tried else ""
        content.append(
            f'<polyline class="line{faint} {kind}" points="{strokes(places(one.learned))}">{told}</polyline>'
        )
        content.append(f'<polyline class="line {kind}" points="{strokes(places(one.tried))}">{told}</polyline>')
        content += [f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in places(one.tried)]
        y = top + 8 + min(17.0, _TALL / len(series)) * color
        last_told = scale.told((one.tried or one.learned)[-1][1])
        content.append(f'<rect class="key {kind}" x="{right + 16:.1f}" y="{y - 9:.1f}" width="10" height="10" rx="2"/>')
        content.append(text(right + 31, y, f"{one.name} {last_told}", "tick"))
    return content
