"""What people meet of a benchmark first: its name, what can be chosen when it is built, and commands of its own.

Help and completion need no more. So the offer of a folder stands in its `__init__`, apart from the rest of the
benchmark, which takes much longer to load: `tests/test_start.py` keeps offers light.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mereo.benchmarks
from mereo.benchmarks.choices import Choice
from mereo.benchmarks.making import Maker
from mereo.errors import UnknownName
from mereo.sheets import Sheet

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Command", "Lines", "Offer", "Sheet", "all_offers", "folders", "offer", "own_commands", "plugged"]

_GROUP = "mereo.benchmarks"


Lines = Sequence[str | Sheet]
"""What a command says: sentences and tables."""


@dataclass(frozen=True)
class Command:
    """A command that only one benchmark has."""

    name: str
    about: str
    choices: tuple[Choice, ...]
    run: Callable[[Mapping[str, Any], Callable[[int], None]], Lines]
    """run(a value for every choice, progress): does the work, and gives what there is to say."""
    total: Callable[[Mapping[str, Any]], int] = lambda choices: 0
    """How much there is to do, for the progress bar."""
    unit: str = "questions"


@dataclass(frozen=True)
class Offer:
    """What a benchmark is called and about, how its data is made, and which commands only it has."""

    name: str
    about: str
    maker: Maker | None = field(default=None, kw_only=True)
    """How its data is made."""
    commands: tuple[Command, ...] = field(default=(), kw_only=True)
    """Commands that only it has."""


def folders() -> list[str]:
    """The benchmarks that stand in folders beside this file: a folder is one if it has a `benchmark.py`."""
    return sorted(
        path.parent.name for place in mereo.benchmarks.__path__ for path in Path(place).glob("*/benchmark.py")
    )


@cache
def plugged() -> Mapping[str, EntryPoint]:
    """The entry points with which installed packages offer benchmarks, by name."""
    if not any(map(_names_us, sys.path)):
        return {}
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=_GROUP)}


def _names_us(folder: str) -> bool:
    """Whether a package in a folder says that it offers a benchmark.

    Most people have none, and looking for that word takes a tenth of the time that reading all entry points takes.
    """
    return any(_GROUP.encode() in path.read_bytes() for path in Path(folder).glob("*-info/entry_points.txt"))


def offer(name: str) -> Offer:
    """The offer of one benchmark; one that a package offers is its own."""
    found: Offer
    if name in plugged():
        found = plugged()[name].load()
    elif name in folders():
        found = import_module(f"mereo.benchmarks.{name}").OFFER
    else:
        raise UnknownName("benchmark", name, [*folders(), *plugged()])
    return found


def all_offers() -> dict[str, Offer]:
    """The offers of all benchmarks by name."""
    return {name: offer(name) for name in [*folders(), *plugged()]}


def own_commands() -> dict[str, Command]:
    """The commands that single benchmarks bring, by name."""
    return {command.name: command for known in all_offers().values() for command in known.commands}
