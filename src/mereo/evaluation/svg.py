"""The pieces that charts are drawn of: text, lines across, and a file around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

__all__ = ["LETTER", "levels", "strokes", "svg_file", "text"]

LETTER = 6.6
"""About how wide a letter of a label is, pixels."""


def text(x: float, y: float, text: str, kind: str = "label", anchor: str = "start") -> str:
    """A piece of text. kind : its class in the style sheet"""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def levels(left: float, right: float, top: float, bottom: float, names: Sequence[str]) -> Iterator[str]:
    """Lines across a chart from 0 to 1, with a name each."""
    for place, name in enumerate(names):
        y = bottom + (top - bottom) * place / (len(names) - 1)
        yield f'<line class="grid" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield text(left - 8, y + 4, name, "tick", "end")


def strokes(places: Sequence[tuple[float, float]]) -> str:
    """Places one after the other, as lines go through them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def svg_file(width: float, height: float, content: Sequence[str], label: str) -> str:
    """A file that opens in any browser, with a style of its own, for white paper."""
    style, inner = Path(__file__).with_name("figure.css").read_text(), "\n".join(content)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label)}">\n'
        f'<style>\n{style}</style>\n<rect class="paper" width="100%" height="100%"/>\n{inner}\n</svg>\n'
    )
