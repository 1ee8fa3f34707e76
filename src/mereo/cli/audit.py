"""`mereo audit`: does a dataset keep its word?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar

WRONG = 1


@app.command()
def audit(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    show: Annotated[int, typer.Option(help="How many complaints to show.")] = 20,
) -> None:
    """Re-run every program, recompute what the masks say, and check files, answers, duplicates and splits."""
    from rich.markup import escape
    from rich.table import Table

    from mereo.datasets.audit import entropy
    from mereo.datasets.store import open_dataset
    from mereo.workbench.judging import audit as audit_all

    with progress_bar("auditing", sum(open_dataset(dataset).scenes.values()), unit="scenes") as advance:
        found, blind = audit_all(dataset, progress=advance)
    table = Table("subtype", "questions", "entropy", "answers", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for subtype, counts in sorted(found.answers.items()):
        total = counts.total()
        shares = ", ".join(f"{answer} {count / total:.0%}" for answer, count in counts.most_common(11))
        table.add_row(subtype, f"{total:,}", f"{entropy(counts):.2f} bits", shares)
    console().print(table)
    if blind:
        reached = ", ".join(f"{name} {mean.value:.1%}" for name, mean in blind)
        console().print(f"right without looking: {reached}")
    for complaint in found.complaints[:show]:
        console().print(escape(complaint))
    if len(found.complaints) > show:
        console().print(f"… and {len(found.complaints) - show:,} more")
    verdict = f"{len(found.complaints):,} complaints" if found.complaints else "nothing is wrong"
    console().print(f"{found.scenes:,} scenes and {found.questions:,} questions: {verdict}")
    if found.complaints:
        raise typer.Exit(WRONG)
