"""Pictures, depth and part ids as the PNG, WebP and JPEG files that datasets hold, and masks as run lengths."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.datasets.columns import json_of
from mereo.datasets.picture_bytes import open_picture, pillow
from mereo.datasets.store import IMAGE_FORMATS
from mereo.errors import UnknownName
from mereo.masks import decode, encode
from mereo.scenes.assemble import shape_of
from mereo.scenes.render import Amodal, Frame
from mereo.scenes.scene import Scene, scene_to_json

__all__ = [
    "amodal_faults",
    "amodal_masks",
    "decode_picture",
    "decode_png",
    "encode_picture",
    "encode_png",
    "instance_key",
    "instances",
    "millimeters",
    "picture_columns",
]


def encode_png(image: NDArray[Any]) -> bytes:
    """PNG of an (h, w, 3) uint8 or (h, w) uint16 array."""
    return encode_picture(image, "png")


def encode_picture(image: NDArray[Any], image_format: str) -> bytes:
    """An (h, w, 3) uint8 array in one of the image formats."""
    if image_format not in IMAGE_FORMATS:
        raise UnknownName("image format", image_format, IMAGE_FORMATS)
    buffer = io.BytesIO()
    pillow("Image").fromarray(image).save(buffer, **IMAGE_FORMATS[image_format])
    return buffer.getvalue()


def decode_png(data: bytes) -> NDArray[Any]:
    """The array that was encoded."""
    return _decoded(data, "PNG")


def decode_picture(data: bytes) -> NDArray[Any]:
    """The array that was encoded, in whichever of the image formats."""
    return _decoded(data, *(options["format"] for options in IMAGE_FORMATS.values()))


def _decoded(data: bytes, *formats: str) -> NDArray[Any]:
    with open_picture(data, formats=formats) as image:
        array = np.asarray(image)
    return array.astype(np.uint16) if array.ndim == 2 and array.dtype != np.uint8 else array


def millimeters(frame: Frame) -> NDArray[np.uint16]:
    """(h, w): depth along the view axis in millimeters, 0 where there is nothing, 65535 for anything farther."""
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


def amodal_masks(scene: Scene, amodal: Amodal) -> dict[str, list[dict[str, Any]]]:
    """Masks as COCO's run lengths: of every object, and of every part instance n at place n - 1."""
    return {
        "objects": [encode(mask) for mask in amodal.objects],
        "instances": [encode(amodal.parts[number][part]) for number, part, _ in instance_key(scene)],
    }


class _Amodal(msgspec.Struct):
    objects: list[dict[str, Any]]
    instances: list[dict[str, Any]]


def amodal_faults(
    row: Mapping[str, Any], ids: NDArray[np.uint16], key: Sequence[tuple[int, int, str]]
) -> Iterator[str]:
    """What is wrong with the amodal masks of a scene row, if it has any: all that is visible must lie in them."""
    if not row.get("amodal"):
        return
    masks = json_of(row, "amodal", type=_Amodal)
    owners = np.array([-1, *(owner for owner, _, _ in key)])
    kinds = (
        ("objects", masks.objects, row["objects"], owners[ids]),
        ("instances", masks.instances, len(key), ids.astype(np.int64) - 1),
    )
    for kind, own_masks, count, shown in kinds:
        if len(own_masks) != count:
            yield f"there are amodal masks of {len(own_masks)} {kind}, not of {count}"
            return
        for number, mask in enumerate(own_masks):
            whole, own = decode(mask), shown == number
            if whole.shape != ids.shape:
                yield f"the amodal mask {number} of {kind} has another size than the picture"
            elif (own & ~whole).any():
                yield f"the amodal mask {number} of {kind} leaves out {(own & ~whole).sum()} visible pixels"


def picture_columns(
    scene: Scene,
    frame: Frame,
    picture: NDArray[Any],
    name: str,
    *,
    image_format: str = "png",
    amodal: Amodal | None = None,
) -> dict[str, Any]:
    """What the camera saw: picture, depth, part instances, the scene to render it again, and amodal masks if given."""
    columns = {
        "image": {"bytes": encode_picture(picture, image_format), "path": f"{name}.{image_format}"},
        "depth": {"bytes": encode_png(millimeters(frame)), "path": f"{name}_depth.png"},
        "instances": {"bytes": encode_png(instances(scene, frame)), "path": f"{name}_instances.png"},
        "instance_key": msgspec.json.encode(instance_key(scene)).decode(),
        "layout": scene_to_json(scene).decode(),
    }
    if amodal is not None:
        columns["amodal"] = msgspec.json.encode(amodal_masks(scene, amodal)).decode()
    return columns
