"""What a report tells of, and the scenes that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from mereo.datasets.asked import Asked
from mereo.datasets.audit import Audit
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import scene_rows
from mereo.errors import BadInput
from mereo.evaluation.curves import Curve
from mereo.evaluation.drawing import Drawing, draw_scene
from mereo.evaluation.judging import WORDED, Judging
from mereo.evaluation.result import Judged
from mereo.world import World

__all__ = ["KINDS", "Drawn", "Report", "kind_of"]

KINDS = {"oracle": "oracles", "model": "models", "baseline": "blind baselines"}
"""The kinds of runs in the order in which they are told of, and what several of a kind are called."""
_PICTURES = 12
_WIDTH, _SMALL, _MANY = 380, 270, 150
"""Pixels of pictures, and of pictures where there are many, so that a page does not grow beyond bounds."""


@dataclass(frozen=True)
class Report:
    """Everything that a report tells of."""

    asked: Asked
    """All questions of the dataset."""
    runs: Sequence[Judged]
    audit: Audit | None
    curves: Sequence[Curve]
    inspector: Inspector | None
    judging: Judging = WORDED

    @cached_property
    def ordered(self) -> list[tuple[int, Judged]]:
        """The runs with the number of their color: oracles, then models, then baselines, the best first."""
        kinds = list(KINDS)
        ranked = sorted(self.runs, key=lambda run: (kinds.index(kind_of(run)), -_score(run), run.result.run))
        return list(enumerate(ranked))


def kind_of(run: Judged) -> str:
    """Which of the kinds a run is; a model unless it says otherwise."""
    kind = run.result.header.kind
    return kind if kind in KINDS else "model"


def _score(run: Judged) -> float:
    mean = run.result.overall.scores.get(run.result.measures[0])
    return mean.value if mean is not None else 0.0


class Drawn:
    """The scenes that the page shows, each drawn once."""

    def __init__(self, report: Report, wanted: Sequence[str]):
        self.worlds: dict[str, World] = {}
        self.drawings: dict[str, Drawing] = {}
        self.first: list[str] = []
        self.pictures = False
        if report.inspector is None:
            return
        seen = list(dict.fromkeys(report.asked.words("scene_id")))
        self.first = seen[:: max(1, len(seen) // _PICTURES)][:_PICTURES]
        shown = {*wanted, *self.first}
        width = _WIDTH if len(shown) <= _MANY else _SMALL
        for row in scene_rows(report.asked, shown, pictures=True):
            name = row["scene_id"]
            self.worlds[name] = report.inspector.world(row)
            self.drawings[name] = draw_scene(row, self.worlds[name], report.inspector, width=width)
            self.pictures |= bool(row.get("image"))
        for name in shown:
            if name not in self.worlds:
                raise BadInput(f"asks about scene '{name}', which is not there", file=report.asked.folder)

    @property
    def definitions(self) -> str:
        """What drawings refer to."""
        parts = "".join(
            f'<g id="{escape(name)}">{one.picture}</g>'
            + "".join(f'<g id="{escape(name)}-{k}">{shape}</g>' for k, shape in one.outlines.items())
            for name, one in self.drawings.items()
        )
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{parts}</defs></svg>'
