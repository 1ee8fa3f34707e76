"""A table top as it is usually photographed: a large soft window to one side, a camera that looks down a little.

For small things, from a salt shaker to a saucepan, as rooms are for furniture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mereo.scenes.scene import Camera, Light, Placed, Scene, Surface, TableTop

__all__ = ["TABLE_LOOKS", "WALL_LOOKS", "table_scene"]

TABLE_LOOKS = (
    "beech_worktop",
    "walnut_worktop",
    "oak_veneer",
    "cherry_veneer",
    "white_marble",
    "green_marble",
    "gray_granite",
    "white_laminate",
    "blue_laminate",
)
WALL_LOOKS = ("white_plaster", "cream_plaster", "blue_plaster", "sage_plaster", "rose_plaster", "ochre_plaster")
"""Plain enough for things to stand out against."""

_WIDTH, _DEPTH = 1.4, 0.8
_EYE, _TARGET, _FIELD = (0.0, -1.2, 0.6), (0.0, 0.0, 0.07), 37.0
_EYE_JITTER = (0.18, 0.06, 0.08)
_LAMPS = {
    "window": ((-1.5, -0.7, 1.5), 0.8, (30.0, 28.6, 26.2)),
    "fill": ((1.7, -1.3, 1.3), 1.2, (1.8, 2.0, 2.3)),
    "ceiling": ((0.4, 0.2, 2.2), 0.9, (4.4, 4.3, 4.2)),
}
"""Where each lamp stands (meters), its side and its radiance."""
_LAMP_JITTER = 0.25
_SKY = (0.2, 0.21, 0.23)


def table_scene(
    objects: Sequence[Placed],
    *,
    top: Surface,
    wall: Surface,
    rng: np.random.Generator,
    width: int = 480,
    height: int = 320,
) -> Scene:
    """Objects that stand on a table top, with lamps and a camera moved a little by chance.

    objects : on the middle of the top, 0.6 m wide and 0.4 m deep, they are in the picture wherever the camera is
    """
    jitter = {name: tuple(rng.uniform(-_LAMP_JITTER, _LAMP_JITTER, 3).tolist()) for name in _LAMPS}
    jitter["camera"] = tuple((rng.uniform(-1, 1, 3) * _EYE_JITTER).tolist())
    lights = []
    for name, (position, side, radiance) in _LAMPS.items():
        x, y, z = np.add(position, jitter[name]).tolist()
        lights.append(Light((x, y, z), (0.0, 0.0, 0.05), side, radiance))
    x, y, z = np.add(_EYE, jitter["camera"]).tolist()
    return Scene(
        setting=TableTop(_WIDTH, _DEPTH, top, wall),
        objects=tuple(objects),
        lights=tuple(lights),
        camera=Camera((x, y, z), _TARGET, _FIELD, width, height),
        sky=_SKY,
        jitter=jitter,
    )
