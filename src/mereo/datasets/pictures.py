"""Pictures, depth and part ids as the PNG files that datasets hold."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput, MissingExtra
from mereo.scenes.assemble import shape_of
from mereo.scenes.render import Frame
from mereo.scenes.scene import Scene

__all__ = ["decode_png", "encode_png", "instance_key", "instances", "millimetres", "pillow"]


def encode_png(image: NDArray[Any]) -> bytes:
    """PNG of an (h, w, 3) uint8 or (h, w) uint16 array."""
    buffer = io.BytesIO()
    pillow("Image").fromarray(image).save(buffer, format="PNG", compress_level=4)
    return buffer.getvalue()


def decode_png(data: bytes) -> NDArray[Any]:
    """The array that was encoded."""
    try:
        with pillow("Image").open(io.BytesIO(data)) as image:
            array = np.asarray(image)
    except (OSError, SyntaxError) as error:
        raise BadInput(f"is not a PNG picture ({error})") from None
    return array.astype(np.uint16) if array.ndim == 2 and array.dtype != np.uint8 else array


def pillow(module: str) -> Any:
    """A module of Pillow."""
    try:
        return import_module(f"PIL.{module}")
    except ImportError:
        raise MissingExtra("pictures", "scenes") from None


def millimetres(frame: Frame) -> NDArray[np.uint16]:
    """(h, w): depth along the view axis in millimetres, 0 where there is nothing, 65535 for anything farther."""
    depth = np.where(np.isfinite(frame.depth), frame.depth, 0.0)
    whole: NDArray[np.uint16] = np.clip(np.rint(1000 * depth), 0, 65535).astype(np.uint16)
    return whole


def instance_key(scene: Scene) -> list[tuple[int, int, str]]:
    """For instance number n, at place n - 1: the object's index, the leaf's id and its label."""
    return [
        (number, leaf.id, leaf.label)
        for number, placed in enumerate(scene.objects)
        for leaf in shape_of(placed.shape).leaves()
    ]


def instances(scene: Scene, frame: Frame) -> NDArray[np.uint16]:
    """(h, w): the number of the part instance that each pixel shows, 0 for none."""
    key = instance_key(scene)
    widest = max(part for _, part, _ in key) + 1
    table = np.zeros(len(scene.objects) * widest, np.uint16)
    for place, (number, part, _) in enumerate(key):
        table[number * widest + part] = place + 1
    return np.where(frame.object >= 0, table[frame.object * widest + frame.part], 0).astype(np.uint16)
