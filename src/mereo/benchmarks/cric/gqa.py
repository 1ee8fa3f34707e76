"""GQA's scene graphs: by picture its size and objects, each with attributes and with relations to others."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph
from mereo.benchmarks.cric.graph_checks import Complain, GivenRelation, GivenThing, Picture, Piece, checked_graph
from mereo.errors import BadInput
from mereo.files import decode_json

__all__ = ["gqa_graph"]


class _Relation(msgspec.Struct):
    name: str
    object: int | str


class _Object(msgspec.Struct):
    name: str = ""
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    attributes: list[str] | None = None
    relations: list[_Relation] | dict[str, _Relation] | None = None


class _Image(msgspec.Struct):
    width: int = 0
    height: int = 0
    objects: dict[str, msgspec.Raw] = {}
    """One by one, so that a complaint can name the object."""


def gqa_graph(image_id: str, pieces: Sequence[Piece], complain: Complain) -> SceneGraph:
    """What a record says of a picture."""
    file = pieces[0].file
    try:
        image = decode_json(bytes(pieces[0].data), file=file, type=_Image)
    except BadInput as error:
        raise error.within(record=f"image {image_id}") from None
    described, related = list[GivenThing](), list[GivenRelation]()
    for key, data in image.objects.items():
        try:
            one = decode_json(bytes(data), file=file, type=_Object)
        except BadInput as error:
            complain(error.within(record=f"image {image_id}, object {key}"))
            described.append(GivenThing(key, (), (), refused=True))
            continue
        described.append(GivenThing(key, [one.name], (one.x, one.y, one.w, one.h), one.attributes or ()))
        listed = one.relations.values() if isinstance(one.relations, dict) else one.relations or ()
        related += [GivenRelation(key, relation.name, str(relation.object)) for relation in listed]
    picture = Picture(image_id, file, image.width, image.height)
    return checked_graph(picture, described, related, complain=complain)
