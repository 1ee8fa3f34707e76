"""A picture in which some things are lit: lines go around what was found and what is wrong, and the rest fades."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.picture_bytes import pillow
from mereo.evaluation.panels import INK, PAPER, Image, font
from mereo.masks import Pixels

__all__ = ["FOUND", "WRONG", "Lit", "draw_lit"]

FOUND, WRONG = (255, 179, 0), (208, 32, 44)
"""Colors of lines: around what was found, and what was missed or should not have been found."""
_FINER = 2
"""How many pixels are drawn for one, along either side."""
_LINE = 2
"""How wide a line is, of the pixels that are drawn."""
_FADED = 0.74
"""How much of the paper shines through what is not lit."""


class Lit(NamedTuple):
    """What is to be seen in a picture. Masks are (height, width), as large as the picture."""

    found: Sequence[Pixels] = ()
    wrong: Sequence[Pixels] = ()
    letters: Sequence[tuple[Pixels, str]] = ()
    """What is written upon things, as how many parts each has."""
    said: str = ""
    """What is written large upon all of it."""


def draw_lit(picture: Image, lit: Lit, *, width: int) -> Image:
    """A picture at another width, of which some is lit; all of it where nothing is told. picture : (h, w, 3)"""
    image = pillow("Image")
    wide, tall = _FINER * width, round(_FINER * width * picture.shape[0] / picture.shape[1])
    large = np.asarray(image.fromarray(picture).resize((wide, tall), image.Resampling.BICUBIC), float)
    colors = [FOUND] * len(lit.found) + [WRONG] * len(lit.wrong)
    masks = [_stretched(mask, wide, tall) for mask in (*lit.found, *lit.wrong)]
    if lit != Lit():
        large = _faded(large, masks)
    for color, mask in zip(colors, masks, strict=True):
        large[_line(mask)] = color
    drawn = image.fromarray(large.astype(np.uint8))
    small = drawn.resize((width, tall // _FINER), image.Resampling.LANCZOS)
    pen = pillow("ImageDraw").Draw(small)
    for mask, said in lit.letters:
        _write(pen, _middle(mask, width / mask.shape[1]), said, size=15)
    if lit.said:
        _write(pen, (small.width / 2, small.height / 2), lit.said, size=26)
    return np.asarray(small)


def _faded(image: NDArray[np.float64], masks: Iterable[Pixels]) -> NDArray[np.float64]:
    """An image that is gray and pale wherever no mask is."""
    gray = image.mean(-1, keepdims=True)
    pale = (1 - _FADED) * gray + _FADED * np.array(PAPER, float)
    clear = np.zeros(image.shape[:2], bool)
    for mask in masks:
        clear |= mask
    faded: NDArray[np.float64] = np.where(clear[..., None], image, pale)
    return faded


def _stretched(mask: Pixels, wide: int, tall: int) -> Pixels:
    """A mask at another size, with smooth edges."""
    image = pillow("Image")
    large = image.fromarray(255 * mask.astype(np.uint8)).resize((wide, tall), image.Resampling.BILINEAR)
    return np.asarray(large) > 110


def _line(mask: Pixels) -> Pixels:
    """Where the line around a mask goes: outside of it, so that thin things are still seen."""
    wider = pillow("ImageFilter").MaxFilter(2 * _LINE + 1)
    line: Pixels = (np.asarray(pillow("Image").fromarray(255 * mask.astype(np.uint8)).filter(wider)) > 0) & ~mask
    return line


def _middle(mask: Pixels, scale: float) -> tuple[float, float]:
    """A place inside a mask, near its middle, in the pixels of another size."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return 0.0, 0.0
    inside = int(np.argmin((columns - columns.mean()) ** 2 + (rows - rows.mean()) ** 2))
    return scale * float(columns[inside]), scale * float(rows[inside])


def _write(pen: Any, middle: tuple[float, float], said: str, *, size: int) -> None:
    """Letters on a light ground with round corners."""
    own = font(size)
    left, top, right, bottom = pen.textbbox(middle, said, font=own, anchor="mm")
    aside, above = size * 0.45, size * 0.28
    box = (left - aside, top - above, right + aside, bottom + above)
    pen.rounded_rectangle(box, radius=size * 0.4, fill=(255, 255, 255), outline=(200, 200, 204))
    pen.text(middle, said, fill=INK, font=own, anchor="mm")
