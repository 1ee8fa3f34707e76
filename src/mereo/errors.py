"""The errors that a person can cause, each of which reads as one sentence.

Every one derives from `MereoError`, and also from the builtin that fits, so that code may catch either. The command
line prints the sentence and exits with code 2; a traceback is only for our own mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

__all__ = [
    "BadInput",
    "Defect",
    "MereoError",
    "MissingExtra",
    "NoScene",
    "Refusals",
    "UnknownName",
    "differing",
    "flat",
    "install_command",
    "nearest",
]

_SHOWN = 3
_LONG = 64
"""Letters of a setting that are told: a checksum whole, a text in part."""


class MereoError(Exception):
    """Something a person asked for cannot be done; the message says what and why."""

    def __str__(self) -> str:
        """One line, whatever names and values stand in it."""
        return " ".join(super().__str__().splitlines())


class BadInput(MereoError, ValueError):
    """A file, record or field does not hold what it must.

    The sentence is put together in one order, so that all bad data is reported alike: file, record, field, reason.
    """

    def __init__(self, reason: str, *, file: object = None, record: str | None = None, field: str | None = None):
        self.reason, self.file, self.record, self.field = reason, file, record, field
        where = [str(file)] if file is not None else []
        where += [record] if record else []
        where += [f"field '{field}'"] if field else []
        super().__init__(f"{', '.join(where)}: {reason}" if where else reason)

    def within(self, *, file: object = None, record: str | None = None, field: str | None = None) -> BadInput:
        """The same complaint with the places filled in that only the caller knows."""
        return BadInput(
            self.reason,
            file=self.file if self.file is not None else file,
            record=self.record or record,
            field=self.field or field,
        )


@dataclass
class Refusals:
    """What could not be read of somebody's files and was left out: how much, and the first three with their places."""

    refused: int = 0
    shown: list[str] = field(default_factory=list)

    def leave_out(self, complaint: BadInput, *, strict: bool) -> None:
        """Count what cannot be read, or stop at it."""
        if strict:
            raise complaint from None
        self.refused += 1
        if len(self.shown) < _SHOWN:
            self.shown.append(str(complaint))


class NoScene(MereoError):
    """The scene that follows from a seed and a number cannot be made, whoever tries; a build goes on without it.

    Only this leaves a scene out. Whatever else goes wrong while one is made may be right on the next try or on another
    machine, and ends the build.
    """


class Defect(RuntimeError):
    """A mistake of ours that ended a piece of work: the sentence names the work, a note has the traceback."""


class UnknownName(MereoError, LookupError):
    """A name that does not exist: says what was asked, what is nearest, and what there is."""

    def __init__(self, kind: str, name: object, known: Iterable[str]):
        self.kind, self.name, self.known = kind, name, tuple(known)
        super().__init__(f"there is no {kind} '{name}'{nearest(name, self.known)}")


class MissingExtra(MereoError, ImportError):
    """A part of mereo that needs an optional set of packages."""

    def __init__(self, what: str, extra: str):
        self.what, self.extra = what, extra
        super().__init__(f"{what} needs packages that are not installed: {install_command(extra)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """As workers send it: the sentence alone would not make it again."""
        return MissingExtra, (self.what, self.extra)


def install_command(extra: str) -> str:
    """What installs an extra: of mereo as it is published, or of the folder of sources that this mereo runs from."""
    sources = Path(__file__).parents[2]
    if not (sources / "pyproject.toml").is_file():
        return f"pip install 'mereo[{extra}]'"
    return f"pip install -e '{'.' if sources == Path.cwd() else sources}[{extra}]'"


def nearest(name: object, known: Iterable[str], *, shown: int = 12) -> str:
    """The end of an unknown-name sentence: the nearest match if there is one, else some of what exists."""
    names = sorted(set(known))
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f" (did you mean '{close[0]}'?)"
    listed = ", ".join(names[:shown]) + (", …" if len(names) > shown else "")
    return f" (there is: {listed})" if names else " (there is none)"


def differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Which settings differ, however deep they lie, each with its old and its new value; nothing where none does."""
    old, new = dict(flat(before)), dict(flat(now))
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return "; ".join(f"{name}: {_value(old, name)}, not {_value(new, name)}" for name in names)


def flat(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Settings one by one, those within others by both names, as `files.scenes`."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", one) for inner, one in flat(value))
        else:
            yield name, value


def _value(settings: Mapping[str, Any], name: str) -> str:
    text = str(settings[name]) if name in settings else "nothing"
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
