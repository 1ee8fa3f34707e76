"""From a scene of PTR's official JSON to a world, with what its generator knows of every object's parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mereo.benchmarks.ptr.official.scene import WORDS, Thing, finite_numbers, known_word, read_thing
from mereo.clevr_family.records import MARGIN, places_of, relation_rows
from mereo.errors import BadInput
from mereo.world import Attribute, Entity, Vocabulary, World, along, make_world

__all__ = ["VOCABULARY", "OfficialScene", "official_scene", "official_world"]

VOCABULARY = Vocabulary.of(
    (
        Attribute("category", tuple(WORDS["categories"])),
        Attribute("part", tuple(WORDS["parts"]), multiple=True),
        Attribute("stability", tuple(WORDS["stability"])),
    ),
    relations=WORDS["relations"],
)

_NUMBERS = {"3d_coords": "position", "pixel_coords": "pixel", "rotation": "rotation"}
_NOT_COMPUTED = ("above", "below")
"""PTR's scenes have directions for these, but no relations unless somebody added them."""


@dataclass(frozen=True, slots=True)
class OfficialScene:
    """A scene as PTR's generator sees it."""

    things: tuple[Thing, ...]
    physics: bool | None
    """Whether it was simulated; None where the scene does not say."""
    asked: bool
    """Whether questions may be asked about it at all."""
    numbered: Mapping[tuple[str, int], int]
    """The objects that show this part this many times."""
    colored: Mapping[tuple[str, str], int]
    """The objects that show this part in this color."""

    @staticmethod
    def of(things: Sequence[Thing], *, physics: bool | None, asked: bool) -> OfficialScene:
        """A scene from its objects."""
        numbered: dict[tuple[str, int], int] = {}
        colored: dict[tuple[str, str], int] = {}
        for i, thing in enumerate(things):
            for part, (color, _) in thing.paints.items():
                number = part, thing.count(part)
                numbered[number] = numbered.get(number, 0) | 1 << i
                colored[part, color] = colored.get((part, color), 0) | 1 << i
        return OfficialScene(tuple(things), physics, asked, numbered, colored)

    def kept(self, places: Sequence[int]) -> OfficialScene:
        """The scene with only the objects at these places."""
        return OfficialScene.of([self.things[k] for k in places], physics=self.physics, asked=self.asked)


def official_scene(world: World) -> OfficialScene:
    """What PTR's generator knows of a world, which must be of an official scene."""
    return world.fact(OfficialScene)


def official_world(scene: Mapping[str, Any]) -> World:
    """The world that a scene's record tells of, its objects numbered as in the file."""
    objects, physics = scene.get("objects"), scene.get("physics")
    if not isinstance(objects, list):
        raise BadInput("must be a list", field="objects")
    if physics is not None and not isinstance(physics, bool):
        raise BadInput("must be true or false", field="physics")
    things, entities = [], []
    for i, record in enumerate(objects):
        try:
            things.append(read_thing(record))
            entities.append(_entity(i, record, things[-1]))
        except BadInput as error:
            raise error.within(record=f"object {i}") from None
    official = OfficialScene.of(things, physics=physics, asked=scene.get("question") is not False)
    return make_world(entities, VOCABULARY, related=_related(scene, entities), facts=[official])


def _entity(i: int, record: Mapping[str, Any], thing: Thing) -> Entity:
    attributes: dict[str, str | tuple[str, ...]] = {"category": thing.category, "part": tuple(thing.paints)}
    if thing.stability is not None:
        attributes["stability"] = thing.stability
    numbers: dict[str, Any] = {}
    for theirs, ours in _NUMBERS.items():
        if theirs in record:
            several = isinstance(record[theirs], list)
            found = finite_numbers(record[theirs] if several else [record[theirs]], field=theirs)
            numbers[ours] = found if several else found[0]
    return Entity(id=str(i), attributes=attributes, numbers=numbers)


def _related(scene: Mapping[str, Any], entities: Sequence[Entity]) -> dict[str, Sequence[int]]:
    """The relations in the order of the file, which is the order in which PTR lists those of two objects."""
    stored = scene.get("relationships")
    if stored is None:
        return _computed(scene, entities)
    if not isinstance(stored, dict):
        raise BadInput("must be an object with one table per relation", field="relationships")
    for name in VOCABULARY.relations:
        if name not in stored and name not in _NOT_COMPUTED:
            raise BadInput("is missing", field=f"relationships.{name}")
    related: dict[str, Sequence[int]] = {}
    for name, table in stored.items():
        known_word(name, VOCABULARY.relations, "relation", field="relationships")
        related[name] = relation_rows(table, name, len(entities))
    return related


def _computed(scene: Mapping[str, Any], entities: Sequence[Entity]) -> dict[str, Sequence[int]]:
    directions, positions = places_of(scene, entities)
    related: dict[str, Sequence[int]] = {}
    for name, direction in directions.items():
        known_word(name, VOCABULARY.relations, "relation", field="directions")
        if name not in _NOT_COMPUTED:
            vector = finite_numbers(direction, field=f"directions.{name}", count=3)
            related[name] = along(positions, vector, margin=MARGIN)
    return related
