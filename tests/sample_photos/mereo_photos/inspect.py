"""What rows of photographs mean: who is called how, what they are found by, and what must be so."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from mereo.datasets.inspector import Inspector, Sign
from mereo.datasets.picture_bytes import pillow
from mereo.questions.rules import answers_of
from mereo.world import Entity, World
from mereo_photos.graph import Photo, world_of
from mereo_photos.language import KITCHEN, LANGUAGE
from mereo_photos.questions import RULES, photo_questions

__all__ = ["PhotoInspector"]


class PhotoInspector(Inspector):
    """Knows photographs. Boxes are where every inspector looks for them: in the number `box` of an entity."""

    language = LANGUAGE
    rules = RULES
    nouns = ("name",)
    adjectives = ("look",)
    whereabouts = ("photo",)

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        return world_of(_photo(row))

    def answers(self) -> dict[str, tuple[Any, ...]]:
        """The answers that each template may have; of words and lists, any."""
        return {template.title: answers_of(template.output, RULES) for template in photo_questions().templates}

    def facts(self, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Names and looks, and who is how to whom."""
        yield from super().facts(row)
        photo = _photo(row)
        for one, relation, other in photo.links:
            yield "link", f"{photo.things[one].name} {relation} {photo.things[other].name}"

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Every box must lie in the picture."""
        if not row.get("image"):
            return
        with pillow("Image").open(io.BytesIO(row["image"]["bytes"])) as image:
            width, height = image.size
        for name, thing in _photo(row).things.items():
            left, top, wide, tall = thing.box
            if min(left, top) < 0 or left + wide > width or top + tall > height:
                yield f"the box of {name} does not lie in the picture"

    def sign(self, entity: Entity) -> Sign:
        """Its color, where it looks like one."""
        looks = entity.attributes.get("look", ())
        return Sign(paint=next((KITCHEN["paint"][look] for look in looks if look in KITCHEN["paint"]), None))


def _photo(row: Mapping[str, Any]) -> Photo:
    return msgspec.json.decode(row["scene"], type=Photo)
