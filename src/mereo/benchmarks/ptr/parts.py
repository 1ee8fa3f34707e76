"""PTR's names for parts: what a person would point at and count, from our finer labels.

Two views of one mapping. `ptr_part_of` gives each label one name, the innermost, so that colors and masks by name
share nothing. `ptr_parts` gives whole instances to count: an arm with its bars, a drawer with its box and handle.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from mereo.errors import UnknownName
from mereo.files import read_toml
from mereo.shapes.label_pattern import fits
from mereo.shapes.part import Part, Shape

__all__ = ["face_of", "ptr_categories", "ptr_part_names", "ptr_part_of", "ptr_parts"]

_FILE = Path(__file__).with_name("parts.toml")


def ptr_categories() -> tuple[str, ...]:
    """The categories of PTR's objects."""
    return tuple(_table()["parts"])


def ptr_part_names(category: str) -> tuple[str, ...]:
    """The names of parts that objects of a category can have."""
    return tuple(_rules(category))


@cache
def ptr_part_of(category: str, label: str) -> str | None:
    """The innermost of PTR's parts that a label lies in, or None for what PTR calls other."""
    path = label
    while path:
        if name := _named(category, path):
            return name
        path = path.rpartition("/")[0]
    return None


def ptr_parts(shape: Shape) -> dict[str, list[Part]]:
    """The instances of each of PTR's parts, as a person would count them; names without any are left out.

    An instance is a part of the shape. Where one is made of what lies in several places, such as the body of a cart, it
    is a part of its own that has the leaves as children, with the labels and ids that they have in the shape.
    """
    category, together = shape.category, frozenset(_table()["together"])
    found: dict[str, list[Part]] = {name: [] for name in ptr_part_names(category)}
    _collect(shape.root, category, together, found)
    for name in together & found.keys():
        leaves = tuple(leaf for leaf in shape.leaves() if ptr_part_of(category, leaf.label) == name)
        if leaves:
            found[name] = [Part(name, leaves, label=shape.root.label)]
    return {name: instances for name, instances in found.items() if instances}


def face_of(category: str, name: str, instance: Part) -> Part:
    """What of an instance tells how it lies, such as the front of a drawer; all of it where the table names nothing."""
    patterns = _table()["faces"].get(category, {}).get(name, ())
    found = tuple(part for part in instance.walk() if any(fits(part.label, pattern) for pattern in patterns))
    return Part(name, found, label=instance.label) if found else instance


def _collect(part: Part, category: str, within: frozenset[str], found: dict[str, list[Part]]) -> None:
    """Add this part and those below it, but none inside an instance of the same name.

    within : the names not to look for
    """
    name = _named(category, part.label)
    if name and name not in within:
        found[name].append(part)
        within |= {name}
    for child in part.children:
        _collect(child, category, within, found)


@cache
def _named(category: str, label: str) -> str | None:
    """The name of the part that begins at this very label; the first in the table where two fit."""
    for name, patterns in _rules(category).items():
        if any(fits(label, pattern) for pattern in patterns):
            return name
    return None


def _rules(category: str) -> dict[str, list[str]]:
    parts: dict[str, dict[str, list[str]]] = _table()["parts"]
    if category not in parts:
        raise UnknownName("category of PTR", category, parts)
    return parts[category]


@cache
def _table() -> dict[str, Any]:
    return read_toml(_FILE)
