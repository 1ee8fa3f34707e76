"""Small charts as inline SVG: plain shapes and text, colored by the page's style sheet to suit day and night.

A series is colored by its place: its elements have the class `s0`, `s1`, …
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mereo.evaluation.intervals import Mean

__all__ = ["SERIES", "bars", "columns", "dots", "heat", "lines"]

SERIES = 10
"""Colors that a page has; further series begin anew."""
_BANDS = 3
_LETTER = 6.6
"""About how wide a letter of a label is, pixels."""


def _svg(width: float, height: float, content: Sequence[str], label: str) -> str:
    inner = "\n".join(content)
    return (
        f'<svg class="chart" role="img" aria-label="{escape(label)}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="max-width:{width:.0f}px">\n{inner}\n</svg>'
    )


def _text(x: float, y: float, text: str, kind: str = "label", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _room(labels: Sequence[str]) -> float:
    return 14 + _LETTER * max((len(label) for label in labels), default=0)


def dots(groups: Sequence[tuple[str, Sequence[tuple[str, int, Mean]]]], *, label: str) -> str:
    """A line for each score between 0 and 100%: its mean as a dot, its interval as a bar.

    groups : a heading, and for each score under it name, color and score
    """
    every = [name for _, rows in groups for name, _, _ in rows]
    left, width, step = _room([*every, *(heading for heading, _ in groups)]), 460.0, 25
    height = step * (len(every) + len(groups)) + 30
    content = []
    for k in range(5):
        x = left + width * k / 4
        content.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 24}"/>')
        content.append(_text(x, height - 8, f"{25 * k}%", "tick", "middle"))
    y = -6
    for heading, rows in groups:
        y += step
        content.append(_text(left - 12, y + 4, heading, "heading", "end"))
        for name, color, mean in rows:
            y += step
            at, low, high = (left + width * value for value in (mean.value, mean.low, mean.high))
            content += [
                _text(left - 12, y + 4, name, "label", "end"),
                f'<line class="bar s{color % SERIES}" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>',
                f'<circle class="dot s{color % SERIES}" cx="{at:.1f}" cy="{y}" r="5"><title>{escape(name)}: '
                f"{mean.value:.1%} [{mean.low:.1%}, {mean.high:.1%}] of {mean.count:,}</title></circle>",
                _text(left + width + 14, y + 4, f"{100 * mean.value:.1f}", "value"),
            ]
    return _svg(left + width + 60, height, content, label)


def bars(counts: Sequence[tuple[str, int]], *, label: str, color: int = 0) -> str:
    """Horizontal bars for counts, with their shares."""
    left, width, step = _room([name for name, _ in counts]), 190.0, 19
    total, most = sum(count for _, count in counts) or 1, max((count for _, count in counts), default=1) or 1
    content = []
    for number, (name, count) in enumerate(counts):
        y = step * number
        content += [
            _text(left - 8, y + 14, name, "label", "end"),
            f'<rect class="fill s{color}" x="{left:.1f}" y="{y + 4}" width="{max(width * count / most, 1):.1f}" '
            f'height="13" rx="2"><title>{escape(name)}: {count:,}</title></rect>',
            _text(left + width * count / most + 6, y + 14, f"{count / total:.0%}", "tick"),
        ]
    return _svg(left + width + 44, step * len(counts) + 6, content, label)


def columns(counts: Sequence[tuple[str, int]], *, label: str, axis: str, color: int = 0) -> str:
    """Upright bars for the counts of something that grows from left to right."""
    height, base = 120.0, 132.0
    step = max(14.0, min(34.0, 420 / max(len(counts), 1)))
    most = max((count for _, count in counts), default=1) or 1
    every = -(-len(counts) * 26 // int(step * len(counts))) if counts else 1
    content = [f'<line class="axis" x1="4" x2="{step * len(counts) + 8:.1f}" y1="{base}" y2="{base}"/>']
    for number, (name, count) in enumerate(counts):
        x, tall = 6 + step * number, height * count / most
        content.append(
            f'<rect class="fill s{color}" x="{x:.1f}" y="{base - tall:.1f}" width="{step - 3:.1f}" '
            f'height="{tall:.1f}" rx="2"><title>{escape(name)}: {count:,}</title></rect>'
        )
        if number % every == 0:
            content.append(_text(x + (step - 3) / 2, base + 15, name, "tick", "middle"))
    middle = 6 + step * len(counts) / 2
    content.append(_text(middle, base + 33, axis, "tick", "middle"))
    return _svg(max(step * len(counts) + 12, 120), base + 40, content, label)


def lines(
    series: Sequence[tuple[str, int, Sequence[tuple[float, Mean]]]],
    *,
    label: str,
    axis: str,
    ticks: Sequence[tuple[float, str]],
) -> str:
    """Scores over something, with the bands of their intervals if these are few enough to be told apart.

    series : name, color, points from left to right
    """
    left, top, width, height = 44.0, 10.0, 440.0, 220.0
    first, last = ticks[0][0], max(ticks[-1][0], ticks[0][0] + 1e-9)

    def place(x: float, y: float) -> tuple[float, float]:
        return left + width * (x - first) / (last - first), top + height * (1 - y)

    content = []
    for k in range(5):
        _, y = place(first, k / 4)
        content.append(f'<line class="grid" x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}"/>')
        content.append(_text(left - 8, y + 4, f"{25 * k}%", "tick", "end"))
    for x, name in ticks:
        content.append(_text(place(x, 0)[0], top + height + 18, name, "tick", "middle"))
    content.append(_text(left + width / 2, top + height + 38, axis, "tick", "middle"))
    for name, color, points in series:
        upper = [place(x, mean.high) for x, mean in points]
        lower = [place(x, mean.low) for x, mean in reversed(points)]
        middle = [place(x, mean.value) for x, mean in points]
        kind = f"s{color % SERIES}"
        if len(series) <= _BANDS:
            content.append(f'<polygon class="band {kind}" points="{_points([*upper, *lower])}"/>')
        content.append(
            f'<polyline class="line {kind}" points="{_points(middle)}"><title>{escape(name)}</title></polyline>'
        )
        content += [
            f'<circle class="dot {kind}" cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(name)}: {mean.value:.1%} '
            f"[{mean.low:.1%}, {mean.high:.1%}] of {mean.count:,}</title></circle>"
            for (x, y), (_, mean) in zip(middle, points, strict=True)
        ]
    return _svg(left + width + 14, top + height + 46, content, label)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def heat(rows: Sequence[str], across: Sequence[str], counts: Sequence[Sequence[int]], *, label: str, color: int) -> str:
    """What was said (across) where what was right (rows); the darker, the larger its share of the row."""
    left, cell = _room(rows), 24.0
    top = 8 + 0.75 * _room(across)
    content = []
    for k, name in enumerate(across):
        x, y = left + cell * k + cell / 2, top - 6
        content.append(
            f'<text class="tick" transform="translate({x:.1f} {y:.1f}) rotate(-50)" text-anchor="start">'
            f"{escape(name)}</text>"
        )
    for r, name in enumerate(rows):
        total = sum(counts[r]) or 1
        content.append(_text(left - 8, top + cell * r + 16, name, "label", "end"))
        for k, said in enumerate(across):
            share = counts[r][k] / total
            kind = "right" if name == said else f"s{color % SERIES}"
            content.append(
                f'<rect class="cell {kind}" x="{left + cell * k:.1f}" y="{top + cell * r:.1f}" width="{cell - 2}" '
                f'height="{cell - 2}" rx="3" style="--share:{share:.3f}"><title>{escape(name)} → {escape(said)}: '
                f"{counts[r][k]:,}</title></rect>"
            )
    right = left + cell * len(across) + 0.5 * _room(across)
    return _svg(right, top + cell * len(rows) + 6, content, label)
