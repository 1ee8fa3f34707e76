"""The world: entities, what they are like, how they relate; everything that is asked is asked of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from sys import intern
from typing import Any, TypeVar

from mereo.errors import BadInput, nearest
from mereo.world.facts import Fact
from mereo.world.tables import LazyTable, NamedTable, OpenTable, UnknownToWorld
from mereo.world.vocabulary import Attribute, Vocabulary

__all__ = ["LARGEST", "Entity", "World", "make_world"]

F = TypeVar("F", bound=Fact)

LARGEST = 4096
"""The most entities a world may hold: relations are tables of as many bit sets as wide."""


@dataclass(frozen=True)
class Entity:
    """One thing that can be referred to."""

    id: str
    kind: str = "object"
    attributes: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    part_of: str | None = None
    """The id of the whole that this is a part of."""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    """Free-form numbers: `position` (3 floats, world frame), `pixel` (column, row, depth), and whatever a user adds."""


@dataclass(frozen=True, eq=False, slots=True)
class World:
    """Entities by index, with every question about them one look-up away.

    A set of entities is an integer (see `bits`). The tables are complete: `having` has an entry for every value of
    every attribute, `related` one for every relation and entity, so that no function needs to test for absence. To look
    up what the vocabulary does not have is an `UnknownToWorld`.
    """

    entities: tuple[Entity, ...]
    vocabulary: Vocabulary
    kinds: Mapping[str, int]
    """The entities of each kind; `object` is always there."""
    objects: int
    """The entities of kind `object`."""
    having: Mapping[str, Mapping[str, int]]
    """having[attribute][value]: the entities that have this value; of an open vocabulary, any word may be looked up."""
    value: Mapping[str, tuple[Any, ...]]
    """value[attribute][entity]: its value, None if it has none; a tuple of them if the attribute is multi-valued."""
    related: Mapping[str, tuple[int, ...]]
    """related[relation][entity]: those that stand in the relation to it (`related['left'][3]` are left of 3)."""
    parts: tuple[int, ...]
    """parts[entity]: the parts it is directly made of."""
    whole: tuple[int | None, ...]
    """whole[entity]: the index of what it is a part of."""
    facts: Mapping[type[Fact], Fact]
    """What else is known, by type. Whoever makes this world anew hands them on."""
    memory: dict[Any, Any]
    """What others have worked out about this world and want to keep; it may be forgotten at any time."""

    def index(self, entity_id: str) -> int:
        """The index of the entity with this id."""
        for index, entity in enumerate(self.entities):
            if entity.id == entity_id:
                return index
        raise BadInput(f"there is no entity '{entity_id}'{nearest(entity_id, (e.id for e in self.entities))}")

    def fact(self, kind: type[F]) -> F:
        """The fact of this type."""
        found: Any = self.facts.get(kind)
        if found is None:
            raise UnknownToWorld("fact", kind.__name__, (known.__name__ for known in self.facts))
        fact: F = found
        return fact

    def __len__(self) -> int:
        return len(self.entities)

    def __repr__(self) -> str:
        counts = [f"{kind}: {members.bit_count()}" for kind, members in self.kinds.items() if members]
        return f"World({', '.join(counts) or 'nothing'})"

    def __str__(self) -> str:
        """A line for every entity: its index, its id where that says more, and what it is like."""
        lines = []
        for index, entity in enumerate(self.entities):
            said = [] if entity.id == str(index) else [entity.id]
            for value in entity.attributes.values():
                said.append(", ".join(value) if isinstance(value, tuple) else value)
            lines.append(" ".join([f"{index:>3}", *said]))
        return "\n".join(lines)


def make_world(
    entities: Sequence[Entity],
    vocabulary: Vocabulary,
    *,
    related: Mapping[str, Sequence[int]] | None = None,
    facts: Iterable[Fact] = (),
) -> World:
    """A world, after checking that everything named exists. Its columns are made when they are first looked up.

    related : relation name to one bit set per entity; relations of the vocabulary that are left out hold for none
    facts : at most one of each type
    """
    if len(entities) > LARGEST:
        raise BadInput(f"{len(entities):,} entities are too many: a world holds at most {LARGEST:,}", field="entities")
    entities = tuple(entities)
    index = _by_id(entities)
    kinds: dict[str, int] = {"object": 0}
    for i, entity in enumerate(entities):
        kinds[entity.kind] = kinds.get(entity.kind, 0) | 1 << i
    attributes = vocabulary.attributes
    bearers = _bearers(entities, attributes)
    whole, parts = _wholes(entities, index)
    return World(
        entities=entities,
        vocabulary=vocabulary,
        kinds=NamedTable("kind", kinds),
        objects=kinds["object"],
        having=LazyTable("attribute", attributes, partial(_having, attributes, bearers)),
        value=LazyTable("attribute", attributes, partial(_values, attributes, entities)),
        related=_related(related or {}, vocabulary, len(entities)),
        parts=parts,
        whole=whole,
        facts=_by_type(facts),
        memory={},
    )


def _record(i: int, entity: Entity) -> str:
    return f"entity {i} ('{entity.id}')"


def _by_id(entities: Sequence[Entity]) -> dict[str, int]:
    index: dict[str, int] = {}
    for i, entity in enumerate(entities):
        if entity.id in index:
            raise BadInput(
                f"the id is already that of entity {index[entity.id]}", record=_record(i, entity), field="id"
            )
        index[entity.id] = i
    return index


def _bearers(entities: Sequence[Entity], attributes: Mapping[str, Attribute]) -> dict[str, dict[str, int]]:
    """By attribute and value the entities that have it, for whatever occurs."""
    found: dict[str, dict[str, int]] = {}
    for i, entity in enumerate(entities):
        for name, value in entity.attributes.items():
            attribute = attributes.get(name)
            if attribute is None:
                raise BadInput(f"there is no attribute '{name}'{nearest(name, attributes)}", record=_record(i, entity))
            if isinstance(value, tuple) and not attribute.multiple:
                raise BadInput("takes a single value, not several", record=_record(i, entity), field=name)
            own = found.setdefault(name, {})
            for one in _several(value):
                if not attribute.admits(one):
                    known = nearest(one, attribute.values) if attribute.values is not None else ""
                    raise BadInput(f"'{one}' is not a {name}{known}", record=_record(i, entity), field=name)
                own[intern(str(one))] = own.get(one, 0) | 1 << i
    return found


def _several(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _having(
    attributes: Mapping[str, Attribute], bearers: Mapping[str, Mapping[str, int]], name: str
) -> Mapping[str, int]:
    """The entities of each value of an attribute."""
    values, own = attributes[name].values, bearers.get(name, {})
    return OpenTable(own) if values is None else NamedTable(name, {**dict.fromkeys(values, 0), **own})


def _values(attributes: Mapping[str, Attribute], entities: Sequence[Entity], name: str) -> tuple[Any, ...]:
    """The value of each entity."""
    column = [entity.attributes.get(name) for entity in entities]
    if not attributes[name].multiple:
        return tuple(column)
    return tuple(tuple(dict.fromkeys(_several(value))) or None for value in column)


def _wholes(entities: Sequence[Entity], index: Mapping[str, int]) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
    whole: list[int | None] = []
    parts = [0] * len(entities)
    for i, entity in enumerate(entities):
        if entity.part_of is None:
            whole.append(None)
            continue
        if entity.part_of not in index:
            known = nearest(entity.part_of, index)
            raise BadInput(f"there is no entity '{entity.part_of}'{known}", record=_record(i, entity), field="part_of")
        whole.append(index[entity.part_of])
        parts[index[entity.part_of]] |= 1 << i
    for i, entity in enumerate(entities):
        above, steps = whole[i], 0
        while above is not None and steps <= len(entities):
            above, steps = whole[above], steps + 1
        if above is not None:
            raise BadInput("the entity is a part of itself", record=_record(i, entity), field="part_of")
    return tuple(whole), tuple(parts)


def _related(related: Mapping[str, Sequence[int]], vocabulary: Vocabulary, size: int) -> NamedTable[tuple[int, ...]]:
    """A table for every relation, those that are given first and in their order."""
    none = (0,) * size
    tables = dict.fromkeys(vocabulary.relations, none)
    for name, table in related.items():
        if name not in tables:
            raise BadInput(f"there is no relation '{name}'{nearest(name, tables)}", field="relations")
        if len(table) != size:
            raise BadInput(f"relation '{name}' has {len(table)} rows for {size} entities", field="relations")
        if any(row >> size for row in table):
            raise BadInput(f"relation '{name}' names an entity that is not there", field="relations")
        tables[name] = tuple(table)
    return NamedTable("relation", {**dict.fromkeys(related, none), **tables})


def _by_type(facts: Iterable[Fact]) -> dict[type[Fact], Fact]:
    found: dict[type[Fact], Fact] = {}
    for fact in facts:
        if type(fact) in found:
            raise ValueError(f"a world has one {type(fact).__name__}, not two")
        found[type(fact)] = fact
    return found
