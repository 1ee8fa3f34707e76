"""The eleven relations that knowledge is kept in, and what others call them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from mereo.files import converted, read_toml

__all__ = ["CATEGORY", "TAXONOMY", "Called", "Relation", "called", "relations", "taxonomic_names"]

CATEGORY, TAXONOMY = "IsA", "IsATaxonomy"
"""What everybody says a thing is, and what a science says."""
_HERE = Path(__file__).parent
_PREFIX = "/r/"


class Relation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A relation as `relations.toml` has it."""

    words: str
    uri: str = ""
    also: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()
    head: str = ""
    tail: str = ""
    agent: str = ""
    inherited: bool = False


class Called(NamedTuple):
    """What somebody's name for a relation means here."""

    relation: str | None
    """One of the eleven; None where it is known and not kept."""
    swapped: bool = False
    """Whether head and tail change places."""


@cache
def relations() -> Mapping[str, Relation]:
    """The eleven by name."""
    path = _HERE / "relations.toml"
    return converted(read_toml(path), file=path, type=dict[str, Relation])


@cache
def called() -> Mapping[str, Called]:
    """All names of relations that are known, both as `UsedFor` and as `/r/UsedFor`."""
    names = {name.removeprefix(_PREFIX): Called(None) for name in _names("other_relations.toml")}
    for relation, about in relations().items():
        same = {relation, about.uri, *about.also} - {""}
        names |= {name.removeprefix(_PREFIX): Called(relation) for name in same}
        names |= {name.removeprefix(_PREFIX): Called(relation, swapped=True) for name in about.inverse}
    return names | {_PREFIX + name: meaning for name, meaning in names.items()}


@cache
def taxonomic_names() -> frozenset[str]:
    """The categories of biology that we know: what `IsA` one of these is `IsATaxonomy`."""
    return frozenset(_names("taxonomy.toml"))


def _names(file: str) -> list[str]:
    path = _HERE / file
    return converted(read_toml(path)["names"], file=path, type=list[str])
