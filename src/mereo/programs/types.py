"""The types of programs: what each step takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mereo.world import World, members

__all__ = [
    "BOOLEAN",
    "INTEGER",
    "INTEGER_SET",
    "OBJECT",
    "OBJECT_SET",
    "PART_SET",
    "Type",
    "plain",
    "value_type",
]

Form = Literal["entity", "entities", "integer", "integers", "boolean", "value", "values", "any"]


@dataclass(frozen=True)
class Type:
    """A name, and the form that values of this type have when a program runs.

    entity: an index · entities: a bit set · integer · integers: a tuple · boolean · value: a word · values: a tuple of
    words · any: whatever the functions of this type agree on
    """

    name: str
    form: Form
    values: tuple[str, ...] | None = None
    """All the words of a `value` or `values` type; None where any word will do."""

    def admits(self, value: Any) -> bool:
        """Whether a literal in a program is of this type."""
        if self.form == "value":
            return isinstance(value, str) if self.values is None else value in self.values
        if self.form == "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        return isinstance(value, bool) if self.form == "boolean" else self.form == "any"

    def __str__(self) -> str:
        return self.name


OBJECT = Type("Object", "entity")
OBJECT_SET = Type("ObjectSet", "entities")
PART_SET = Type("PartSet", "entities")
INTEGER = Type("Integer", "integer")
INTEGER_SET = Type("IntegerSet", "integers")
BOOLEAN = Type("Boolean", "boolean")


def value_type(name: str, values: tuple[str, ...] | None = None) -> Type:
    """A type of words, such as Color. values : all of them; None where any word will do"""
    return Type(name, "value", values)


def plain(value: Any, type: Type, world: World) -> Any:
    """A step's value as one shows it: entity ids instead of indices and bit sets."""
    if type.form == "entity":
        return world.entities[value].id
    if type.form == "entities":
        return [world.entities[index].id for index in members(value)]
    return list(value) if type.form in ("integers", "values") else value


def said(value: Any) -> str:
    """A plain value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)
