"""Two languages to refer in: mereo's own, and the one of CLEVR-Ref+'s files with all its habits.

Both are CLEVR's, with `filter_ordinal` and `filter_visible`. Where CLEVR-Ref+'s generator does something odd,
`clevr_ref` does the same, because only then do its files come out right:

- an ordinal of a set with one member fails, and so does one beyond the set;
- "from right" is "from left" counted from the end, so objects in the same column keep their order of numbers reversed;
- visibility is a matter of the whole scene: with one pair of objects in doubt, or all alike, it can be told of none;
- the visible ones of an empty set fail instead of being none;
- there is no tenth, and the ninth is spelled "nineth".

`refer` does what one would expect: the first of one is that one, and an ordinal fails only if there are fewer, or if
another of the set lies so near to the one meant that nobody could tell which comes first. The visible ones of none are
none; visibility fails while any object of the scene is in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mereo.benchmarks.refer.describe import NUMBER, SIDE, VISIBLE
from mereo.benchmarks.refer.ordinals import Ranked, order, ordinal_function, ranked
from mereo.benchmarks.refer.visibility import covering, official_visibility, visibility
from mereo.clevr_family.language import VOCABULARY as FAMILY
from mereo.clevr_family.language import WORDS as FAMILY_WORDS
from mereo.clevr_family.language import family_functions
from mereo.clevr_family.records import world_from_record
from mereo.files import read_toml
from mereo.programs import (
    OBJECT_SET,
    Function,
    Language,
    NothingReferred,
    NoValue,
    value_type,
)
from mereo.world import Attribute, Vocabulary, World, make_world

__all__ = [
    "CLEVR_REF",
    "LANGUAGE",
    "NAMED",
    "VOCABULARY",
    "WORDS",
    "clevr_ref_world",
    "official_ranked",
    "refer_world",
    "visible_sets",
]

_OWN = read_toml(Path(__file__).with_name("vocabulary.toml"))
WORDS = {**_OWN, "words": FAMILY_WORDS["words"] | _OWN["words"], "phrase": FAMILY_WORDS["phrase"]}
NAMED = (*FAMILY.attributes, NUMBER, SIDE, VISIBLE)
"""What descriptions may name, in the order of a program's steps."""


def _vocabulary(visible: Iterable[str]) -> Vocabulary:
    attributes = [*FAMILY.attributes.values(), Attribute(VISIBLE, tuple(visible))]
    return Vocabulary.of(attributes, relations=FAMILY.relations)


VOCABULARY = _vocabulary(WORDS["extra"]["visible"])
_OFFICIAL_VOCABULARY = _vocabulary(WORDS["official"]["visible"])


def official_ranked(world: World, objects: int, side: str) -> list[int | None]:
    """The members of a set in CLEVR-Ref+'s order; none for a set of one."""
    if not objects & (objects - 1):
        return []
    word = side.removeprefix("from ")
    found: list[int | None] = [
        member for member in order(world, "left" if word == "right" else word) if objects >> member & 1
    ]
    return found[::-1] if word == "right" else found


def visible_sets(world: World) -> Mapping[str, int]:
    """The objects by visibility; nothing where one of them is in doubt, or all are alike."""
    sets = world.having[VISIBLE]
    told = all(sets.values()) and sum(sets.values()) == world.objects
    return sets if told else {}


def _visible(world: World, objects: int, value: str) -> int:
    if world.objects & ~sum(world.having[VISIBLE].values()):
        raise NoValue("it cannot be told how visible every object is")
    return objects & world.having[VISIBLE][value]


def _official_visible(world: World, objects: int, value: str) -> int:
    if not objects:
        raise NothingReferred("there is nothing that could be visible")
    if not visible_sets(world):
        raise NoValue("visibility cannot be told in this scene")
    return objects & world.having[VISIBLE][value]


def _language(
    name: str,
    vocabulary: Vocabulary,
    words: Mapping[str, Sequence[str]],
    order_of: Ranked,
    visible: Callable[[World, int, str], int],
    about: str,
) -> Language:
    seen = value_type("Visible", tuple(words["visible"]))
    ordinal = ordinal_function(words["numbers"], words["sides"], order_of)
    about_visible = "the objects that are so visible"
    return Language.of(
        name,
        vocabulary,
        [
            *family_functions(),
            ordinal,
            Function("filter_visible", (OBJECT_SET,), (seen,), OBJECT_SET, visible, about_visible),
        ],
        about=about,
    )


LANGUAGE = _language(
    "refer",
    VOCABULARY,
    WORDS["extra"],
    ranked,
    _visible,
    "referring: CLEVR's objects by attribute, relation, place in an order and visibility",
)
CLEVR_REF = _language(
    "clevr_ref",
    _OFFICIAL_VOCABULARY,
    WORDS["official"],
    official_ranked,
    _official_visible,
    "CLEVR-Ref+'s own files: as refer, with the habits of its generator",
)


def _world(record: Mapping[str, Any], vocabulary: Vocabulary, visible: Sequence[str | None]) -> World:
    plain = world_from_record(record, FAMILY)
    entities = list(plain.entities)
    if isinstance(record.get("width"), int) and isinstance(record.get("height"), int):
        picture = (record["width"], record["height"])
        entities = [replace(entity, numbers={**entity.numbers, "picture": picture}) for entity in entities]
    for k, word in enumerate(visible):
        if word is not None:
            entities[k] = replace(entities[k], attributes={**entities[k].attributes, VISIBLE: word})
    return make_world(entities, vocabulary, related=plain.related, facts=plain.facts.values())


def refer_world(record: Mapping[str, Any]) -> World:
    """The world of a scene record for `refer`; visibility as the record says, or from its masks and boxes."""
    words = WORDS["extra"]["visible"]
    objects = record.get("objects")
    if isinstance(objects, list) and all(isinstance(thing, dict) for thing in objects):
        said = [thing.get(VISIBLE) for thing in objects]
        if any(said):
            return _world(record, VOCABULARY, said)
        return _world(record, VOCABULARY, visibility(covering(record), words))
    return _world(record, VOCABULARY, [])


def clevr_ref_world(record: Mapping[str, Any]) -> World:
    """The world of a scene record for `clevr_ref`."""
    objects = record.get("objects")
    if not isinstance(objects, list) or not all(isinstance(thing, dict) for thing in objects):
        return _world(record, _OFFICIAL_VOCABULARY, [])
    seen = official_visibility(covering(record), WORDS["official"]["visible"])
    return _world(record, _OFFICIAL_VOCABULARY, seen)
