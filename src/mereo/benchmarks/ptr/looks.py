"""Whether parts look in the picture as the record tells their colors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.columns import key_of, record_of
from mereo.datasets.gates import Gate, Row, Tell, Watch

if TYPE_CHECKING:
    from mereo.scenes.render import Frame

__all__ = ["Looks", "frame_of"]


def frame_of(ids: NDArray[Any], key: Sequence[Sequence[Any]]) -> Frame:
    """What a picture of ids shows where, without depth and normals. key : object and leaf of each id, from 1"""
    from mereo.scenes.render import Frame

    owner = np.array([-1, *(entry[0] for entry in key)], np.int32)
    leaf = np.array([-1, *(entry[1] for entry in key)], np.int32)
    nothing = np.zeros(ids.shape, np.float32)
    return Frame(depth=nothing, object=owner[ids], part=leaf[ids], normal=np.zeros((*ids.shape, 3), np.float32))


class Looks(Watch):
    """Counts kinds of parts that look like another color than the record tells."""

    def __init__(self) -> None:
        self._tell = Tell("parts that look like another color than is told")

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Name the color that each kind of part has in the picture."""
        if not scene.get("instances"):
            return
        from mereo.benchmarks.ptr.seen_colors import misread
        from mereo.datasets.pictures import decode_picture, decode_png
        from mereo.scenes.scene import scene_from_json

        frame = frame_of(decode_png(scene["instances"]["bytes"]), key_of(scene))
        image = decode_picture(scene["image"]["bytes"])
        wrong = misread(scene_from_json(scene["layout"].encode()), frame, image)
        for number, (thing, other) in enumerate(zip(record_of(scene)["objects"], wrong, strict=True)):
            for name in sorted({part["part"] for part in thing["parts"] if part["color"] is not None}):
                self._tell.add(name in other, f"{name} of object {number} of {scene['scene_id']}")

    def gates(self) -> Iterator[Gate]:
        """The one figure, where there are pictures."""
        if self._tell.of:
            yield self._tell.gate()
