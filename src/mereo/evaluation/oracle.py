"""Oracles: the true programs, run on the true worlds or on degraded ones.

On true worlds every answer is right. Noise shows how errors of seeing become errors of answering, which is the ceiling
for a system that parses perfectly and sees imperfectly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from mereo.chance import generator
from mereo.datasets.answers import stored_answer
from mereo.datasets.asked import Asked
from mereo.datasets.inspector import Inspector
from mereo.datasets.predictions import Header, Prediction, Predictions
from mereo.datasets.reading import scene_rows
from mereo.evaluation.noise import Sight, degrade
from mereo.programs import ProgramFailure, Trace, compile_program

__all__ = ["answer_by_oracle", "oracle_name"]


def oracle_name(amounts: Mapping[str, float]) -> str:
    """What a run with this noise is called."""
    return "oracle" + "".join(f"-{name}={amount:g}" for name, amount in sorted(amounts.items()) if amount)


def answer_by_oracle(
    asked: Asked,
    eye: Inspector,
    *,
    amounts: Mapping[str, float] | None = None,
    seed: int = 0,
    told: Callable[[Trace], Mapping[str, Any]] = lambda trace: {},
    progress: Callable[[int], None] = lambda questions: None,
) -> Predictions:
    """Answer some questions; where a program fails on what was seen there is no answer, and the reason is kept.

    told : what is said of a run besides its answer, as fields of a prediction
    """
    amounts = {name: amount for name, amount in (amounts or {}).items() if amount}
    programs = asked.words("program")
    by_scene: dict[str, list[int]] = {}
    for place, scene in enumerate(asked.words("scene_id")):
        by_scene.setdefault(scene, []).append(place)
    given: list[Prediction | None] = [None] * len(asked)
    for row in scene_rows(asked, set(by_scene), pictures=bool(amounts.get("masks"))):
        world = eye.world(row)
        if amounts:
            look = cache(partial(eye.masks, row, world))
            sight = Sight(world, look if row.get("instances") else None)
            world = degrade(sight, amounts, generator(seed, "noise", row["scene_id"]))
        for place in by_scene[row["scene_id"]]:
            run = compile_program(programs[place], eye.language).attempt(world)
            if isinstance(run, ProgramFailure):
                given[place] = Prediction(asked.ids[place], None, raw=str(run))
            else:
                answer = stored_answer(run.values[-1], run.executable.types[-1])
                given[place] = Prediction(asked.ids[place], answer, **told(run))
            progress(1)
    header = Header(
        dataset=asked.checksum,
        benchmark=asked.manifest.benchmark,
        model="the true programs on " + ("degraded worlds" if amounts else "the true worlds"),
        selection=asked.selection,
        kind="oracle",
        settings={"noise": amounts, "seed": seed},
    )
    return Predictions(header, given)
