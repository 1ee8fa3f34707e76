"""`mereo report`: everything about a dataset and the runs on it, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.scores import keep_to_one_core

MOST_AUDITED = 50_000
CURVED = 1000


@app.command()
def report(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    out: Annotated[Path | None, typer.Option(help="Where to write; by default into the dataset's folder.")] = None,
    runs: Annotated[str | None, typer.Option(help="Only these runs, as `gpt,oracle`; by default all.")] = None,
) -> None:
    """Write a report of a dataset and all its runs as one HTML file, and its tables as Markdown, LaTeX and CSV.

    Blind baselines are always in it: where they have not been run yet, they are.
    """
    keep_to_one_core()
    import time

    from mereo.benchmarks.benchmark import benchmark, inspector_of
    from mereo.cli.scores import command_line
    from mereo.cli.screen import console, progress_bar
    from mereo.errors import BadInput, UnknownName
    from mereo.evaluation.asked import Selection, load_questions
    from mereo.evaluation.baselines import all_baselines, judged_splits
    from mereo.evaluation.blind import overall_scores, run_baselines, write_into_card
    from mereo.evaluation.curves import load_curves, measure_curves, save_curves
    from mereo.evaluation.report import Report, audit_symbols, write_report
    from mereo.evaluation.runs import is_current, list_runs, rejudge

    started = time.perf_counter()
    asked = load_questions(dataset)
    chosen = benchmark(asked.manifest.benchmark)
    kept = list_runs(dataset)
    always = list(all_baselines()) if chosen.blind else []
    missing = [name for name in always if name not in kept or not is_current(asked, name)]
    wanted = runs.split(",") if runs else list(dict.fromkeys([*kept, *missing]))
    for name in wanted:
        if name not in kept and name not in missing:
            raise UnknownName("run", name, [*kept, *missing])
    blind = [name for name in always if name not in wanted]
    with progress_bar("reporting", len(missing) + len(wanted) + 4, unit="steps") as advance:
        if missing:
            fresh = run_baselines(
                asked, missing, judge=chosen.judge, tables=chosen.tables, command=command_line(), progress=advance
            )
            if missing == always:
                write_into_card(asked.folder, overall_scores(fresh))
        judged = []
        for name in [*wanted, *blind]:
            try:
                judged.append(rejudge(asked, name, judge=chosen.judge, tables=chosen.tables))
            except BadInput as error:
                typer.echo(f"mereo: run {name} is left out: {error}", err=True)
            advance(1)
        inspector = inspector_of(asked.manifest)
        audit = audit_symbols(dataset, inspector) if inspector is not None and len(asked) <= MOST_AUDITED else None
        advance(1)
        curves = [curve for curve in load_curves(dataset) if curve.dataset == asked.checksum]
        if not curves and inspector is not None and chosen.blind:
            selection = Selection(judged_splits(list(asked.manifest.scenes)), CURVED)
            some = asked.take(asked.chosen(selection), selection)
            curves = measure_curves(some, inspector, ["attributes", "objects"], instances=chosen.instances)
            save_curves(dataset, curves)
        advance(1)
        everything = Report(asked, judged, audit, curves, inspector, chosen.instances)
        paths = write_report(everything, out or dataset, progress=advance)
    size = paths[0].stat().st_size / 1e6
    console().print(
        f"{paths[0]}: {len(judged)} runs in {time.perf_counter() - started:.1f} s, {size:.1f} MB; tables in "
        + ", ".join(path.name for path in paths[1:])
    )
