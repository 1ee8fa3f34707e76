"""What can be asked of a photograph: names and looks in any words, and a few relations."""

from __future__ import annotations

from pathlib import Path

from mereo.files import read_toml
from mereo.programs import (
    OBJECT,
    OBJECT_SET,
    Function,
    Language,
    NothingReferred,
    NoValue,
    Type,
    attribute_functions,
    set_functions,
    value_type,
)
from mereo.world import Attribute, Vocabulary, World, members

__all__ = ["KITCHEN", "LANGUAGE", "RELATIONS", "VOCABULARY"]

KITCHEN = read_toml(Path(__file__).with_name("kitchen.toml"))
RELATIONS: dict[str, str] = KITCHEN["relations"]
"""Each relation that is drawn, with what it is called the other way round."""

VOCABULARY = Vocabulary.of(
    [Attribute("look", None, multiple=True), Attribute("name", None)],
    relations=dict.fromkeys([*RELATIONS, *RELATIONS.values()]),
)

WORD, WORDS = value_type("Word"), Type("Words", "values")
RELATION = value_type("Relation", VOCABULARY.relations)


def _names(world: World, things: int) -> tuple[str, ...]:
    """A list is an answer, too: each name once, in the order of the alphabet."""
    if not things:
        raise NothingReferred("there is nothing to name")
    names = {world.value["name"][thing] for thing in members(things)}
    return tuple(sorted(name for name in names if name is not None))


def _choose(world: World, one: int, other: int, referent: int, relation: str) -> str:
    """Of two things the name of the one that is in the relation."""
    right = [thing for thing in (one, other) if world.related[relation][referent] >> thing & 1]
    if len(right) != 1 or world.value["name"][right[0]] is None:
        raise NoValue(f"not just one of the two is {relation} it")
    return str(world.value["name"][right[0]])


LANGUAGE = Language.of(
    "photos",
    VOCABULARY,
    [
        *set_functions(RELATION),
        *attribute_functions(VOCABULARY.attributes["name"], WORD),
        *attribute_functions(VOCABULARY.attributes["look"], WORD, several=WORDS),
        Function("names", (OBJECT_SET,), (), WORDS, _names, "the names of the things, as a list"),
        Function("choose", (OBJECT,) * 3, (RELATION,), WORD, _choose, "which of two is in this relation to the third"),
    ],
    about="photographs: things with names and looks in any words, on, next to and holding each other",
)
