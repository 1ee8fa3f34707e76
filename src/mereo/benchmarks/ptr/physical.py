"""Physical scenes of PTR: objects stacked on others, leaning on walls, tilted or toppled, among ones that stand.

Each arrangement is tried alone first; then the whole room is simulated, and what is written down is what that showed.
An object whose motion is too near the thresholds to be called is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from mereo.benchmarks.ptr.arrangements import Arranger, drawn_things
from mereo.benchmarks.ptr.behavior import Behavior, behaviors
from mereo.benchmarks.ptr.footing import contrast, hard_to_judge
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.proportions import usual_diagonal
from mereo.benchmarks.ptr.scenes import Refused, Shown, Wanted, candidate, shown, with_upright
from mereo.benchmarks.ptr.stage import drawn_walls, empty_room
from mereo.benchmarks.ptr.tilt import is_tilted
from mereo.scenes.render import Frame
from mereo.scenes.scene import Placed, Scene

__all__ = ["physical_scene"]

_PHYSICAL = NUMBERS["physical"]
_WALLS = 40
"""How many looks of walls are tried."""


def physical_scene(asked: Wanted, rng: np.random.Generator) -> tuple[Shown, list[Behavior]]:
    """A scene with objects that may fall, and what each of them does."""
    count = int(rng.integers(_PHYSICAL["fewest"], _PHYSICAL["most"] + 1))

    def draw() -> tuple[Scene, Callable[[], list[Behavior]]]:
        scene, meant = _drawn(asked, count, rng)

        def study() -> list[Behavior]:
            done = behaviors(scene)
            if [not behavior.stable for behavior in done] != [placed in meant for placed in scene.objects]:
                raise Refused("an object that falls brings another down, or is held up by it")
            return done

        return scene, study

    found, done = shown(draw, asked, objection=hard_to_judge)
    return Shown(with_walls(found.scene, found.frame, rng), found.frame), done


def with_walls(scene: Scene, frame: Frame, rng: np.random.Generator) -> Scene:
    """The scene with walls that whatever is tilted stands out from.

    Looks are drawn until each tilted object contrasts enough; if that happens with none of them, the best is taken.
    """
    tilted = [number for number, placed in enumerate(scene.objects) if is_tilted(placed.pose.rotation)]
    best, most = scene, -np.inf
    for _ in range(_WALLS):
        found = [contrast(scene, frame, number) for number in tilted]
        least = min((each for each in found if each is not None), default=np.inf)
        if least > most:
            best, most = scene, least
        if least >= _PHYSICAL["footing"]["contrast"]:
            break
        scene = msgspec.structs.replace(scene, setting=msgspec.structs.replace(scene.setting, **drawn_walls(rng)))
    return best


def _drawn(asked: Wanted, count: int, rng: np.random.Generator) -> tuple[Scene, list[Placed]]:
    """A room with arrangements and, where there are objects left, some that simply stand; and what is to fall."""
    plan = _plan(count, rng)
    things = [drawn_things(kind, asked, rng) for kind in plan]
    every = [thing for group in things for thing in group]
    rest = [candidate(asked, rng) for _ in range(count - len(every))]
    scene = empty_room(
        count,
        rng,
        width=asked.width,
        height=asked.height,
        diagonal=usual_diagonal([*every, *rest]),
        **_PHYSICAL["room"],
    )
    arranger = Arranger(scene, asked, rng)
    for kind, group in zip(plan, things, strict=True):
        arranger.add(kind, group)
    return with_upright(msgspec.structs.replace(scene, objects=tuple(arranger.done)), rest, rng), arranger.falling


def _plan(count: int, rng: np.random.Generator) -> list[str]:
    """Which arrangements a scene of so many objects has: a stack has two."""
    plans: list[list[str]] = _PHYSICAL["plans"][str(count)]
    return plans[int(rng.integers(len(plans)))]
