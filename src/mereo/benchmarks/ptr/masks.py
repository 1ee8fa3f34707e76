"""What of a picture shows each entity of a PTR world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.ptr.told import Told
from mereo.benchmarks.ptr.world import SURFACES
from mereo.datasets.columns import json_of, key_of
from mereo.errors import BadInput
from mereo.world import World

__all__ = ["instances_of"]


def instances_of(row: Mapping[str, Any], world: World | None = None) -> list[list[int]]:
    """For each entity the numbers of the part instances that show it; ground and walls are no instances."""
    objects = json_of(row, "scene", type=Told).objects
    own: list[dict[int, int]] = [{} for _ in objects]
    for place, (number, leaf, _) in enumerate(key_of(row)):
        if not 0 <= number < len(objects):
            raise BadInput(f"there is no object {number}", record=row.get("scene_id"), field="instance_key")
        own[number][leaf] = place + 1
    wholes = [list(leaves.values()) for leaves in own]
    parts = []
    for number, thing in enumerate(objects):
        for part in thing.parts:
            if any(leaf not in own[number] for leaf in part.leaves):
                reason = f"lacks leaves of the {part.part} of object {number}"
                raise BadInput(reason, record=row.get("scene_id"), field="instance_key")
            parts.append([own[number][leaf] for leaf in part.leaves])
    return [*wholes, *([] for _ in SURFACES), *parts]
