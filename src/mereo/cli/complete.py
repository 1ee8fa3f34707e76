"""What the shell offers when somebody presses Tab: names that a command takes, looked up where they are declared."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = [
    "benchmarks",
    "devices",
    "exported_formats",
    "imported_formats",
    "languages",
    "prompts",
    "rows",
    "splits",
    "studies",
]


def benchmarks() -> list[str]:
    """The benchmarks that make data."""
    from mereo.benchmarks.offer import all_offers

    return sorted(name for name, known in all_offers().items() if known.maker is not None)


def languages() -> list[str]:
    """The languages of programs."""
    from mereo.benchmarks.benchmark import all_languages

    return sorted(all_languages())


def imported_formats() -> list[str]:
    """Whose files can be imported and verified: formats, and benchmarks with just one."""
    from mereo.benchmarks.benchmark import all_benchmarks, all_formats

    single = (name for name, known in all_benchmarks().items() if len(known.formats) == 1)
    return sorted({*all_formats(), *single})


def exported_formats(ctx: Any) -> list[str]:
    """What the dataset can be written as, or any while there is none to look into."""
    from mereo.benchmarks.benchmark import all_benchmarks
    from mereo.datasets.export import all_exporters

    dataset, known = _dataset(ctx), all_benchmarks()
    chosen = [known[dataset.benchmark]] if dataset and dataset.benchmark in known else known.values()
    return sorted({*all_exporters(), *(name for one in chosen for name in one.exporters)})


def splits(ctx: Any, incomplete: str) -> Iterable[str]:
    """The splits of the dataset; after a comma one more."""
    dataset = _dataset(ctx)
    before, comma, _ = incomplete.rpartition(",")
    given = before.split(",")
    return [f"{before}{comma}{name}" for name in (dataset.scenes if dataset else ()) if name not in given]


def prompts() -> list[str]:
    """The prompts that come with mereo."""
    from mereo.evaluation.prompt import all_prompts

    return sorted(all_prompts())


def rows() -> list[str]:
    """The rows of the zoo."""
    from mereo.workbench.rows import all_models

    return sorted({model.row.name for model in all_models()})


def studies() -> list[str]:
    """The tables that can be made again."""
    from mereo.workbench.rows import all_studies

    return sorted(all_studies())


def devices() -> list[str]:
    """Where networks can learn."""
    return ["auto", "cpu", "cuda"]


def _dataset(ctx: Any) -> Any:
    """The manifest of the dataset, which commands take as their first argument; None while there is none."""
    from mereo.datasets.store import open_dataset
    from mereo.errors import MereoError

    folder = ctx.params.get("dataset") or next(iter(ctx.args), None)
    try:
        return open_dataset(Path(folder)) if folder else None
    except MereoError:  # a shell that completes has no place for complaints; the command will tell
        return None
