"""Worlds as JSON files that carry their own vocabulary.

A relation is stored as a table (`{"a": ["b"]}`: b stands in it to a) or computed when the file is read from where the
entities stand (`{"along": [x, y, z], "margin": 0.2}`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from mereo.errors import BadInput, nearest
from mereo.files import converted, decode_json, is_finite, read_bytes, write_bytes
from mereo.world.bits import bits_of, members
from mereo.world.relations import along
from mereo.world.vocabulary import Attribute, Vocabulary
from mereo.world.world import LARGEST, Entity, World, make_world

__all__ = ["load_world", "save_world", "world_from_json", "world_to_json"]

VERSION = 1
Number = int | float


class _Attribute(msgspec.Struct, forbid_unknown_fields=True):
    values: tuple[str, ...] | None
    """null where any word will do; it must be there, so that nobody opens a vocabulary by forgetting it."""
    multiple: bool = False


class _Entity(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    kind: str = "object"
    attributes: dict[str, str | list[str]] = {}
    part_of: str | None = None
    numbers: dict[str, Number | list[Number]] = {}


class _World(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    world: int
    """The version of this format."""
    attributes: dict[str, _Attribute]
    entities: list[_Entity]
    relations: dict[str, dict[str, Any]] = {}


class _Along(msgspec.Struct, forbid_unknown_fields=True):
    along: tuple[float, float, float]
    margin: float = 0.0


def load_world(path: str | Path) -> World:
    """Read a world file; any mistake in it is one sentence that names file, record and field."""
    return world_from_json(read_bytes(path), file=path)


def save_world(world: World, path: str | Path) -> None:
    """Write a world file: computed relations as tables, and without facts, whose form only their makers know."""
    write_bytes(path, msgspec.json.format(world_to_json(world), indent=1))


def world_from_json(data: bytes, *, file: object = None) -> World:
    """A world from the text of a world file."""
    record = decode_json(data, file=file, type=_World)
    if record.world < 1:
        raise BadInput(f"{record.world} is no version of this format", file=file, field="world")
    if record.world > VERSION:
        raise BadInput(f"is of version {record.world}; this mereo reads up to {VERSION}", file=file, field="world")
    if len(record.entities) > LARGEST:
        reason = f"{len(record.entities):,} entities are too many: a world holds at most {LARGEST:,}"
        raise BadInput(reason, file=file, field="entities")
    for name, attribute in record.attributes.items():
        if attribute.values is not None and len(set(attribute.values)) != len(attribute.values):
            raise BadInput("a value stands twice", file=file, record=f"attribute '{name}'", field="values")
    vocabulary = Vocabulary.of(
        (Attribute(name, a.values, a.multiple) for name, a in record.attributes.items()),
        relations=record.relations,
    )
    try:
        entities = [_entity(i, entity) for i, entity in enumerate(record.entities)]
        index = {entity.id: i for i, entity in enumerate(entities)}
        related = {name: _relation(name, table, entities, index) for name, table in record.relations.items()}
        return make_world(entities, vocabulary, related=related)
    except BadInput as error:
        raise error.within(file=file) from None


def world_to_json(world: World) -> bytes:
    """The text of a world file."""
    ids = [entity.id for entity in world.entities]
    record = _World(
        world=VERSION,
        attributes={
            name: _Attribute(attribute.values, attribute.multiple)
            for name, attribute in world.vocabulary.attributes.items()
        },
        entities=[
            _Entity(
                id=entity.id,
                kind=entity.kind,
                attributes={k: list(v) if isinstance(v, tuple) else v for k, v in entity.attributes.items()},
                part_of=entity.part_of,
                numbers={k: list(v) if isinstance(v, tuple) else v for k, v in entity.numbers.items()},
            )
            for entity in world.entities
        ],
        relations={
            name: {ids[i]: [ids[j] for j in members(row)] for i, row in enumerate(table) if row}
            for name, table in world.related.items()
        },
    )
    return msgspec.json.encode(record)


def _entity(i: int, record: _Entity) -> Entity:
    for name, number in record.numbers.items():
        for one in number if isinstance(number, list) else [number]:
            if not is_finite(one):
                raise BadInput("is not a finite number", record=f"entity {i} ('{record.id}')", field=name)
    return Entity(
        id=record.id,
        kind=record.kind,
        attributes={k: tuple(v) if isinstance(v, list) else v for k, v in record.attributes.items()},
        part_of=record.part_of,
        numbers={k: tuple(v) if isinstance(v, list) else v for k, v in record.numbers.items()},
    )


def _relation(name: str, table: dict[str, Any], entities: list[Entity], index: dict[str, int]) -> tuple[int, ...]:
    record = f"relation '{name}'"
    if _is_computed(table):
        try:
            rule = converted(table, file=None, type=_Along)
        except BadInput as error:
            raise error.within(record=record) from None
        return along([_position(i, entity) for i, entity in enumerate(entities)], rule.along, margin=rule.margin)
    rows = [0] * len(entities)
    for of, related in table.items():
        if not isinstance(related, list) or not all(isinstance(other, str) for other in related):
            raise BadInput("must be a list of entity ids", record=record, field=of)
        for entity_id in (of, *related):
            if entity_id not in index:
                raise BadInput(f"there is no entity '{entity_id}'{nearest(entity_id, index)}", record=record, field=of)
        rows[index[of]] = bits_of(index[other] for other in related)
    return tuple(rows)


def _is_computed(table: dict[str, Any]) -> bool:
    """Whether a relation is a rule and not a table, in which an entity may well be called "along"."""
    along_what = table.get("along")
    return "along" in table and not (isinstance(along_what, list) and all(isinstance(one, str) for one in along_what))


def _position(i: int, entity: Entity) -> tuple[float, float, float]:
    position = entity.numbers.get("position")
    if not isinstance(position, tuple) or len(position) != 3:
        record = f"entity {i} ('{entity.id}')"
        raise BadInput("must be three numbers for a relation that is computed", record=record, field="position")
    x, y, z = position
    return x, y, z
