"""The record of a PTR scene: what the camera saw of objects and parts, their lines and planes, and what physics says.

Meters, world frame (x right, y away, z up); pixels as column and row. Everything that can be seen is counted in the
frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.ptr.behavior import Behavior
from mereo.benchmarks.ptr.footing import footing
from mereo.benchmarks.ptr.numbers import NUMBERS, VISIBLE_PART
from mereo.benchmarks.ptr.paint import colors_of
from mereo.benchmarks.ptr.parts import face_of, ptr_part_of, ptr_parts
from mereo.benchmarks.ptr.view import center_of
from mereo.chance import generator
from mereo.scenes.assemble import kept_of, pose_matrix, shape_of
from mereo.scenes.observe import Observation, Seen, covered_shares, directions, observe, projected
from mereo.scenes.poise import Wall, walls
from mereo.scenes.render import Frame, view_matrix
from mereo.scenes.scene import Placed, Room, Scene, ShapeRef
from mereo.shapes.geometry import Line, Plane, find_alike
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part

__all__ = ["geometry_of", "record_of", "seen_of"]

_DIGITS = 4


def record_of(
    scene: Scene,
    frame: Frame,
    behaviors: Sequence[Behavior] | None = None,
    *,
    unread: Sequence[Collection[str]] = (),
    **facts: object,
) -> dict[str, Any]:
    """The record of a scene; with behaviors it is a physical one.

    unread : for each object the names of parts whose color is not that of the picture
    facts : what stands at the beginning: split, index and file name
    """
    seen = seen_of(scene, frame, unread)
    objects = []
    for number, (placed, visible) in enumerate(zip(scene.objects, seen, strict=True)):
        own = _still(placed) | visible | _physics(behaviors[number] if behaviors is not None else None)
        objects.append(own if behaviors is None else own | footing(scene, frame, number))
    return {
        **facts,
        "physical": behaviors is not None,
        "size": [scene.camera.width, scene.camera.height],
        "directions": {name: _plain(vector) for name, vector in directions(scene).items()},
        "camera": _camera(scene),
        "surfaces": _surfaces(scene),
        "objects": objects,
    }


def _camera(scene: Scene) -> dict[str, Any]:
    camera, view = scene.camera, view_matrix(scene)
    scale = camera.width / 2 / np.tan(np.radians(camera.field) / 2)
    film = np.array([[scale, 0, camera.width / 2], [0, -scale, camera.height / 2], [0, 0, 1]])
    projection = film @ np.column_stack([view, -view @ np.asarray(camera.position)])
    return {
        "position": list(camera.position),
        "target": list(camera.target),
        "field": camera.field,
        "view": view.tolist(),
        "projection": projection.tolist(),
    }


def _surfaces(scene: Scene) -> dict[str, Any]:
    """A point of the ground and of each wall, and the normal into the room."""
    assert isinstance(scene.setting, Room)
    sides = {f"{name} wall": wall for name, wall in walls(scene.setting).items()}
    every = {"ground": Wall((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), **sides}
    return {name: {"point": list(point), "normal": list(normal)} for name, (point, normal) in every.items()}


def _still(placed: Placed) -> dict[str, Any]:
    """What is known of an object without looking at it."""
    shape = placed.shape
    return {
        "category": shape.category,
        "shape": msgspec.to_builtins(shape),
        "scale": placed.scale,
        "position": _plain(center_of(placed)),
        "origin": _plain(placed.pose.position),
        "rotation": _plain(placed.pose.rotation, 6),
        "colors": colors_of(placed),
    }


def _physics(behavior: Behavior | None) -> dict[str, Any]:
    if behavior is None:
        return {"on": [], "stability": None, "changes": {}}
    found: dict[str, Any] = {
        "on": list(behavior.on),
        "stability": "stable" if behavior.stable else "unstable",
        "changes": dict(behavior.changes),
    }
    if not behavior.stable:
        trace = behavior.trace
        kept = np.unique(np.linspace(0, len(trace) - 1, NUMBERS["physical"]["samples"]).round().astype(int))
        found["motion"] = [_plain(row) for row in trace[kept]]
    return found


def seen_of(scene: Scene, frame: Frame, unread: Sequence[Collection[str]] = ()) -> list[dict[str, Any]]:
    """For each object all that is counted in the frame: where it is seen, how much is covered, and its parts.

    unread : for each object the names of parts whose color is not that of the picture; they have none
    """
    seen = observe(scene, frame)
    pixel = projected(scene, [center_of(placed).tolist() for placed in scene.objects])
    covered = covered_shares(frame, seen.objects, pixel)
    least = VISIBLE_PART * frame.object.size
    found = []
    for number, placed in enumerate(scene.objects):
        found.append(
            {
                "pixel": _plain(pixel[number]),
                "pixels": seen.objects[number].pixels,
                "box": list(seen.objects[number].box or ()),
                "covered": round(covered[number], _DIGITS),
                **_parts(placed, seen, number, least, unread[number] if unread else ()),
            }
        )
    return found


def _parts(
    placed: Placed, seen: Observation, number: int, least: float, unread: Collection[str]
) -> dict[str, list[dict[str, Any]]]:
    """The instances of an object's parts: those that are seen beyond doubt, those of a few pixels, and the hidden."""
    leaves, colors, geometry = seen.parts[number], colors_of(placed), geometry_of(placed.shape)
    found: dict[str, list[dict[str, Any]]] = {"parts": [], "faint": [], "hidden": []}
    for name, instances in ptr_parts(shape_of(placed.shape)).items():
        for place, instance in enumerate(instances):
            shown = {leaf.id: leaves[leaf.id] for leaf in instance.leaves() if leaf.id in leaves}
            pixels = sum(leaf.pixels for leaf in shown.values())
            known = name not in unread and (not pixels or _own_color(placed, name, instance, shown, pixels))
            axis = geometry.get(name, {}).get(place)
            part = {
                "part": name,
                "color": colors[name] if known else None,
                "leaves": [leaf.id for leaf in instance.leaves()],
                "pixels": pixels,
                **({"box": _union(shown.values())} if pixels else {}),
                **({} if axis is None else _in_world(axis, placed)),
            }
            found["parts" if pixels >= least else "faint" if pixels else "hidden"].append(part)
    return found


