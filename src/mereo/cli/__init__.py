"""The `mereo` command.

Each module of this folder may add commands with `@app.command()` and is found by itself. All of them are imported for
every call, help included, so they import what is heavy inside the command.
"""

from __future__ import annotations

import codecs
import io
import os
import pkgutil
import sys
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

import typer

from mereo.cli.app import app
from mereo.errors import MereoError

__all__ = ["load_app", "main"]

BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 2, 130, 1
_PLAINLY = {"…": "...", "→": "->", "·": "-", "×": "x", "–": "-", "—": "-", "“": '"', "”": '"', "’": "'"}
"""What stands for letters that a terminal lacks; a question mark for all others."""


def load_app() -> typer.Typer:
    """The application with all its commands."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return app


@cache
def _commands() -> Any:
    """All commands as Click has them: Typer would make them anew for every call in a process, which takes a while."""
    return typer.main.get_command(load_app())


def main() -> None:
    """Run the command line; what a person did wrong is one sentence, a traceback means that mereo is wrong."""
    _print_anywhere()
    try:
        _commands()(prog_name="mereo")
    except SystemExit as end:
        if end.code == INTERRUPTED:  # Typer turns Ctrl-C inside a command into this silent exit
            _stop("stopped", INTERRUPTED)
        _flush()
        raise
    except KeyboardInterrupt:
        _stop("stopped", INTERRUPTED)
    except MereoError as error:
        _stop(str(error), BAD_INPUT)
    except OSError as error:
        # A full disk or a forbidden folder is nobody's bug. Code that knows more about the file says it as MereoError.
        if error.strerror is None:
            raise
        _stop(f"{error.filename}: {error.strerror}" if error.filename else error.strerror, BAD_INPUT)


def _print_anywhere() -> None:
    """Print what a terminal's encoding lacks in plain letters; errors on stderr are spelled out as they are."""
    codecs.register_error("mereo.plain", _plain)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="mereo.plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_PLAINLY.get(letter, "?") for letter in lacking), error.end


def _stop(reason: str, code: int) -> NoReturn:
    _flush()
    typer.echo(f"mereo: {' '.join(reason.splitlines())}", err=True)
    sys.exit(code)


def _flush() -> None:
    """Write out what is buffered while a reader that went away (`mereo ... | head`) can still be met quietly."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
