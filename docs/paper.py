"""What the scripts that draw pictures of these pages have in common: a sheet, letters, and rims around masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.picture_bytes import pillow
from mereo.datasets.pictures import decode_picture

INK, QUIET, PAPER = (35, 38, 45), (109, 114, 125), (251, 250, 248)

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def image_of(row: Mapping[str, Any]) -> Picture:
    """The picture of a scene row."""
    picture: Picture = decode_picture(row["image"]["bytes"])[:, :, :3]
    return picture


def font(size: int) -> Any:
    """Letters of a size in pixels."""
    return pillow("ImageFont").load_default(size)


def blank(width: int, height: int) -> tuple[Any, Any]:
    """An empty sheet and a pen."""
    image = pillow("Image").new("RGB", (width, height), PAPER)
    return image, pillow("ImageDraw").Draw(image)


def rim(mask: Mask, width: int = 2) -> Mask:
    """The pixels just outside a mask."""
    grown = mask.copy()
    for _ in range(width):
        wider = np.pad(grown, 1)
        grown = wider[1:-1, 1:-1] | wider[:-2, 1:-1] | wider[2:, 1:-1] | wider[1:-1, :-2] | wider[1:-1, 2:]
    return grown & ~mask
