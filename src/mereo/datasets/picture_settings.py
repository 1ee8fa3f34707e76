"""The choices about pictures that every recipe with pictures has, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from mereo.datasets.splits import parse_size
from mereo.datasets.store import AMODAL_FIELDS, IMAGE_FORMATS, PICTURE_FIELDS, SCENE_FIELDS
from mereo.errors import UnknownName
from mereo.extras import need

if TYPE_CHECKING:
    from mereo.scenes.render import Frame, Set
    from mereo.scenes.scene import Scene

__all__ = ["USUAL", "PictureSettings", "scene_fields"]


@dataclass(frozen=True)
class PictureSettings:
    """How pictures are taken and stored."""

    width: int = 480
    height: int = 320
    samples: int = 64
    """Rays per pixel."""
    renderer: str = "auto"
    image_format: str = "png"
    amodal: bool = False
    """Whether masks of what is hidden are kept, too."""

    @staticmethod
    def chosen(
        *, size: str = "480x320", samples: int = 64, renderer: str = "auto", image_format: str = "png", amodal: bool
    ) -> PictureSettings:
        """What a person chose, checked; the renderer that works best here is settled once, for all workers."""
        from mereo.scenes.renderer import choose_renderer

        need("rendering", "scenes")
        if image_format not in IMAGE_FORMATS:
            raise UnknownName("image format", image_format, IMAGE_FORMATS)
        width, height = parse_size(size)
        return PictureSettings(width, height, samples, choose_renderer(renderer), image_format, amodal)

    def settings(self) -> dict[str, Any]:
        """The choices as plain values."""
        return {
            "width": self.width,
            "height": self.height,
            "samples": self.samples,
            "renderer": self.renderer,
            "image_format": self.image_format,
            "amodal": self.amodal,
        }

    def columns(self, scene: Scene, frame: Frame, stage: Set, name: str, *, noise: int) -> dict[str, Any]:
        """Take the picture: the columns of a scene row. noise : seed of the picture's noise"""
        from mereo.datasets.pictures import picture_columns

        return picture_columns(
            scene,
            frame,
            stage.picture(samples=self.samples, seed=noise),
            name,
            image_format=self.image_format,
            amodal=stage.amodal() if self.amodal else None,
        )


USUAL = PictureSettings()
"""Where nobody chooses."""


def scene_fields(pictures: PictureSettings | None) -> pa.Schema:
    """The columns of scene shards with such pictures, or without any."""
    if pictures is None:
        return SCENE_FIELDS
    return AMODAL_FIELDS if pictures.amodal else PICTURE_FIELDS
