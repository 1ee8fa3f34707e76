"""What rows of SHOP-VRB mean, and what an audit of them checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mereo.benchmarks.shop.kinds import kind_of
from mereo.benchmarks.shop.language import LANGUAGE, SHOP_VRB, VOCABULARY, shop_world
from mereo.benchmarks.shop.models import instances_of
from mereo.benchmarks.shop.questions import QUESTIONS, RULES
from mereo.benchmarks.shop.scenes import check_scene
from mereo.benchmarks.shop.table import UNIT
from mereo.clevr_family.inspect import FamilyInspector, picture_faults
from mereo.datasets.columns import json_of, record_of, row_named
from mereo.datasets.gates import Watch
from mereo.datasets.guessing import Guessing
from mereo.datasets.inspector import Inspector, Sign
from mereo.datasets.overlaps import Overlaps
from mereo.datasets.repeats import Repeats
from mereo.datasets.store import Manifest
from mereo.masks import Pixels, decode
from mereo.questions.rules import answers_of
from mereo.world import Entity, World

__all__ = ["ShopInspector", "inspector"]

SHARED = 0.015
"""The largest share of a split's texts that another may ask, too."""
TOLD = 0.05
"""How much more than the most frequent answer words alone may get right."""


def inspector(manifest: Manifest) -> Inspector:
    """Who knows the rows of a dataset: ours, or imported ones."""
    return OfficialInspector() if manifest.settings.get("imported") else ShopInspector()


_SEARCHED = {name: (f"$.objects[*].{name}",) for name in VOCABULARY.attributes}


class _Shelf(msgspec.Struct):
    description: str | None = None
    mask: dict[str, Any] | None = None


class _Shelves(msgspec.Struct):
    """What a record tells of its objects besides what they are like."""

    objects: list[_Shelf]


class OfficialInspector(FamilyInspector):
    """Knows how imported questions are answered; whose rules they were asked by is not known."""

    language = SHOP_VRB
    searched = _SEARCHED
    nouns = ("name",)
    adjectives = ("color", "material")

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        with row_named(row):
            return shop_world(record_of(row))

    def categories(self) -> Sequence[str]:
        """The classes."""
        return VOCABULARY.words("name")

    def masks(self, row: Mapping[str, Any], world: World) -> Mapping[int, Pixels]:
        """From the id picture or, where there is none, as the record says."""
        if row.get("instances"):
            return super().masks(row, world)
        told = [thing.mask for thing in json_of(row, "scene", type=_Shelves).objects]
        seen = {k: decode(mask) for k, mask in enumerate(told) if mask is not None}
        return {k: mask for k, mask in seen.items() if mask.any()}

    def written(self, row: Mapping[str, Any]) -> Mapping[int, str]:
        """The page that each object came with."""
        told = (thing.description for thing in json_of(row, "scene", type=_Shelves).objects)
        return {k: text for k, text in enumerate(told) if text}

    def sign(self, entity: Entity) -> Sign:
        """A square in the object's color."""
        paint = super().sign(entity).paint
        return Sign("square", paint, small=entity.attributes.get("size") == "small")


def _sort_of(row: Mapping[str, Any]) -> str:
    """The kind of a question and which of CLEVR's five types it is of."""
    return f"{kind_of(row)} {row['type'].replace('_', ' ')}"


class ShopInspector(OfficialInspector):
    """Knows our rules."""

    language = LANGUAGE
    rules = RULES

    def answers(self) -> dict[str, tuple[Any, ...]]:
        """The answers that each template may have."""
        every = (template for load in QUESTIONS.values() for template in load("known").templates)
        return {template.title: answers_of(template.output, RULES) for template in every}

    def watches(self, *, pictures: bool) -> Sequence[Watch]:
        """What is asked again, what splits share, and what words give away."""
        shared = Overlaps(kind_of, against=("train", "benchmark"), most=SHARED)
        return Repeats(within=0), shared, Guessing(most=TOLD, sort_of=_sort_of, kept=30_000)

    def owner(self, split: str) -> str:
        """Train, validation and test show the same models, benchmark shows others."""
        return instances_of(split)

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row, whose objects must be such as the split may show."""
        with row_named(row):
            record = record_of(row)
            world = shop_world(record)
            check_scene(record, row["split"])
            return world

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int | str]]:
        """The families of a scene's shapes by the number that no other split has."""
        from mereo.shapes.grammar import family_number

        for thing in record_of(row)["objects"]:
            model = thing["model"]
            yield model["category"], family_number(model["split"], model["family"])

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Ids, depth and picture must agree with each other and with the record."""
        return picture_faults(row, unit=UNIT)
