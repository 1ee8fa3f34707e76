"""Contact sheets: some scenes of a dataset with a question each, to be looked at."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.picture_bytes import open_picture, pillow
from mereo.datasets.pictures import encode_png
from mereo.datasets.shards import read_shard
from mereo.datasets.store import Manifest
from mereo.errors import BadInput
from mereo.files import write_bytes

__all__ = ["contact_sheet", "write_sheet"]

_PAPER, _INK, _ANSWER = (250, 249, 246), (40, 40, 44), (168, 60, 40)
_WIDTH = 400
"""Pixels of a picture on the sheet."""
_LINES, _LINE, _MARGIN = 3, 17, 10


def write_sheet(folder: Path, manifest: Manifest, path: Path, *, count: int = 12, columns: int = 4) -> None:
    """Write a sheet of the first scenes of a dataset."""
    write_bytes(path, encode_png(contact_sheet(folder, manifest, count=count, columns=columns)))


def contact_sheet(folder: Path, manifest: Manifest, *, count: int, columns: int) -> NDArray[np.uint8]:
    """Pictures in rows, under each a question and its answer; the questions are of as many kinds as there are."""
    if not manifest.settings.get("pictures"):
        raise BadInput("has no pictures to show", file=folder)
    tiles: list[Any] = []
    shown: dict[str, int] = {}
    for name in manifest.files:
        if not name.startswith("scenes/") or len(tiles) >= count:
            continue
        asked: dict[str, list[dict[str, Any]]] = {}
        for question in read_shard(folder / "questions" / name.removeprefix("scenes/")).to_pylist():
            asked.setdefault(question["scene_id"], []).append(question)
        for row in read_shard(folder / name, ["scene_id", "image"]).to_pylist()[: count - len(tiles)]:
            own = sorted(
                asked.get(row["scene_id"], []), key=lambda one: (shown.get(one["subtype"], 0), one["question"])
            )
            question = own[0] if own else {"question": "", "answer": "", "subtype": ""}
            shown[question["subtype"]] = shown.get(question["subtype"], 0) + 1
            tiles.append(_tile(row["image"]["bytes"], question))
    if not tiles:
        raise BadInput("has no scenes to show", file=folder)
    blank = np.full_like(tiles[0], _PAPER)
    tiles += [blank] * (-len(tiles) % columns)
    return np.concatenate([np.concatenate(tiles[k : k + columns], 1) for k in range(0, len(tiles), columns)])


def _tile(data: bytes, question: dict[str, Any]) -> NDArray[np.uint8]:
    image, draw_on, font = pillow("Image"), pillow("ImageDraw"), pillow("ImageFont").load_default(14)
    with open_picture(data) as picture:
        height = round(_WIDTH * picture.height / picture.width)
        shown = picture.convert("RGB").resize((_WIDTH, height), image.Resampling.LANCZOS)
    tile = image.new("RGB", (_WIDTH + 2 * _MARGIN, height + 2 * _MARGIN + (_LINES + 1) * _LINE), _PAPER)
    tile.paste(shown, (_MARGIN, _MARGIN))
    pen = draw_on.Draw(tile)
    lines = textwrap.wrap(question["question"], 56, max_lines=_LINES, placeholder=" …")
    for number, line in enumerate(lines):
        pen.text((_MARGIN, height + _MARGIN + 4 + number * _LINE), line, fill=_INK, font=font)
    pen.text((_MARGIN, height + _MARGIN + 4 + len(lines) * _LINE), question["answer"], fill=_ANSWER, font=font)
    return np.asarray(tile)
