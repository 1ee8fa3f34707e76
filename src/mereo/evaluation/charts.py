"""Small charts as SVG, plain shapes and text: parts of a page, or files that open in any browser.

A series is colored by its place: its elements have the class `s0`, `s1`, …, and the page's style sheet has the colors,
to suit day and night. A file brings a style of its own, for white paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isnan

from mereo.evaluation.intervals import Mean
from mereo.evaluation.svg import LETTER, levels, strokes, svg_file, text

__all__ = ["SERIES", "bars", "columns", "dots", "heat", "lines", "score_columns"]

SERIES = 10
"""Colors that a page has; further series begin anew."""
_BANDS = 3
_TOP, _BASE, _BAR = 66.0, 266.0, 28.0
"""Where 1 and 0 lie in a file, and how far its bars stand from each other."""


def _svg(width: float, height: float, content: Sequence[str], label: str) -> str:
    inner = "\n".join(content)
    return (
        f'<svg class="chart" role="img" aria-label="{escape(label)}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="max-width:{width:.0f}px">\n{inner}\n</svg>'
    )


def _room(labels: Sequence[str]) -> float:
    return 14 + LETTER * max((len(label) for label in labels), default=0)


def _told(name: str, mean: Mean) -> str:
    """What is shown when one points at a score."""
    if isnan(mean.low):
        return f"<title>{escape(name)}: {mean.value:.1%}</title>"
    return f"<title>{escape(name)}: {mean.value:.1%} [{mean.low:.1%}, {mean.high:.1%}] of {mean.count:,}</title>"


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
        content.append(text(x, height - 8, f"{25 * k}%", "tick", "middle"))
    y = -6
    for heading, rows in groups:
        y += step
        content.append(text(left - 12, y + 4, heading, "heading", "end"))
        for name, color, mean in rows:
            y += step
            at, low, high = (left + width * value for value in (mean.value, mean.low, mean.high))
            content += [
                text(left - 12, y + 4, name, "label", "end"),
                f'<line class="bar s{color % SERIES}" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>',
                f'<circle class="dot s{color % SERIES}" cx="{at:.1f}" cy="{y}" r="5">{_told(name, mean)}</circle>',
                text(left + width + 14, y + 4, f"{100 * mean.value:.1f}", "value"),
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
            text(left - 8, y + 14, name, "label", "end"),
            f'<rect class="fill s{color}" x="{left:.1f}" y="{y + 4}" width="{max(width * count / most, 1):.1f}" '
            f'height="13" rx="2"><title>{escape(name)}: {count:,}</title></rect>',
            text(left + width * count / most + 6, y + 14, f"{count / total:.0%}", "tick"),
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
            content.append(text(x + (step - 3) / 2, base + 15, name, "tick", "middle"))
    middle = 6 + step * len(counts) / 2
    content.append(text(middle, base + 33, axis, "tick", "middle"))
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

    content = list(levels(left, left + width, top, top + height, ["0%", "25%", "50%", "75%", "100%"]))
    for x, name in ticks:
        content.append(text(place(x, 0)[0], top + height + 18, name, "tick", "middle"))
    content.append(text(left + width / 2, top + height + 38, axis, "tick", "middle"))
    for name, color, points in series:
        upper = [place(x, mean.high) for x, mean in points]
        lower = [place(x, mean.low) for x, mean in reversed(points)]
        middle = [place(x, mean.value) for x, mean in points]
        kind = f"s{color % SERIES}"
        if len(series) <= _BANDS:
            content.append(f'<polygon class="band {kind}" points="{strokes([*upper, *lower])}"/>')
        content.append(
            f'<polyline class="line {kind}" points="{strokes(middle)}"><title>{escape(name)}</title></polyline>'
        )
        content += [
            f'<circle class="dot {kind}" cx="{x:.1f}" cy="{y:.1f}" r="3">{_told(name, mean)}</circle>'
            for (x, y), (_, mean) in zip(middle, points, strict=True)
        ]
    return _svg(left + width + 14, top + height + 46, content, label)


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
        content.append(text(left - 8, top + cell * r + 16, name, "label", "end"))
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


def score_columns(groups: Sequence[tuple[str, Sequence[tuple[str, Mean]]]], *, title: str, about: str) -> str:
    """A file of its own: upright bars for scores from 0 to 1 with their intervals, side by side under one name.

    groups : a name, and for each bar over it series and score, whose ends are NaN where others published it without
    about : what is measured
    """
    series = list(dict.fromkeys(name for _, bars in groups for name, _ in bars))
    counts = [_counted([mean.count for _, mean in bars if not isnan(mean.low)]) for _, bars in groups]
    longest = max(_room([name for name, _ in groups]), 0.8 * _room(counts))
    words = max(9.4 * len(title), LETTER * (len(about) + sum(len(name) + 6 for name in series)))
    slot = _BAR * len(series) + 18
    slot = longest if slot < longest < slot + 26 else slot
    wide = max(slot * len(groups), words, 200)
    slot = wide / max(len(groups), 1)
    slanted = slot < longest
    left = max(46.0, 0.8 * longest - slot / 2) if slanted else 46.0
    content = [
        text(left, 24, title, "title"),
        text(left, 43, about, "tick"),
        *levels(left, left + wide, _TOP, _BASE, ["0", ".25", ".5", ".75", "1"]),
        *_legend(series, left + wide),
    ]
    for place, (name, bars) in enumerate(groups):
        middle = left + slot * (place + 0.5)
        content += _named(middle, name, counts[place], slanted=slanted)
        for own, mean in bars:
            k = series.index(own)
            content += _column(middle + _BAR * (k - (len(series) - 1) / 2), f"{name} {own}".strip(), mean, color=k)
    return svg_file(left + wide + 16, _BASE + (30 + 0.6 * longest if slanted else 46), content, f"{title}: {about}")


def _counted(counts: Sequence[int]) -> str:
    """How much bars count, each number told once."""
    return "/".join(f"{count:,}" for count in dict.fromkeys(counts))


def _column(x: float, name: str, mean: Mean, *, color: int) -> list[str]:
    """A bar, its end, its interval and its number."""
    told = (mean.value, mean.value, mean.value) if isnan(mean.low) else (mean.value, mean.low, mean.high)
    y, low, high = (_BASE + (_TOP - _BASE) * value for value in told)
    kind = f"s{color % SERIES}"
    return [
        f'<rect class="fill {kind}" x="{x - 11:.1f}" y="{y:.1f}" width="22" height="{_BASE - y:.1f}">'
        f"{_told(name, mean)}</rect>",
        f'<line class="end {kind}" x1="{x - 11:.1f}" x2="{x + 11:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<line class="interval {kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>',
        text(x, min(y, high) - 6, f"{mean.value:.2f}".removeprefix("0"), "value", "middle"),
    ]


def _named(x: float, name: str, counts: str, *, slanted: bool) -> list[str]:
    """The name under some bars, and how much they count."""
    if not slanted:
        return [text(x, _BASE + 20, name, "label", "middle"), text(x, _BASE + 36, counts, "count", "middle")]
    texts = [text(0, 0, name, "label", "end"), text(0, 13, counts, "count", "end")]
    return [f'<g transform="translate({x + 4:.1f} {_BASE + 16:.1f}) rotate(-35)">', *texts, "</g>"]


def _legend(series: Sequence[str], right: float) -> list[str]:
    """Which color is which series, if there are several; to the right end of a line."""
    found: list[str] = []
    for color, name in reversed(list(enumerate(series)) if len(series) > 1 else []):
        right -= LETTER * len(name)
        found.append(text(right, 43, name, "tick"))
        found.append(f'<rect class="key s{color % SERIES}" x="{right - 15:.1f}" y="34" width="10" height="10" rx="2"/>')
        right -= 32
    return found
