"""The figures of referring expressions as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mereo.benchmarks.refer.figures import Figure
from mereo.evaluation.charts import score_columns
from mereo.files import write_bytes

__all__ = ["draw_figure", "save_figures"]

_NAMES = {"iou": "mean IoU", "box": "boxes with IoU > 0.5", "choice": "right among the candidates", "share": "share"}


def save_figures(figures: Iterable[Figure], folder: Path) -> list[Path]:
    """Write every figure as `NAME-MEASURE.svg`."""
    paths = []
    for figure in figures:
        paths.append(folder / f"{figure.name}-{figure.measure}.svg")
        write_bytes(paths[-1], draw_figure(figure).encode())
    return paths


def draw_figure(figure: Figure) -> str:
    """A figure as SVG: bars with their 95% intervals, side by side where a name has several."""
    names = dict.fromkeys(bar.name for bar in figure.bars)
    groups = [(name, [(bar.group, bar.mean) for bar in figure.bars if bar.name == name]) for name in names]
    return score_columns(groups, title=figure.title, about=_NAMES.get(figure.measure, figure.measure))
