"""CLEVR's scenes without pictures: objects on a stage, placed by CLEVR's rules and seen from a jittered camera."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mereo.chance import fast
from mereo.clevr_family.language import VOCABULARY, WORDS
from mereo.errors import NoScene
from mereo.world import along, members

__all__ = ["CONDITIONS", "Strewing", "strewn_scene"]

_COLORS = VOCABULARY.words("color")
_MATERIALS = VOCABULARY.words("material")
_SHAPES = VOCABULARY.words("shape")
_SIZES = VOCABULARY.words("size")

CONDITIONS: dict[str, dict[str, tuple[str, ...]]] = {
    name: {shape: tuple(palette.get(shape, _COLORS)) for shape in _SHAPES}
    for name, palette in {"": {}, **WORDS["cogent"]}.items()
}
"""The colors that each shape may have; the empty name is plain CLEVR, A and B are CoGenT's."""


@dataclass(frozen=True)
class Strewing:
    """How objects are strewn, in CLEVR's units: a large object has radius 0.7."""

    fewest: int = 3
    most: int = 10
    reach: float = 3.0
    """Centers lie within this of the middle, in x and in y."""
    gap: float = 0.25
    """The least distance between the rims of two objects."""
    margin: float = 0.4
    """The least distance between two centers along each of the four directions, so that no relation is in doubt."""
    dead_zone: float = 0.2
    """How far one must be beyond another to stand in a relation to it."""
    radius: Mapping[str, float] = field(default_factory=lambda: dict(WORDS["radius"]))
    camera: tuple[float, float, float] = (7.48, -6.5, 5.34)
    jitter: float = 0.5
    """The camera is moved by up to this along each axis."""
    tries: int = 50
    """Places tried for an object before the scene is begun anew."""
    restarts: int = 1000


def strewn_scene(rng: np.random.Generator, *, condition: str = "", strewing: Strewing | None = None) -> dict[str, Any]:
    """A scene as a record in CLEVR's own format, without split, index and file name."""
    strewing, chance = strewing or Strewing(), fast(rng)
    palette = CONDITIONS[condition]
    count = chance.randint(strewing.fewest, strewing.most)
    for _ in range(strewing.restarts):
        camera = [place + chance.uniform(-strewing.jitter, strewing.jitter) for place in strewing.camera]
        directions = _directions(camera)
        objects = _strewn(count, palette, directions, strewing, chance)
        if objects is not None:
            break
    else:
        raise NoScene(f"{count} objects found no places {strewing.margin} apart in {strewing.restarts} attempts")
    positions = [thing["3d_coords"] for thing in objects]
    tables = {name: along(positions, directions[name], margin=strewing.dead_zone) for name in VOCABULARY.relations}
    return {
        "objects": objects,
        "relationships": {name: [members(row) for row in table] for name, table in tables.items()},
        "directions": directions,
        "camera": camera,
    }


def _directions(camera: list[float]) -> dict[str, list[float]]:
    """Unit vectors on the ground, world frame, as the camera sees them."""
    distance = math.hypot(camera[0], camera[1])
    x, y = -camera[0] / distance, -camera[1] / distance
    return {
        "behind": [x, y, 0.0],
        "front": [-x, -y, 0.0],
        "left": [-y, x, 0.0],
        "right": [y, -x, 0.0],
        "above": [0.0, 0.0, 1.0],
        "below": [0.0, 0.0, -1.0],
    }


def _strewn(
    count: int,
    palette: Mapping[str, tuple[str, ...]],
    directions: Mapping[str, list[float]],
    strewing: Strewing,
    chance: random.Random,
) -> list[dict[str, Any]] | None:
    """Objects at places that keep all distances, or None where one finds no place."""
    (rx, ry, _), (bx, by, _) = directions["right"], directions["behind"]
    draw, reach, margin = chance.random, strewing.reach, strewing.margin
    placed: list[tuple[float, float, float, float, float]] = []
    objects: list[dict[str, Any]] = []
    while len(objects) < count:
        size = chance.choice(_SIZES)
        radius = strewing.radius[size]
        for _ in range(strewing.tries):
            x, y = reach * (2 * draw() - 1), reach * (2 * draw() - 1)
            across, deep = x * rx + y * ry, x * bx + y * by
            for other_x, other_y, other_across, other_deep, other_radius in placed:
                if abs(across - other_across) < margin or abs(deep - other_deep) < margin:
                    break
                if math.hypot(x - other_x, y - other_y) < radius + other_radius + strewing.gap:
                    break
            else:
                break
        else:
            return None
        placed.append((x, y, across, deep, radius))
        shape = chance.choice(_SHAPES)
        objects.append(
            {
                "shape": shape,
                "size": size,
                "material": chance.choice(_MATERIALS),
                "color": chance.choice(palette[shape]),
                "3d_coords": [x, y, radius],
                "rotation": 360.0 * draw(),
            }
        )
    return objects
