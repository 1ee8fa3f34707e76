"""What the colors of a cloud's points mean: every name that is told or said, and how well it was found."""

from __future__ import annotations

from html import escape

from mereo.datasets.point_views import Telling
from mereo.evaluation.point_colors import ERRORS, RIGHT, UNNAMED, WRONG, Found, found_names, paints_of

__all__ = ["legend_html"]


def legend_html(truth: Telling, said: Telling | None, *, side: str, lit: int | None) -> str:
    """The names with their colors, as `painted` has them. lit : the number of the one that is shown alone"""
    lines, paints = [], paints_of(truth, said)
    errors = side == ERRORS
    if said is not None and errors:
        wrong, known = int(truth.wrong(said).sum()), int((truth.numbers > 0).sum())
        lines = [_line(RIGHT, "right", f"{known - wrong:,} points"), _line(WRONG, "wrong", f"{wrong:,} points")]
    unnamed = int((truth.numbers == 0).sum())
    lines += [_line(UNNAMED, "of no part", f"{unnamed:,} points")] if unnamed else []
    for one in found_names(truth, said):
        marked = " marked" if one.number == lit else ""
        paint = "transparent" if errors else paints[one.number]
        lines.append(_line(paint, one.label, _told(one), number=one.number, kind=marked))
    return "".join(lines)


def _told(one: Found) -> str:
    """How large it is, and how well it was found."""
    if one.overlap is None:
        return f"{one.points:,} points"
    if not one.points:
        return "<mark>not there</mark>"
    return f"{100 * one.overlap:.0f}% of {one.points:,}" if one.said else f"<mark>missed</mark> of {one.points:,}"


def _line(paint: str, label: str, told: str, *, number: int | None = None, kind: str = "") -> str:
    name = escape(label.rpartition("/")[2].replace("_", " "))
    held = "" if number is None else f' data-number="{number}" tabindex="0" title="{escape(label)}"'
    return (
        f'<div class="c-line{kind}" style="--depth:0"{held}><i class="c-dot" style="background:{paint}"></i>'
        f"<span>{name}</span><small>{told}</small></div>"
    )
