"""What a study came to: our scores beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec

from mereo.evaluation.intervals import Mean
from mereo.evaluation.result import Result
from mereo.evaluation.tabulate import percent
from mereo.training.learning import ALL, Arm, Column, Study
from mereo.workbench.showing import page
from mereo.workbench.showing import table as html_table

__all__ = ["HERE", "PAPER", "Measured", "Reproduced", "lead_of", "measured"]

HERE, PAPER = "here", "paper"


class Measured(msgspec.Struct, frozen=True):
    """What one arm came to."""

    name: str
    row: str
    supervision: str
    learned_from: str
    asked_about: str
    run: str
    """What it is called among the runs of the dataset that it was asked about."""
    seconds: float
    """Spent on training."""
    choices: dict[str, str | int | float | bool]
    scores: dict[str, Mean]
    """By column, from 0 to 1."""
    again: list[dict[str, Mean]] = []
    """The same with further seeds."""

    def over_seeds(self, column: str) -> list[float]:
        """What it came to with each seed."""
        return [scores[column].value for scores in (self.scores, *self.again) if column in scores]


class Reproduced(NamedTuple):
    """A study as far as it is done."""

    study: Study
    benchmark: str
    scale: str
    seed: int
    folder: Path
    """Where its files lie: `table.md`, `table.json`, `table.csv`, `chart.svg`."""
    arms: Sequence[Measured]
    data: Mapping[str, str]
    """By name the fingerprint of each dataset."""

    @property
    def columns(self) -> list[str]:
        """Those of the study; else all questions, and then the kinds that anything is known of."""
        if self.study.columns:
            return [column.name for column in self.study.columns]
        known = [one.scores for one in self.arms] + list(self.study.published.values())
        kinds = dict.fromkeys(column for scores in known for column in scores)
        return [ALL, *(kind for kind in kinds if kind != ALL)]

    @property
    def names(self) -> list[str]:
        """The arms that are done, in the order of the study, and what is only cited."""
        done = [arm.called for arm in self.study.arms if any(one.name == arm.called for one in self.arms)]
        own = {arm.called for arm in self.study.arms}
        return [*done, *(name for name in self.study.published if name not in own)]

    def score(self, name: str, column: str | None = None) -> Mean | None:
        """What an arm reached here, in the column that models are compared by where none is named."""
        return next((one.scores.get(column or self.study.lead) for one in self.arms if one.name == name), None)

    def published(self, name: str, column: str | None = None) -> float | None:
        """What stands in the paper, in percent."""
        return self.study.published.get(name, {}).get(column or self.study.lead)

    def gain(self, name: str, column: str | None = None) -> float | None:
        """By how many points an arm is above the one that all are held against."""
        own, base = self.score(name, column), self.score(self.study.base, column)
        return 100 * (own.value - base.value) if own is not None and base is not None else None

    @property
    def headings(self) -> tuple[str, ...]:
        """Of the summary."""
        lead = "all questions" if self.study.lead == ALL else self.study.lead
        own = ("model", "supervision", f"{HERE}, {lead}", PAPER, self.study.counted)
        return (*own, "over seeds") if self._seeds else own

    @property
    def _seeds(self) -> bool:
        return any(one.again for one in self.arms)

    def summary(self) -> list[tuple[str, ...]]:
        """A line for each arm: name, supervision, score here, in the paper, how many; with seeds mean and each."""
        lines: list[tuple[str, ...]] = []
        for name in self.names:
            arm, paper = next((one for one in self.arms if one.name == name), None), self.published(name)
            own, cited = self.score(name), "–" if paper is None else f"{paper:.1f}"
            line = (name, arm.supervision if arm else "", percent(own), cited, f"{own.count:,}" if own else "")
            lines.append((*line, self._spread(arm)) if self._seeds else line)
        return lines

    def _spread(self, arm: Measured | None) -> str:
        """The mean over seeds, and each of them."""
        if arm is None or not arm.again:
            return ""
        each = [100 * value for value in arm.over_seeds(self.study.lead)]
        return f"{fmean(each):.1f} ({', '.join(f'{value:.1f}' for value in each)})"

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {own.value:.1%}" for name in self.names if (own := self.score(name)))
        return f"{self.benchmark}/{self.study.name} at scale {self.scale}: {scores or 'nothing is done yet'}"

    def _repr_html_(self) -> str:
        return page(f"<p>{escape(self.study.about)}</p>", html_table(self.headings, self.summary()))


def measured(arm: Arm, results: Sequence[Result], *, supervision: str, seconds: float, study: Study) -> Measured:
    """What an arm came to, from its judged runs: the first, and those with further seeds."""
    first, *again = (_scores(result, study) for result in results)
    return Measured(
        name=arm.called,
        row=arm.row,
        supervision=supervision,
        learned_from=arm.data,
        asked_about=arm.tested or arm.data,
        run=results[0].run,
        seconds=seconds,
        choices=dict(results[0].header.settings["choices"]),
        scores=first,
        again=again,
    )


def lead_of(result: Result, study: Study) -> Mean | None:
    """What a judged run came to in the column that models are compared by; None where it says nothing about that."""
    return _scores(result, study).get(study.lead)


def _scores(result: Result, study: Study) -> dict[str, Mean]:
    """By column what a judged run came to; a column that it says nothing about is left out."""
    kinds = [row.name for table in result.tables if table.name == study.table for row in table.rows]
    columns = study.columns or (Column(ALL), *(Column(kind, kind) for kind in kinds))
    found = {column.name: _score(result, column, study) for column in columns}
    return {name: mean for name, mean in found.items() if mean is not None}


def _score(result: Result, column: Column, study: Study) -> Mean | None:
    tables = [table for table in result.tables if table.name == (column.table or study.table)]
    rows = (
        [row for table in tables for row in table.rows if column.kind in (row.name, f"{row.group}: {row.name}")]
        if column.kind
        else [result.overall]
    )
    return rows[0].scores.get(column.measure or result.measures[0]) if rows else None
