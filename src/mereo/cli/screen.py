"""What all commands show alike: the console, and progress bars on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["console", "growing_bar", "plain_table", "progress_bar"]


@cache
def console() -> Console:
    """Where results go."""
    from rich.console import Console

    # Into a pipe or a file a table may be as wide as it wants: eighty columns are a habit of terminals.
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 200)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table without lines."""
    from rich.table import Table

    return Table(*columns, title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 3, 0, 0))


@contextmanager
def progress_bar(what: str, total: int, *, unit: str) -> Iterator[Callable[[int], None]]:
    """A bar with the rate and the time left; give the amount done to what it yields. Silent where nobody looks."""
    with growing_bar(what, unit=unit) as begin:
        yield begin(total)


@contextmanager
def growing_bar(what: str, *, unit: str) -> Iterator[Callable[[int], Callable[[int], None]]]:
    """A bar for work whose amount is only known later: tell it, and get what takes the amount done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    stderr = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def advance(done: int) -> None:
            bar.advance(task, done)
            speed = bar.tasks[0].speed
            bar.update(task, rate=f"{speed:,.1f}/s" if speed and speed < 10 else f"{speed:,.0f}/s" if speed else "")

        def begin(total: int) -> Callable[[int], None]:
            bar.update(task, total=total or None)
            return _ignore if bar.disable else advance

        yield begin


def _ignore(done: int) -> None:
    """What is called instead where nobody looks: drawing nothing takes its time too."""
