"""What rows of scenes on CLEVR's stage mean and show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mereo.clevr_family.language import VOCABULARY, WORDS
from mereo.clevr_family.stage import VISIBLE
from mereo.datasets.columns import key_of, record_of
from mereo.datasets.gates import Watch
from mereo.datasets.guessing import Guessing
from mereo.datasets.inspector import Inspector, Sign
from mereo.datasets.repeats import Repeats
from mereo.world import Entity

__all__ = ["SEARCHED", "FamilyInspector", "picture_faults"]

SEARCHED: Mapping[str, tuple[str, ...]] = {name: (f"$.objects[*].{name}",) for name in VOCABULARY.attributes}
"""Where a record holds the values of each attribute."""
_FORMS: Mapping[str, Any] = WORDS["forms"]
_PAINTS: Mapping[str, str] = WORDS["map"]


class FamilyInspector(Inspector):
    """Knows how things on the stage are called, filed and drawn."""

    searched: Mapping[str, tuple[str, ...]] = SEARCHED
    nouns: tuple[str, ...] = ("shape",)
    adjectives: tuple[str, ...] = ("color",)
    spoken: Mapping[str, Sequence[str]] = WORDS["words"]
    axes: tuple[str, str] | None = ("left", "behind")
    whereabouts: tuple[str, ...] = ("split", "image_index", "image_filename")

    def watches(self, *, pictures: bool) -> Sequence[Watch]:
        """What is asked again, and what words give away; the official rules bound neither."""
        return Repeats(), Guessing()

    def categories(self) -> Sequence[str]:
        """The shapes."""
        return VOCABULARY.words("shape")

    def sign(self, entity: Entity) -> Sign:
        """Its shape in its color."""
        own = entity.attributes
        form, paint = _FORMS.get(str(own.get("shape")), "square"), _PAINTS.get(str(own.get("color")))
        return Sign(form, paint, small=own.get("size") == "small", shiny=own.get("material") == "metal")


def picture_faults(row: Mapping[str, Any], *, unit: float = 1.0) -> Iterator[str]:
    """Ids, depth and picture must agree with each other and with the scene. unit : meters of the record's lengths"""
    if not row.get("instances"):
        return
    from mereo.datasets.pictures import amodal_faults, decode_picture, decode_png
    from mereo.scenes.observe import projected
    from mereo.scenes.scene import scene_from_json

    record = record_of(row)
    key = key_of(row)
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
        seen = projected(scene, [[unit * length for length in thing["3d_coords"]]])[0]
        if not np.allclose(seen, thing["pixel_coords"], atol=1e-3):
            yield f"object {number} is not where pixel_coords says"
