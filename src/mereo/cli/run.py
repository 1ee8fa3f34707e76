"""`mereo run`: one program on one world."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mereo.cli.app import app
from mereo.cli.complete import languages
from mereo.cli.screen import console, plain_table

if TYPE_CHECKING:
    from mereo.world import World


@app.command()
def run(
    program: Annotated[str, typer.Argument(help="A program in notation, such as `count(scene())`.")],
    world: Annotated[Path, typer.Option(help="A world file, or a CLEVR scene file.")],
    language: Annotated[str, typer.Option(autocompletion=languages, help="The language of the program.")] = "clevr",
    scene: Annotated[int | None, typer.Option(help="Which scene of a file of several, from 0 on.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show the value of every step.")] = False,
) -> None:
    """Answer a program on a world and, if asked, show every step."""
    from rich.markup import escape

    from mereo.benchmarks.benchmark import find_language
    from mereo.programs import compile_program, format_step

    executable = compile_program(program, find_language(language))
    result = executable(world_of(world, scene, language))
    if trace:
        table = plain_table("step", "from", "function", "type", "value")
        for position, done in enumerate(result.steps()):
            sources = " ".join(map(str, done.step.inputs))
            shown = escape(_shown(done.value))
            table.add_row(str(position), sources, escape(format_step(done.step)), done.type.name, shown)
        console().print(table)
    console().print(escape(_shown(result.answer)))


def world_of(path: Path, scene: int | None, language: str) -> World:
    """A world from our own format, or from a scene file of the language's official format."""
    from mereo.benchmarks.benchmark import find_format
    from mereo.errors import BadInput
    from mereo.files import read_json
    from mereo.world import load_world

    if "world" in read_json(path, type=dict[str, Any]):
        return load_world(path)
    form = find_format(language)
    scenes = form.scenes(path)
    if scene is None and len(scenes) > 1:
        raise BadInput(f"has {len(scenes)} scenes: say which with --scene, from 0 to {len(scenes) - 1}", file=path)
    number = scene or 0
    if not 0 <= number < len(scenes):
        raise BadInput(f"has {len(scenes)} scenes, none of which is number {number}", file=path)
    return form.world(scenes[number])


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)
