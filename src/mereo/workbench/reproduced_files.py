"""What a study came to, as Markdown, JSON, CSV and a chart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from mereo import __version__
from mereo.errors import BadInput
from mereo.evaluation.charts import score_columns
from mereo.evaluation.intervals import Mean
from mereo.evaluation.tabulate import percent
from mereo.files import read_json, write_bytes
from mereo.training.learning import ALL
from mereo.workbench.reproduced import HERE, PAPER, Measured, Reproduced
from mereo.workbench.rows import find_study

__all__ = ["chart_of", "read_reproduced", "tables_of", "write_reproduced"]

_TABLE = "table.json"


def write_reproduced(found: Reproduced) -> list[Path]:
    """Write the table as Markdown, JSON and CSV, and the chart; gives the files, the Markdown first."""
    files = {
        "table.md": _markdown(found),
        _TABLE: _json(found),
        "table.csv": _csv(found),
        "chart.svg": chart_of(found),
    }
    for name, text in files.items():
        write_bytes(found.folder / name, text.encode())
    return [found.folder / name for name in files]


def _markdown(found: Reproduced) -> str:
    study = found.study
    lines = [f"# {found.benchmark}/{study.name}", "", f"{study.about[:1].upper()}{study.about[1:]}.", ""]
    lines += [f"Scale `{found.scale}`, seed {found.seed}, mereo {__version__}. {study.note}", ""]
    return "\n".join([*lines, *tables_of(found, chart="chart.svg")]) + "\n"


def tables_of(found: Reproduced, *, chart: str) -> list[str]:
    """Lines of Markdown: the summary with a chart, and all kinds of questions. chart : where that lies"""
    names = found.names
    lines = [f"{HERE.capitalize()}: percent with the 95% interval over scenes; {PAPER}: percent.", ""]
    lines += [*_table(found.headings, found.summary()), "", f"![The same as bars]({chart})", ""]
    told = "By kind of question" if found.study.lead == ALL else "By column"
    lines += [f"{told}, the {PAPER}'s figure in brackets:", ""]
    cells = [(column, *(_cell(found, name, column) for name in names)) for column in found.columns]
    lines += _table(("", *names), cells)
    lines += _gains(found)
    minutes = ", ".join(f"{one.name} {one.seconds / 60:.1f}" for one in found.arms if one.seconds)
    lines += ["", f"Minutes of training: {minutes or 'none'}."]
    return [*lines, "", *(f"Data `{name}`: {fingerprint}" for name, fingerprint in found.data.items())]


class _Written(msgspec.Struct):
    """What is read of the JSON."""

    study: str
    scale: str
    seed: int
    data: dict[str, str]
    arms: list[Measured]


def read_reproduced(folder: str | Path) -> Reproduced:
    """What was written into a folder of a study."""
    path = Path(folder) / _TABLE
    if not path.exists():
        raise BadInput(f"holds no table: there is no {_TABLE}", file=folder)
    written = read_json(path, type=_Written)
    benchmark, study = find_study(written.study)
    return Reproduced(study, benchmark, written.scale, written.seed, Path(folder), written.arms, written.data)


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
    writer.writerow(["model", "column", found.study.counted, "score", "low", "high", "published"])
    for name in found.names:
        for column in found.columns:
            own, paper = found.score(name, column), found.published(name, column)
            if own is None and paper is None:
                continue
            scores = [own.count, *(f"{value:.6f}" for value in (own.value, own.low, own.high))] if own else [""] * 4
            writer.writerow([name, column, *scores, "" if paper is None else f"{paper / 100:.3f}"])
    return file.getvalue()


def chart_of(found: Reproduced) -> str:
    about = f"scale {found.scale}, 95% intervals over scenes"
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
