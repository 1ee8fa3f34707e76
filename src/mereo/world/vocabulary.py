"""What can be said of a world: its attributes with their values, and the names of its relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from sys import intern

__all__ = ["Attribute", "Vocabulary"]


@dataclass(frozen=True)
class Attribute:
    """One property that entities may have, with the values it can take."""

    name: str
    values: tuple[str, ...] | None
    """All its values; None where the vocabulary is open, so that any word will do."""
    multiple: bool = False
    """Whether an entity may have several values at once (a knife is both sharp and metallic)."""

    def __post_init__(self) -> None:
        # Tables are keyed by these very words; see the compiler of programs.
        object.__setattr__(self, "name", intern(self.name))
        if self.values is not None:
            object.__setattr__(self, "values", tuple(map(intern, self.values)))

    def admits(self, word: object) -> bool:
        """Whether an entity may have this value."""
        return isinstance(word, str) if self.values is None else word in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.values or ())


@dataclass(frozen=True)
class Vocabulary:
    """The attributes and relations that worlds of one kind share."""

    attributes: Mapping[str, Attribute]
    relations: tuple[str, ...] = ()

    @staticmethod
    def of(attributes: Iterable[Attribute], *, relations: Iterable[str] = ()) -> Vocabulary:
        """A vocabulary from its attributes, in the order in which they are to be named."""
        return Vocabulary({attribute.name: attribute for attribute in attributes}, tuple(map(intern, relations)))

    def words(self, attribute: str) -> tuple[str, ...]:
        """All values of an attribute, which must not be open."""
        values = self.attributes[attribute].values
        if values is None:
            raise ValueError(f"any word may be a {attribute}, so there is no list of them")
        return values
