"""Our scenes as PTR's official files would tell of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.official import FORMAT
from mereo.benchmarks.ptr.told import WholeTold, check_record
from mereo.benchmarks.ptr.translation import Unsaid, to_official
from mereo.benchmarks.ptr.world import SPATIAL, SURFACES, WORDS, ptr_world
from mereo.datasets.answers import plain_answer
from mereo.datasets.columns import record_of
from mereo.datasets.seen import masks_of
from mereo.errors import BadInput
from mereo.masks import Pixels, counts_of
from mereo.programs import Program, ProgramFailure, compile_program
from mereo.world import World, members

__all__ = ["PAINT", "official_program", "official_record"]

PAINT: dict[str, list[int]] = NUMBERS["paint"]["colors"]
"""Red, green and blue of each color, 0 to 255."""
_NOT_COUNTED = frozenset(WORDS["speech"]["single"])
_MADE_BY = ("category", "split", "family", "instance")
_NO_DIRECTION = [10_000.0, 10_000.0, 10_000.0]
"""What official files write where a part is neither a line nor a plane."""


def official_program(program: Program, world: World, answer: str) -> Program | None:
    """A program in the official language; None where that cannot say it, or gives another answer in this world.

    Officially a name has one direction and hardly ever a relation; a part without a color of its own is not there; and
    a category that narrows nothing is no description.
    """
    try:
        said = to_official(program, PAINT)
        trace = compile_program(said, FORMAT.language)(world)
    except (Unsaid, ProgramFailure):
        return None
    value = FORMAT.output(trace.values[-1], trace.executable.types[-1])
    return said if plain_answer(value) == plain_answer(answer) else None


def official_record(row: Mapping[str, Any]) -> dict[str, Any]:
    """The official record of one of our scene rows."""
    if not row.get("instances"):
        raise BadInput("has no pictures, which PTR's masks need", record=row["scene_id"])
    record = record_of(row)
    check_record(record, WholeTold)
    world, count, camera = ptr_world(record), len(record["objects"]), record["camera"]
    masks = masks_of(row, instances_of(row)) or []
    parts = iter(masks[count + len(SURFACES) :])
    objects = [
        _thing(thing, whole, [(part, next(parts)) for part in thing["parts"]])
        for thing, whole in zip(record["objects"], masks[:count], strict=True)
    ]
    return {
        "split": record["split"],
        "image_index": record["image_index"],
        "image_filename": record["image_filename"],
        "physics": record["physical"],
        "objects": objects,
        "directions": record["directions"],
        "relationships": {name: [members(row) for row in world.related[name][:count]] for name in SPATIAL},
        "projection_matrix": camera["projection"],
        "cam_location": camera["position"],
        "cam_rotation": camera["view"],
    }


def _thing(
    thing: Mapping[str, Any], whole: Pixels, parts: Sequence[tuple[Mapping[str, Any], Pixels]]
) -> dict[str, Any]:
    visible: dict[str, list[Mapping[str, Any]]] = {}
    masks: dict[str, list[dict[str, Any]]] = {}
    for part, mask in parts:
        visible.setdefault(part["part"], []).append(part)
        masks.setdefault(part["part"], []).append(_runs(mask))
    for name, color in thing["colors"].items():
        if color is not None and color not in PAINT:
            raise BadInput(f"'{color}' is not a color", field=f"colors.{name}")
    colors = {name: [color, PAINT[color]] for name, color in thing["colors"].items() if color is not None}
    seen = {name: colors[name] for name, parts in visible.items() if name in colors and parts[0]["color"]}
    counts = {name: len(parts) for name, parts in visible.items()}
    unseen = Counter(part["part"] for part in (*thing["faint"], *thing["hidden"]))
    every = {name: counts.get(name, 0) + unseen[name] for name in thing["colors"]}
    lines, planes = _axes(visible, "line", "direction"), _axes(visible, "plane", "normal")
    shape = thing["shape"]
    official = {
        "category": thing["category"].capitalize(),
        "partnet_id": shape.get("own") or "-".join(str(shape[name]) for name in _MADE_BY),
        "part_color": colors,
        "part_count": {name: count for name, count in every.items() if name not in _NOT_COUNTED},
        "part_color_occluded": seen,
        "part_count_occluded": {name: count for name, count in counts.items() if name not in _NOT_COUNTED},
        "part_color_all": colors,
        "line_geo": lines,
        "plane_geo": planes,
        "obj_mask": _runs(whole),
        "part_mask": masks,
        "3d_coords": thing["position"],
        "rotation": _turn(thing["rotation"]),
        "pixel_coords": thing["pixel"],
        "scale": thing["scale"],
        "question_type": ["perception", "geometry"] if lines or planes else ["perception"],
    }
    if thing["stability"]:
        official["stability"] = "yes" if thing["stability"] == "stable" else "no"
        if thing["stability"] == "unstable":
            official["possible_change"] = [list(thing["changes"]), thing["position"]]
    return official


def _axes(visible: Mapping[str, Sequence[Mapping[str, Any]]], kind: str, axis: str) -> dict[str, list[float]]:
    """One direction for each name of a part, where all its visible instances agree; officially no name has two."""
    found = {}
    for name, parts in visible.items():
        axes = np.array([part[kind][axis] for part in parts if kind in part])
        if len(axes):
            alike = len(axes) == len(parts) and np.abs(axes @ axes[0]).min() > math.cos(math.radians(2.0))
            found[name] = axes[0].tolist() if alike else _NO_DIRECTION
    return found


def _turn(rotation: Sequence[float]) -> float:
    """Degrees about z of a quaternion (w, x, y, z)."""
    w, x, y, z = rotation
    return math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def _runs(mask: Pixels) -> dict[str, Any]:
    return {"size": list(mask.shape), "counts": counts_of(mask)}
