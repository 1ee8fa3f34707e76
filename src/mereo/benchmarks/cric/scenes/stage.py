"""The room around own scenes: floor and walls, lamps, and a camera that stands as far off as the picture needs."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np

from mereo.benchmarks.cric.scenes.plans import Plan, looks
from mereo.scenes.observe import projected
from mereo.scenes.scene import Camera, Light, Room, Scene, Surface, Vector
from mereo.shapes.mesh import Floats

__all__ = ["BACK", "empty_room", "framed"]

DEPTH = 9.0
BACK = DEPTH / 2
"""Where the back wall is, meters along y."""
_HEIGHT = 2.9
_BESIDE = (0.9, 1.6)
"""Meters from what stands outermost to the side walls."""
_FIELD = 42.0
_BORDER = 0.035
"""How much of the picture's width is left free around what must be seen."""
_LAMPS = {
    "key": ((2.2, -3.4, 4.6), (-0.2, -0.6, 0.5), 2.0, (14.0, 13.4, 12.4)),
    "fill": ((-3.2, -3.2, 4.2), (0.3, -0.6, 0.5), 2.4, (6.0, 6.3, 6.8)),
    "top": ((0.0, -1.4, 5.0), (0.0, -1.0, 0.0), 2.6, (4.4, 4.4, 4.3)),
}
"""Where each lamp stands from the middle of the back wall's foot, where it shines, its side and its radiance."""
_LAMP_JITTER = 0.4
_SKY = (0.33, 0.34, 0.36)


def empty_room(chance: random.Random, *, across: float, width: int, height: int) -> Scene:
    """A room with nothing in it, the lamps moved by chance. across : meters from the middle to what stands outermost"""
    jitter = {name: tuple(round(chance.uniform(-_LAMP_JITTER, _LAMP_JITTER), 4) for _ in range(3)) for name in _LAMPS}
    side = chance.choice((-1.0, 1.0))  # the brighter lamp stands to the one or to the other side
    lights = []
    for name, (place, target, size, radiance) in _LAMPS.items():
        x, y, z = np.add(place, jitter[name]).tolist()
        lights.append(Light((side * x, BACK + y, z), (side * target[0], BACK + target[1], target[2]), size, radiance))
    wall = _surface("wall", chance)
    room = Room(
        round(2 * (across + chance.uniform(*_BESIDE)), 3),
        DEPTH,
        _HEIGHT,
        floor=_surface("floor", chance),
        back=wall,
        left=wall,
        right=wall,
    )
    camera = Camera((0.0, 0.0, 1.5), (0.0, BACK, 0.8), _FIELD, width, height)
    return Scene(room, (), tuple(lights), camera, sky=_SKY, jitter=jitter)


def _surface(kind: str, chance: random.Random) -> Surface:
    return Surface(chance.choice(getattr(looks(), kind)), chance.randrange(looks().pieces))


def framed(scene: Scene, points: Floats, plan: Plan, chance: random.Random) -> Scene:
    """The scene with a camera that has these points in view, as near as that goes. points : (n, 3) float, meters"""
    rise, turn = np.radians(chance.uniform(*plan.rises)), np.radians(chance.uniform(*plan.turns))
    away = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
    target: Floats = (points.min(0) + points.max(0)) / 2
    for _ in range(3):
        low, high = 0.4, 8.0
        while high - low > 0.01:
            middle = (low + high) / 2
            low, high = (
                (low, middle) if _inside(_looking(scene, target + middle * away, target), points) else (middle, high)
            )
        near = _looking(scene, target + high * away, target)
        target = _centered(near, points, target)
    return _looking(scene, target + high * away, target)


def _looking(scene: Scene, place: Floats, target: Floats) -> Scene:
    camera = msgspec.structs.replace(scene.camera, position=_vector(place), target=_vector(target))
    return msgspec.structs.replace(scene, camera=camera)


def _inside(scene: Scene, points: Floats) -> bool:
    size, border = np.array([scene.camera.width, scene.camera.height]), _BORDER * scene.camera.width
    pixels = projected(scene, points)
    return bool((pixels[:, 2] > 0.1).all() and (pixels[:, :2] > border).all() and (pixels[:, :2] < size - border).all())


def _centered(scene: Scene, points: Floats, target: Floats) -> Floats:
    """A target for which points come to lie in the middle of the picture, more or less."""
    from mereo.scenes.render import view_matrix

    camera, pixels = scene.camera, projected(scene, points)
    off = (pixels[:, :2].min(0) + pixels[:, :2].max(0) - (camera.width, camera.height)) / 2
    far = np.linalg.norm(np.subtract(camera.position, target))
    meters = off * far * 2 * np.tan(np.radians(camera.field) / 2) / camera.width
    right, up, _ = view_matrix(scene)
    moved: Floats = target + meters[0] * right - meters[1] * up
    return moved


def _vector(values: Sequence[float] | Floats) -> Vector:
    x, y, z = (round(float(value), 4) for value in values)
    return x, y, z
