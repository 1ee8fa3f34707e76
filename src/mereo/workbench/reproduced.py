"""What a study came to: our scores beside the published ones, as Markdown, JSON, CSV and a chart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import msgspec

from mereo import __version__
from mereo.evaluation.charts import score_columns
from mereo.evaluation.intervals import Mean
from mereo.evaluation.result import Result
from mereo.evaluation.tabulate import percent
from mereo.files import write_bytes
from mereo.training.learning import Arm, Study
from mereo.workbench.showing import page
from mereo.workbench.showing import table as html_table

__all__ = ["ALL", "SUMMARY", "Measured", "Reproduced", "measured", "write_reproduced"]

ALL = "All"
"""The column of all questions."""
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
        """All questions, and then the kinds that anything is known of."""
        known = [one.scores for one in self.arms] + list(self.study.published.values())
        kinds = dict.fromkeys(column for scores in known for column in scores)
        return [ALL, *(kind for kind in kinds if kind != ALL)]

    @property
    def names(self) -> list[str]:
        """The arms that are done, in the order of the study, and what is only cited."""
        done = [arm.called for arm in self.study.arms if any(one.name == arm.called for one in self.arms)]
        own = {arm.called for arm in self.study.arms}
        return [*done, *(name for name in self.study.published if name not in own)]

    def score(self, name: str, column: str = ALL) -> Mean | None:
        """What an arm reached here."""
        return next((one.scores.get(column) for one in self.arms if one.name == name), None)

    def published(self, name: str, column: str = ALL) -> float | None:
        """What stands in the paper, in percent."""
        return self.study.published.get(name, {}).get(column)

    def gain(self, name: str, column: str = ALL) -> float | None:
        """By how many points an arm is above the one that all are held against."""
        own, base = self.score(name, column), self.score(self.study.base, column)
        return 100 * (own.value - base.value) if own is not None and base is not None else None

    def summary(self) -> list[tuple[str, ...]]:
        """A line for each arm: name, supervision, score here, in the paper, questions."""
        lines: list[tuple[str, ...]] = []
        for name in self.names:
            arm, paper = next((one for one in self.arms if one.name == name), None), self.published(name)
            cited = "–" if paper is None else f"{paper:.1f}"
            if arm is None:
                lines.append((name, "", "–", cited, ""))
            else:
                lines.append((name, arm.supervision, percent(arm.scores[ALL]), cited, f"{arm.scores[ALL].count:,}"))
        return lines

    def __repr__(self) -> str:
        scores = ", ".join(f"{one.name} {one.scores[ALL].value:.1%}" for one in self.arms)
        return f"{self.benchmark}/{self.study.name} at scale {self.scale}: {scores or 'nothing is done yet'}"

    def _repr_html_(self) -> str:
        return page(f"<p>{escape(self.study.about)}</p>", html_table(SUMMARY, self.summary()))


SUMMARY = ("model", "supervision", f"{HERE}, all questions", PAPER, "questions")


def measured(arm: Arm, result: Result, *, supervision: str, seconds: float, study: Study) -> Measured:
    """What an arm came to, from its judged run."""
    measure = result.measures[0]
    rows = [row for table in result.tables if table.name == study.table for row in table.rows]
    return Measured(
        name=arm.called,
        row=arm.row,
        supervision=supervision,
        learned_from=arm.data,
        asked_about=arm.tested or arm.data,
        run=result.run,
        seconds=seconds,
        choices=dict(result.header.settings["choices"]),
        scores={ALL: result.overall.scores[measure], **{row.name: row.scores[measure] for row in rows}},
    )


def write_reproduced(found: Reproduced) -> list[Path]:
    """Write the table as Markdown, JSON and CSV, and the chart; gives the files, the Markdown first."""
    files = {
        "table.md": _markdown(found),
        "table.json": _json(found),
        "table.csv": _csv(found),
        "chart.svg": _chart(found),
    }
    for name, text in files.items():
        write_bytes(found.folder / name, text.encode())
    return [found.folder / name for name in files]


def _markdown(found: Reproduced) -> str:
    study, names = found.study, found.names
    lines = [f"# {found.benchmark}/{study.name}", "", f"{study.about[:1].upper()}{study.about[1:]}.", ""]
    lines += [f"Scale `{found.scale}`, seed {found.seed}, mereo {__version__}. {study.note}", ""]
    lines += [f"{HERE.capitalize()}: percent with the 95% interval over scenes; {PAPER}: percent.", ""]
    lines += [*_table(SUMMARY, found.summary()), "", f"![The same as bars]({'chart.svg'})", ""]
    lines += [f"By kind of question, the {PAPER}'s figure in brackets:", ""]
    cells = [(column, *(_cell(found, name, column) for name in names)) for column in found.columns]
    lines += _table(("", *names), cells)
    lines += _gains(found)
    minutes = ", ".join(f"{one.name} {one.seconds / 60:.1f}" for one in found.arms if one.seconds)
    lines += ["", f"Minutes of training: {minutes or 'none'}."]
    lines += ["", *(f"Data `{name}`: {fingerprint}" for name, fingerprint in found.data.items())]
    return "\n".join(lines) + "\n"


def _gains(found: Reproduced) -> Iterator[str]:
    """What every arm gains against one of them, where the study has one, and nothing where it has none."""
    names = [name for name in found.names if name != found.study.base and found.gain(name) is not None]
    if names:
        gains = [[found.gain(name, column) for name in names] for column in found.columns]
        yield from ("", f"Gained against {found.study.base}, in points:", "")
        cells = [["–" if gain is None else f"{gain:+.1f}" for gain in row] for row in gains]
        yield from _table(("", *names), [(column, *row) for column, row in zip(found.columns, cells, strict=True)])


def _cell(found: Reproduced, name: str, column: str) -> str:
    own, paper = found.score(name, column), found.published(name, column)
    return f"{percent(own)} ({paper:.1f})" if paper is not None else percent(own)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield "|---|" + "---:|" * (len(headings) - 1)
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _json(found: Reproduced) -> str:
    content = {
        "study": f"{found.benchmark}/{found.study.name}",
        "scale": found.scale,
        "build": found.study.scales[found.scale].build,
        "seed": found.seed,
        "mereo": __version__,
        "data": found.data,
        "arms": found.arms,
        "published": found.study.published,
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1).decode() + "\n"


def _csv(found: Reproduced) -> str:
    """A line for every score; shares between 0 and 1, those of the paper as well."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["model", "column", "questions", "score", "low", "high", "published"])
    for name in found.names:
        for column in found.columns:
            own, paper = found.score(name, column), found.published(name, column)
            if own is None and paper is None:
                continue
            scores = [own.count, *(f"{value:.6f}" for value in (own.value, own.low, own.high))] if own else [""] * 4
            writer.writerow([name, column, *scores, "" if paper is None else f"{paper / 100:.3f}"])
    return file.getvalue()


