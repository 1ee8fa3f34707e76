"""What the colors of a cloud's points mean: every name that is told or said, and how well it was found."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.point_views import Telling
from mereo.shapes.draw import part_paint

__all__ = ["Found", "found_names", "legend_html", "painted"]

_UNNAMED, _RIGHT, _WRONG = "#c3c8cd", "#a9bfb1", "#d92d20"
"""The colors of points that nothing is told of, and of those of which a run is right and wrong."""


class Found(NamedTuple):
    """One name: how many points have it in truth, and how far a run agrees."""

    number: int
    label: str
    points: int
    said: int
    """Points that the run says it of; none without a run."""
    overlap: float | None
    """Of what is true and what is said, as a share of both together; None without a run."""


def found_names(truth: Telling, said: Telling | None) -> list[Found]:
    """All names that some point has, or is said to have."""
    names = truth.names if said is None else said.names
    lines = []
    for number, label in enumerate(names, start=1):
        own = truth.numbers == number
        theirs = np.zeros(len(own), bool) if said is None else (said.numbers == number) & (truth.numbers > 0)
        joined = int((own | theirs).sum())
        if joined:
            overlap = None if said is None else int((own & theirs).sum()) / joined
            lines.append(Found(number, label, int(own.sum()), int(theirs.sum()), overlap))
    return lines


def painted(truth: Telling, said: Telling | None, *, side: str) -> tuple[list[int], list[str]]:
    """A number for each point, and the color of each number. side : `truth`, `run` or `errors`"""
    if said is not None and side == "errors":
        known: NDArray[np.int64] = (truth.numbers > 0).astype(np.int64)
        return (known + truth.wrong(said)).tolist(), [_UNNAMED, _RIGHT, _WRONG]
    own = truth if said is None or side == "truth" else said
    paints = _paints(truth, said)
    return own.numbers.tolist(), [paints.get(number, _UNNAMED) for number in range(len(own.names) + 1)]


def _paints(truth: Telling, said: Telling | None) -> dict[int, str]:
    """By number its color: few colors can be told apart, so only names that occur get one, the true ones first."""
    occur = sorted(found_names(truth, said), key=lambda one: (not one.points, one.number))
    return {one.number: part_paint(place) for place, one in enumerate(occur)}


def legend_html(truth: Telling, said: Telling | None, *, side: str, lit: int | None) -> str:
    """The names with their colors, as `painted` has them. lit : the number of the one that is shown alone"""
    lines, paints = [], _paints(truth, said)
    errors = side == "errors"
    if said is not None and errors:
        wrong, known = int(truth.wrong(said).sum()), int((truth.numbers > 0).sum())
        lines = [_line(_RIGHT, "right", f"{known - wrong:,} points"), _line(_WRONG, "wrong", f"{wrong:,} points")]
    unnamed = int((truth.numbers == 0).sum())
    lines += [_line(_UNNAMED, "of no part", f"{unnamed:,} points")] if unnamed else []
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
