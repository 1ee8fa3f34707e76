"""Sheets of small pictures: panels side by side, each a table of pictures with headings above and a title below."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.datasets.picture_bytes import pillow
from mereo.shapes import draw
from mereo.shapes.draw import Image

__all__ = [
    "ENDINGS",
    "INK",
    "MARGIN",
    "PAPER",
    "QUIET",
    "WIDTH",
    "Frame",
    "Image",
    "Panel",
    "Tile",
    "font",
    "sheet_bytes",
    "sheet_of",
]

_JPEG = {"format": "JPEG", "quality": 86, "optimize": True}
ENDINGS: Mapping[str, Mapping[str, Any]] = {".png": {"format": "PNG", "optimize": True}, ".jpg": _JPEG, ".jpeg": _JPEG}
"""How a sheet may be written, by how its file is to end: not the very pixels where a page is to load quickly."""
PAPER, INK, QUIET = tuple(draw.PAPER.astype(int).tolist()), (40, 40, 44), (116, 120, 126)
"""Colors of a sheet, of what is said on it, and of what is said less loudly."""
WIDTH, MARGIN = 1600, 36
"""Of a sheet, pixels."""
_APART, _BETWEEN = 34, 4
"""Pixels between panels, and between the pictures of one."""
_MOST_ACROSS, _PICTURES_ACROSS, _LARGEST = 6, 9, 300
"""Panels side by side, and pictures, where a panel has less; and pixels of a picture."""
_HEAD, _NOTE, _TITLE, _NAMES, _FOOT = 26, 20, 34, 128, 22
"""Pixels for headings, notes under pictures, the title, the names of rows and what stands at the foot of a sheet."""


class Tile(NamedTuple):
    """A picture with a few words under it."""

    picture: Image
    """(s, s, 3)"""
    note: str = ""


class Panel(NamedTuple):
    """Pictures that belong together."""

    title: str
    told: str
    """What stands beside the title, less loudly."""
    headings: Sequence[str]
    """Of the columns."""
    names: Sequence[str]
    """Of the rows."""
    rows: Sequence[Sequence[Tile]]


class Frame(NamedTuple):
    """How large the pictures of a sheet are, so that it has the width of a page."""

    across: int
    """Panels side by side."""
    columns: int
    """Pictures side by side in a panel."""
    named: bool
    """Whether rows have names."""

    @staticmethod
    def of(panels: int, columns: int, *, named: bool = False) -> Frame:
        """For so many panels with at most so many columns."""
        most = max(1, min(panels, _MOST_ACROSS, _PICTURES_ACROSS // columns))
        return Frame(-(-panels // -(-panels // most)), columns, named)  # rows of panels are to be equally long

    @property
    def picture(self) -> int:
        """Pixels of a picture, along either side."""
        free = (WIDTH - 2 * MARGIN - self.gutter + _APART) // self.across - _APART
        return min(_LARGEST, (free + _BETWEEN) // self.columns - _BETWEEN)

    @property
    def gutter(self) -> int:
        """Pixels for the names of rows."""
        return _NAMES if self.named else 0

    @property
    def panel(self) -> int:
        """How wide a panel is, pixels."""
        return self.columns * (self.picture + _BETWEEN) - _BETWEEN

    @property
    def width(self) -> int:
        """How wide the sheet is, pixels."""
        return 2 * MARGIN + self.gutter + self.across * (self.panel + _APART) - _APART


def sheet_of(panels: Sequence[Panel], frame: Frame, *, foot: str = "") -> Image:
    """Panels in bands, on one sheet. foot : what is to be said of all of them"""
    bands = list(_bands(panels, frame))
    height = 2 * MARGIN + sum(band.tall(frame) + _APART for band in bands) - _APART + (_FOOT if foot else 0)
    sheet = pillow("Image").new("RGB", (frame.width, height), PAPER)
    pen, top = pillow("ImageDraw").Draw(sheet), MARGIN
    for band in bands:
        _draw_band(sheet, pen, band, frame, top)
        top += band.tall(frame) + _APART
    if foot:
        pen.text((MARGIN, height - MARGIN + 4), foot, fill=QUIET, font=font(15), anchor="ls")
    return np.asarray(sheet)


def sheet_bytes(sheet: Image, ending: str) -> bytes:
    """A sheet as a file. ending : one of `ENDINGS`"""
    buffer = io.BytesIO()
    pillow("Image").fromarray(sheet).save(buffer, **ENDINGS[ending])
    return buffer.getvalue()


class _Band(NamedTuple):
    """Panels side by side; what names the rows of the first names those of all."""

    panels: Sequence[Panel]
    headed: bool
    """Whether headings are written: not where those above are the same."""

    @property
    def head(self) -> int:
        """Pixels above the pictures."""
        return _HEAD if self.headed else 0

    def tall(self, frame: Frame) -> int:
        """Pixels of all of it."""
        rows = [sum(_row_tall(row, frame) for row in panel.rows) for panel in self.panels]
        return self.head + max(rows) + _TITLE


def _bands(panels: Sequence[Panel], frame: Frame) -> Iterator[_Band]:
    above: list[Sequence[str]] = []
    for start in range(0, len(panels), frame.across):
        some = panels[start : start + frame.across]
        heads = [panel.headings for panel in some]
        yield _Band(some, any(map(any, heads)) and heads != above[: len(heads)])
        above = heads


def _row_tall(row: Sequence[Tile], frame: Frame) -> int:
    return frame.picture + (_NOTE if any(tile.note for tile in row) else 0) + _BETWEEN


def font(size: int) -> Any:
    """The type that all of a sheet is set in. size : pixels"""
    return pillow("ImageFont").load_default(size)


def _draw_band(sheet: Any, pen: Any, band: _Band, frame: Frame, top: int) -> None:
    height = top + band.head
    for name, row in zip(band.panels[0].names, band.panels[0].rows, strict=True):
        pen.text((MARGIN, height + frame.picture // 2), name, fill=QUIET, font=font(16), anchor="lm")
        height += _row_tall(row, frame)
    for number, panel in enumerate(band.panels):
        left = MARGIN + frame.gutter + number * (frame.panel + _APART)
        for column, text in enumerate(panel.headings if band.headed else ()):
            middle = left + column * (frame.picture + _BETWEEN) + frame.picture // 2
            pen.text((middle, top + _HEAD // 2), text, fill=QUIET, font=font(16), anchor="mm")
        _draw_panel(sheet, pen, panel, frame, (left, top + band.head))


def _draw_panel(sheet: Any, pen: Any, panel: Panel, frame: Frame, corner: tuple[int, int]) -> None:
    image, (left, top) = pillow("Image"), corner
    for row in panel.rows:
        for column, tile in enumerate(row):
            at = left + column * (frame.picture + _BETWEEN)
            sheet.paste(image.fromarray(tile.picture), (at, top))
            middle = (at + frame.picture // 2, top + frame.picture + _NOTE // 2)
            pen.text(middle, tile.note, fill=QUIET, font=font(14), anchor="mm")
        top += _row_tall(row, frame)
    title = font(20)
    pen.text((left, top + 22), panel.title, fill=INK, font=title, anchor="ls")
    beside = left + pen.textlength(panel.title, font=title) + 10
    pen.text((beside, top + 22), panel.told, fill=QUIET, font=font(16), anchor="ls")
