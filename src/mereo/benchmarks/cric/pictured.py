"""What pictures show of each thing, and whether they agree with the graph.

In own scenes thing `3` is object 3 of the layout, and thing `3.17` its part 17 with all that belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph
from mereo.datasets.columns import json_of, key_of
from mereo.datasets.picture_bytes import picture_size
from mereo.errors import BadInput
from mereo.masks import Pixels, box_of
from mereo.scenes.scene import ShapeRef

__all__ = ["families_of", "instances_of", "picture_faults"]


class _Shown(msgspec.Struct):
    shapes: list[ShapeRef] = []
    """Of the objects of the layout."""


def instances_of(row: Mapping[str, Any], graph: SceneGraph) -> list[list[int]]:
    """For each thing the numbers of the part instances that show it."""
    shapes, key = json_of(row, "scene", type=_Shown).shapes, key_of(row)
    found = []
    for thing in graph.things:
        number, _, part = thing.id.partition(".")
        if not number.isdigit() or not 0 <= int(number) < len(shapes):
            raise BadInput(f"thing '{thing.id}' is of no object of the layout", field="scene.graph")
        leaves = _leaves(shapes[int(number)], int(part)) if part else None
        found.append(
            [
                place + 1
                for place, (owner, leaf, _) in enumerate(key)
                if owner == int(number) and (leaves is None or leaf in leaves)
            ]
        )
    return found


def _leaves(reference: ShapeRef, part: int) -> frozenset[int]:
    """The ids of the leaves that belong to a part."""
    from mereo.scenes.assemble import shape_of

    own = (one for one in shape_of(reference).parts() if one.id == part)
    return frozenset(leaf.id for one in own for leaf in one.leaves())


def families_of(row: Mapping[str, Any]) -> Iterable[tuple[str, int | str]]:
    """The families of a scene's shapes by the number that no other split has."""
    shapes = json_of(row, "scene", type=_Shown).shapes
    if shapes:
        from mereo.shapes.grammar import family_number

        yield from ((shape.category, family_number(shape.split, shape.family)) for shape in shapes)


def picture_faults(row: Mapping[str, Any], graph: SceneGraph, masks: Mapping[int, Pixels]) -> Iterator[str]:
    """What pictures say otherwise than the graph. masks : by thing the pixels that show it"""
    if not row.get("image"):
        return
    if picture_size(row["image"]["bytes"]) != (graph.width, graph.height):
        yield "the picture is not as large as the graph says"
        return
    if not row.get("instances"):
        return
    from mereo.datasets.pictures import amodal_faults, decode_png, instance_key
    from mereo.scenes.scene import scene_from_json

    ids, depth = (decode_png(row[name]["bytes"]) for name in ("instances", "depth"))
    if not ids.shape == depth.shape == (graph.height, graph.width):
        yield "picture, depth and instances differ in size"
        return
    if (depth[ids > 0] == 0).any():
        yield "an object has no depth"
    key = key_of(row)
    if list(map(tuple, key)) != instance_key(scene_from_json(row["layout"].encode())):
        yield "the instance key is not that of the layout"
        return
    yield from amodal_faults(row, ids, key)
    for number, thing in enumerate(graph.things):
        if thing.box != (box_of(masks[number]) if number in masks else None):
            yield f"the box of thing '{thing.id}' is not that of what is seen of it"
