"""What of a picture shows each entity of a PTR world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mereo.benchmarks.ptr.world import SURFACES
from mereo.world import World

__all__ = ["instances_of"]


def instances_of(row: Mapping[str, Any], world: World | None = None) -> list[list[int]]:
    """For each entity the numbers of the part instances that show it; ground and walls are no instances."""
    objects = msgspec.json.decode(row["scene"])["objects"]
    own: list[dict[int, int]] = [{} for _ in objects]
    for place, (number, leaf, _) in enumerate(msgspec.json.decode(row["instance_key"])):
        own[number][leaf] = place + 1
    wholes = [list(leaves.values()) for leaves in own]
    parts = []
    for number, thing in enumerate(objects):
        parts += [[own[number][leaf] for leaf in part["leaves"]] for part in thing["parts"]]
    return [*wholes, *([] for _ in SURFACES), *parts]
