"""What SHOP-VRB's paper reports, to be read beside what is judged here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.evaluation.page import Section
from mereo.evaluation.tabulate import Grid, GridRow, html
from mereo.files import read_toml

if TYPE_CHECKING:
    from mereo.evaluation.reported import Report

__all__ = ["answers_section", "published_row"]


@cache
def _published() -> Mapping[str, Mapping[str, Any]]:
    return read_toml(Path(__file__).with_name("published.toml"))


def published_row(table: str, row: str) -> dict[str, float]:
    """The figures of a row by column. table : `boxes`, `seen` or `read`"""
    own = _published()[table]
    return dict(zip(own["columns"], own[row], strict=True)) if row in own else {}


def answers_section(report: Report) -> Sequence[Section]:
    """Table V of the paper: how well others answered its own questions, which are not ours."""
    own, rows = _published()["answers"], []
    for kind in ("visual", "textual", "all"):
        for name, figures in own[kind].items():
            cells = (f"{cell:.1f}" if cell is not None else "–" for _, cell in zip_longest(own["columns"], figures))
            rows.append(GridRow(kind, (name, *cells), ()))
    grid = Grid("published", ("", *own["columns"]), tuple(rows))
    about = (
        "What the paper reports for the models of its time, in per cent, on scenes and questions of its own. "
        "Of NS-VQA it is the one that was trained with two questions per template."
    )
    return [Section.of("published", "In the paper", f'<div class="scroll">{html(grid)}</div>', about=about)]
