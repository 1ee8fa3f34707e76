"""Pictures of scene rows decoded into one tensor on a device."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.datasets.picture_bytes import open_picture, picture_size, pillow
from mereo.errors import BadInput

__all__ = ["cores", "decode_pictures", "shrunk_size"]

_TOGETHER = 256
"""Pictures that are decoded before they go to the device."""


def decode_pictures(
    rows: Iterable[Mapping[str, Any]],
    count: int,
    *,
    size: tuple[int, int],
    device: torch.device,
    progress: Callable[[int], None],
) -> Tensor:
    """The pictures of so many scene rows, (count, 3, h, w) uint8. progress : is told how many are done"""
    found = torch.empty(count, 3, *size, dtype=torch.uint8, device=device)
    done = 0
    # Opening a picture changes what is warned of, for all threads; this puts it back when all are done.
    with warnings.catch_warnings(), ThreadPoolExecutor(cores()) as pool:
        for some in _chunks(rows, _TOGETHER):
            pixels = np.stack([*pool.map(lambda row: _decoded(row, size), some)])
            found[done : done + len(some)] = torch.from_numpy(pixels).permute(0, 3, 1, 2)
            done += len(some)
            progress(done)
    return found


def shrunk_size(picture: bytes, widest: int) -> tuple[int, int]:
    """Height and width of a picture, if need be shrunk to so many columns."""
    width, height = picture_size(picture)
    return (height, width) if width <= widest else (max(1, round(height * widest / width)), widest)


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _decoded(row: Mapping[str, Any], size: tuple[int, int]) -> NDArray[np.uint8]:
    """(h, w, 3)"""
    name = f"scene '{row['scene_id']}'"
    try:
        with open_picture(row["image"]["bytes"]) as image:
            if (image.height, image.width) != size:
                return np.asarray(_fitted(image, size, name))
            return np.asarray(image.convert("RGB"))
    except BadInput as error:
        raise error.within(record=name, field="image") from None


def _fitted(image: Any, size: tuple[int, int], name: str) -> Any:
    """A picture at the size of the others, whose proportions it must have but for a pixel."""
    height, width = size
    if abs(image.height * width / image.width - height) > 1:
        reason = f"is {image.width}x{image.height}, of other proportions than the {width}x{height} of the others"
        raise BadInput(reason, record=name, field="image")
    return image.convert("RGB").resize((width, height), pillow("Image").Resampling.LANCZOS)


def _chunks(rows: Iterable[Mapping[str, Any]], size: int) -> Iterator[list[Mapping[str, Any]]]:
    going = iter(rows)
    while some := [*islice(going, size)]:
        yield some
