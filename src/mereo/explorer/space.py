"""Scenes and shapes in three dimensions, as a browser gets them: bodies that move, made of pieces one can point at.

The stored layout says how each shape is made, so meshes are made again and never stored. A packed space is four bytes
with the length of a header, the header as JSON, then the corners (float32) and faces (uint32) of all pieces.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.scenes.assemble import all_materials, shape_of
from mereo.scenes.scene import Camera, Placed, Pose, Room, Scene
from mereo.shapes.draw import part_paint
from mereo.shapes.joint import Joint
from mereo.shapes.part import Part, Shape

__all__ = ["Body", "Movable", "Piece", "Space", "pack", "space_of_scene", "space_of_shape"]

_STAGE = 12.0
"""Meters of ground under things that stand in no room."""
_SLOWEST = 0.02
"""Meters and quaternion units by which something must move for its motion to be worth showing."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A leaf of a shape: what one points at."""

    body: int
    leaf: int
    label: str
    color: str
    """As style sheets write it: `#b0a080`."""
    opacity: float
    vertices: NDArray[np.float32]
    """(n, 3), meters, in the body's own frame."""
    faces: NDArray[np.uint32]
    """(m, 3)."""
    away: tuple[float, float, float]
    """Where it goes when the whole is taken apart, meters, in the body's own frame."""
    joint: int = -1
    """The place of the joint that moves it, -1 where none does."""

    @property
    def key(self) -> str:
        """What the browser calls it."""
        return f"{self.body}/{self.leaf}"


@dataclass(frozen=True, eq=False)
class Body:
    """An object: where it is, and how it moves if it does."""

    pose: Pose
    motion: tuple[tuple[float, ...], ...] = ()
    """Samples: seconds, position (x, y, z), rotation (w, x, y, z)."""


@dataclass(frozen=True, eq=False)
class Movable:
    """A part that can be moved, as it stands in the shape's frame."""

    part: int
    name: str
    joint: Joint
    above: int
    """The place of the joint that moves it along, -1 where none does."""


@dataclass(frozen=True, eq=False)
class Space:
    """Everything that is shown."""

    bodies: tuple[Body, ...]
    pieces: tuple[Piece, ...]
    room: tuple[float, float, float] | None = None
    """Width, depth and height of the room around it, meters."""
    camera: Camera | None = None
    ground: float = 4.0
    """The side of the square on the ground that is drawn where there is no room, meters."""
    movable: tuple[Movable, ...] = ()
    """What can be moved of a shape by itself, each after what moves it along."""

    @property
    def moves(self) -> bool:
        """Whether anything does."""
        return any(body.motion for body in self.bodies)


@dataclass
class _Growing:
    """Corners and faces one after the other."""

    corners: list[NDArray[np.float32]] = field(default_factory=list)
    faces: list[NDArray[np.uint32]] = field(default_factory=list)


def space_of_scene(scene: Scene, motions: Sequence[Sequence[Sequence[float]]] = ()) -> Space:
    """A scene from its layout. motions : for each object the samples of how it moves, where that is known"""
    bodies, pieces = [], []
    for number, placed in enumerate(scene.objects):
        motion = motions[number] if number < len(motions) else ()
        bodies.append(Body(placed.pose, _worth_showing(motion)))
        pieces += _painted(placed, number)
    setting = scene.setting
    room = (setting.width, setting.depth, setting.height) if isinstance(setting, Room) else None
    return Space(tuple(bodies), tuple(pieces), room, scene.camera, ground=_STAGE)


def space_of_shape(shape: Shape) -> Space:
    """A shape by itself, every label in a color of its own."""
    labels = list(dict.fromkeys(leaf.label for leaf in shape.leaves()))
    colors = {label: part_paint(place) for place, label in enumerate(labels)}
    pieces = _pieces(shape, 0, 1.0, {leaf.label: (colors[leaf.label], 1.0) for leaf in shape.leaves()})
    movable: list[Movable] = []
    moved_by: dict[int, int] = {}
    _find_movable(shape.root, -1, movable, moved_by)
    return Space(
        (Body(Pose()),), tuple(replace(piece, joint=moved_by[piece.leaf]) for piece in pieces), movable=tuple(movable)
    )


