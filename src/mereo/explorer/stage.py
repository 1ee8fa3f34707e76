"""The picture of a scene on a page, in which entities can be pointed at and sets of them marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nicegui import ui

from mereo.evaluation.drawing import draw_map
from mereo.explorer.catalog import Catalog
from mereo.explorer.layers import ids_of
from mereo.explorer.pictures import picture_address
from mereo.world import Entity, World

__all__ = ["Stage", "describe", "entity_tree", "name_of"]

_REACH = 26
"""How near, in units of a map, a pointer must be to something without pixels of its own."""


class Stage(ui.element, component="stage.js"):
    """A scene's picture, or its map where it has none."""

    def __init__(self, catalog: Catalog, dataset: int, row: Mapping[str, Any]):
        super().__init__()
        world = catalog.world(dataset, row)
        scene_id = row["scene_id"]
        instances = catalog.instances(dataset, row)
        self._props["names"] = [{"title": name_of(e), "detail": describe(e)} for e in world.entities]
        self._props["instances"] = instances
        self._props["layer"] = ""
        self._props["marked"] = None
        self._props["ids"] = picture_address(dataset, "ids", scene_id) if instances else ""
        if row.get("image"):
            width, height = picture_size(row["image"]["bytes"])
            shapes = {} if instances else _points(world)
            places = {k: [*_pixel(e), _REACH * width / 400] for k, e in enumerate(world.entities) if k in shapes}
            self._props["base"] = picture_address(dataset, "plain", scene_id)
            self._props["vector"] = ""
        elif instances:
            (height, width), shapes, places = _masked_size(row), {}, {}
            self._props["base"] = picture_address(dataset, "objects", scene_id)
            self._props["vector"] = ""
        else:
            drawing = draw_map(world)
            width, height, shapes = drawing.width, drawing.height, drawing.outlines
            places = {k: [*_center(outline), _REACH] for k, outline in shapes.items()}
            self._props["base"] = ""
            self._props["vector"] = drawing.picture
        self._props |= {"width": width, "height": height, "shapes": shapes, "places": places}

    def highlight(self, entities: Iterable[int] | None) -> None:
        """Mark a set of entities and dim the rest; None takes all marks away."""
        self._props["marked"] = None if entities is None else sorted(entities)
        self.update()

    def lay(self, address: str) -> None:
        """Lay another picture over this one; an empty address takes it away."""
        self._props["layer"] = address
        self.update()


def _masked_size(row: Mapping[str, Any]) -> tuple[int, int]:
    """Height and width of the masks of a scene that has no picture."""
    ids = ids_of(row)
    return (1, 1) if ids is None else (ids.shape[0], ids.shape[1])


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height of a picture, in pixels."""
    import io

    from mereo.datasets.pictures import pillow

    with pillow("Image").open(io.BytesIO(data)) as image:
        width, height = image.size
    return width, height


def name_of(entity: Entity) -> str:
    """What a person would call it: the part, the category or the shape, and which one it is."""
    for attribute in ("part", "category", "shape"):
        word = entity.attributes.get(attribute)
        if isinstance(word, str):
            return word
    return entity.id


def describe(entity: Entity) -> str:
    """All that is known of it, in words."""
    said = []
    for name, value in entity.attributes.items():
        words = ", ".join(value) if isinstance(value, tuple) else value
        if words and words != name_of(entity):
            said.append(f"{name} {words}")
    return " · ".join([*said, entity.id] if entity.id != name_of(entity) else said)


def entity_tree(world: World) -> list[tuple[int, int]]:
    """The entities in the order of the part tree, each with its depth."""
    found: list[tuple[int, int]] = []
    waiting = [(k, 0) for k in range(len(world)) if world.whole[k] is None][::-1]
    while waiting:
        entity, depth = waiting.pop()
        found.append((entity, depth))
        waiting += [(part, depth + 1) for part in range(len(world))[::-1] if world.whole[part] == entity]
    return found


def _pixel(entity: Entity) -> tuple[float, float]:
    column, row, *_ = entity.numbers["pixel"]
    return float(column), float(row)


def _points(world: World) -> dict[int, str]:
    """Rings where things are, for pictures that come without masks."""
    return {
        k: '<circle cx="{:.0f}" cy="{:.0f}" r="22"/>'.format(*_pixel(entity))
        for k, entity in enumerate(world.entities)
        if entity.numbers.get("pixel")
    }


def _center(outline: str) -> tuple[float, float]:
    """Where a ring of a map lies."""
    x, y = (float(outline.partition(f'{name}="')[2].partition('"')[0]) for name in ("cx", "cy"))
    return x, y
