"""The picture of a scene on a page, in which entities can be pointed at and sets of them marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from nicegui import ui

from mereo.datasets.inspector import Inspector, listed_words
from mereo.datasets.sights import SeenScene
from mereo.evaluation.drawing import Reach, box_svg, draw_map, reach_of, ring_svg
from mereo.explorer.catalog import Catalog
from mereo.explorer.layers import size_of
from mereo.explorer.pictures import picture_address
from mereo.world import Entity, World

__all__ = ["SEEN", "Canvas", "Sighted", "describe", "entity_tree"]


SEEN = "seen"
"""What elements are within (`data-of`) that tell of entities that a run saw."""


class Sighted(NamedTuple):
    """What a run saw of a scene, and the address of the picture of its ids."""

    scene: SeenScene
    ids: str


class Canvas(ui.element, component="stage.js"):
    """A scene's picture, or its map where it has none."""

    def __init__(self, catalog: Catalog, dataset: int, row: Mapping[str, Any], *, seen: Sighted | None = None):
        """seen : what a run saw there, which is pointed at in place of what is there"""
        super().__init__()
        world, scene_id = catalog.world(dataset, row), row["scene_id"]
        self.eye = eye = catalog.inspector(dataset)
        instances = catalog.instances(dataset, row)
        ids = picture_address(dataset, "ids", scene_id) if instances else ""
        if seen is not None:
            world, instances, ids = seen.scene.world, seen.scene.instances, seen.ids
        self._props["names"] = [{"title": eye.name(e), "detail": describe(e, eye)} for e in world.entities]
        self._props["instances"] = instances
        self._props["layer"] = ""
        self._props["marked"] = None
        self._props["ids"] = ids
        self._props["of"] = SEEN if seen is not None else ""
        self._props |= {"base": "", "vector": "", "shapes": {}, "reach": {}, "boxed": False}
        size = size_of(row)
        if size is None:
            drawing = draw_map(row, world, eye)
            size = drawing.width, drawing.height
            self._props |= {"vector": drawing.picture, "shapes": drawing.outlines, "reach": drawing.reach}
        else:
            self._props["base"] = picture_address(dataset, "plain" if row.get("image") else "objects", scene_id)
            if not instances:
                self._point_at(reach_of(row, world, eye))
        if seen is not None:
            size = seen.scene.ids.shape[1], seen.scene.ids.shape[0]
        self._props["width"], self._props["height"] = size

    def _point_at(self, reach: Reach) -> None:
        """Point at what has no pixels of its own by boxes, or by rings around points."""
        shapes = {k: box_svg(box) for k, box in reach.boxes.items()} | {
            k: ring_svg(box) for k, box in reach.rings.items()
        }
        places = {**reach.boxes, **reach.rings}
        self._props |= {"shapes": shapes, "reach": places, "boxed": bool(reach.boxes)}

    def highlight(self, entities: Iterable[int] | None) -> None:
        """Mark a set of entities and dim the rest; None takes all marks away."""
        self._props["marked"] = None if entities is None else sorted(entities)
        self.update()

    def lay(self, address: str) -> None:
        """Lay another picture over this one; an empty address takes it away."""
        self._props["layer"] = address
        self.update()


def describe(entity: Entity, eye: Inspector) -> str:
    """All that is known of it besides its name, in words."""
    name = eye.name(entity)
    said = []
    for attribute, value in entity.attributes.items():
        words = ", ".join(listed_words(value))
        if words and words != name:
            said.append(f"{attribute} {words}")
    return " · ".join([*said, entity.id] if entity.id != name else said)


def entity_tree(world: World) -> list[tuple[int, int]]:
    """The entities in the order of the part tree, each with its depth."""
    found: list[tuple[int, int]] = []
    waiting = [(k, 0) for k in range(len(world)) if world.whole[k] is None][::-1]
    while waiting:
        entity, depth = waiting.pop()
        found.append((entity, depth))
        waiting += [(part, depth + 1) for part in range(len(world))[::-1] if world.whole[part] == entity]
    return found
