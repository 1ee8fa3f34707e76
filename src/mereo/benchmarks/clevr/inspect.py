"""What an audit of CLEVR data checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.clevr.questions import RULES, load_questions
from mereo.benchmarks.clevr.recipe import VISIBLE
from mereo.clevr_family.records import world_from_record
from mereo.questions.rules import answers_of
from mereo.world import World

__all__ = ["ClevrInspector"]


class ClevrInspector:
    """Knows CLEVR's rules."""

    language = LANGUAGE
    rules = RULES

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        return world_from_record(msgspec.json.decode(row["scene"]), VOCABULARY)

    def answers(self) -> dict[str, tuple[Any, ...]]:
        """The answers that each template may have."""
        return {template.title: answers_of(template.output, RULES) for template in load_questions().templates}

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Ids, depth and picture must agree with each other and with the scene."""
        from mereo.datasets.pictures import amodal_faults, decode_picture, decode_png
        from mereo.scenes.observe import projected
        from mereo.scenes.scene import scene_from_json

        record = msgspec.json.decode(row["scene"])
        key = msgspec.json.decode(row["instance_key"])
        scene = scene_from_json(row["layout"].encode())
        ids, depth = (decode_png(row[name]["bytes"]) for name in ("instances", "depth"))
        image = decode_picture(row["image"]["bytes"])
        if not ids.shape == depth.shape == image.shape[:2] == (scene.camera.height, scene.camera.width):
            yield "picture, depth and instances differ in size"
            return
        if ids.max() > len(key):
            yield f"instances go up to {ids.max()}, the key to {len(key)}"
        if (depth[ids > 0] == 0).any():
            yield "an object has no depth"
        yield from amodal_faults(row, ids, key)
        least = VISIBLE * ids.size
        pixels = np.bincount(ids.ravel(), minlength=len(key) + 1)
        for number, thing in enumerate(record["objects"]):
            own = sum(int(pixels[place + 1]) for place, (owner, _, _) in enumerate(key) if owner == number)
            if own < least:
                yield f"object {number} shows {own} pixels, fewer than {least:.0f}"
            seen = projected(scene, [thing["3d_coords"]])[0]
            if not np.allclose(seen, thing["pixel_coords"], atol=1e-3):
                yield f"object {number} is not where pixel_coords says"

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
        """CLEVR's solids are the same everywhere."""
        return ()