def _own_color(placed: Placed, name: str, instance: Part, shown: Mapping[int, Seen], pixels: int) -> bool:
    """Whether at least half of what is seen of an instance has its name's color, not that of parts within it."""
    own = [leaf.id for leaf in instance.leaves() if ptr_part_of(placed.shape.category, leaf.label) == name]
    return 2 * sum(shown[leaf].pixels for leaf in own if leaf in shown) >= pixels


def _union(seen: Any) -> list[int]:
    """The box around all visible pixels."""
    boxes = np.array([each.box for each in seen if each.box is not None])
    low = boxes[:, :2].min(0)
    return [*low.tolist(), *((boxes[:, :2] + boxes[:, 2:]).max(0) - low).tolist()]


@lru_cache(maxsize=1024)
def geometry_of(reference: ShapeRef) -> dict[str, dict[int, Line | Plane]]:
    """The lines and planes among a shape's parts, by name and place among the instances; the shape's own frame.

    Only what PTR takes for a line and is one, and what it takes for a plane and is one; all parts of a name or none.
    """
    kinds = {kind.__name__: kind for kind in (Line, Plane)}

    def plain() -> dict[str, Any]:
        found = _found_geometry(reference)
        return {
            name: {number: (type(one).__name__, one.point, one.axis) for number, one in each.items()}
            for name, each in found.items()
        }

    kept = kept_of(reference, "lines and planes", plain, code=Path(__file__).parent)
    return {
        name: {number: kinds[kind](point, axis) for number, (kind, point, axis) in each.items()}
        for name, each in kept.items()
    }


def _found_geometry(reference: ShapeRef) -> dict[str, dict[int, Line | Plane]]:
    place = (reference.category, reference.split, reference.family, reference.instance)
    rng = generator(reference.seed, "geometry", *place, *([reference.own] if reference.own else []))
    kinds = ((Line, NUMBERS["lines"]), (Plane, NUMBERS["planes"]))
    found: dict[str, dict[int, Line | Plane]] = {}
    for name, instances in ptr_parts(shape_of(reference)).items():
        wanted = next((kind for kind, names in kinds if name in names.get(reference.category, ())), None)
        if wanted is not None:
            faces = [face_of(reference.category, name, instance) for instance in instances]
            found[name] = dict(enumerate(find_alike(faces, wanted, rng)))
    return found


def _in_world(found: Line | Plane, placed: Placed) -> dict[str, Any]:
    motion = pose_matrix(placed.pose)
    if isinstance(found, Line):
        line = Line(placed.scale * found.point, found.direction).moved(motion)
        return {"line": {"point": _plain(line.point), "direction": _plain(line.direction)}}
    plane = Plane(placed.scale * found.point, found.normal).moved(motion)
    return {"plane": {"point": _plain(plane.point), "normal": _plain(plane.normal)}}


def _plain(vector: Sequence[float] | Floats, digits: int = _DIGITS) -> list[float]:
    """Numbers as short as they are exact."""
    return [round(float(value), digits) + 0.0 for value in vector]
