"""What can be said of a world: its attributes with their values, and the names of its relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from sys import intern

from mereo.errors import UnknownName

__all__ = ["Attribute", "Vocabulary"]


@dataclass(frozen=True)
class Attribute:
    """One property that entities may have, with the values it can take."""

    name: str
    values: tuple[str, ...]
    multiple: bool = False
    """Whether an entity may have several values at once (a knife is both sharp and metallic)."""

    def __post_init__(self) -> None:
        # Tables are keyed by these very words; see the compiler of programs.
        object.__setattr__(self, "values", tuple(map(intern, self.values)))


@dataclass(frozen=True)
class Vocabulary:
    """The attributes and relations that worlds of one kind share."""

    attributes: Mapping[str, Attribute]
    relations: tuple[str, ...] = field(default=())

    @staticmethod
    def of(attributes: Iterable[Attribute], *, relations: Iterable[str] = ()) -> Vocabulary:
        """A vocabulary from its attributes, in the order in which they are to be named."""
        return Vocabulary({attribute.name: attribute for attribute in attributes}, tuple(map(intern, relations)))

    def attribute(self, name: str) -> Attribute:
        """The attribute of this name."""
        if name not in self.attributes:
            raise UnknownName("attribute", name, self.attributes)
        return self.attributes[name]
