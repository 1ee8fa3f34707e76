"""Scenes in the JSON that CLEVR's generator writes and its descendants share.

One file `{"scenes": [...]}`, or a folder of one-scene files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mereo.datasets.format import SceneRecord
from mereo.errors import BadInput
from mereo.files import is_finite, read_json
from mereo.names import plain_name
from mereo.world import Entity, Fact, Vocabulary, World, along, bits_of, make_world

__all__ = ["MARGIN", "official_name", "places_of", "read_scenes", "relation_rows", "world_from_record"]

MARGIN = 0.2
"""The dead zone of CLEVR's spatial relations, in scene units."""

_NUMBERS = {"3d_coords": "position", "pixel_coords": "pixel", "rotation": "rotation"}


def read_scenes(path: str | Path, *, complain: Callable[[BadInput], None] | None = None) -> list[SceneRecord]:
    """The scenes of a file, or of all JSON files of a folder in the order of their names.

    complain : called for a file of a folder that cannot be read, instead of stopping there
    """
    path = Path(path)
    if path.is_dir():
        found = []
        files = sorted(path.glob("*.json"))
        if not files:
            raise BadInput("holds no .json file", file=path)
        for file in files:
            try:
                found.append(_scene(read_json(file, type=dict[str, Any]), file, "the scene"))
            except BadInput as error:
                if complain is None:
                    raise
                complain(error)
        return found
    content = read_json(path, type=dict[str, Any])
    if "objects" in content:
        return [_scene(content, path, "the scene")]
    scenes = content.get("scenes")
    if not isinstance(scenes, list) or not all(isinstance(scene, dict) for scene in scenes):
        raise BadInput("must be a list of scenes", file=path, field="scenes")
    return [_scene(scene, path, f"scene {i}") for i, scene in enumerate(scenes)]


def _scene(data: Mapping[str, Any], file: Path, name: str) -> SceneRecord:
    """A scene, if questions can name it: by its picture's file or else by its number."""
    called = []
    for field in ("image_filename", "image_index"):
        value = data.get(field)
        if isinstance(value, list | dict):
            raise BadInput("must be a name or a number", file=file, record=name, field=field)
        called += [str(value)] if value is not None else []
    image = data.get("image_filename")
    split = str(data.get("split", "new"))
    return SceneRecord(data, file, name, tuple(called) or (name,), split, None if image is None else str(image))


def official_name(scene: Mapping[str, Any], scene_id: str) -> str:
    """The name of the file that a scene's picture is to have, as its record says it."""
    if "image_filename" not in scene:
        raise BadInput("is missing, so the scene cannot have a file", record=scene_id, field="image_filename")
    return plain_name(str(scene["image_filename"]), record=scene_id, field="image_filename")


def world_from_record(
    record: Mapping[str, Any], vocabulary: Vocabulary, *, optional: Collection[str] = (), facts: Iterable[Fact] = ()
) -> World:
    """The world of one scene's record, wherever it came from.

    optional : attributes that an object may lack
    """
    entities = [_entity(i, thing, vocabulary, optional) for i, thing in enumerate(_list(record, "objects"))]
    return make_world(entities, vocabulary, related=_related(record, entities, vocabulary), facts=facts)


def _entity(i: int, record: Any, vocabulary: Vocabulary, optional: Collection[str]) -> Entity:
    name = f"object {i}"
    if not isinstance(record, dict):
        raise BadInput("must be an object with fields", record=name)
    attributes: dict[str, str | tuple[str, ...]] = {}
    for attribute in vocabulary.attributes.values():
        value = record.get(attribute.name)
        if value is None:
            if attribute.name in optional:
                continue
            raise BadInput("is missing", record=name, field=attribute.name)
        words = value if isinstance(value, list) else [value]
        if not all(isinstance(word, str) for word in words):
            raise BadInput("must be a word", record=name, field=attribute.name)
        attributes[attribute.name] = tuple(words) if isinstance(value, list) else words[0]
    numbers: dict[str, Any] = {}
    for theirs, ours in _NUMBERS.items():
        if theirs in record:
            numbers[ours] = _numbers(record[theirs], name, theirs)
    return Entity(id=str(i), attributes=attributes, numbers=numbers)


def _numbers(value: Any, record: str, field: str) -> float | tuple[float, ...]:
    several = value if isinstance(value, list) else [value]
    for number in several:
        if isinstance(number, bool) or not isinstance(number, int | float) or not is_finite(number):
            raise BadInput(f"{number!r} is not a finite number", record=record, field=field)
    return tuple(several) if isinstance(value, list) else several[0]


def _related(scene: Mapping[str, Any], entities: Sequence[Entity], vocabulary: Vocabulary) -> dict[str, list[int]]:
    stored = scene.get("relationships")
    if stored is None:
        return _computed(scene, entities, vocabulary)
    if not isinstance(stored, dict):
        raise BadInput("must be an object with one table per relation", field="relationships")
    return {name: relation_rows(stored.get(name), name, len(entities)) for name in vocabulary.relations}


def relation_rows(table: Any, name: str, count: int) -> list[int]:
    """The stored table of one relation: for each of so many objects the set of those that stand in it."""
    field = f"relationships.{name}"
    if not isinstance(table, list) or len(table) != count:
        raise BadInput(f"must have one list for each of the {count} objects", field=field)
    for i, row in enumerate(table):
        if not isinstance(row, list):
            raise BadInput("must be a list of objects", record=f"object {i}", field=field)
        for j in row:
            if isinstance(j, bool) or not isinstance(j, int) or not 0 <= j < count:
                raise BadInput(f"there is no object {j!r}", record=f"object {i}", field=field)
    return [bits_of(row) for row in table]


def places_of(
    scene: Mapping[str, Any], entities: Sequence[Entity]
) -> tuple[dict[str, Any], list[tuple[float, float, float]]]:
    """What relations follow from where they are not stored: the directions, and where each object is."""
    directions = scene.get("directions")
    if not isinstance(directions, dict):
        raise BadInput("is missing, and so is 'directions' from which it follows", field="relationships")
    positions = []
    for i, entity in enumerate(entities):
        position = entity.numbers.get("position")
        if not isinstance(position, tuple) or len(position) != 3:
            raise BadInput("must be three numbers", record=f"object {i}", field="3d_coords")
        positions.append(position)
    return directions, positions


def _computed(scene: Mapping[str, Any], entities: Sequence[Entity], vocabulary: Vocabulary) -> dict[str, list[int]]:
    directions, positions = places_of(scene, entities)
    related = {}
    for name in vocabulary.relations:
        direction = _numbers(directions.get(name), "directions", name)
        if not isinstance(direction, tuple) or len(direction) != 3:
            raise BadInput("must be three numbers", record="directions", field=name)
        related[name] = list(along(positions, direction, margin=MARGIN))
    return related


def _list(record: Mapping[str, Any], field: str) -> list[Any]:
    value = record.get(field)
    if not isinstance(value, list):
        raise BadInput("must be a list", field=field)
    return value
