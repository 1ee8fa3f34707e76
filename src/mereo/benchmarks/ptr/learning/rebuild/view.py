"""A picture of a rebuilt room from where nobody stood, so that a person sees what was made of what was seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.ptr.learning.rebuild.room import rebuilt
from mereo.benchmarks.ptr.learning.rebuild.solid import sighted
from mereo.benchmarks.ptr.learning.recorded import record_of_seen
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_part_of
from mereo.scenes.assemble import assemble, shape_of
from mereo.scenes.render import render
from mereo.scenes.scene import Camera, Light, Paint, Placed, Scene, Stage, Vector
from mereo.shapes.draw import Image
from mereo.shapes.mesh import Floats
from mereo.training.seeing import Seen

__all__ = ["aside", "drawn_aside"]

_AROUND, _ABOVE = math.radians(65), math.radians(28)
"""How far the camera goes around the objects to its right, and how steeply it looks down on them."""
_FIELD, _MARGIN = 40.0, 1.12
"""Degrees that it sees from left to right, and how much more than the objects it sees."""


def drawn_aside(seen: Seen, *, width: int = 480, samples: int = 128) -> Image:
    """The room that was rebuilt from what was seen, in the colors that were seen, from another side."""
    colors = [_colors(thing) for thing in record_of_seen(seen)["objects"]]
    return render(aside(rebuilt(*sighted(seen)), colors, width=width), samples=samples)[0]


def aside(scene: Scene, colors: Sequence[Mapping[str, str]], *, width: int) -> Scene:
    """A rebuilt scene from its right, without its walls, which would hide it. colors : by object, by part"""
    painted = tuple(map(_painted, scene.objects, colors))
    corners = assemble(msgspec.structs.replace(scene, objects=painted)).vertices.astype(float)
    middle = (corners.min(0) + corners.max(0)) / 2
    before = middle - np.array(scene.camera.position)
    turn = math.atan2(before[1], before[0]) + _AROUND
    ahead = np.array([math.cos(turn) * math.cos(_ABOVE), math.sin(turn) * math.cos(_ABOVE), -math.sin(_ABOVE)])
    right = np.array([math.sin(turn), -math.cos(turn), 0.0])
    x, y, z = ((corners - middle) @ np.stack([right, np.cross(right, ahead), ahead]).T).T
    slope = math.tan(math.radians(_FIELD / 2))
    away = float((np.maximum(np.abs(x), 1.5 * np.abs(y)) * _MARGIN / slope - z).max())
    camera = Camera(_vector(middle - away * ahead), _vector(middle), _FIELD, width, 2 * width // 3)
    return Scene(Stage(), painted, _lamps(middle), camera, tuple(NUMBERS["lamps"]["sky"]))


def _colors(thing: Mapping[str, Any]) -> dict[str, str]:
    """By name of a part the color in which it was seen."""
    return {part["part"]: part["color"] for part in (*thing["faint"], *thing["parts"]) if part["color"] is not None}


def _painted(placed: Placed, colors: Mapping[str, str]) -> Placed:
    """An object in some colors; what has none is as pale as what PTR has no name for."""
    paint, category = NUMBERS["paint"], placed.shape.category
    neutral = Paint(paint["neutral"]["material"], _unit(paint["neutral"]["color"]))
    paints = {"": neutral}
    for leaf in shape_of(placed.shape).leaves():
        color = colors.get(ptr_part_of(category, leaf.label) or "")
        if color is not None:
            paints[leaf.label] = Paint(paint["materials"][0], _unit(paint["colors"][color]), color)
    return msgspec.structs.replace(placed, paints=paints)


def _lamps(middle: Floats) -> tuple[Light, ...]:
    """Those of PTR's rooms, around the middle of what is seen."""
    ground, found = np.array([middle[0], middle[1], 0.0]), []
    for lamp in NUMBERS["lamps"].values():
        if isinstance(lamp, dict):
            place, target = _vector(ground + lamp["position"]), _vector(ground + lamp["target"])
            found.append(Light(place, target, lamp["side"], tuple(lamp["radiance"])))
    return tuple(found)


def _vector(point: Floats) -> Vector:
    x, y, z = point.tolist()
    return x, y, z


def _unit(color: list[int]) -> Vector:
    return _vector(np.array(color) / 255)
