"""The picture of a kitchen: little more than its boxes, so that it costs nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.picture_bytes import pillow
from mereo_photos.graph import Photo, Thing
from mereo_photos.kitchens import HEIGHT, WIDTH
from mereo_photos.language import KITCHEN

__all__ = ["draw"]

_WALL, _FLOOR, _LINE = "#e6ddcb", "#b9a68a", "#6f6757"
_LONG = 100


def draw(photo: Photo) -> NDArray[np.uint8]:
    """(height, width, 3) sRGB."""
    image = pillow("Image").new("RGB", (WIDTH, HEIGHT), _WALL)
    pen = pillow("ImageDraw").Draw(image)
    pen.rectangle((0, 190, WIDTH, HEIGHT), fill=_FLOOR)
    for row in range(0, 60, 20):
        pen.line((0, row, WIDTH, row), fill="#d8cdb8")
    for thing in photo.things.values():
        _draw_thing(pen, thing)
    return np.asarray(image)


def _draw_thing(pen: Any, thing: Thing) -> None:
    paints = KITCHEN["paint"]
    left, top, wide, tall = map(int, thing.box)
    right, bottom = left + wide - 1, top + tall - 1
    if thing.name == "table":
        for leg in (left + 8, right - 14):
            pen.rectangle((leg, bottom, leg + 6, 198), fill=paints["wooden"], outline=_LINE)
    paint = next((paints[look] for look in thing.look if look in paints), paints["plain"])
    pen.rectangle((left, top, right, bottom), fill=paint, outline=_LINE)
    if "striped" in thing.look:
        for column in range(left + 3, right, 5):
            pen.line((column, top + 1, column, bottom - 1), fill=_LINE)
    if "dotted" in thing.look:
        for column in range(left + 4, right - 1, 6):
            for row in range(top + 4, bottom - 1, 6):
                pen.rectangle((column, row, column + 1, row + 1), fill=_LINE)
    # What things stand on is named below, since they stand where its name would be.
    place = (left + wide // 2 - 10, bottom + 1) if wide > _LONG else (left, top - 12)
    pen.text(place, thing.name, fill=_LINE, font=pillow("ImageFont").load_default(9))
