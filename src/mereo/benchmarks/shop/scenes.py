"""Scenes of household objects, one by one as a build wants them: drawn, placed on a table, and photographed."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.shop.choice import Thing, build_of, check_shape, drawn_thing, sides_of
from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.models import check_looks, instances_of
from mereo.benchmarks.shop.painting import paints_of
from mereo.benchmarks.shop.table import UNIT, backgrounds, empty_table, floor_of, lost_on
from mereo.benchmarks.shop.texts import pages_of, properties_of
from mereo.benchmarks.shop.view import hard_to_see, out_of_view
from mereo.chance import fast, generator
from mereo.clevr_family.records import MARGIN
from mereo.datasets.picture_settings import USUAL, PictureSettings
from mereo.datasets.rows import scene_row
from mereo.errors import BadInput, NoScene
from mereo.scenes.grasping import grasp_records
from mereo.scenes.layout import Candidate, NoPlace, place
from mereo.scenes.observe import directions, projected
from mereo.scenes.scene import Placed, Scene
from mereo.world import along, members

__all__ = ["FEWEST", "MOST", "ShopScenes", "check_scene"]

FEWEST, MOST = 3, 7
"""Objects of a scene."""
_DRAWN, _PLACED = 6, 12
"""How often the things of a scene are drawn anew, and how often they are placed, before it is given up."""
_AROUND, _BEHIND = 0.05, 0.4
"""Meters around a thing, and the share of its height that is hidden behind it."""


@dataclass(frozen=True)
class ShopScenes:
    """Makes the scenes of a split, each from its number alone."""

    seed: int
    view: PictureSettings = USUAL
    """The picture that things must be seen in, also where none is taken."""
    pictures: bool = False
    grasped: bool = True
    """Whether it is worked out how a hand takes hold of each object, which for a new shape takes longest."""

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as a row: its record and, with pictures, what the camera saw."""
        rng = generator(self.seed, split, index)
        things, scene = self._table(split, rng)
        name = f"SHOP_VRB_{split}_{index:06d}"
        record = {
            "split": split,
            "image_index": index,
            "image_filename": f"{name}.{self.view.image_format if self.pictures else 'png'}",
            **_record(things, scene, grasped=self.grasped),
        }
        row = scene_row(f"{split}-{index:06d}", split, index, objects=len(things), record=record)
        return row | self._photographed(scene, name, rng) if self.pictures else row

    def _table(self, split: str, rng: np.random.Generator) -> tuple[list[Thing], Scene]:
        """Things on a table, all of them plainly visible."""
        chance, refused = fast(rng), Counter[str]()
        count = chance.randint(FEWEST, MOST)
        for _ in range(_DRAWN):
            background = chance.choice(backgrounds(instances_of(split)))
            things = [drawn_thing(split, chance, lost=lost_on(background.top)) for _ in range(count)]
            need = sum(map(_need, things))
            for _ in range(_PLACED):
                empty = empty_table(background, chance, need=need, width=self.view.width, height=self.view.height)
                try:
                    scene = _placed(things, empty, chance, rng)
                except NoPlace as none:
                    refused[str(none).rpartition(": ")[2].partition(" (")[0]] += 1
                    continue
                rule = hard_to_see(scene, [build_of(thing.looks["name"]).tells for thing in things])
                if rule is None:
                    return things, scene
                refused[rule] += 1
        rule, times = refused.most_common(1)[0]
        raise NoScene(f"{count} things found no table to be seen on: {rule} ({times} times)")

    def _photographed(self, scene: Scene, name: str, rng: np.random.Generator) -> dict[str, Any]:
        from mereo.scenes.render import Set

        stage = Set(scene, renderer=self.view.renderer)
        picture = self.view.picture(stage, noise=int(rng.integers(1 << 24)))
        return self.view.columns(scene, stage.frame(), stage, name, picture)


def _need(thing: Thing) -> float:
    """Square meters that a thing, the room around it and what it hides take."""
    across, deep, high = thing.scale * sides_of(thing.shape)
    return float((across + _AROUND) * (deep + _BEHIND * high + _AROUND))


def _placed(things: Sequence[Thing], empty: Scene, chance: random.Random, rng: np.random.Generator) -> Scene:
    """The table with the things on it, in their order."""
    sides = directions(empty)
    order = sorted(range(len(things)), key=lambda number: -_need(things[number]))  # large ones while there is room
    most = [build_of(thing.looks["name"]).turn for thing in things]
    turns = [round(chance.uniform(-turn, turn) % 360, 3) for turn in most]
    candidates = [
        Candidate(thing.shape, thing.scale, paints_of(thing.looks), (turn, turn))
        for thing, turn in zip(things, turns, strict=True)
    ]
    found = place(
        [candidates[number] for number in order],
        floor_of(empty),
        across=sides["right"],
        away=sides["behind"],
        rng=rng,
        objection=out_of_view(empty),
    )
    objects = dict(zip(order, found, strict=True))
    return msgspec.structs.replace(empty, objects=tuple(objects[number] for number in sorted(objects)))


def _record(things: Sequence[Thing], scene: Scene, *, grasped: bool) -> dict[str, Any]:
    sides = directions(scene)
    positions = [tuple(value / UNIT for value in placed.pose.position) for placed in scene.objects]
    pixels = projected(scene, [placed.pose.position for placed in scene.objects]).tolist()
    objects = [
        {
            **thing.looks,
            **thing.properties,
            "description": thing.description,
            "model": msgspec.to_builtins(thing.shape),
            "3d_coords": position,
            "rotation": _turn(placed),
            "pixel_coords": pixel,
        }
        for thing, placed, position, pixel in zip(things, scene.objects, positions, pixels, strict=True)
    ]
    if grasped:
        told = zip(objects, grasp_records(scene), strict=True)
        objects = [{**thing, "grasp": grasp} for thing, grasp in told]
    tables = {name: along(positions, sides[name], margin=MARGIN) for name in VOCABULARY.relations}
    return {
        "objects": objects,
        "directions": sides,
        "relationships": {name: [members(row) for row in table] for name, table in tables.items()},
    }


def _turn(placed: Placed) -> float:
    """Degrees about z by which an object is turned."""
    w, _, _, z = placed.pose.rotation
    return round(math.degrees(2 * math.atan2(z, w)) % 360, 3)


def check_scene(record: Mapping[str, Any], split: str) -> None:
    """Refuse a scene that SHOP-VRB cannot show: it says which object is wrong, and in which field."""
    for number, thing in enumerate(record["objects"]):
        try:
            check_looks(thing, instances=instances_of(split))
            check_shape(thing, split=split)
            told = properties_of(thing["name"], thing)
            for field in TEXTUAL:
                if field in thing and _plain(thing[field]) != _plain(told[field]):
                    raise BadInput(f"a {thing['name']} like this is {_said(told[field])}", field=field)
            looks = {field: thing[field] for field in VISUAL}
            if thing.get("description") not in pages_of(thing["name"], looks, split=split):
                raise BadInput(f"is no page of {split} about a {thing['name']} like this", field="description")
        except BadInput as error:
            raise error.within(record=f"object {number}") from None


def _plain(value: str | Sequence[str]) -> Sequence[str]:
    return value if isinstance(value, str) else list(value)


def _said(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
