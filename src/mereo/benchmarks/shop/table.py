"""The tables that things are photographed on: a top, a wall, the light of a window, and a camera that looks down.

Things are real, so a table with a baking tray, a pan and a toaster is larger than one with cutlery and cups: the camera
stands as far off as the things on it need.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from mereo.benchmarks.shop.models import Instances
from mereo.benchmarks.shop.painting import paints
from mereo.files import converted, read_toml
from mereo.scenes.assemble import lab, linear
from mereo.scenes.layout import Floor
from mereo.scenes.scene import Camera, Light, Scene, Surface, TableTop, Vector
from mereo.scenes.textures import look_of
from mereo.shapes.mesh import Floats

__all__ = ["UNIT", "Background", "all_surfaces", "backgrounds", "empty_table", "floor_of", "lost_on"]

UNIT = 0.095 / 1.3
"""Meters of SHOP-VRB's unit, of which 1.3 are the height of a mug."""
_MARGIN = 0.4
"""Units between two centers along each of the four directions, so that no relation is in doubt."""
_GAP = 0.022
"""Meters between two footprints."""
_EYE, _TARGET, _FIELD = (0.0, -1.08, 0.83), (0.0, 0.0, 0.07), 40.0
_EYE_JITTER = (0.14, 0.06, 0.06)
_AREA = (0.46, 0.32)
"""Half the width and depth in which things stand, for a camera in its usual place."""
_NEAREST, _FARTHEST, _USUAL_NEED = 0.72, 1.16, 0.34
"""How near and far the camera may be as shares, and for how many square meters of things it is in its usual place."""
_TOP = (2.4, 1.24)
_WINDOW, _FILL, _CEILING = (-1.5, -0.7, 1.5), (1.7, -1.3, 1.3), (0.4, 0.2, 2.2)
_LAMP_JITTER = 0.25
_PIECES = 4
"""Pieces of the pattern of each top and wall."""
_CONTRAST = 20.0
"""How far a color must be from that of the table in CIELAB, or things are lost on it."""
_OF_OTHERS = ("metallic", "transparent")
"""Colors that show what is around; a rim and what shines tell them from any table."""


class _Window(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    side: float
    bright: float
    tint: Vector


class Background(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table before a wall, and its light."""

    top: str
    wall: str
    window: _Window
    fill: float
    sky: float


@cache
def backgrounds(instances: Instances) -> tuple[Background, ...]:
    """The tables that go with a kind of models."""
    file = Path(__file__).with_name("backgrounds.toml")
    return tuple(converted(read_toml(file), file=file, type=dict[str, list[Background]])[instances])


def all_surfaces() -> list[Surface]:
    """The tops and walls of all tables."""
    tables = [*backgrounds("known"), *backgrounds("new")]
    looks = dict.fromkeys(look for table in tables for look in (table.top, table.wall))
    return [Surface(look, piece) for look in looks for piece in range(_PIECES)]


@cache
def lost_on(look: str) -> frozenset[str]:
    """The colors of things that would be lost on a table top."""
    codes = look_of(look)["colors"][:2]
    table = _seen(np.mean([[int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)] for code in codes], axis=0))
    far = {name: float(np.linalg.norm(_seen(np.array(color)) - table)) for name, color in paints().items()}
    return frozenset(name for name, distance in far.items() if distance < _CONTRAST and name not in _OF_OTHERS)


def _seen(color: Floats) -> Floats:
    return lab(linear(color))


def empty_table(background: Background, chance: random.Random, *, need: float, width: int, height: int) -> Scene:
    """A table with nothing on it; camera and lamps are moved by chance, which is recorded.

    need : square meters that the things will cover
    """
    far = min(max((need / _USUAL_NEED) ** 0.5, _NEAREST), _FARTHEST)
    jitter: dict[str, tuple[float, ...]] = {
        name: _moved((_LAMP_JITTER,) * 3, chance) for name in ("window", "fill", "ceiling")
    }
    jitter["camera"] = _moved(_EYE_JITTER, chance)
    window = background.window
    radiance = {
        "window": (window.side, np.multiply(window.bright, window.tint)),
        "fill": (1.2, np.full(3, background.fill)),
        "ceiling": (0.9, np.full(3, 1.6 * background.fill)),
    }
    places = {"window": _WINDOW, "fill": _FILL, "ceiling": _CEILING}
    lights = [
        Light(_vector(np.add(places[name], jitter[name])), (0.0, 0.0, 0.05), side, _vector(light))
        for name, (side, light) in radiance.items()
    ]
    return Scene(
        setting=TableTop(
            *_TOP,
            Surface(background.top, chance.randrange(_PIECES)),
            Surface(background.wall, chance.randrange(_PIECES)),
            gap=0.3,
        ),
        objects=(),
        lights=tuple(lights),
        camera=Camera(_vector(far * np.add(_EYE, jitter["camera"])), _TARGET, _FIELD, width, height),
        sky=_vector(np.full(3, background.sky)),
        jitter=jitter,
        facts={"farther": far},
    )


def floor_of(scene: Scene) -> Floor:
    """Where things may stand."""
    across, deep = (scene.facts["farther"] * half for half in _AREA)
    return Floor(-across, across, -deep, deep, gap=_GAP, margin=_MARGIN * UNIT, tries=40, restarts=6)


def _moved(reach: Sequence[float], chance: random.Random) -> Vector:
    return _vector([round(chance.uniform(-most, most), 4) for most in reach])


def _vector(values: Iterable[float]) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
