"""The tables of a world, which say by name what they do not know, so that nobody tests for absence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from mereo.errors import MereoError, nearest

__all__ = ["LazyTable", "NamedTable", "OpenTable", "UnknownToWorld"]

T = TypeVar("T")


class UnknownToWorld(MereoError, LookupError):
    """A world was asked for an attribute, value, relation, kind or fact that it does not know."""

    def __init__(self, what: str, name: object, known: Iterable[str]):
        self.what, self.name = what, name
        super().__init__(f"this world knows no {what} '{name}'{nearest(name, known)}")


class NamedTable(Mapping[str, T]):
    """Entries by name. what : what the names are names of"""

    __slots__ = ("entries", "names", "plain", "what")

    plain: dict[str, Any]
    """The same entries all the way down in plain dictionaries, in which generated code looks first."""

    def __init__(self, what: str, entries: dict[str, T]):
        self.what, self.entries, self.plain = what, entries, entries
        self.names: Collection[str] = entries

    def __getitem__(self, name: str) -> T:
        try:
            return self.entries[name]
        except KeyError:
            return self.missing(name)

    def missing(self, name: str) -> T:
        """The entry that is not there."""
        raise UnknownToWorld(self.what, name, self.names) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def get(self, name: str, default: Any = None) -> Any:
        """The entry, or something else if there is none."""
        return self[name] if name in self.names else default

    def __repr__(self) -> str:
        return repr(dict(self))


class LazyTable(NamedTable[T]):
    """A table of which each entry is made when it is first looked up."""

    __slots__ = ("make",)

    def __init__(self, what: str, names: Collection[str], make: Callable[[str], T]):
        super().__init__(what, {})
        self.names, self.make, self.plain = names, make, {}

    def missing(self, name: str) -> T:
        """The entry that is not there yet."""
        if name not in self.names:
            return super().missing(name)
        made = self.entries[name] = self.make(name)
        self.plain[name] = made.plain if isinstance(made, NamedTable) else made
        return made


class OpenTable(dict[str, int]):
    """The entities that have each word of an open vocabulary: none has a word that does not occur."""

    __slots__ = ()

    def __missing__(self, word: str) -> int:
        return 0
