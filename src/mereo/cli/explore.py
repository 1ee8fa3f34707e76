"""`mereo explore`: datasets in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app


@app.command()
def explore(
    datasets: Annotated[
        list[Path] | None, typer.Argument(help="Dataset folders; shapes and knowledge need none.", show_default=False)
    ] = None,
    knowledge: Annotated[
        list[Path] | None, typer.Option(help="A file of knowledge to search: a store, a dump or triples.")
    ] = None,
    parser: Annotated[
        Path | None,
        typer.Option(help="A trained run whose parser guesses at questions that cannot be read.", show_default=False),
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen; anything but this machine needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Which port.")] = 8080,
    token: Annotated[str | None, typer.Option(help="What visitors must know; at least 8 characters.")] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Look into datasets in the browser: scenes, parts, reasoning step by step, your own questions, runs,
    shapes and what is known."""
    import webbrowser
    from urllib.parse import urlencode

    from mereo.cli.screen import progress_bar
    from mereo.cli.serving import listen, serve, shown_host
    from mereo.datasets.store import open_dataset
    from mereo.errors import MissingExtra
    from mereo.workbench.guessing import guesser_of, learned_language

    try:
        from mereo.explorer.app import make_app
        from mereo.explorer.catalog import Catalog
        from mereo.explorer.guard import check_host
    except ImportError as error:
        if (error.name or "").split(".")[0] == "mereo":
            raise
        raise MissingExtra("the explorer", "explore") from None

    folders = datasets or []
    for folder in folders:
        if not folder.is_dir():
            open_dataset(folder)  # a slip of the pen is told here; what is wrong within a folder, in the browser
    if parser is not None:
        guesser_of(parser, learned_language(parser))
    check_host(host, token)
    address = f"http://{shown_host(host)}:{port}/" + (f"?{urlencode({'token': token})}" if token else "")

    def started() -> None:
        typer.echo(f"Exploring at {address}")
        if not no_open:
            webbrowser.open(address)

    with listen(host, port) as listening:
        with progress_bar("opening", sum(map(_shards, folders)), unit="files") as advance:
            catalog = Catalog(folders, advance, knowledge=knowledge or (), parser=parser)
        # Browsers keep their web sockets open, which is no reason to go on when somebody wants to stop.
        serve(make_app(catalog, token=token, started=started), listening, patience=1)


def _shards(folder: Path) -> int:
    """How many files there are to open; what is no dataset is told in the browser."""
    from mereo.datasets.store import open_dataset
    from mereo.errors import MereoError

    try:
        return len(open_dataset(folder).files)
    except MereoError:
        return 0
