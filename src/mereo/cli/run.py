"""`mereo run`: one program, or one question, on one world."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mereo.cli.app import app
from mereo.cli.complete import languages
from mereo.cli.screen import console, plain_table

if TYPE_CHECKING:
    from mereo.programs import Executable
    from mereo.world import World


@app.command()
def run(
    world: Annotated[Path, typer.Option(help="A world file, or a CLEVR scene file.")],
    program: Annotated[
        str | None, typer.Argument(help="A program in notation, such as `count(scene())`.", show_default=False)
    ] = None,
    question: Annotated[str | None, typer.Option(help="A question in your own words instead.")] = None,
    parser: Annotated[
        Path | None, typer.Option(help="A trained run whose parser guesses at what cannot be read.", show_default=False)
    ] = None,
    language: Annotated[str, typer.Option(autocompletion=languages, help="The language of the program.")] = "clevr",
    scene: Annotated[int | None, typer.Option(help="Which scene of a file of several, from 0 on.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show the value of every step.")] = False,
) -> None:
    """Answer a program, or a question in your own words, on a world and, if asked, show every step."""
    from rich.markup import escape

    from mereo.benchmarks.benchmark import find_language
    from mereo.errors import BadInput
    from mereo.programs import compile_program, format_step

    if (program is None) == (question is None):
        raise BadInput("give either a program or a --question")
    if parser is not None and question is None:
        raise BadInput("a --parser guesses at a --question")
    spoken, guess = find_language(language), ""
    if program is not None:
        executable = compile_program(program, spoken)
        result = executable(world_of(world, scene, language))
    else:
        asked = world_of(world, scene, language)
        executable, guess = _understood(str(question), asked, language, parser)
        result = executable(asked)
    if trace:
        table = plain_table("step", "from", "function", "type", "value")
        for position, done in enumerate(result.steps()):
            sources = " ".join(map(str, done.step.inputs))
            shown = escape(_shown(done.value))
            table.add_row(str(position), sources, escape(format_step(done.step)), done.type.name, shown)
        console().print(table)
    console().print(escape(f"{_shown(result.answer)}{f' ({guess})' if guess else ''}"))


def _understood(question: str, world: World, language: str, parser: Path | None) -> tuple[Executable, str]:
    """What a question means, which is told first: how it is read, and the program that this is; and whether it is only
    a guess."""
    from rich.markup import escape

    from mereo.benchmarks.benchmark import listener_of
    from mereo.errors import BadInput
    from mereo.programs import compile_program
    from mereo.workbench.guessing import guesser_of

    listener = listener_of(language)
    if listener is None:
        raise BadInput(f"nobody understands plain questions in {language}: give a program")
    guesser = None if parser is None else guesser_of(parser, language)
    understood = listener.understand(question, world, guesser=guesser)
    if understood.guess is not None:
        console().print(escape(understood.told or "This cannot be read."))
        console().print(escape(understood.guess.about), soft_wrap=True)
        console().print(escape(f"program: {understood.guess.program}"), soft_wrap=True)
        return compile_program(understood.guess.program, listener.spoken), "a guess"
    program = understood.sure(question)
    for slip, word in understood.mended.items():
        console().print(escape(f"“{slip}” is read as “{word}”"))
    console().print(escape(f"read as: {understood.readings[0].about}"))
    console().print(escape(f"program: {program}"), soft_wrap=True)
    return compile_program(program, listener.spoken), ""


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
