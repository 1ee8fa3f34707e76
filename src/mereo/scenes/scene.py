"""A scene is a value: everything that is needed to simulate it, render it and look at it again.

World frame: meters, x to the right, y away from the viewer, z up. Quaternions are (w, x, y, z). Colors are sRGB, from
0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from mereo.errors import BadInput
from mereo.files import decode_json, read_bytes, write_bytes
from mereo.shapes.mesh import Floats

__all__ = [
    "Camera",
    "Light",
    "Paint",
    "Placed",
    "Pose",
    "Room",
    "Scene",
    "ShapeRef",
    "Stage",
    "Surface",
    "TableTop",
    "load_scene",
    "rotation_matrix",
    "save_scene",
    "scene_from_json",
    "scene_to_json",
]

VERSION = 4
"""Version 2 knows table tops, 3 own shapes, 4 moved parts; all that earlier ones could say is read as before."""
_USUAL, _WITH_OWN = 2, 3
"""What scenes without own shapes are written as, and those with them; no newer than need be."""

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Natural = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
"""What chance can be drawn from, and the stock can hold."""


class Pose(msgspec.Struct, frozen=True):
    """Where something is and how it is turned."""

    position: Vector = (0.0, 0.0, 0.0)
    """Meters, world frame: where the shape's own origin, the middle of its foot, comes to lie."""
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """(w, x, y, z), unit length, from the shape's frame to the world."""


class ShapeRef(msgspec.Struct, frozen=True):
    """A shape by the way it is made; grammars make it again, bit for bit. Own shapes go by a name instead."""

    category: str
    seed: Natural = 0
    split: str = "train"
    family: Natural = 0
    """Its place among the families of the split."""
    instance: Natural = 0
    own: str | msgspec.UnsetType = msgspec.UNSET
    """The name of a shape that no grammar makes; see `mereo.shapes.own`. The numbers mean nothing then."""
    joints: tuple[tuple[int, float], ...] | msgspec.UnsetType = msgspec.UNSET
    """Parts that stand otherwise than the shape is made, each id with the value of its joint, degrees or meters."""

    def opened(self, values: Mapping[int, float]) -> ShapeRef:
        """The shape with its parts where they are made but for these: doors opened, drawers pulled out.

        values : degrees or meters by part id; see `mereo.shapes.articulation`
        """
        joints = tuple(sorted((number, float(value)) for number, value in values.items()))
        return msgspec.structs.replace(self, joints=joints or msgspec.UNSET)


class Paint(msgspec.Struct, frozen=True):
    """What a part is made of and its color."""

    material: str
    color: Vector
    """sRGB, 0 to 1."""
    name: str = ""
    """What the color is called, where that matters."""


class Placed(msgspec.Struct, frozen=True):
    """One object of a scene."""

    shape: ShapeRef
    pose: Pose = Pose()
    scale: float = 1.0
    paints: dict[str, Paint] = {}
    """Paint by label; a label that is not listed takes that of the nearest label above it, "" stands above all."""

    def paint(self, label: str) -> Paint:
        """The paint of a part."""
        while label and label not in self.paints:
            label = label.rpartition("/")[0]
        if label not in self.paints:
            raise BadInput("has no paint for all that is not listed", record=self.shape.category, field="paints")
        return self.paints[label]


class Surface(msgspec.Struct, frozen=True):
    """The look of a floor, wall or table top."""

    look: str
    """One of the names in `looks.toml`."""
    seed: Natural = 0
    """Which piece of the endless pattern."""


class Room(msgspec.Struct, frozen=True, tag="room"):
    """A floor and three walls, open towards the viewer; the middle of the floor is the origin."""

    width: float
    depth: float
    height: float
    floor: Surface
    back: Surface
    left: Surface
    right: Surface


class Stage(msgspec.Struct, frozen=True, tag="stage"):
    """CLEVR's stage: a plain ground without end."""

    ground: Surface = Surface("stage")


class TableTop(msgspec.Struct, frozen=True, tag="table_top"):
    """The top of a table before a wall; the middle of the top is the origin, and things stand on it at z = 0."""

    width: float
    depth: float
    top: Surface
    wall: Surface
    thickness: float = 0.036
    """Meters from the top's upper to its lower side."""
    gap: float = 0.6
    """Meters from the top's back edge to the wall."""


class Light(msgspec.Struct, frozen=True):
    """A square lamp that shines one way."""

    position: Vector
    target: Vector
    side: float
    """Meters; the larger, the softer the shadows."""
    radiance: Vector
    """Linear RGB, watts per square meter and steradian."""


class Camera(msgspec.Struct, frozen=True):
    """A pinhole camera, upright."""

    position: Vector
    target: Vector
    field: float
    """Horizontal field of view, degrees."""
    width: int = 480
    """Pixels."""
    height: int = 320
    """Pixels."""


class Scene(msgspec.Struct, frozen=True):
    """All there is to see."""

    setting: Room | Stage | TableTop
    objects: tuple[Placed, ...]
    lights: tuple[Light, ...]
    camera: Camera
    sky: Vector = (0.3, 0.3, 0.3)
    """Linear RGB radiance from all around."""
    jitter: dict[str, tuple[float, ...]] = {}
    """By how much camera and lights were moved from their standard places, meters."""
    facts: dict[str, Any] = {}
    """How it came about: seed, split, index."""
    scene: int = _USUAL
    """The version of this format."""


def rotation_matrix(quaternion: Quaternion) -> Floats:
    """(3, 3) float: the rotation that a unit quaternion (w, x, y, z) stands for."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def scene_to_json(scene: Scene) -> bytes:
    """The text of a scene file."""
    own, moved = (any(map(attrgetter(f"shape.{name}"), scene.objects)) for name in ("own", "joints"))
    version = VERSION if moved else _WITH_OWN if own else scene.scene
    return msgspec.json.encode(msgspec.structs.replace(scene, scene=version))


def scene_from_json(data: bytes, *, file: object = None) -> Scene:
    """A scene from the text of a scene file; one of a newer version is refused."""
    version = decode_json(data, file=file, type=dict[str, Any]).get("scene", VERSION)
    if isinstance(version, int) and version > VERSION:
        raise BadInput(f"is of version {version}; this mereo reads up to {VERSION}", file=file, field="scene")
    return decode_json(data, file=file, type=Scene)


def load_scene(path: str | Path) -> Scene:
    """Read a scene file."""
    return scene_from_json(read_bytes(path), file=path)


def save_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene file."""
    write_bytes(path, msgspec.json.format(scene_to_json(scene), indent=1))
