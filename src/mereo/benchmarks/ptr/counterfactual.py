"""Counterfactual scenes: an unstable object moved to where it is stable, all else as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.ptr.behavior import Behavior, behaviors
from mereo.benchmarks.ptr.footing import hard_to_judge
from mereo.benchmarks.ptr.scenes import Refused, Shown, Wanted, bare_frame
from mereo.benchmarks.ptr.view import hard_to_see
from mereo.scenes.observe import directions, observe
from mereo.scenes.poise import moved
from mereo.scenes.scene import Scene

__all__ = ["counterfactual_scenes"]


def counterfactual_scenes(
    asked: Wanted, scene: Scene, before: Sequence[Behavior]
) -> Iterator[tuple[Shown, list[Behavior], dict[str, Any]]]:
    """For each unstable object that a change would save the scene with the change made, and what was moved.

    A scene that would break a rule, such as one in which an object hides another, is left out.
    """
    sides = directions(scene)
    for number, behavior in enumerate(before):
        if not behavior.changes:
            continue
        direction, distance = min(behavior.changes.items(), key=lambda change: change[1])
        objects = list(scene.objects)
        objects[number] = moved(objects[number], distance * np.asarray(sides[direction]))
        changed = msgspec.structs.replace(scene, objects=tuple(objects))
        try:
            after = behaviors(changed)
        except Refused:
            continue
        frame = bare_frame(changed, renderer=asked.renderer)
        if (hard_to_see(changed, observe(changed, frame)) or hard_to_judge(changed, frame)) is None:
            yield Shown(changed, frame), after, {"object": number, "direction": direction, "distance": distance}
