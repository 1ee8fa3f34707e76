"""`mereo build`: a whole dataset in one command, with the choices that the benchmark declares."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from mereo.cli.app import app
from mereo.cores import keep_to_one_core

if TYPE_CHECKING:
    from mereo.datasets.store import Manifest

__all__ = ["Builds"]


class Builds(TyperGroup):
    """A command for every benchmark, made when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The benchmarks that make data."""
        from mereo.benchmarks.offer import all_offers

        return [name for name, known in sorted(all_offers().items()) if known.maker is not None]

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand:
        """The command of one benchmark."""
        from mereo.benchmarks.choices import Choice
        from mereo.benchmarks.offer import offer
        from mereo.cli.declared import made_command, parameter
        from mereo.errors import BadInput

        chosen = offer(cmd_name)
        if chosen.maker is None:
            raise BadInput(f"benchmark {cmd_name} makes no data of its own")
        presets = "; ".join(f"`{name}`: {preset.about}" for name, preset in chosen.maker.presets.items())
        common = (
            Choice("out", Path, None, "The folder to make.", argument=True),
            Choice("scenes", int, None, "Scenes in all splits; else as the preset has it.", least=1),
            Choice("split", str, None, "Scenes by split instead, as `train=80,val=20`."),
            Choice("preset", str, None, f"A ready choice of splits. {presets}.", known=tuple(chosen.maker.presets)),
            *chosen.maker.choices,
            Choice("seed", int, 0, "Same seed, same bytes.", least=0),
            Choice("workers", int, 1, "Processes that share the work.", least=1),
            Choice("ray", str, None, "Address of a Ray cluster to work on instead."),
            Choice("resume", bool, False, "Go on with an unfinished build, or try again what was left out."),
            Choice("license", str, None, "The data's license, as `cc-by-4.0`; none is claimed unless you do."),
        )
        about = f"Make a dataset of {chosen.about}."
        return made_command(cmd_name, about, [parameter(one) for one in common], lambda **own: _build(cmd_name, **own))


def _build(
    benchmark: str, *, out: Path, workers: int, ray: str | None, resume: bool, license: str | None, **choices: Any
) -> None:
    import time

    keep_to_one_core()
    from mereo.cli.screen import console, progress_bar
    from mereo.workbench.building import build, plan_build

    started = time.perf_counter()
    planned = plan_build(benchmark, **choices)
    with progress_bar(f"building {benchmark}", planned.scenes, unit="scenes") as advance:
        manifest = build(
            planned,
            out,
            workers=workers,
            ray=ray,
            resume=resume,
            license=license,
            progress=advance,
            complain=lambda sentence: typer.echo(f"mereo: {sentence}", err=True),
        )
    asked, seconds = sum(manifest.questions.values()), time.perf_counter() - started
    counts = ", ".join(f"{split} {count:,}" for split, count in manifest.scenes.items())
    if manifest.left_out:
        _tell_left_out(manifest)
    console().print(
        f"{out}: {asked:,} questions about {sum(manifest.scenes.values()):,} scenes ({counts}) in {seconds:.1f} s"
    )


def _tell_left_out(manifest: Manifest) -> None:
    """How many scenes could not be made, and why, the commonest reason first."""
    from collections import Counter

    from mereo.datasets.card import told_left_out

    typer.echo(f"mereo: {told_left_out(manifest)}; --resume tries again", err=True)
    for reason, count in Counter(one.reason for one in manifest.left_out).most_common():
        typer.echo(f"mereo: {count:,} because {reason}", err=True)


app.add_typer(
    typer.Typer(
        cls=Builds,
        no_args_is_help=True,
        help="Make a dataset: scenes and questions in Parquet shards, with a manifest and a card.",
    ),
    name="build",
)
