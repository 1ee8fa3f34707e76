"""The world: entities, what they are like, how they relate; everything that is asked is asked of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mereo.errors import BadInput, nearest
from mereo.world.vocabulary import Attribute, Vocabulary

__all__ = ["LARGEST", "Entity", "World", "make_world"]

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
    every attribute, `related` one for every relation and entity, so that no function needs to test for absence.
    """

    entities: tuple[Entity, ...]
    vocabulary: Vocabulary
    all: int
    """Every entity."""
    kinds: Mapping[str, int]
    """The entities of each kind; `object` is always there."""
    objects: int
    """The entities of kind `object`."""
    having: Mapping[str, Mapping[str, int]]
    """having[attribute][value]: the entities that have this value."""
    value: Mapping[str, tuple[Any, ...]]
    """value[attribute][entity]: its value, None if it has none, a tuple if the attribute is multi-valued."""
    related: Mapping[str, tuple[int, ...]]
    """related[relation][entity]: those that stand in the relation to it (`related['left'][3]` are left of 3)."""
    parts: tuple[int, ...]
    """parts[entity]: the parts it is directly made of."""
    whole: tuple[int | None, ...]
    """whole[entity]: the index of what it is a part of."""
    knowledge: tuple[tuple[str, str, str], ...]
    """Facts that hold beyond what is seen, as (head, relation, tail)."""
    memory: dict[Any, Any]
    """What others have worked out about this world and want to keep with it (described sets, visible pairs)."""

    def index(self, entity_id: str) -> int:
        """The index of the entity with this id."""
        for index, entity in enumerate(self.entities):
            if entity.id == entity_id:
                return index
        raise BadInput(f"there is no entity '{entity_id}'{nearest(entity_id, (e.id for e in self.entities))}")

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
    knowledge: Sequence[tuple[str, str, str]] = (),
) -> World:
    """Build the tables of a world, checking that everything named exists.

    related : relation name to one bit set per entity; relations of the vocabulary that are left out hold for none
    """
    if len(entities) > LARGEST:
        raise BadInput(f"{len(entities):,} entities are too many: a world holds at most {LARGEST:,}", field="entities")
    index = _by_id(entities)
    kinds: dict[str, int] = {"object": 0}
    for i, entity in enumerate(entities):
        kinds[entity.kind] = kinds.get(entity.kind, 0) | 1 << i
        unknown = set(entity.attributes) - set(vocabulary.attributes)
        if unknown:
            name = min(unknown)
            raise BadInput(
                f"there is no attribute '{name}'{nearest(name, vocabulary.attributes)}", record=_record(i, entity)
            )
    columns = {name: _column(entities, attribute) for name, attribute in vocabulary.attributes.items()}
    whole, parts = _wholes(entities, index)
    return World(
        entities=tuple(entities),
        vocabulary=vocabulary,
        all=(1 << len(entities)) - 1,
        kinds=kinds,
        objects=kinds["object"],
        having={name: having for name, (having, _) in columns.items()},
        value={name: values for name, (_, values) in columns.items()},
        related=_related(related or {}, vocabulary, len(entities)),
        parts=parts,
        whole=whole,
        knowledge=tuple(knowledge),
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


def _column(entities: Sequence[Entity], attribute: Attribute) -> tuple[dict[str, int], tuple[Any, ...]]:
    """One attribute both ways round: the entities of each value, the value of each entity."""
    name, having = attribute.name, dict.fromkeys(attribute.values, 0)
    values: list[Any] = []
    for i, entity in enumerate(entities):
        value = entity.attributes.get(name)
        several = isinstance(value, tuple)
        if several and not attribute.multiple:
            raise BadInput("takes a single value, not several", record=_record(i, entity), field=name)
        for one in value if isinstance(value, tuple) else () if value is None else (value,):
            if one not in having:
                known = nearest(one, attribute.values)
                raise BadInput(f"'{one}' is not a {name}{known}", record=_record(i, entity), field=name)
            having[one] |= 1 << i
        values.append(value if several or value is None or not attribute.multiple else (value,))
    return having, tuple(values)


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


def _related(related: Mapping[str, Sequence[int]], vocabulary: Vocabulary, size: int) -> dict[str, tuple[int, ...]]:
    tables: dict[str, tuple[int, ...]] = {}
    for name, table in related.items():
        if name not in vocabulary.relations:
            raise BadInput(f"there is no relation '{name}'{nearest(name, vocabulary.relations)}", field="relations")
        if len(table) != size:
            raise BadInput(f"relation '{name}' has {len(table)} rows for {size} entities", field="relations")
        if any(row >> size for row in table):
            raise BadInput(f"relation '{name}' names an entity that is not there", field="relations")
        tables[name] = tuple(table)
    for name in vocabulary.relations:
        tables.setdefault(name, (0,) * size)
    return tables
