"""The record of a photograph, a scene graph, and the world that it tells of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mereo.errors import BadInput, nearest
from mereo.world import Entity, World, make_world
from mereo_photos.language import RELATIONS, VOCABULARY

__all__ = ["Photo", "Thing", "photo_of", "world_of"]


class Thing(msgspec.Struct, omit_defaults=True):
    """Something in a photograph. Its box is column, row, width and height, in pixels."""

    name: str
    box: tuple[float, float, float, float]
    look: list[str] = []


class Photo(msgspec.Struct):
    """A scene graph: `{"photo": …, "things": {"t1": {"name": "cup", …}}, "links": [["t1", "on", "t0"]]}`."""

    photo: str
    things: dict[str, Thing]
    links: list[tuple[str, str, str]] = []


def photo_of(record: Mapping[str, Any]) -> Photo:
    """A record of anybody's, checked."""
    try:
        return msgspec.convert(record, Photo)
    except msgspec.ValidationError as error:
        raise BadInput(str(error)) from None


def world_of(photo: Photo) -> World:
    """Its things in their order, and every link both ways."""
    place = {name: k for k, name in enumerate(photo.things)}
    related = {relation: [0] * len(place) for relation in VOCABULARY.relations}
    for one, relation, other in photo.links:
        if relation not in RELATIONS:
            raise BadInput(f"there is no relation '{relation}'{nearest(relation, RELATIONS)}", field="links")
        for thing in (one, other):
            if thing not in place:
                raise BadInput(f"there is no thing '{thing}'{nearest(thing, place)}", field="links")
        related[relation][place[other]] |= 1 << place[one]
        related[RELATIONS[relation]][place[one]] |= 1 << place[other]
    return make_world([_entity(name, thing) for name, thing in photo.things.items()], VOCABULARY, related=related)


def _entity(name: str, thing: Thing) -> Entity:
    attributes: dict[str, str | tuple[str, ...]] = {"look": tuple(thing.look)} if thing.look else {}
    return Entity(name, attributes={**attributes, "name": thing.name}, numbers={"box": thing.box})
