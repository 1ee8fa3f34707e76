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
    import numpy as np
    from numpy.typing import NDArray

    from mereo.scenes.render import Frame, Set
    from mereo.scenes.scene import Scene

__all__ = ["FEW", "MANY", "USUAL", "PictureSettings", "scene_fields"]


FEW, MANY = 20, 64
"""Rays per pixel where nobody chooses: denoised, and with their grain."""


@dataclass(frozen=True)
class PictureSettings:
    """How pictures are taken and stored."""

    width: int = 480
    height: int = 320
    samples: int = MANY
    """Rays per pixel."""
    renderer: str = "auto"
    image_format: str = "png"
    amodal: bool = False
    """Whether masks of what is hidden are kept, too."""
    denoise: bool = False
    """Whether the grain is taken out."""

    @staticmethod
    def chosen(
        *,
        size: str = "480x320",
        samples: int | None = None,
        denoise: str = "auto",
        renderer: str = "auto",
        image_format: str = "png",
        amodal: bool = False,
    ) -> PictureSettings:
        """What a person chose, checked; what works best here is settled once, for all workers.

        samples : None for as many as look good, of which it takes fewer with a denoiser
        """
        from mereo.scenes.denoise import choose_denoising
        from mereo.scenes.renderer import choose_renderer

        need("rendering", "scenes")
        if image_format not in IMAGE_FORMATS:
            raise UnknownName("image format", image_format, IMAGE_FORMATS)
        width, height = parse_size(size)
        variant = choose_renderer(renderer)
        clean = choose_denoising(denoise, renderer=variant)
        rays = samples if samples is not None else (FEW if clean else MANY)
        return PictureSettings(width, height, rays, variant, image_format, amodal, clean)

    def settings(self) -> dict[str, Any]:
        """The choices as plain values."""
        return {
            "width": self.width,
            "height": self.height,
            "samples": self.samples,
            "renderer": self.renderer,
            "image_format": self.image_format,
            "amodal": self.amodal,
            "denoise": self.denoise,
        }

    def picture(self, stage: Set, *, noise: int) -> NDArray[np.uint8]:
        """Take the picture. (height, width, 3), sRGB; noise : seed of the picture's noise"""
        return stage.picture(samples=self.samples, seed=noise, denoise=self.denoise)

    def columns(self, scene: Scene, frame: Frame, stage: Set, name: str, picture: NDArray[np.uint8]) -> dict[str, Any]:
        """The columns of a scene row with its picture."""
        from mereo.datasets.pictures import picture_columns

        amodal = stage.amodal() if self.amodal else None
        return picture_columns(scene, frame, picture, name, image_format=self.image_format, amodal=amodal)


USUAL = PictureSettings()
"""Where nobody chooses."""


def scene_fields(pictures: PictureSettings | None) -> pa.Schema:
    """The columns of scene shards with such pictures, or without any."""
    if pictures is None:
        return SCENE_FIELDS
    return AMODAL_FIELDS if pictures.amodal else PICTURE_FIELDS
