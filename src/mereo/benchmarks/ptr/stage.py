"""The room that PTR's objects stand in, its lamps, and the camera before it."""

from __future__ import annotations

import numpy as np

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.scenes.layout import Floor
from mereo.scenes.scene import Camera, Light, Room, Scene, Surface, Vector

__all__ = ["all_surfaces", "drawn_walls", "empty_room", "floor_of"]


def empty_room(
    count: int,
    rng: np.random.Generator,
    *,
    width: int,
    height: int,
    diagonal: float,
    narrower: float = 0.0,
    farther: float = 0.0,
    higher: float = 0.0,
) -> Scene:
    """A room for so many objects, with nothing in it; camera and lamps are moved by chance, which is recorded.

    diagonal : of the objects, meters; see `usual_diagonal`
    narrower, farther, higher : meters by which the room is narrower, the camera farther off, and its aim higher
    """
    more = count - NUMBERS["objects"]["fewest"]
    numbers = NUMBERS["room"]
    larger = diagonal / numbers["diagonal"]
    across, deep, high = (
        round((float(rng.uniform(*numbers[side])) + grows * more) * (1.0 if side == "height" else larger), 3)
        for side, grows in zip(("width", "depth", "height"), numbers["more"], strict=True)
    )
    room = Room(
        across - narrower,
        deep + numbers["before"],
        high,
        floor=_look("floor", rng),
        **drawn_walls(rng),
    )
    middle = (0.0, numbers["before"] / 2, 0.0)
    camera, jitter = NUMBERS["camera"], {}
    jitter["camera"] = _within(camera["jitter"], rng)
    jitter["target"] = _within(camera["target_jitter"], rng)
    away = larger * np.add(camera["position"], np.multiply(camera["more"], more)) - (0.0, farther, 0.0)
    lights = []
    for name, lamp in NUMBERS["lamps"].items():
        if isinstance(lamp, dict):
            jitter[name] = _within([NUMBERS["lamps"]["jitter"]] * 3, rng)
            place, target = _sum(lamp["position"], jitter[name], middle), _sum(lamp["target"], middle)
            lights.append(Light(place, target, lamp["side"], tuple(lamp["radiance"])))
    return Scene(
        setting=room,
        objects=(),
        lights=tuple(lights),
        camera=Camera(
            _sum(away.tolist(), jitter["camera"], middle),
            _sum(camera["target"], jitter["target"], middle, (0.0, 0.0, higher)),
            camera["field"],
            width,
            height,
        ),
        sky=tuple(NUMBERS["lamps"]["sky"]),
        jitter=dict(jitter),
    )


def drawn_walls(rng: np.random.Generator) -> dict[str, Surface]:
    """The looks of a room's walls by side: all alike, or the left one of another."""
    wall = _look("wall", rng)
    return {"back": wall, "left": wall if rng.random() < 0.5 else _look("wall", rng), "right": wall}


def floor_of(room: Room) -> Floor:
    """Where objects may stand in a room."""
    numbers = NUMBERS["floor"]
    across, deep = room.width / 2 - numbers["to_wall"], room.depth / 2
    return Floor(
        left=-across,
        right=across,
        front=NUMBERS["room"]["before"] - deep + numbers["to_front"],
        back=deep - numbers["to_wall"],
        gap=numbers["gap"],
        margin=numbers["margin"],
        tries=80,
        restarts=12,
    )


def _look(kind: str, rng: np.random.Generator) -> Surface:
    return Surface(str(rng.choice(NUMBERS["looks"][kind])), int(rng.integers(NUMBERS["looks"]["pieces"])))


def all_surfaces() -> list[Surface]:
    """The floors and walls that a room can have."""
    names = dict.fromkeys(name for kind in ("floor", "wall") for name in NUMBERS["looks"][kind])
    return [Surface(name, seed) for name in names for seed in range(NUMBERS["looks"]["pieces"])]


def _within(reach: list[float], rng: np.random.Generator) -> Vector:
    x, y, z = (round(float(rng.uniform(-most, most)), 4) for most in reach)
    return x, y, z


def _sum(*vectors: list[float] | Vector) -> Vector:
    x, y, z = (float(value) for value in np.sum(vectors, 0))
    return x, y, z
