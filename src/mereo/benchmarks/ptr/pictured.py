"""A scene row with pictures, as it was shown: who looks at it again sees what the camera saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.seen_colors import misread, rendered_colors
from mereo.datasets.columns import key_of, record_of
from mereo.datasets.pictures import decode_picture, decode_png
from mereo.scenes.render import Frame
from mereo.scenes.scene import scene_from_json

__all__ = ["SeenColor", "frame_of_ids", "seen_colors"]


class SeenColor(NamedTuple):
    """The color of a name of an object's parts."""

    object: int
    part: str
    said: str
    """As the record has it."""
    seen: str
    """As it looks in the picture."""


def frame_of_ids(ids: NDArray[Any], key: Sequence[Sequence[Any]]) -> Frame:
    """The objects and leaves that a picture of part instances shows; it knows nothing of depth and directions."""
    owner = np.array([-1, *(entry[0] for entry in key)], np.int32)
    leaf = np.array([-1, *(entry[1] for entry in key)], np.int32)
    nothing = np.zeros(ids.shape, np.float32)
    return Frame(depth=nothing, object=owner[ids], part=leaf[ids], normal=np.zeros((*ids.shape, 3), np.float32))


def seen_colors(row: Mapping[str, Any]) -> Iterator[SeenColor]:
    """The colors in the record of a scene row, of all names that show enough of theirs, and how each of them looks."""
    scene = scene_from_json(row["layout"].encode())
    frame = frame_of_ids(decode_png(row["instances"]["bytes"]), key_of(row))
    picture = decode_picture(row["image"]["bytes"])
    shown = rendered_colors(scene, frame, picture)
    read = misread(scene, shown)
    for number, thing in enumerate(record_of(row)["objects"]):
        said = {part["part"]: part["color"] for part in thing["parts"] if part["color"] is not None}
        for name, color in said.items():
            if name in shown[number]:
                yield SeenColor(number, name, color, read[number].get(name, color))
