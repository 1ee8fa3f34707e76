"""The language of household objects, and the world of a scene with them.

Seven attributes are seen, four more are read. The last, `attribute`, has several values at once: filtering by one asks
whether it is among them, while `query_attribute` gives them all, and `same_attribute` and `equal_attribute` compare
whole lists in their order, as SHOP-VRB does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mereo.clevr_family.records import world_from_record
from mereo.files import read_toml
from mereo.programs import Function, Language, Type, attribute_functions, integer_functions, set_functions, value_type
from mereo.world import Attribute, Vocabulary, World

__all__ = ["SHOP_VRB", "TEXTUAL", "VISUAL", "VOCABULARY", "shop_world"]

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


def _functions() -> Iterator[Function]:
    yield from set_functions(value_type("Relation", VOCABULARY.relations))
    yield from integer_functions()
    for attribute in VOCABULARY.attributes.values():
        type = value_type(attribute.name.capitalize(), attribute.values)
        several = Type(f"{type.name}Set", "values", attribute.values) if attribute.multiple else None
        yield from attribute_functions(attribute, type, several=several)


SHOP_VRB = Language.of(
    "shop_vrb",
    VOCABULARY,
    _functions(),
    about="SHOP-VRB: household objects by what is seen of them and by what a description tells",
)


def shop_world(record: Mapping[str, Any]) -> World:
    """The world of a scene's record; what is read may be missing, as in SHOP-VRB's visual files."""
    return world_from_record(record, VOCABULARY, optional=TEXTUAL)
