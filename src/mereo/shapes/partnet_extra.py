"""What a shape has that PartNet does not know, kept beside its files.

mereo.json    category, name, facts, joints, materials, and how many corners each convex piece has
pieces.bin    the corners: doubles, least byte first, three for each
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mereo.errors import BadInput
from mereo.files import read_bytes, read_json, write_bytes
from mereo.shapes.joint import Joint, Kind, Vector
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet_tree import TreeNode
from mereo.shapes.physical import all_materials

__all__ = ["Extra", "first_mesh", "read_extra", "write_extra"]

_FILE, _PIECES = "mereo.json", "pieces.bin"


class Moving(msgspec.Struct, frozen=True, omit_defaults=True):
    """A joint, and the part that it is of: by its label and the first of the names of its meshes."""

    label: str
    mesh: str
    kind: Kind
    axis: Vector
    origin: Vector
    low: float | None = None
    high: float | None = None
    """Nothing for what has no end."""
    at: float = 0.0

    def joint(self) -> Joint:
        """The joint, if it can be one."""
        low, high = (-math.inf if self.low is None else self.low), (math.inf if self.high is None else self.high)
        if abs(math.hypot(*self.axis) - 1) > 1e-6 or not low <= self.at <= high:
            raise BadInput("is no joint", record=self.label, field="joints")
        return Joint(self.kind, self.axis, self.origin, low, high, self.at)


class Extra(msgspec.Struct, frozen=True):
    """The content of `mereo.json`."""

    category: str
    name: str
    facts: dict[str, Any]
    pieces: dict[str, tuple[int, ...]]
    """By mesh, how many corners each of its convex pieces has."""
    joints: tuple[Moving, ...] | msgspec.UnsetType = msgspec.UNSET
    materials: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """By mesh, where somebody chose one."""

    def joints_by_part(self) -> dict[tuple[str, str], Joint]:
        """The joints by label and the first of the names of a part's meshes."""
        return {(moving.label, moving.mesh): moving.joint() for moving in self.joints or ()}

    def read_pieces(self, folder: Path) -> dict[str, tuple[Floats, ...]]:
        """The convex pieces of each mesh."""
        data, total = read_bytes(folder / _PIECES), sum(map(sum, self.pieces.values()))
        sizes = [size for own in self.pieces.values() for size in own]
        if len(data) != 24 * total or min(sizes, default=0) < 0:
            raise BadInput(f"does not hold the {total:,} corners that mereo.json speaks of", file=folder / _PIECES)
        corners = np.frombuffer(data, "<f8").astype(np.float64).reshape(-1, 3)
        pieces = iter(np.split(corners, np.cumsum(sizes)))
        return {name: tuple(next(pieces) for _ in own) for name, own in self.pieces.items()}


def read_extra(folder: Path) -> Extra | None:
    """What is kept beside PartNet's files, if anything is, checked."""
    file = folder / _FILE
    if not file.is_file():
        return None
    extra = read_json(file, type=Extra)
    for mesh, name in (extra.materials or {}).items():
        if name not in all_materials():
            raise BadInput(f"there is no material '{name}'", file=file, record=mesh, field="materials")
    try:
        extra.joints_by_part()
    except BadInput as error:
        raise error.within(file=file) from None
    return extra


def write_extra(shape: Shape, root: TreeNode, names: Mapping[int, str], folder: Path) -> None:
    """Keep what PartNet's files cannot hold. root : the shape's tree; names : by part id what its mesh is called"""
    pieces = {names[part.id]: part.pieces for part in shape.leaves()}
    sizes = {name: tuple(map(len, corners)) for name, corners in pieces.items()}
    nodes = {node.id: node for node in root.walk()}
    moving = tuple(_moving(part, part.joint, nodes[part.id]) for part in shape.parts() if part.joint is not None)
    materials = {names[leaf.id]: leaf.material for leaf in shape.leaves() if leaf.material}
    kept = (moving or msgspec.UNSET, materials or msgspec.UNSET)
    write_bytes(folder / _FILE, msgspec.json.encode(Extra(shape.category, shape.name, dict(shape.facts), sizes, *kept)))
    every = [piece for corners in pieces.values() for piece in corners]
    corners = np.concatenate(every) if every else np.zeros((0, 3))
    write_bytes(folder / _PIECES, corners.astype("<f8").tobytes())


def _moving(part: Part, joint: Joint, node: TreeNode) -> Moving:
    low, high = (None if math.isinf(end) else end for end in (joint.low, joint.high))
    return Moving(part.label, first_mesh(node), joint.kind, joint.axis, joint.origin, low, high, joint.at)


def first_mesh(node: TreeNode) -> str:
    """What tells parts of one label apart, in whatever order their meshes are named."""
    return min(node.all_objs())
