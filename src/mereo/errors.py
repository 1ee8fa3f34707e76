"""The errors that a person can cause, each of which reads as one sentence.

Every one derives from `MereoError`, and also from the builtin that fits, so that code may catch either. The command
line prints the sentence and exits with code 2; a traceback is only for our own mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["BadInput", "MereoError", "MissingExtra", "UnknownName", "nearest"]


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


class UnknownName(MereoError, LookupError):
    """A name that does not exist: says what was asked, what is nearest, and what there is."""

    def __init__(self, kind: str, name: object, known: Iterable[str]):
        self.kind, self.name, self.known = kind, name, tuple(known)
        super().__init__(f"there is no {kind} '{name}'{nearest(name, self.known)}")


class MissingExtra(MereoError, ImportError):
    """A part of mereo that needs an optional set of packages."""

    def __init__(self, what: str, extra: str):
        super().__init__(f"{what} needs packages that are not installed: pip install 'mereo[{extra}]'")


def nearest(name: object, known: Iterable[str], *, shown: int = 12) -> str:
    """The end of an unknown-name sentence: the nearest match if there is one, else some of what exists."""
    names = sorted(set(known))
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f" (did you mean '{close[0]}'?)"
    listed = ", ".join(names[:shown]) + (", …" if len(names) > shown else "")
    return f" (there is: {listed})" if names else " (there is none)"
