"""How long work of several kinds is shown: a bar for what is under way, with loss, marks and rate where it learns.

Where nobody looks, as in a log, ten lines tell how a network learned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mereo.training.loop import Progress as Learned

__all__ = ["Shown", "told", "watching"]

_LINES = 10


class Shown:
    """What a person sees of the work."""

    def __init__(self, bar: Any):
        self._bar, self._what, self._tenths = bar, "", 0
        self._task: Any = None

    def begin(self, what: str, total: int, unit: str) -> Callable[[int], None]:
        """Begin something new; gives what takes the amount done."""
        self._show(what, total)

        def advance(done: int) -> None:
            self._bar.advance(self._task, done)
            speed = self._bar.tasks[-1].speed
            self._bar.update(self._task, told=f"{unit}, {speed:,.0f}/s" if speed else unit)

        return _ignore if self._bar.disable else advance

    def reading(self, what: str, done: int, total: int) -> None:
        """Tell how much of a dataset is in memory."""
        if not self._bar.disable:
            self._show(f"reading {what}", total)
            self._bar.update(self._task, completed=done)

    def learning(self, learned: Learned) -> None:
        """Tell how far a network has come."""
        what = f"learning {learned.stage}".strip()
        new = self._show(what, learned.steps)
        if not self._bar.disable:
            self._bar.update(self._task, completed=learned.step, told=told(learned))
            return
        tenths = learned.step * _LINES // learned.steps
        if new or tenths > self._tenths:
            self._tenths = tenths
            typer.echo(f"{what}: step {learned.step:,} of {learned.steps:,}, {told(learned)}", err=True)

    def say(self, sentence: str) -> None:
        """Print a sentence above the bar."""
        typer.echo(sentence, err=True) if self._bar.disable else self._bar.console.print(sentence)

    def _show(self, what: str, total: int) -> bool:
        """See that the bar is of this work; says whether it is new."""
        if what == self._what:
            return False
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task, self._what, self._tenths = self._bar.add_task(what, total=total or None, told=""), what, 0
        return True


def told(learned: Learned) -> str:
    """Loss, marks and rate of the last steps: `loss 1.204, right 41.7%, 5,210/s`."""
    reading = learned.reading
    marks = "".join(f"{name} {value:.1%}, " for name, value in reading.marks.items())
    return f"loss {sum(reading.losses.values()):.3f}, {marks}{reading.examples_per_second:,.0f}/s"


@contextmanager
def watching() -> Iterator[Shown]:
    """A place on standard error where all of it is shown."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    stderr = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal, transient=True) as bar:
        yield Shown(bar)


def _ignore(done: int) -> None:
    """What is called instead where nobody looks."""
