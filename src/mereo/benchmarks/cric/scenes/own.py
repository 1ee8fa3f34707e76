"""Own scenes one by one, as a build wants them: furnished, looked at, and photographed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mereo.benchmarks.cric.scenes.filling import furnished
from mereo.benchmarks.cric.scenes.graph import scene_graph
from mereo.benchmarks.cric.scenes.plans import SETTINGS, Plan, plans
from mereo.benchmarks.cric.scenes.things import Standing
from mereo.benchmarks.cric.scenes.view import hidden, kept
from mereo.chance import fast, generator
from mereo.datasets.picture_settings import USUAL, PictureSettings
from mereo.datasets.rows import scene_row
from mereo.errors import NoScene
from mereo.scenes.observe import Observation, observe
from mereo.scenes.scene import Scene

__all__ = ["FEWEST", "Made", "OwnScenes"]

FEWEST, MOST = 6, 14
"""Things of a scene, parts not counted."""
_DRAWN, _LOOKS = 10, 3
"""How often a scene is furnished anew before it is given up, and how often one is looked at with less in it."""


@dataclass(frozen=True)
class Made:
    """A scene with what the camera sees of it."""

    plan: Plan
    things: list[Standing]
    scene: Scene
    seen: Observation


class _Photo(NamedTuple):
    """What a picture shows, and the columns of a row that hold it."""

    seen: Observation
    columns: dict[str, Any]


@dataclass(frozen=True)
class OwnScenes:
    """Makes the scenes of a split, each from its number alone."""

    seed: int
    view: PictureSettings = USUAL
    """The picture that things must be seen in, also where none is taken."""
    pictures: bool = False

    def settings(self) -> dict[str, Any]:
        """The choices besides the seed that make a scene."""
        return {"pictures": self.pictures, **self.view.settings()}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as a row: its record and, with pictures, what the camera saw."""
        rng = generator(self.seed, split, index)
        made = self.made(split, rng)
        name = f"CRIC_{split}_{index:06d}"
        photo = self._photographed(made.scene, name, rng) if self.pictures else None
        # On a GPU, which of two faces in one plane a ray meets first may depend on the walls around them.
        seen = photo.seen if photo else made.seen
        filename = f"{name}.{self.view.image_format if self.pictures else 'png'}"
        scene_id = f"{split}-{index:06d}"
        graph = scene_graph(scene_id, made.things, made.scene, seen, image_filename=filename)
        record = {
            "split": split,
            "image_index": index,
            "image_filename": filename,
            "setting": made.plan.setting,
            "place": made.plan.name,
            "graph": graph,
            "shapes": [thing.placed.shape for thing in made.things],
        }
        row = scene_row(scene_id, split, index, objects=len(made.things), record=record)
        return row | photo.columns if photo else row

    def made(self, split: str, rng: np.random.Generator) -> Made:
        """Things in one of the settings, all of them plainly seen."""
        chance, refused = fast(rng), Counter[str]()
        setting = chance.choice(SETTINGS)
        for _ in range(_DRAWN):
            plan = chance.choice(plans(setting))
            try:
                things, scene = furnished(plan, split, chance, width=self.view.width, height=self.view.height)
                return self._looked_at(plan, things, scene)
            except NoScene as none:
                refused[str(none)] += 1
        rule, times = refused.most_common(1)[0]
        raise NoScene(f"no {setting} could be furnished: {rule} ({times} times)")

    def _looked_at(self, plan: Plan, things: list[Standing], scene: Scene) -> Made:
        """The scene without what is hardly seen."""
        for _ in range(_LOOKS):
            if len(things) < FEWEST:
                break
            seen = self._seen(scene)
            without = hidden(things, scene, seen)
            if not without:
                return Made(plan, things, scene, seen)
            things = kept(things, without)
            scene = msgspec.structs.replace(scene, objects=tuple(thing.placed for thing in things))
        raise NoScene(f"fewer than {FEWEST} things are plainly seen")

    def _seen(self, scene: Scene) -> Observation:
        from mereo.scenes.render import objects_frame

        return observe(scene, objects_frame(scene, renderer=self.view.renderer))

    def _photographed(self, scene: Scene, name: str, rng: np.random.Generator) -> _Photo:
        from mereo.scenes.render import Set

        stage = Set(scene, renderer=self.view.renderer)
        picture, frame = self.view.picture(stage, noise=int(rng.integers(1 << 24))), stage.frame()
        return _Photo(observe(scene, frame), self.view.columns(scene, frame, stage, name, picture))
