"""Scene graphs: what a picture shows as things with names and attributes, and how these stand to each other.

Whoever makes or reads scenes for CRIC gives graphs like these; all else is asked of them. What one person would say of
a picture and another would not stands apart: no question may depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mereo.benchmarks.cric.lore import Lore
from mereo.errors import BadInput
from mereo.files import converted, read_toml
from mereo.masks import Box
from mereo.world import Attribute, Entity, Vocabulary, World, make_world

__all__ = [
    "ATTRIBUTES",
    "KINDS",
    "OTHER",
    "SceneGraph",
    "Stated",
    "Thing",
    "graph_of",
    "graph_world",
    "kind_of_word",
    "kinds_of_words",
]

OTHER = "other"
"""The kind of attribute words that answer no question, but tell things apart."""
KINDS = ("color", "material", "pattern", "shape", "size", "state", OTHER)
"""What attributes can be of: "what color is …"."""
ATTRIBUTES = (Attribute("name", None), *(Attribute(kind, None, multiple=True) for kind in KINDS))
"""What worlds of graphs know of things, in any words."""


class Thing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing of a picture, whole or part."""

    id: str
    name: str
    box: Box | None = None
    """Left, top, width and height in pixels."""
    attributes: Mapping[str, tuple[str, ...]] = {}
    """By kind the words that everybody would say of it."""
    unclear: Mapping[str, tuple[str, ...]] = {}
    """By kind the words that only some would say."""
    part_of: str | None = None
    """The id of the thing that it is a part of."""
    candidate: bool = True
    """Whether it is one of those that an answer may point at."""


class Stated(msgspec.Struct, frozen=True, array_like=True, order=True):
    """How one thing stands to another: subject, predicate and object, the two by id."""

    subject: str
    predicate: str
    object: str


class SceneGraph(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a picture shows."""

    image_id: str
    width: int
    height: int
    things: tuple[Thing, ...]
    relations: tuple[Stated, ...] = ()
    """All that everybody would say."""
    unclear: tuple[Stated, ...] = ()
    """What only some would say."""
    image_filename: str = ""


def kind_of_word(word: str) -> str:
    """The kind of attribute that a word is, where somebody only lists words."""
    return kinds_of_words().get(word, OTHER)


@cache
def kinds_of_words() -> Mapping[str, str]:
    """By word the kind of attribute that it is, in the order of the file."""
    path = Path(__file__).with_name("attributes.toml")
    listed = converted(read_toml(path), file=path, type=dict[str, list[str]])
    return {word: kind for kind, words in listed.items() for word in words}


def graph_of(record: Mapping[str, Any]) -> SceneGraph:
    """The graph that a scene's record holds, checked."""
    if "graph" not in record:
        raise BadInput("holds no scene graph", field="graph")
    graph = converted(record["graph"], file=None, type=SceneGraph)
    _check(graph)
    return graph


def _check(graph: SceneGraph) -> None:
    known = {thing.id for thing in graph.things}
    for stated in (*graph.relations, *graph.unclear):
        for end in (stated.subject, stated.object):
            if end not in known:
                raise BadInput(f"relation '{stated.predicate}' names thing '{end}', which is not there", field="graph")


def graph_world(graph: SceneGraph, lore: Lore, *, doubtful: bool = False) -> World:
    """The world of a graph with what is known of its things.

    doubtful : whether what only some would say is said, too. All functions of the language only find more when more is
    said, so a question whose steps find the same in both worlds depends on nothing that is unclear.
    """
    predicates: dict[str, list[int]] = {}
    places = {thing.id: place for place, thing in enumerate(graph.things)}
    for stated in (*graph.relations, *graph.unclear) if doubtful else graph.relations:
        table = predicates.setdefault(stated.predicate, [0] * len(places))
        table[places[stated.object]] |= 1 << places[stated.subject]
    vocabulary = Vocabulary.of(ATTRIBUTES, relations=predicates)
    entities = [_entity(thing, doubtful=doubtful) for thing in graph.things]
    return make_world(entities, vocabulary, related=predicates, facts=(lore.doubtful if doubtful else lore,))


def _entity(thing: Thing, *, doubtful: bool) -> Entity:
    said = _joined(thing.attributes, thing.unclear) if doubtful else thing.attributes
    return Entity(
        thing.id,
        attributes={"name": thing.name, **{kind: tuple(words) for kind, words in said.items() if words}},
        part_of=thing.part_of,
        numbers={"box": thing.box} if thing.box else {},
    )


def _joined(*groups: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for group in groups:
        for kind, words in group.items():
            found.setdefault(kind, []).extend(words)
    return {kind: tuple(dict.fromkeys(words)) for kind, words in found.items()}
