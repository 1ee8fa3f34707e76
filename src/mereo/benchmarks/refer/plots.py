"""Bar charts as SVG, written by hand: they open in any browser and need no library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from mereo.benchmarks.refer.figures import Bar, Figure
from mereo.files import write_bytes

__all__ = ["draw_figure", "save_figures"]

_INKS = ("#2f6a8f", "#d08a3e")
_PAPER, _INK, _FAINT = "#faf9f6", "#28282c", "#c9c6bf"
_WIDE, _HIGH, _LEFT, _TOP, _BELOW = 44, 220, 52, 62, 58
_FONT = "font-family='Helvetica, Arial, sans-serif'"
_NAMES = {"iou": "mean IoU", "box": "boxes with IoU > 0.5", "choice": "right among the candidates", "share": "share"}


def save_figures(figures: Iterable[Figure], folder: Path) -> list[Path]:
    """Write every figure as `NAME-MEASURE.svg`."""
    paths = []
    for figure in figures:
        path = folder / f"{figure.name}-{figure.measure}.svg"
        write_bytes(path, draw_figure(figure).encode())
        paths.append(path)
    return paths


def draw_figure(figure: Figure) -> str:
    """A figure as SVG: bars with their 95% intervals, side by side where a name has several."""
    names = list(dict.fromkeys(bar.name for bar in figure.bars))
    groups = list(dict.fromkeys(bar.group for bar in figure.bars))
    slot = max(_WIDE, 26 * len(groups) + 18, 7 * max(map(len, names)) + 4)
    width, height = max(_LEFT + slot * len(names), 8 * len(figure.title) + _LEFT) + 16, _TOP + _HIGH + _BELOW
    body = [
        f"<rect width='{width}' height='{height}' fill='{_PAPER}'/>",
        _text(_LEFT, 20, figure.title, size=14, weight="bold"),
        _text(_LEFT, 36, _NAMES.get(figure.measure, figure.measure), size=11),
        *_scale(width),
        *_legend(groups, width),
    ]
    for place, name in enumerate(names):
        own = [bar for bar in figure.bars if bar.name == name]
        middle = _LEFT + slot * (place + 0.5)
        body += _bars(own, groups, middle)
        body += _label(name, own, middle)
    box = f"viewBox='0 0 {width} {height}' width='{width}' height='{height}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {box} {_FONT}>\n" + "\n".join(body) + "\n</svg>\n"


def _scale(width: int) -> list[str]:
    marks = []
    for tenth in range(0, 11, 2):
        y = _TOP + _HIGH * (1 - tenth / 10)
        marks.append(f"<line x1='{_LEFT}' x2='{width - 8}' y1='{y:.1f}' y2='{y:.1f}' stroke='{_FAINT}'/>")
        marks.append(_text(_LEFT - 8, y + 4, f"{tenth / 10:.1f}", size=11, anchor="end"))
    return marks


def _legend(groups: Sequence[str], width: int) -> list[str]:
    if len(groups) < 2:
        return []
    found, x = [], width - 8 - 84 * len(groups)
    for group, ink in zip(groups, _INKS, strict=False):
        found.append(f"<rect x='{x}' y='27' width='10' height='10' fill='{ink}'/>")
        found.append(_text(x + 14, 36, group, size=11))
        x += 84
    return found


def _bars(bars: Sequence[Bar], groups: Sequence[str], middle: float) -> list[str]:
    found = []
    for bar in bars:
        k = groups.index(bar.group)
        x = middle + 26 * (k - (len(groups) - 1) / 2)
        top = _TOP + _HIGH * (1 - bar.mean.value)
        low, high = (_TOP + _HIGH * (1 - end) for end in (bar.mean.low, bar.mean.high))
        found.append(
            f"<rect x='{x - 10:.1f}' y='{top:.1f}' width='20' height='{_TOP + _HIGH - top:.1f}' fill='{_INKS[k % 2]}'/>"
        )
        found.append(f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{low:.1f}' y2='{high:.1f}' stroke='{_INK}'/>")
        above = min(top, high) - 4
        found.append(_text(x, above, f"{bar.mean.value:.2f}".removeprefix("0"), size=10, anchor="middle"))
    return found


def _label(name: str, bars: Sequence[Bar], middle: float) -> list[str]:
    counts = "/".join(f"{bar.mean.count:,}" for bar in bars)
    y = _TOP + _HIGH + 18
    return [
        _text(middle, y, name, size=11, anchor="middle"),
        _text(middle, y + 15, counts, size=9, anchor="middle", ink="#77756f"),
    ]


def _text(
    x: float, y: float, words: str, *, size: int, weight: str = "normal", anchor: str = "start", ink: str = _INK
) -> str:
    style = f"font-size='{size}' font-weight='{weight}' text-anchor='{anchor}' fill='{ink}'"
    return f"<text x='{x:.1f}' y='{y:.1f}' {style}>{escape(words)}</text>"
