"""The report on a dataset and all runs on it: one HTML file, and its tables as Markdown, LaTeX and CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from mereo import __version__
from mereo.datasets.audit import Audit, audit_dataset
from mereo.datasets.inspector import Inspector
from mereo.evaluation.compare import Comparison, compare
from mereo.evaluation.data_sections import audit_section, data_section, gallery_section
from mereo.evaluation.instructive import choose_errors
from mereo.evaluation.page import page
from mereo.evaluation.reported import Drawn, Report
from mereo.evaluation.result import Judged
from mereo.evaluation.run_sections import error_section, glance_section, pair_section, plot_section, table_section
from mereo.evaluation.tabulate import Grid, csv_text, grids, latex, markdown
from mereo.files import write_bytes
from mereo.folders import alone_in

__all__ = ["Report", "audit_symbols", "write_report"]


def audit_symbols(folder: Path, inspector: Inspector) -> Audit:
    """An audit of all but the pictures: decoding thousands of them takes minutes."""
    return audit_dataset(folder, inspector, pictures=False)


def write_report(report: Report, out: Path, *, progress: Callable[[int], None] = lambda steps: None) -> list[Path]:
    """Write `report.html` and, beside it, the tables as `.md`, `.tex` and `.csv`."""
    tables = grids([run.result for _, run in report.ordered])
    comparisons = _compared(report)
    progress(1)
    texts = {
        "html": _html(report, tables, comparisons),
        "md": _markdown(report, tables),
        "tex": "\n".join(f"% {grid.name}\n{latex(grid)}" for grid in tables),
        "csv": csv_text(tables),
    }
    progress(1)
    paths = {out / f"report.{kind}": text for kind, text in texts.items()}
    with alone_in(out):
        for path, text in paths.items():
            write_bytes(path, text.encode())
    return list(paths)


def _telling(run: Judged) -> bool:
    """Whether a run's right answers mean something: it looks at the scene, and it can be wrong."""
    return run.result.header.kind != "baseline" and bool((run.marks.main < 1).any())


def _compared(report: Report) -> list[Comparison]:
    """Runs that look against each other and against the blind ones; where nobody looks, the blind ones."""
    runs = [run for _, run in report.ordered]
    looking = {run.result.run for run in runs if _telling(run)}
    blind = {run.result.run for run in runs if run.result.header.kind == "baseline"}
    chosen = [run for run in runs if run.result.run in looking | blind]
    return compare(chosen, lambda one, other: not looking or one in looking or other in looking)


def _markdown(report: Report, tables: Sequence[Grid]) -> str:
    manifest = report.asked.manifest
    parts = [f"# {manifest.benchmark}, seed {manifest.seed}\n", f"Dataset {report.asked.checksum}.\n"]
    parts += [f"## {grid.name}\n\n{markdown(grid)}" for grid in tables]
    return "\n".join(parts)


def _html(report: Report, tables: Sequence[Grid], comparisons: Sequence[Comparison]) -> str:
    telling = [run for run in report.runs if _telling(run)]
    mistakes = {
        run.result.run: choose_errors(run, [other for other in telling if other is not run])
        for _, run in report.ordered
    }
    drawn = Drawn(report, [mistake.scene_id for own in mistakes.values() for mistake in own])
    parts = [
        glance_section(report),
        gallery_section(report, drawn),
        audit_section(report),
        data_section(report),
        table_section(report, tables),
        plot_section(report),
        pair_section(comparisons),
        *report.judging.sections(report),
        error_section(report, mistakes, drawn),
    ]
    shown = [part for part in parts if part is not None]
    manifest = report.asked.manifest
    made = ", ".join(f"{name} {value}" for name, value in manifest.settings.items())
    facts = [
        (f"{sum(manifest.scenes.values()):,}", "scenes"),
        (f"{sum(manifest.questions.values()):,}", "questions"),
        (f"{len(report.runs)}", "runs"),
        (report.asked.checksum[:12], "fingerprint"),
    ]
    items = "".join(f"<li><b>{escape(value)}</b><span>{name}</span></li>" for value, name in facts)
    head = (
        f'<header><h1>{escape(manifest.benchmark)}</h1><p class="lead">Seed {manifest.seed}: what is asked, and what '
        f'was answered.</p><ul class="facts">{items}</ul></header><!-- links -->'
    )
    foot = f"<footer>Made with {escape(made)}. Written by mereo {__version__}.</footer>"
    body = "\n".join([head, drawn.definitions, *(part.content for part in shown), foot])
    return page(f"{manifest.benchmark}: report", body, {part.anchor: part.title for part in shown})
