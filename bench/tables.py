"""What a result file holds; and the tables of bench/README.md, written from bench/results so that both say the same.

    python bench/tables.py [--check]

A row says what was measured, in which unit, and against what: the name of another row of its table, which gives a
ratio, or words where nothing in the run does the same. Between `<!-- results: NAME -->` and `<!-- end -->` the README
shows NAME.json; everything else in it is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

HERE = Path(__file__).parent
RESULTS = HERE / "results"
README = HERE / "README.md"
MARKED = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One figure."""

    what: str
    value: float
    """The median where it was measured several times."""
    unit: str
    against: str
    """`what` of the row it is measured against (its own for a reference), or words where no row of the table is it."""
    low: float | None = None
    high: float | None = None
    table: str = ""
    """The heading of the table that it stands in."""
    more: dict[str, float | None] = {}
    """Further columns."""


class Machine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where the figures are of; what was not noted down is None."""

    processor: str
    python: str
    cores: int | None = None
    load: float | None = None
    """Processes that wanted a core in the minute before the run."""
    gpu: str | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one run of a script found out."""

    command: str
    date: str
    commit: str
    machine: Machine
    rows: list[Row]
    notes: list[str] = []
    """Whole sentences that go below the tables."""
    quick: bool = False


def main() -> None:
    """Write, or say what is out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, fail where the README is out of date")
    check = parser.parse_args().check
    stands = README.read_text()
    wanted = written(stands, RESULTS)
    if check and stands != wanted:
        sys.exit("bench/README.md is not what bench/results says: run python bench/tables.py")
    if stands != wanted:
        README.write_text(wanted)


def written(text: str, results: Path) -> str:
    """A text with its marked places filled in."""

    def filled(place: re.Match[str]) -> str:
        path = results / f"{place[2]}.json"
        if not path.is_file():
            sys.exit(f"bench/README.md shows {place[2]}, but there is no {path}")
        return f"{place[1]}\n{blocks(read(path))}\n\n{place[3]}"

    return MARKED.sub(filled, text)


def read(path: Path) -> Result:
    """A result file."""
    return msgspec.json.decode(path.read_bytes(), type=Result)


def blocks(result: Result) -> str:
    """A result as Markdown: its tables, its notes, and where it comes from."""
    names = list(dict.fromkeys(row.table for row in result.rows))
    tables = [_table(name, [row for row in result.rows if row.table == name]) for name in names]
    origin = f"`{result.command}`, {result.date}, commit {result.commit}; {shown(result.machine)}."
    return "\n\n".join([*tables, *(note for note in result.notes), origin])


def shown(where: Machine) -> str:
    """A machine in words."""
    parts = [where.processor]
    if where.gpu:
        parts.append(where.gpu)
    parts += [f"{where.cores} cores" if where.cores else "number of cores not noted", f"Python {where.python}"]
    if where.load is None:
        parts.append("load not noted")
    elif where.cores and where.load > where.cores / 2:
        parts.append(f"**busy** (load {where.load:g})")
    else:
        parts.append(f"load {where.load:g}")
    return ", ".join(parts)


def _table(name: str, rows: list[Row]) -> str:
    by_name = {row.what: row for row in rows}
    units = {row.unit for row in rows}
    unit = units.pop() if len(units) == 1 else None
    columns = {unit or "value": [number(row.value) + ("" if unit else f" {row.unit}") for row in rows]}
    if any(row.high is not None for row in rows):
        columns["lowest to highest"] = [_range(row) for row in rows]
    columns["measured against"] = ["reference" if row.against == row.what else row.against for row in rows]
    if any(row.against in by_name for row in rows):
        columns["ratio"] = [_ratio(row, by_name.get(row.against)) for row in rows]
    for more in dict.fromkeys(key for row in rows for key in row.more):
        columns[more] = [number(row.more.get(more)) for row in rows]
    words = "measured against"
    lines = [[name, *columns], ["---", *("---" if column == words else "---:" for column in columns)]]
    lines += [[row.what, *cells] for row, cells in zip(rows, zip(*columns.values(), strict=True), strict=True)]
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _range(row: Row) -> str:
    if row.low is None or row.high is None:
        return f"up to {number(row.high)}" if row.high is not None else ""
    return f"{number(row.low)} to {number(row.high)}"


def _ratio(row: Row, reference: Row | None) -> str:
    if reference is None or reference.unit != row.unit or not reference.value:
        return ""
    return f"{number(row.value / reference.value)} ×"


def number(value: float | None) -> str:
    """Three digits, or all of those before the point."""
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    shape = f"{value:.3g}"
    return f"{value:.1e}" if "e" in shape else shape


if __name__ == "__main__":
    main()
