"""From a CLEVR record to a scene that can be rendered: solids on the stage, three lamps, CLEVR's camera."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mereo.clevr_family.language import WORDS
from mereo.scenes.lamps import is_lamp_in_picture
from mereo.scenes.layout import turned_by
from mereo.scenes.scene import Camera, Light, Paint, Placed, Pose, Scene, ShapeRef, Stage

__all__ = ["FIELD", "scene_of_record"]

FIELD = 49.134
"""CLEVR's horizontal field of view, degrees: a 35 mm lens before 32 mm of film."""

_LAMPS = {
    "key": ((4.2, -6.6, 7.4), 3.4, (20.0, 19.2, 17.8)),
    "fill": ((-6.2, -4.4, 5.2), 3.6, (4.6, 5.0, 5.6)),
    "back": ((-1.6, 6.0, 6.4), 3.0, (7.6, 7.6, 7.8)),
}
"""Where each lamp stands (meters), its side and its radiance; each is moved by up to the jitter along every axis."""
_LAMP_JITTER = 1.0
_ATTEMPTS = 20


def scene_of_record(
    record: Mapping[str, Any], *, rng: np.random.Generator, width: int = 480, height: int = 320
) -> Scene:
    """The scene of a CLEVR record that holds its camera; lamps are moved by chance, as in CLEVR, but not into the
    picture: CLEVR's cannot be seen, and of every hundred scenes one and a half had the back of a lamp in view."""
    scene = _lit(record, rng, width, height)
    for _ in range(_ATTEMPTS):  # a camera that is no CLEVR's might see a lamp wherever that is
        if not is_lamp_in_picture(scene):
            break
        scene = _lit(record, rng, width, height)
    return scene


def _lit(record: Mapping[str, Any], rng: np.random.Generator, width: int, height: int) -> Scene:
    """The scene with its lamps somewhere."""
    jitter = {name: tuple(rng.uniform(-_LAMP_JITTER, _LAMP_JITTER, 3).tolist()) for name in _LAMPS}
    lights = []
    for name, (position, side, radiance) in _LAMPS.items():
        x, y, z = np.add(position, jitter[name]).tolist()
        lights.append(Light((x, y, z), (0.0, 0.0, 0.3), side, radiance))
    x, y, z = record["camera"]
    return Scene(
        setting=Stage(),
        objects=tuple(map(_placed, record["objects"])),
        lights=tuple(lights),
        camera=Camera((x, y, z), (0.0, 0.0, 0.0), FIELD, width, height),
        sky=(0.28, 0.28, 0.29),
        jitter=jitter,
    )


def _placed(thing: Mapping[str, Any]) -> Placed:
    x, y, _ = thing["3d_coords"]
    red, green, blue = WORDS["paint"][thing["color"]]
    paint = Paint(thing["material"], (red / 255, green / 255, blue / 255), thing["color"])
    return Placed(
        shape=ShapeRef(thing["shape"]),
        pose=Pose((x, y, 0.0), turned_by(thing["rotation"])),
        scale=WORDS["radius"][thing["size"]],
        paints={"": paint},
    )