def _find_movable(part: Part, above: int, movable: list[Movable], moved_by: dict[int, int]) -> None:
    """Add the joints of a part and of all below it, and for each part which of them moves it."""
    if part.joint is not None:
        movable.append(Movable(part.id, part.name, part.joint, above))
        above = len(movable) - 1
    moved_by[part.id] = above
    for child in part.children:
        _find_movable(child, above, movable, moved_by)


def _painted(placed: Placed, number: int) -> list[Piece]:
    shape = shape_of(placed.shape)
    looks = {}
    for leaf in shape.leaves():
        paint = placed.paint(leaf.label)
        clear = all_materials().get(paint.material, {}).get("transmission", 0.0)
        looks[leaf.label] = _hex(np.asarray(paint.color)), 0.4 if clear else 1.0
    return _pieces(shape, number, placed.scale, looks)


def _pieces(shape: Shape, body: int, scale: float, looks: Mapping[str, tuple[str, float]]) -> list[Piece]:
    middle = shape.bounds().mean(0)
    found = []
    for leaf in shape.leaves():
        assert leaf.mesh is not None
        # Sideways and upwards alike, so that what lies inside comes out; the lowest parts stay on the ground.
        apart = scale * (leaf.mesh.bounds().mean(0) - middle)
        away = (float(apart[0]), float(apart[1]), float(apart[2] + scale * middle[2]))
        color, opacity = looks[leaf.label]
        vertices = (scale * leaf.mesh.vertices).astype(np.float32)
        found.append(
            Piece(body, leaf.id, leaf.label, color, opacity, vertices, leaf.mesh.faces.astype(np.uint32), away)
        )
    return found


def _worth_showing(motion: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    """The samples of a motion; none where nothing can be seen to move."""
    samples = np.asarray(motion, float).reshape(-1, 8)
    if len(samples) < 2 or np.abs(samples[:, 1:] - samples[0, 1:]).max() < _SLOWEST:
        return ()
    return tuple(tuple(row) for row in samples.tolist())


def _hex(color: NDArray[Any]) -> str:
    red, green, blue = np.clip(np.round(255 * color), 0, 255).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def pack(space: Space) -> bytes:
    """A space as one piece of data."""
    growing = _Growing()
    corners = faces = 0
    listed = []
    for piece in space.pieces:
        listed.append(
            {
                "key": piece.key,
                "body": piece.body,
                "color": piece.color,
                "opacity": piece.opacity,
                "away": piece.away,
                "joint": piece.joint,
                "corners": [corners, len(piece.vertices)],
                "faces": [faces, len(piece.faces)],
            }
        )
        growing.corners.append(piece.vertices)
        growing.faces.append(piece.faces)
        corners, faces = corners + len(piece.vertices), faces + len(piece.faces)
    header = msgspec.json.encode(
        {
            "bodies": [
                {"position": body.pose.position, "rotation": body.pose.rotation, "motion": body.motion}
                for body in space.bodies
            ],
            "pieces": listed,
            "movable": [
                {
                    "part": each.part,
                    "kind": each.joint.kind,
                    "axis": each.joint.axis,
                    "origin": each.joint.origin,
                    "at": each.joint.at,
                    "above": each.above,
                }
                for each in space.movable
            ],
            "corners": corners,
            "room": space.room,
            "ground": space.ground,
        }
    )
    header += b" " * (-(4 + len(header)) % 4)  # numbers must begin at a multiple of four bytes
    vertices = b"".join(own.astype("<f4").tobytes() for own in growing.corners)
    triangles = b"".join(own.astype("<u4").tobytes() for own in growing.faces)
    return struct.pack("<I", len(header)) + header + vertices + triangles
