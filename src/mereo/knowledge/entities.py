"""What the embedded knowledge is about: things, their parts, what they are made of and where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from mereo.errors import BadInput, nearest
from mereo.files import converted, read_toml

__all__ = ["Category", "Entity", "Number", "Vocabulary", "read_vocabulary"]

Number = Literal["count", "mass", "plural"]


class Entity(msgspec.Struct, frozen=True):
    """Something that facts are about, by the words that people use."""

    name: str
    categories: tuple[str, ...]
    """All that it is, the nearest first, those that are only for sorting included."""
    number: Number = "count"
    """How it is spoken of: counted, not counted ("bread"), or in the plural only ("scissors")."""
    plural: str = ""
    """Only where no rule gives it."""
    synonyms: tuple[str, ...] = ()
    shape: str = ""
    """The category of shapes that it is, where it is one."""
    labels: tuple[str, ...] = ()
    """The ends of the paths of labels that are it, where it is a part of shapes."""

    @property
    def shown(self) -> bool:
        """Whether scenes can show it."""
        return bool(self.shape or self.labels)


class Category(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What several entities are."""

    source: str
    """What it means."""
    within: tuple[str, ...] = ()
    """The wider categories that it belongs to."""
    said: bool = True
    """Whether people say it of things. If not, it only sorts entities, so that facts can speak of many at once."""
    unclear: tuple[str, ...] = ()
    """Entities of which one person would say it and another would not."""


class Vocabulary(NamedTuple):
    """All entities and categories, by name. No name is both."""

    entities: Mapping[str, Entity]
    categories: Mapping[str, Category]

    def members(self, name: str) -> tuple[str, ...]:
        """The entity of a name, or all that are of a category; none where the name is unknown."""
        if name in self.entities:
            return (name,)
        return tuple(entity.name for entity in self.entities.values() if name in entity.categories)


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entity as the file has it. `is` is a word of Python."""

    kinds: tuple[str, ...] = msgspec.field(name="is")
    number: Number = "count"
    plural: str = ""
    synonyms: tuple[str, ...] = ()
    shape: str = ""
    labels: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    categories: dict[str, Category]
    entities: dict[str, dict[str, _Row]]
    """By headings, which only help a reader."""


def read_vocabulary(file: Path) -> Vocabulary:
    """The entities and categories of a file, checked against each other."""
    whole = converted(read_toml(file), file=file, type=_File)
    for name, category in whole.categories.items():
        _known(category.within, whole.categories, file=file, record=f"category '{name}'", field="within")
    entities: dict[str, Entity] = {}
    for name, row in (pair for rows in whole.entities.values() for pair in rows.items()):
        record = f"entity '{name}'"
        if name in entities:
            raise BadInput("stands there twice", file=file, record=record)
        _known(row.kinds, whole.categories, file=file, record=record, field="is")
        about = {field: getattr(row, field) for field in ("number", "plural", "synonyms", "shape", "labels")}
        entities[name] = Entity(name, _all_above(row.kinds, whole.categories), **about)
    for name, category in whole.categories.items():
        _known(category.unclear, entities, file=file, record=f"category '{name}'", field="unclear", kind="entity")
    _named_once(entities, whole.categories, file)
    return Vocabulary(entities, whole.categories)


def _known(
    names: Iterable[str], known: Iterable[str], *, file: Path, record: str, field: str, kind: str = "category"
) -> None:
    for name in names:
        if name not in known:
            raise BadInput(f"there is no {kind} '{name}'{nearest(name, known)}", file=file, record=record, field=field)


def _all_above(kinds: Iterable[str], categories: Mapping[str, Category]) -> tuple[str, ...]:
    """The categories given and all that these belong to, each once, level by level."""
    found = list(dict.fromkeys(kinds))
    for name in found:
        found += [wider for wider in categories[name].within if wider not in found]
    return tuple(found)


def _named_once(entities: Mapping[str, Entity], categories: Mapping[str, Category], file: Path) -> None:
    """See that a word means one thing, so that a word in a question does."""
    owners = dict.fromkeys(categories, "a category")
    for entity in entities.values():
        for word in (entity.name, *entity.synonyms):
            if word in owners:
                raise BadInput(f"'{word}' is also {owners[word]}", file=file, record=f"entity '{entity.name}'")
            owners[word] = f"'{entity.name}'"
