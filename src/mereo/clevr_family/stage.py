"""Scenes on CLEVR's stage, with or without pictures, one by one as a build wants them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mereo.chance import generator
from mereo.clevr_family.strewing import strewn_scene
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.rows import scene_row
from mereo.errors import NoScene

__all__ = ["VISIBLE", "StageScenes"]

VISIBLE = 200 / (480 * 320)
"""The least share of the picture that every object must cover: CLEVR's 200 pixels."""
_ATTEMPTS = 50


@dataclass(frozen=True)
class StageScenes:
    """Makes the scenes of a split, each from its number alone."""

    seed: int
    cogent: bool = False
    """Whether the colors of a split are those of its condition."""
    pictures: PictureSettings | None = None

    def settings(self) -> dict[str, Any]:
        """The choices besides the seed that make a scene."""
        return {"pictures": self.pictures is not None, **(self.pictures.settings() if self.pictures else {})}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as a row: CLEVR's record of it and, with pictures, what the camera saw."""
        condition = split[-1] if self.cogent else ""
        if self.pictures is None:
            return self._row(strewn_scene(generator(self.seed, split, index), condition=condition), split, index)
        return self._photographed(split, index, condition, self.pictures)

    def _row(self, scene: dict[str, Any], split: str, index: int) -> dict[str, Any]:
        scene_id = f"{split}-{index:06d}"
        ending = self.pictures.image_format if self.pictures else "png"
        record = {"split": split, "image_index": index, "image_filename": f"CLEVR_{scene_id}.{ending}", **scene}
        return scene_row(scene_id, split, index, objects=len(scene["objects"]), record=record)

    def _photographed(self, split: str, index: int, condition: str, pictures: PictureSettings) -> dict[str, Any]:
        """A scene in which every object can be seen, with its pictures."""
        from mereo.clevr_family.pictures import scene_of_record
        from mereo.scenes.observe import observe, projected
        from mereo.scenes.render import Set

        least = VISIBLE * pictures.width * pictures.height
        for attempt in range(_ATTEMPTS):
            place = (split, index, attempt) if attempt else (split, index)
            record = strewn_scene(generator(self.seed, *place), condition=condition)
            lamps = generator(self.seed, *place, "lamps")
            scene = scene_of_record(record, rng=lamps, width=pictures.width, height=pictures.height)
            stage = Set(scene, renderer=pictures.renderer)
            frame = stage.frame()
            if all(thing.pixels >= least for thing in observe(scene, frame).objects):
                break
        else:
            raise NoScene(f"no scene showed every object with {least:.0f} pixels in {_ATTEMPTS} attempts")
        centers = [thing["3d_coords"] for thing in record["objects"]]
        for thing, pixel in zip(record["objects"], projected(scene, centers).tolist(), strict=True):
            thing["pixel_coords"] = pixel
        noise = int(lamps.integers(1 << 24))
        name = f"CLEVR_{split}-{index:06d}"
        picture = pictures.picture(stage, noise=noise)
        return {**self._row(record, split, index), **pictures.columns(scene, frame, stage, name, picture)}