def _chart(found: Reproduced) -> str:
    about = f"accuracy at scale {found.scale}, 95% intervals over scenes"
    groups = _families(found) if found.study.families else _arms(found)
    return score_columns(groups, title=f"{found.benchmark}/{found.study.name}", about=about)


Groups = list[tuple[str, list[tuple[str, Mean]]]]


def _families(found: Reproduced) -> Groups:
    """The kinds of questions side by side, each with all arms."""
    series = {arm.called: arm.series or arm.called for arm in found.study.arms}
    return [
        (column, [(series[one.name], one.scores[column]) for one in found.arms if column in one.scores])
        for column in found.columns
    ]


def _arms(found: Reproduced) -> Groups:
    """The arms side by side, in their groups; those without a group each beside what was published of it."""
    arms = {arm.called: arm for arm in found.study.arms}
    groups: dict[str, list[tuple[str, Mean]]] = {}
    for name in found.names:
        arm, own, paper = arms.get(name), found.score(name), found.published(name)
        bars = groups.setdefault((arm.group if arm else "") or name, [])
        bars += [((arm.series if arm else "") or HERE, own)] if own is not None else []
        if paper is not None and (arm is None or not arm.group):
            bars.append((PAPER, Mean(0, paper / 100, float("nan"), float("nan"))))
    return list(groups.items())
