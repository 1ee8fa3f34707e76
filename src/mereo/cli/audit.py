"""`mereo audit`: does a dataset keep its word?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, plain_table, progress_bar

if TYPE_CHECKING:
    from rich.table import Table

    from mereo.datasets.audit import Audit
    from mereo.datasets.gates import Gate
    from mereo.evaluation.intervals import Mean

WRONG = 1


@app.command()
def audit(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    show: Annotated[int, typer.Option(help="How many complaints to show.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead: complaints and gates.")] = False,
) -> None:
    """Re-run every program, recompute what the masks say, check files, answers and splits, and count for the gates."""
    from mereo.datasets.store import open_dataset
    from mereo.workbench.judging import audit as audit_all

    with progress_bar("auditing", sum(open_dataset(dataset).scenes.values()), unit="scenes") as advance:
        found, blind = audit_all(dataset, progress=advance)
    if json:
        _print_json(found)
    else:
        _print(found, blind, show)
    if found.complaints:
        raise typer.Exit(WRONG)


def _print_json(found: Audit) -> None:
    import msgspec

    gates = [{**msgspec.to_builtins(gate), "met": gate.met} for gate in found.gates]
    told = {
        "scenes": found.scenes,
        "questions": found.questions,
        "complaints": found.complaints,
        "gates": gates,
        "sheets": [{"headings": sheet.headings, "rows": sheet.rows} for sheet in found.sheets],
    }
    typer.echo(msgspec.json.encode(told).decode())


def _print(found: Audit, blind: Sequence[tuple[str, Mean]], show: int) -> None:
    from rich.markup import escape

    console().print(_answers(found))
    if blind:
        reached = ", ".join(f"{name} {mean.value:.1%}" for name, mean in blind)
        console().print(f"right without looking: {reached}")
    for sheet in found.sheets:
        table = plain_table(*sheet.headings)
        for row in sheet.rows:
            table.add_row(*row)
        console().print(table)
    told = [gate for gate in found.gates if gate.found is not None]
    if told:
        console().print(_gates(told))
    if len(told) < len(found.gates):
        console().print(_too_few(gate.name for gate in found.gates if gate.found is None))
    for complaint in found.complaints[:show]:
        console().print(escape(complaint))
    if len(found.complaints) > show:
        console().print(f"… and {len(found.complaints) - show:,} more")
    console().print(found.summary)


def _answers(found: Audit) -> Table:
    from mereo.datasets.audit import entropy

    table = plain_table("subtype", "questions", "entropy", "answers")
    for subtype, counts in sorted(found.answers.items()):
        total = counts.total()
        shares = ", ".join(f"{answer} {count / total:.0%}" for answer, count in counts.most_common(11))
        table.add_row(subtype, f"{total:,}", f"{entropy(counts):.2f} bits", shares)
    return table


def _gates(gates: Sequence[Gate]) -> Table:
    from rich.markup import escape

    table = plain_table("gate", "found", "at most", "of", "", "")
    for gate in gates:
        figures = gate.told(gate.found), gate.told(gate.most), f"{gate.of:,}"
        table.add_row(gate.name, *figures, gate.verdict, escape(gate.note))
    return table


def _too_few(names: Iterable[str]) -> str:
    """One line for all that cannot be told; what has one figure for each kind is said once."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        what, _, kind = name.partition(": ")
        kinds.setdefault(what, []).extend([kind] if kind else [])
    said = [f"{what} ({', '.join(own)})" if own else what for what, own in kinds.items()]
    return f"too few to tell: {'; '.join(said)}"
