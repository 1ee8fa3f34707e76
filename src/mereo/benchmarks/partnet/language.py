"""What can be asked of a shape: which of its parts a task tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.partnet.clouds import CloudRecord, parents_of
from mereo.benchmarks.partnet.labels import CategoryLabels
from mereo.benchmarks.partnet.names import LEVELS, NAME
from mereo.programs import OBJECT_SET, PART_SET, Function, Language, value_type
from mereo.world import Attribute, Entity, Vocabulary, World, make_world

__all__ = ["LANGUAGE", "VOCABULARY", "shape_world"]

_ALL = "all"
VOCABULARY = Vocabulary.of(
    [Attribute("name", None), Attribute("label", None), Attribute("told", (*LEVELS, _ALL), multiple=True)]
)
"""What a part is called, its path from the root, and what segmentation tells it apart: some levels, or all of them."""

LEVEL = value_type("Level", tuple(LEVELS))


def _scene(world: World) -> int:
    return world.objects


def _told(world: World, whole: int, level: str) -> int:
    return world.having["told"][level]


def _hierarchical(world: World, whole: int) -> int:
    return world.having["told"]["all"]


LANGUAGE = Language.of(
    NAME,
    VOCABULARY,
    [
        Function("scene", (), (), OBJECT_SET, _scene, "the shape"),
        Function("semantic", (OBJECT_SET,), (LEVEL,), PART_SET, _told, "the parts whose labels a level tells apart"),
        Function("instance", (OBJECT_SET,), (LEVEL,), PART_SET, _told, "the same parts, each by itself"),
        Function("hierarchical", (OBJECT_SET,), (), PART_SET, _hierarchical, "the parts of all levels of the tree"),
    ],
    about="shapes as trees of parts: those that coarse, middle and fine segmentation tells apart",
)


def shape_world(record: CloudRecord, labels: CategoryLabels) -> World:
    """A shape and its parts, as entities in the order of the record."""
    nodes = set(labels.nodes)
    levels = {name: set(labels.levels.get(number, ())) for name, number in LEVELS.items()}
    entities = []
    for place, (part, parent) in enumerate(zip(record.parts, parents_of(record.parts), strict=True)):
        told = tuple(name for name, known in levels.items() if part.label in known)
        told += (_ALL,) if part.label in nodes else ()
        looks: Mapping[str, Any] = {"name": part.label.rpartition("/")[2], "label": part.label}
        looks = {**looks, "told": told} if told else looks
        kind, whole = ("part", f"part-{parent}") if parent >= 0 else ("object", None)
        entities.append(Entity(f"part-{place}", kind, looks, whole))
    return make_world(entities, VOCABULARY)
