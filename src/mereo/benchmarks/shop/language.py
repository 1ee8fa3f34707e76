"""The language of household objects, and the world of a scene with them.

Seven attributes are seen, four more are read. The last, `attribute`, has several values at once: filtering by one asks
whether it is among them, while `query_attribute` gives them all, and `same_attribute` and `equal_attribute` compare
whole lists in their order, as SHOP-VRB does.

`SHOP_VRB` is what its files can say, `LANGUAGE` has besides what a robot's hand needs to know; see `grasp_functions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mereo.benchmarks.shop.grasp_functions import Ways, grasp_functions, read_grasps, with_grasps
from mereo.clevr_family.records import world_from_record
from mereo.files import read_toml
from mereo.programs import Function, Language, Type, attribute_functions, integer_functions, set_functions, value_type
from mereo.world import Attribute, Vocabulary, World

__all__ = ["LANGUAGE", "SHOP_VRB", "TEXTUAL", "VISUAL", "VOCABULARY", "shop_world"]

_WORDS = read_toml(Path(__file__).with_name("vocabulary.toml"))
_SEVERAL = "attribute"
VISUAL: tuple[str, ...] = tuple(_WORDS["visual"])
"""What is seen of an object."""
TEXTUAL: tuple[str, ...] = tuple(_WORDS["textual"])
"""What can only be read about it."""

VOCABULARY = Vocabulary.of(
    (
        Attribute(name, tuple(values), multiple=name == _SEVERAL)
        for name, values in {**_WORDS["visual"], **_WORDS["textual"]}.items()
    ),
    relations=_WORDS["relations"],
)


_WITH_GRASPS = Vocabulary.of(
    (*VOCABULARY.attributes.values(), *(Attribute(name, tuple(values)) for name, values in _WORDS["grasp"].items())),
    relations=VOCABULARY.relations,
)


def _functions(vocabulary: Vocabulary) -> Iterator[Function]:
    yield from set_functions(value_type("Relation", vocabulary.relations))
    yield from integer_functions()
    for attribute in vocabulary.attributes.values():
        type = value_type(attribute.name.capitalize(), attribute.values)
        several = Type(f"{type.name}Set", "values", attribute.values) if attribute.multiple else None
        yield from attribute_functions(attribute, type, several=several)


SHOP_VRB = Language.of(
    "shop_vrb",
    VOCABULARY,
    _functions(VOCABULARY),
    about="SHOP-VRB: household objects by what is seen of them and by what a description tells",
)


LANGUAGE = Language.of(
    "shop",
    _WITH_GRASPS,
    (*_functions(_WITH_GRASPS), *grasp_functions()),
    about="household objects by what is seen of them, by what a description tells, and by how a hand would take them",
)


def shop_world(record: Mapping[str, Any]) -> World:
    """The world of a scene's record; what is read may be missing, as in SHOP-VRB's visual files, and so may grasps."""
    objects = record.get("objects")
    if not isinstance(objects, list) or not any(isinstance(thing, dict) and "grasp" in thing for thing in objects):
        return world_from_record(record, VOCABULARY, optional=TEXTUAL)
    grasps = read_grasps(objects)
    told = {**record, "objects": with_grasps(objects, grasps)}
    optional = (*TEXTUAL, *_WORDS["grasp"])
    return world_from_record(told, _WITH_GRASPS, optional=optional, facts=[Ways.of(grasps)])
